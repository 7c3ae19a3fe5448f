import AgentCore
import Foundation
import TestSupport
import XCTest

/// The prompt under the user's hands: keys, history, pastes, sizes.
final class LineEditingTests: XCTestCase {
    private static let up = "\u{1B}[A"
    private static let controlC = "\u{03}"
    private static let controlD = "\u{04}"

    func testHistoryIsRecalledAcrossLaunchesAndKeepsNoPrivateLine() throws {
        let chat = try ChatProgram()
        let first = try ChatTerminal(chat)
        try first.waitForPrompt(after: "/help")
        try first.enter("/help usage", until: "of this conversation")
        try first.enter(" /help tools", until: "what the model can do here")
        try first.enter("/help model", until: "pick the model")
        first.leave()

        let second = try ChatTerminal(chat)
        try second.waitForPrompt(after: "/help")
        second.terminal.type(Self.up)
        try second.waitForLine("> /help model")
        second.terminal.type(Self.up)
        try second.waitForLine("> /help usage")
        second.terminal.type(Self.up)
        try second.waitForLine("> /help usage")
        second.terminal.type(Self.controlC)
        try second.terminal.waitFor("an empty prompt") { $0.isAtEmptyPrompt }
        // Ctrl-R finds the older one by a part of it, and Enter only takes it.
        second.terminal.type("\u{12}usa")
        try second.terminal.waitFor("what was found") { screen in
            screen.lines.contains { $0.contains("▸ /help usage") }
        }
        second.terminal.type("\r")
        try second.waitForLine("> /help usage")
        second.terminal.type("\r")
        try second.waitForPrompt(after: "of this conversation")
        second.leave()
        let history = String(decoding: try chat.bytes("state/history"), as: UTF8.self)
        XCTAssertEqual(
            history.split(separator: "\n").map { $0.split(separator: "\t").last },
            ["/help usage", "/help model", "/help usage"])
    }

    /// libedit's own picture of the line was as small as the window, and it wrote
    /// past its last row.
    func testATextThatIsTallerThanTheWindowIsEditedAtBothEnds() throws {
        let chat = try ChatProgram()
        let repl = try ChatTerminal(chat, rows: 4, columns: 12)
        try repl.waitForPrompt()
        repl.terminal.type(String(repeating: "abcdefgh", count: 40))
        for round in 0..<10 {
            repl.terminal.type("\u{01}abc\u{05}defghijklmnopqrstuvw\(round)")
        }
        // The window is that small only for a while.
        repl.terminal.resize(rows: 40, columns: 80)
        repl.terminal.type(" the end")
        try repl.waitFor("the end")
        repl.terminal.type(Self.controlC)
        try repl.waitForPrompt(after: "the end")
        try repl.enter("/help usage", until: "of this conversation")
        repl.leave()
    }

    func testTabCompletesAndControlDAndControlCLeaveAnEmptyLineAlone() throws {
        let repl = try ChatTerminal(try ChatProgram())
        try repl.waitForPrompt(after: "/help")
        repl.terminal.type("/remi\t")
        try repl.waitForLine("> /reminders")
        repl.terminal.type("sea\t")
        try repl.waitForLine("> /reminders search")
        repl.terminal.type("\u{15}/mo\t")
        try repl.waitForLine("> /model")
        repl.terminal.type("lis\t")
        try repl.waitForLine("> /model list")
        repl.terminal.type("\u{15}x" + Self.controlD)
        try repl.waitForLine("> x")
        repl.terminal.type("\u{15}half typed")
        try repl.waitForLine("> half typed")
        repl.terminal.type(Self.controlC)
        try repl.waitForPrompt(after: "half typed")
        // Nothing of it is in the history.
        repl.terminal.type(Self.up + Self.controlC)
        try repl.waitForPrompt(after: "Ctrl-C again or Ctrl-D leaves")
        repl.terminal.type(Self.controlC)
        repl.assertEnd(0)
    }

