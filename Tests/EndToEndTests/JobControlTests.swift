import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// The program as a job of a shell that is at a terminal.
final class JobControlTests: XCTestCase {
    func testControlZStopsTheProgramAndTheForegroundBringsItBack() throws {
        guard access("/bin/bash", X_OK) == 0 else { throw XCTSkip("bash is not installed") }
        let chat = try ChatProgram()
        let terminal = try PseudoTerminal(rows: 20, columns: 80)
        let script = #"set -m; "$0"; echo "stopped with $?"; fg; echo "left with $?""#
        try terminal.spawn(
            "/bin/bash", ["--norc", "-c", script, try ChatProgram.path()],
            environment: chat.variables)
        try terminal.waitFor("a prompt") { $0.lines.last == ">" }
        terminal.type("\u{1A}")
        // 128 and SIGTSTP, as a shell counts.
        _ = try terminal.waitFor(text: "stopped with 148")
        try terminal.waitFor("a prompt") { $0.lines.last == ">" }
        terminal.type("\u{04}")
        _ = try terminal.waitFor(text: "left with 0")
        XCTAssertEqual(terminal.waitForExit(), 0)
        terminal.end()
    }

    /// What was typed to the shell meanwhile is typed before the question.
    func testAfterAStopAQuestionWaitsForQuietAgain() throws {
        let server = try ProviderServer(
            .chat, [.toolCall("delete_reminder", #"{"title":"milk"}"#), .text("So be it.")])
        let chat = try ChatProgram(server)
        try chat.run(["reminders", "add", "buy milk"])
        let terminal = try PseudoTerminal(rows: 30, columns: 80)
        let script =
            #"set -m; "$0" --provider local; echo "stopped with $?"; "#
            + #"read -r word; fg; echo "left with $?""#
        try terminal.spawn(
            "/bin/bash", ["--norc", "-c", script, try ChatProgram.path()],
            environment: chat.variables)
        try terminal.waitFor("a prompt") { $0.lines.last == ">" }
        terminal.type("clean up\r")
        _ = try terminal.waitFor(text: "y to do it")
        // The question's own time, after which it takes keys.
        do { try terminal.waitFor("quiet", limit: 0.5) { _ in false } } catch {}
        terminal.type("\u{1A}")
        _ = try terminal.waitFor(text: "stopped with 148")
        terminal.type("go\ry\r")
        try terminal.waitFor("the question again") { screen in
            screen.transcript.filter { $0.contains("y to do it") }.count >= 2
        }
        do { try terminal.waitFor("quiet", limit: 0.5) { _ in false } } catch {}
        terminal.type("\r")
        _ = try terminal.waitFor(text: "So be it.")
        try terminal.waitFor("a prompt") { $0.lines.last == ">" }
        terminal.type("\u{04}")
        _ = try terminal.waitFor(text: "left with 0")
        XCTAssertEqual(terminal.waitForExit(), 0)
        terminal.end()
        XCTAssertEqual(try chat.json(["reminders", "list", "--json"]).arrayValue?.count, 1)
        server.stop()
    }

    /// A child that is stopped while it is started keeps its parent from
    /// stopping.
    func testAPromptStartsNoOtherProgram() throws {
        let chat = try ChatProgram()
        for name in ["espeak-ng", "ffmpeg", "sox", "aplay"] {
            let path = try chat.folder.write(
                Array("#!/bin/sh\necho \(name) >>\"$HOME/started\"\n".utf8), to: name)
            XCTAssertEqual(chmod(path, 0o700), 0)
        }
        chat.variables["PATH"] = chat.folder.path + ":" + TestMachine.path
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        // What a prompt looks up is there when the next one is.
        try repl.enter("/tools", until: "transcribe_audio")
        try repl.enter("/attach", until: "Nothing is attached.")
        repl.leave()
        XCTAssertFalse(FileManager.default.fileExists(atPath: chat.folder.path("account/started")))
    }
}
