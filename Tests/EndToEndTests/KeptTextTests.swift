import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

/// What is kept is one thing everywhere: found by one search, changed by the
/// writing tools, saved by the model, taken back by one undo. Acceptance checks
/// 47 to 49.
final class KeptTextTests: XCTestCase {
    private func filled(_ server: ProviderServer? = nil) async throws -> ChatProgram {
        let chat = try server.map { try ChatProgram($0) } ?? ChatProgram()
        try chat.prepare("state/empty", "")
        let store = LibraryStore(
            path: chat.file("chat.db"), environment: .system(variables: [:]))
        _ = try await store.add([
            ItemDraft(kind: .idea, title: "A choir on a bus", body: "Nobody sings of dragons."),
            ItemDraft(
                kind: .draft, title: "Letter to a dragon",
                body: "Dear dragon, I am writing to you in order to ask you about the cave."),
            ItemDraft(kind: .transcript, title: "Monday", body: "The dragon came late."),
            ItemDraft(kind: .prompt, title: "weather", body: "What is the weather like?"),
        ])
        await store.close()
        return chat
    }

    private func ids(_ found: JSONValue) -> Set<String> {
        Set((found.arrayValue ?? []).compactMap { $0["id"]?.stringValue })
    }

    /// Check 47.
    func testOneSearchFindsEveryKind() async throws {
        let chat = try await filled()
        XCTAssertEqual(
            ids(try chat.json(["library", "search", "dragon", "--json"])), ["i2", "i3"])
        XCTAssertEqual(
            ids(try chat.json(["library", "search", "drag", "--json"])), ["i1", "i2", "i3"])
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/library search drag", until: "Monday")
        XCTAssertTrue(repl.transcript.contains { $0.contains("Letter to a dragon") })
        repl.leave()
    }

    /// Check 49.
    func testWhatTheModelSavesIsAnIdeaThatUndoTakesBack() throws {
        let server = try ProviderServer(
            .messages,
            [
                .text("A choir on a bus."),
                .toolCall(
                    "library_save",
                    #"{"kind":"idea","title":"Bus choir","text":"A choir on a bus."}"#),
                .text("It is kept."),
            ])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("have an idea for me", until: "A choir on a bus.")
        try repl.enter("save that as an idea", until: "It is kept.")
        repl.enter("/idea list")
        try repl.waitFor("▸ i1  idea  Bus choir")
        repl.terminal.type("q")
        try repl.waitForPrompt()
        let ideas = try chat.json(["idea", "list", "--json"])
        XCTAssertEqual(ids(ideas), ["i1"])
        XCTAssertTrue(try chat.run(["idea", "show", "i1"]).text.contains("A choir on a bus."))
        let history = try chat.json(["library", "history", "i1", "--json"]).arrayValue ?? []
        XCTAssertEqual(history.first?["by"], "model")
        XCTAssertNotEqual(history.first?["conversation"], .null)
        try repl.enter("/undo", until: "undone")
        repl.leave()
        XCTAssertEqual(ids(try chat.json(["idea", "list", "--json"])), [])
        server.finish()
    }

    func testWhatAnEditorLeavesIsTakenOnlyIfItIsTextWithoutAKeyAndIsNotLost() throws {
        let chat = try ChatProgram()
        try chat.run(["library", "save", "--text", "Buy cups."]).assertAnswer(
            "✓ saved: i1 Buy cups. · chat undo\n")
        // In a pipe none is started that nobody named.
        try chat.run(["library", "edit", "i1"]).assertFailure(1, "$VISUAL or $EDITOR")
        chat.variables["EDITOR"] = #"sh -c 'printf "\377\376" > "$0"'"#
        try chat.run(["library", "edit", "i1"])
            .assertFailure(1, "is not valid UTF-8; it is in \(chat.home)/state/i1-")
        XCTAssertEqual(chat.files.filter { $0.hasPrefix("state/i1-") }.count, 1)
        let key = "sk-ant-api03-" + String(repeating: "Zq8vN2mXw5", count: 4)
        chat.variables["EDITOR"] = #"sh -c 'printf "and \#(key)" >> "$0"'"#
        try chat.run(["library", "edit", "i1"])
            .assertFailure(3, "Your text is in \(chat.home)/state/i1-")
        try chat.run(["library", "show", "i1"]).assertAnswer("Buy cups.\n")
        XCTAssertEqual(chat.files.filter { $0.hasPrefix("state/i1-") }.count, 2)
        try chat.run(["idea", "prompt", "edit"]).assertFailure(3, "Your text is in")
        try chat.run(["library", "edit", "i1", "--text", "a \(key)"]).assertFailure(3, "Not kept")
    }
}
