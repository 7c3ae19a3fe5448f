import AgentCore
import Base
import Foundation
import Glibc
import TestSupport
import XCTest

/// Speaking at the prompt and in the shell, with a recorder that plays what
/// espeak-ng says and a transcription server on loopback.
final class DictationTests: XCTestCase {
    private static let said = "remind me to call mom tomorrow at 5pm"

    /// A program, and a recorder that gives its speech at once and then nothing
    /// until it is told to end.
    private func program(
        _ server: TranscriptionServerStub, speaks: Bool = true,
        _ more: [String: String] = [:]
    ) throws -> ChatProgram {
        for program in ["espeak-ng", "sox"] { _ = try TestMachine.find(program, package: program) }
        let chat = try ChatProgram(
            ["OPENAI_BASE_URL": server.address, "OPENAI_API_KEY": "sk-dictation"]
                .merging(more) { $1 })
        let raw = chat.folder.path("speech.raw")
        let make =
            speaks
            ? "espeak-ng --stdout '\(Self.said)' | sox -t wav - -t raw -r 16000 -c 1 -e signed -b 16 '\(raw)'"
            : "head -c 64000 /dev/zero > '\(raw)'"
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", make]
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        let recorder = chat.folder.path("recorder")
        try Data("#!/bin/sh\ncat '\(raw)'\nexec sleep 600\n".utf8)
            .write(to: URL(fileURLWithPath: recorder))
        chmod(recorder, 0o700)
        chat.variables["CHAT_RECORDER"] = recorder
        return chat
    }

    private func recordings(_ chat: ChatProgram) -> [String] {
        chat.files.filter { $0.hasSuffix(".wav") }
    }

    /// Waits until all of the speech is in the file and on the screen.
    private func waitForSpeech(_ repl: ChatTerminal) throws {
        try repl.terminal.waitFor("the meter") { screen in
            screen.lines.contains { $0.contains("● Recording    0:02") }
                && screen.lines.last?.contains("Enter stops") == true
        }
        try waitForFile(repl.chat)
    }

    private func frames(_ chat: ChatProgram, _ name: String) throws -> (header: Int, file: Int) {
        let bytes = try chat.bytes(name)
        XCTAssertEqual(Array(bytes.prefix(4)), Array("RIFF".utf8))
        let counted = (0..<4).reduce(0) { $0 | Int(bytes[40 + $1]) << (8 * $1) }
        return (counted, bytes.count - 44)
    }

