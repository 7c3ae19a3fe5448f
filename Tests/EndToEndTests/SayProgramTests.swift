import AgentCore
import Foundation
import TestSupport
import XCTest

/// `say` as a person calls it, with espeak-ng and a player that writes down
/// what it gets.
final class SayProgramTests: XCTestCase {
    /// - Parameter player: the body of a shell script.
    private func program(player: String = "exec cat >\"$HOME/heard\"") throws -> ChatProgram {
        let chat = try ChatProgram()
        try chat.usesEspeak()
        let path = try chat.folder.write(("#!/bin/sh\n" + player).utf8, to: "player")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        chat.variables["CHAT_PLAYER"] = path
        return chat
    }

    func testWhatIsHeardIsWhatTheFileHolds() throws {
        let chat = try program()
        let file = chat.folder.path("out.wav")
        let written = try chat.run(["say", "-", "h.", "Two.", "--output", file])
        XCTAssertEqual(written.exit, 0, written.errorText)
        XCTAssertEqual(written.text, file + "\n")
        let wave = try chat.folder.read("out.wav")
        XCTAssertEqual(wave.prefix(4), ArraySlice("RIFF".utf8))
        let heard = try chat.run(["say"], input: "- h. Two.")
        XCTAssertEqual(heard.exit, 0, heard.errorText)
        XCTAssertEqual(try chat.folder.read("account/heard"), Array(wave.dropFirst(44)))

        let again = try chat.run(["say", "x", "--output", file])
        again.assertFailure(2, "already exists")
        XCTAssertEqual(try chat.folder.read("out.wav"), wave)
        // Never in the place of a device, a pipe, a folder.
        let pipe = chat.folder.path("pipe")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        for path in [pipe, chat.folder.path] {
            let other = try chat.run(["say", "x", "--force", "--output", path])
            other.assertFailure(2, "is not a file that can be replaced")
        }
    }

    func testControlCEndsItWith130AndItsPlayer() throws {
        let chat = try program(player: "echo $$ >\"$HOME/pid\"; exec cat >/dev/null")
        let text = String(repeating: "This goes on for a while. ", count: 100)
        let program = try chat.start(["say", text])
        program.endInput()
        let pidFile = chat.folder.path("account/pid")
        var pid: Int32 = 0
        while pid == 0 {
            // It is written whole or not yet.
            pid =
                (try? String(contentsOfFile: pidFile, encoding: .utf8))
                .flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
            sched_yield()
        }
        program.signal(SIGINT)
        let result = try program.finish()
        XCTAssertEqual(result.exit, 130, result.errorText)
        // Killed by us, or at the end of its input; init may have to reap it.
        for _ in 0..<400 where !OtherProcess.hasEnded(pid) { poll(nil, 0, 5) }
        XCTAssertTrue(OtherProcess.hasEnded(pid))
    }

    func testAMissingProgramIsFiveWithTheLineThatInstallsIt() throws {
        let chat = try ChatProgram(["PATH": "/nonexistent"])
        let result = try chat.run(["say", "hello"])
        result.assertFailure(5, "espeak-ng")
    }

    func testAnAnswerIsReadAndEnterStopsIt() throws {
        let server = try ProviderServer(
            .chat,
            [
                .text("# Plan\n\n", "One **is** first. ", "And [two](https://x.example)."),
                .text("ok"),
            ])
        let chat = try program()
        chat.variables.merge(server.variables) { $1 }
        let repl = try ChatTerminal(chat, ["--provider", server.provider])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/speak on", until: "read aloud")
        try repl.enter("plan", until: "two")
        try repl.waitForPrompt(after: "two")
        // It is heard; then Enter is silence.
        while !FileManager.default.fileExists(atPath: chat.folder.path("account/heard")) {
            sched_yield()
        }
        try repl.enter("/speak off", until: "not read aloud")
        try repl.enter("/say voices scotland", until: "en-gb-scotland")
        repl.leave()
        server.finish()
    }
}
