import AgentCore
import Base
import Foundation
import Glibc
import TestSupport
import XCTest

/// The loop of ideas in a terminal: keys at any moment, and a terminal that is
/// as it was at every end.
final class IdeaLoopProgramTests: XCTestCase {
    private let keys =
        "  s save  d discard  e edit  c chat  r remind  w write  u undo  ? keys  q quit"

    private func chat(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        XCTAssertEqual(
            try chat.run(["idea", "prompt", "set", "One app idea, one sentence"]).exit, 0)
        return chat
    }

    private func titles(_ chat: ChatProgram) throws -> [String] {
        try (chat.json(["idea", "list", "--json"]).arrayValue ?? []).compactMap {
            $0["title"]?.stringValue
        }
    }

    /// Waits for the idea and presses a key that needs a whole one: where its end
    /// is still on the way, the key counts when it is there.
    private func press(
        _ key: String, on idea: String, _ shell: ChatTerminal, until text: String
    ) throws {
        try shell.waitFor(idea)
        shell.terminal.type(key)
        try shell.waitFor(text)
    }

    func testAKeyThatNeedsAWholeIdeaCountsWhenItIsThere() throws {
        let go = Gate()
        let server = try ProviderServer(
            .messages, [.paused(after: "A cup ", until: go, rest: "that sings.")])
        let chat = try chat(server)
        let shell = try ChatTerminal(chat, ["idea", "loop"])
        try shell.waitFor("A cup")
        try shell.waitForLine(
            "  s save  d discard  u undo  p prompt  t tone  q quit  writing …")
        shell.terminal.type("e")
        try shell.waitFor("e will be done once the idea is there.")
        // Another key in the meantime takes its place, and stops nothing.
        shell.terminal.type("?r")
        try shell.waitFor("r will be done once the idea is there.")
        go.open()
        try shell.answer("", to: "When?", until: "No reminder was made.")
        try shell.waitForLine(keys)
        try shell.waitFor("A cup that sings.")
        shell.terminal.type("q")
        shell.assertEnd(0)
        XCTAssertEqual(server.requests.count, 1)
        server.finish()
    }

    func testAKeyWhileAnIdeaIsWrittenClosesTheRequestAndTheNextBegins() throws {
        let server = try ProviderServer(
            .messages,
            [
                .stall(after: "A cup that"), .stall(after: "A hat that"), .text("A map of smells."),
            ])
        let chat = try chat(server)
        let shell = try ChatTerminal(chat, ["idea", "loop"])
        try shell.waitFor("A cup that")
        shell.terminal.type("d")
        try shell.waitFor("A hat that")
        shell.terminal.type("s")
        try shell.waitFor("A map of smells.")
        try shell.waitFor("✓ i1  A hat that")
        shell.terminal.type("q")
        shell.assertEnd(0)
        XCTAssertEqual(server.requests.count, 3)
        XCTAssertEqual(try titles(chat), ["A hat that"])
        // A stalled answer ends only when its client has gone.
        server.finish()
    }

    func testCtrlCAtAnyMomentRestoresTheTerminal() throws {
        for isWritten in [true, false] {
            let server = try ProviderServer(
                .messages, [isWritten ? .text("A cup that sings.") : .stall(after: "A cup")])
            let chat = try chat(server)
            let shell = try ChatTerminal(chat, ["idea", "loop"])
            try shell.waitFor("A cup")
            if isWritten { try shell.waitForLine(keys) }
            shell.terminal.resize(rows: 12, columns: 40)
            try shell.waitForLine(
                "  s save  d discard  ? keys  q quit" + (isWritten ? "" : "  …"))
            shell.terminal.type("\u{03}")
            shell.assertEnd(130)
            server.stop()
        }
    }

    func testAReminderIsMadeOfAnIdeaAndTheEditorChangesItBeforeItIsKept() throws {
        let server = try ProviderServer(.messages, [.text("A cup that sings."), .text("A hat.")])
        let chat = try chat(server)
        let path = chat.folder.path("editor")
        try Data("#!/bin/sh\nprintf 'My own cup.' > \"$1\"\n".utf8)
            .write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        chat.variables["VISUAL"] = path
        let shell = try ChatTerminal(chat, ["idea", "loop"])
        try press("r", on: "A cup that sings.", shell, until: "When?")
        try shell.answer("tomorrow at 9", to: "When?", until: "✓ A cup that sings. · tomorrow")
        try shell.waitForLine(keys)
        try press("e", on: "A cup that sings.", shell, until: "✓ i1  My own cup.")
        try shell.waitFor("A hat.")
        shell.terminal.type("q")
        shell.assertEnd(0)
        XCTAssertEqual(try titles(chat), ["My own cup."])
        let listed = try chat.json(["reminders", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(listed.compactMap { $0["title"]?.stringValue }, ["A cup that sings."])
        server.finish()
    }

    func testAtThePromptAnIdeaGoesOnAsANewConversationAndIdeasOpensTheList() throws {
        let server = try ProviderServer(.messages, [.text("A cup that sings."), .text("A hat.")])
        let chat = try chat(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/idea")
        try repl.waitFor("A cup that sings.")
        repl.terminal.type("s")
        try press("c", on: "A hat.", repl, until: "New conversation")
        try repl.waitFor("> A hat.")
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt(after: "New conversation")
        repl.enter("/ideas")
        try repl.waitFor("▸ i1  idea  A cup that sings.")
        repl.terminal.type("d")
        try repl.waitFor("✓ deleted: i1 A cup that sings.")
        repl.terminal.type("q")
        try repl.waitForPrompt()
        repl.leave()
        XCTAssertEqual(try titles(chat), [])
        server.finish()
    }

    func testTheFirstQuestionIsFriendlyAndCtrlCAtItKeepsNothing() throws {
        let server = try ProviderServer(.messages, [.text("A cup that sings.")])
        let chat = try ChatProgram(server)
        for term in ["dumb", "xterm-256color"] {
            chat.variables["TERM"] = term
            let stopped = try ChatTerminal(chat, ["idea"])
            try stopped.waitFor("Idea prompt:")
            stopped.terminal.type("\u{03}")
            stopped.assertEnd(130)
            let shown = try chat.run(["idea", "prompt", "show"])
            XCTAssert(shown.errorText.contains("No idea prompt"), "\(term): \(shown.errorText)")
        }
        let shell = try ChatTerminal(chat, ["idea"])
        try shell.waitFor("What kind of ideas do you want?")
        try shell.answer(
            "One app idea, one sentence", to: "Idea prompt:", until: "A cup that sings.")
        shell.assertEnd(0)
        XCTAssertEqual(
            try chat.run(["idea", "prompt", "show"]).text, "One app idea, one sentence\n")
        server.finish()
    }

    func testWithoutACursorLettersAndEnterWork() throws {
        let server = try ProviderServer(.messages, [.text("A cup that sings."), .text("A hat.")])
        let chat = try chat(server)
        chat.variables["TERM"] = "dumb"
        let shell = try ChatTerminal(chat, ["idea", "loop"])
        try shell.waitFor("A cup that sings.")
        try shell.waitFor("? >")
        shell.terminal.type("s\r")
        try shell.waitFor("✓ i1  A cup that sings.")
        try shell.waitFor("A hat.")
        shell.terminal.type("q\r")
        shell.assertEnd(0)
        XCTAssertFalse(shell.terminal.transcript.contains(0x1B))
        XCTAssertEqual(try titles(chat), ["A cup that sings."])
        server.finish()
    }
}