    func testWhatIsSaidStandsInTheLineAndBecomesAReminder() throws {
        let server = try TranscriptionServerStub(.json("/Remind me to call mom\ntomorrow at 5pm"))
        defer { server.stop() }
        let chat = try program(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt()
        repl.terminal.type("\u{1B}r")
        try waitForSpeech(repl)
        repl.terminal.type("\r")
        try repl.terminal.waitFor("the words") {
            $0.lines.last == "> Remind me to call mom tomorrow at 5pm"
                && !$0.text.contains("Recording")
        }
        XCTAssertEqual(recordings(chat), [])
        repl.terminal.type("\r")
        try repl.waitForPrompt(after: "call mom")
        repl.leave()
        let reminders = try chat.json(["reminders", "list", "--json"])
        XCTAssertTrue(JSONWriter.pretty(reminders).contains("call mom"))
        let upload = try XCTUnwrap(server.uploads.first)
        XCTAssertEqual(server.uploads.count, 1)
        XCTAssertEqual(upload.bearer, "sk-dictation")
        let sent = try XCTUnwrap(upload.file?.body)
        let raw = [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: chat.folder.path("speech.raw"))))
        XCTAssertEqual(Array(sent.dropFirst(44)), raw)
    }

    func testWordsThatNameAFileAttachNothing() throws {
        let provider = try ProviderServer(.messages, [.text("Well."), .text("Again.")])
        // What was said is a file that is there, twice.
        let folder = try TemporaryFolder()
        let secret = try folder.write(Array("inner".utf8), to: "notes.md")
        let picture = try folder.write(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: "a.png")
        for (said, answer) in [("look at @\(secret)", "Well."), ("'\(picture)'", "Again.")] {
            let server = try TranscriptionServerStub(.json(said))
            defer { server.stop() }
            let repl = try ChatTerminal(
                try program(server, provider.variables), ["--provider", "claude"])
            try repl.waitForPrompt()
            repl.terminal.type("\u{1B}r")
            try waitForSpeech(repl)
            repl.terminal.type("\r")
            try repl.waitForLine("> \(said)")
            repl.terminal.type("\r")
            try repl.waitForPrompt(after: answer)
            repl.leave()
        }
        XCTAssertEqual(try provider.messages(0), ["user: look at @\(secret)"])
        XCTAssertEqual(try provider.messages(1), ["user: '\(picture)'"])
        provider.finish()
    }

    func testEscapeAndControlCKeepNothingAndTheLineStays() throws {
        let server = try TranscriptionServerStub(.json("never"))
        defer { server.stop() }
        let chat = try program(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt()
        for key in ["\u{1B}", "\u{03}"] {
            repl.terminal.type("half\u{1B}r")
            try waitForSpeech(repl)
            repl.terminal.type(key)
            try repl.terminal.waitFor("the line as it was") {
                $0.lines.last == "> half" && !$0.text.contains("Recording")
            }
            XCTAssertEqual(recordings(chat), [])
            repl.terminal.type("\u{15}")
            try repl.waitForPrompt()
        }
        repl.leave()
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testAFailedOrStoppedUploadKeepsTheRecordingAndSaysHowToGoOn() throws {
        let gate = Gate()
        let server = try TranscriptionServerStub(
            .error(400, message: "no \u{1B}[2Jgood"), .script(ServerScript([.wait(gate)])))
        defer { server.stop() }
        let chat = try program(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt()
        repl.terminal.type("a\u{1B}r")
        try waitForSpeech(repl)
        repl.terminal.type("\r")
        try repl.terminal.waitFor("the failure") {
            $0.lines.last == "> a" && $0.text.contains("The recording is kept")
                && $0.text.contains("/transcribe")
        }
        XCTAssertEqual(recordings(chat).count, 1)
        repl.terminal.type("b\u{1B}r")
        try waitForSpeech(repl)
        repl.terminal.type("\r")
        try repl.waitFor("waiting for the words")
        repl.terminal.type("\u{1B}")
        try repl.terminal.waitFor("the stop") {
            $0.lines.last == "> ab" && $0.text.contains("Stopped. The recording is kept")
        }
        gate.open()
        XCTAssertEqual(recordings(chat).count, 2)
        XCTAssertFalse(recordings(chat).contains { $0.contains("unfinished") })
        repl.terminal.type("\u{15}")
        try repl.waitForPrompt()
        repl.leave()
    }

    func testAKilledProgramLeavesAReadableRecordingAndTheNextOneSaysSo() throws {
        let server = try TranscriptionServerStub(.json("never"))
        defer { server.stop() }
        let chat = try program(server)
        let killed = try ChatTerminal(chat)
        try killed.waitForPrompt()
        killed.enter("/record")
        try waitForSpeech(killed)
        killed.kill()
        let left = try XCTUnwrap(recordings(chat).first)
        let (counted, there) = try frames(chat, left)
        XCTAssertEqual(counted, there)
        XCTAssertGreaterThan(there, 60_000)
        // The next one finds it, once.
        let next = try ChatTerminal(chat)
        try next.waitForPrompt(after: "/transcribe")
        next.leave()
        let kept = try XCTUnwrap(recordings(chat).first)
        XCTAssertFalse(kept.contains("unfinished"))
        let third = try ChatTerminal(chat)
        try third.waitForPrompt()
        XCTAssertFalse(third.transcript.contains { $0.contains("not transcribed") })
        third.leave()
    }

    func testATerminatedProgramKeepsTheRecordingAndTheTerminalIsRestored() throws {
        let server = try TranscriptionServerStub(.json("never"))
        defer { server.stop() }
        let chat = try program(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt()
        repl.enter("/record")
        try waitForSpeech(repl)
        repl.terminal.signal(SIGTERM)
        repl.assertEnd(130)
        XCTAssertEqual(recordings(chat).count, 1)
        XCTAssertFalse(repl.terminal.screen.text.contains("Enter stops"))
    }

    func testSilenceIsNotSent() throws {
        let server = try TranscriptionServerStub(.json("Thank you for watching!"))
        defer { server.stop() }
        let chat = try program(server, speaks: false)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt()
        repl.enter("/record")
        try repl.waitFor("no sound is coming in")
        repl.terminal.type("\r")
        try repl.waitForPrompt(after: "The recording is kept")
        repl.leave()
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testARecorderThatCrashesOffersWhatItGaveUntilThen() throws {
        let server = try TranscriptionServerStub(.json("never"))
        defer { server.stop() }
        let chat = try program(server)
        let recorder = try XCTUnwrap(chat.variables["CHAT_RECORDER"])
        let script =
            "#!/bin/sh\ncat '\(chat.folder.path("speech.raw"))'\n"
            + "echo 'mic: it was unplugged. ' >&2\nexit 3\n"
        try Data(script.utf8).write(to: URL(fileURLWithPath: recorder))
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt()
        repl.enter("/record")
        try repl.waitForPrompt(after: "/transcribe")
        // Where lines are broken depends on the length of paths.
        let text = repl.transcript.joined().filter { !$0.isWhitespace }
        XCTAssertTrue(text.contains("ended(status3):mic:itwasunplugged."), text)
        XCTAssertFalse(text.contains("unplugged.."), text)
        let kept = try XCTUnwrap(recordings(chat).first)
        let (counted, there) = try frames(chat, kept)
        XCTAssertEqual(counted, there)
        XCTAssertGreaterThan(there, 60_000)
        repl.leave()
        let shell = try chat.run(["record"])
        XCTAssertEqual(shell.exit, 1)
        XCTAssertTrue(shell.errorText.contains("chat transcribe"), shell.errorText)
        XCTAssertEqual(recordings(chat).count, 2)
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testOnATerminalWithoutACursorEnterStopsAndControlCCancels() throws {
        let server = try TranscriptionServerStub(.json("call mom"))
        defer { server.stop() }
        let chat = try program(server)
        chat.variables["TERM"] = "dumb"
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        for key in ["\u{03}", "\r"] {
            repl.enter("/record")
            try repl.waitFor("Recording; Enter stops, Ctrl-C cancels")
            try waitForFile(chat)
            // A question takes nothing in its first 300 ms.
            for _ in 0..<20 {
                repl.terminal.type(key)
                let isOver = { self.recordings(chat).allSatisfy { !$0.contains("unfinished") } }
                for _ in 0..<50 where !isOver() { poll(nil, 0, 20) }
                if isOver() { break }
            }
            if key == "\u{03}" {
                try repl.waitFor("Nothing was kept.")
                XCTAssertEqual(server.connectionCount, 0)
            } else {
                try repl.waitForLine("> call mom")
            }
            XCTAssertEqual(recordings(chat), [])
        }
        repl.kill()
    }

    // MARK: In the shell

    func testWithoutATerminalALimitOrAnInterruptEndsIt() throws {
        let server = try TranscriptionServerStub(.json("call mom"))
        defer { server.stop() }
        let chat = try program(server)
        let path = chat.folder.path("memo.wav")
        let limited = try chat.run(["record", "--for", "1s", "--no-transcribe", "--output", path])
        XCTAssertEqual(limited.exit, 0, limited.errorText)
        XCTAssertEqual(limited.text, path + "\n")
        XCTAssertTrue(FileManager.default.fileExists(atPath: path))
        // Never over a file.
        let again = try chat.run(["record", "--no-transcribe", "--output", path])
        XCTAssertEqual(again.exit, 1, again.errorText)
        XCTAssertTrue(again.errorText.contains("File exists"), again.errorText)

        let running = try chat.start(["record"])
        try running.waitFor(errors: "Recording")
        try waitForFile(chat)
        kill(running.pid, SIGINT)
        let ended = try running.finish()
        XCTAssertEqual(ended.exit, 0, ended.errorText)
        XCTAssertEqual(ended.text, "call mom\n")
        XCTAssertEqual(recordings(chat), [])
        XCTAssertEqual(server.uploads.count, 1)
    }

    func testWithoutATerminalSIGTERMEndsItAndKeepsTheRecording() throws {
        let server = try TranscriptionServerStub(.json("never"))
        defer { server.stop() }
        let chat = try program(server)
        let running = try chat.start(["record"])
        try running.waitFor(errors: "Recording")
        try waitForFile(chat)
        kill(running.pid, SIGTERM)
        let ended = try running.finish()
        XCTAssertEqual(ended.exit, 130, ended.errorText)
        XCTAssertEqual(ended.text, "")
        XCTAssertTrue(ended.errorText.contains("The recording is kept"), ended.errorText)
        XCTAssertEqual(recordings(chat).count, 1)
        XCTAssertEqual(server.connectionCount, 0)
    }

    /// All of the speech is in the file.
    private func waitForFile(_ chat: ChatProgram) throws {
        let speech =
            try FileManager.default.attributesOfItem(
                atPath: chat.folder.path("speech.raw"))[.size] as? Int
        let limit = Date(timeIntervalSinceNow: 20)
        while Date() < limit {
            let name = recordings(chat).first { $0.contains("unfinished") }
            if let name, try chat.bytes(name).count == (speech ?? 0) + 44 { return }
            poll(nil, 0, 20)
        }
        XCTFail("the recording never had all of the speech")
    }
}