    /// tmux marks a paste only when asked.
    func testAnUnmarkedPasteAfterAMarkedOneIsOneMessage() throws {
        let server = try ProviderServer(.messages, [.text("one answer"), .text("two answers")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        repl.terminal.paste("a\nb")
        try repl.enter("", until: "one answer")
        repl.terminal.type("c\rd\re\rf\r")
        try repl.waitForLine("> [pasted 4 lines, 7 characters]")
        try repl.enter("", until: "two answers")
        repl.leave()
        XCTAssertEqual(try server.messages(1).last, "user: c\nd\ne\nf")
        server.finish()
    }

    func testViKeysAreASetting() throws {
        let server = try ProviderServer(.messages, [.text("seen")])
        let chat = try ChatProgram(server)
        try chat.prepare("config.json", #"{ /* as in vi */ "keys": "vi", }"#)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.terminal.type("hello wrld")
        try repl.waitForLine("> hello wrld")
        // Escape, back a word, one to the right, insert.
        repl.terminal.type("\u{1B}")
        try repl.terminal.waitFor("command mode") { $0.cursor.column == 11 }
        repl.terminal.type("blio")
        try repl.waitForLine("> hello world")
        try repl.enter("", until: "seen")
        repl.leave()
        XCTAssertEqual(try server.messages(0), ["user: hello world"])
        server.finish()
    }

    func testTheLineSurvivesANewSize() throws {
        let server = try ProviderServer(.messages, [.text("seen")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt(after: "/help")
        let text = (0..<12).map { "word\($0)" }.joined(separator: " ")
        repl.terminal.type(text)
        try repl.waitFor("word11")
        for (rows, columns) in [(40, 30), (10, 120), (40, 80)] {
            repl.terminal.resize(rows: rows, columns: columns)
        }
        try repl.enter("", until: "seen")
        repl.leave()
        XCTAssertEqual(try server.messages(0), ["user: \(text)"])
        server.finish()
    }

    func testADumbTerminalGetsNoEscapeByte() throws {
        let server = try ProviderServer(
            .messages, [.text("plain"), .toolCall("list_reminders", "{}"), .text("none")])
        let chat = try ChatProgram(server)
        chat.variables["TERM"] = "dumb"
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("hello", until: "plain")
        try repl.enter("which?", until: "none")
        try repl.enter("/help", until: "/help more")
        repl.leave()
        XCTAssertFalse(repl.terminal.transcript.contains(0x1B))
        server.finish()
    }

    /// And signals restore the terminal and save what has arrived of an answer.
    func testADraftOutlivesTheProgramThatIsTold() throws {
        for number in [SIGTERM, SIGHUP] {
            let server = try ProviderServer(.messages, [.stall(after: "half an ", "answer")])
            let chat = try ChatProgram(server)
            let idle = try ChatTerminal(chat)
            try idle.waitForPrompt(after: "/help")
            idle.terminal.type("日本\u{0A}half typed")
            try idle.waitForLine("half typed")
            idle.terminal.signal(number)
            idle.assertEnd(130)
            let mode = try FileManager.default.attributesOfItem(atPath: chat.file("state/draft"))
            XCTAssertEqual(mode[.posixPermissions] as? Int, 0o600)
            let busy = try ChatTerminal(chat)
            // What stood unsent is offered again.
            try busy.terminal.waitFor("the draft") {
                $0.lines.suffix(2) == ["> 日本", "half typed"]
            }
            XCTAssertFalse(chat.files.contains("state/draft"))
            busy.terminal.type("\u{03}")
            try busy.terminal.waitFor("an empty prompt") { $0.isAtEmptyPrompt }
            busy.terminal.type("x\r")
            try busy.waitFor("half an answer")
            busy.terminal.signal(number)
            busy.assertEnd(130)
            XCTAssertEqual(
                try chat.conversation(),
                ["user: x (interrupted)", "assistant: half an answer (interrupted)"])
            server.finish()
        }
    }
}
