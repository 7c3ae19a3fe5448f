import Base
import Foundation
import Persistence
import TestSupport
import XCTest

/// The library in the real program: the list that is worked on with keys, an
/// editor, and a search that finds items.
final class LibraryScreenTests: XCTestCase {
    private func filled() async throws -> ChatProgram {
        let chat = try ChatProgram()
        try chat.prepare("state/empty", "")
        let store = LibraryStore(
            path: chat.file("chat.db"), environment: .system(variables: [:]))
        _ = try await store.add([
            ItemDraft(kind: .idea, title: "Tea cups", body: "Cups for a dragon.", tags: ["tea"]),
            ItemDraft(kind: .draft, title: "Letter", body: "Dear landlord"),
        ])
        await store.close()
        return chat
    }

    /// A program that does this to its last argument.
    private func editor(_ chat: ChatProgram, _ script: String) throws {
        let path = chat.folder.path("editor")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        chat.variables["VISUAL"] = path
    }

    func testTheListIsWorkedOnWithKeysAndTheirLineNamesThem() async throws {
        let chat = try await filled()
        try editor(chat, "printf 'Dear neighbour' > \"$1\"")
        let repl = try ChatTerminal(chat, columns: 100)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/library")
        try repl.waitForLine(
            "  j k move · Enter show · e edit · d delete · u undo · / filter · q quit")
        try repl.waitFor("▸ i2  draft  Letter")
        repl.terminal.type("e")
        try repl.waitFor("✓ edited: i2 Letter")
        repl.terminal.type("\r")
        try repl.waitFor("Dear neighbour")
        repl.terminal.type("q")
        try repl.waitFor("▸ i2")
        repl.terminal.type("j")
        try repl.waitFor("▸ i1")
        repl.terminal.type("d")
        try repl.waitFor("✓ deleted: i1 Tea cups · u takes it back")
        repl.terminal.type("u")
        try repl.waitFor("✓ undone: deleted idea i1 Tea cups")
        repl.terminal.type("/drag")
        try repl.waitFor("1 of 2")
        repl.terminal.type("\rq")
        try repl.waitForPrompt()
        repl.leave()
        let list = try chat.json(["library", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(Set(list.compactMap { $0["id"]?.stringValue }), ["i1", "i2"])
    }

    func testAFailedEditorInTheListSaysAboveItWhereTheTextIs() async throws {
        let chat = try await filled()
        try editor(chat, "exit 3")
        let repl = try ChatTerminal(chat, columns: 60)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/library")
        try repl.waitFor("▸ i2")
        repl.terminal.type("e")
        try repl.waitFor("What happened is shown above the list.")
        let text = repl.terminal.screen.transcript.joined()
        XCTAssertTrue(text.contains("  ! Nothing was changed: editor ended with 3; the text"), text)
        XCTAssertTrue(text.contains("/state/i2-"), text)
        repl.terminal.type("q")
        try repl.waitForPrompt()
        repl.leave()
    }

    func testASearchShowsItemsAndOneThatIsPickedIsShown() async throws {
        let chat = try await filled()
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/search dragon")
        try repl.waitFor("Cups for a dragon.")
        repl.terminal.type("\r")
        try repl.waitForPrompt(after: "Cups for a dragon.")
        repl.leave()
        let found = try chat.json(["conversations", "search", "dragon", "--json"]).arrayValue
        XCTAssertEqual(found?.map { $0["kind"]?.stringValue }, ["idea"])
        XCTAssertEqual(found?.first?["role"], .null)
    }

    func testAFailedEditorInTheShellKeepsTheTextAndPrintsItsPath() async throws {
        let chat = try await filled()
        try editor(chat, "printf 'half a letter' > \"$1\"; exit 3")
        let result = try chat.run(["library", "edit", "i2"])
        XCTAssertEqual(result.exit, 1)
        let said = String(decoding: result.errors, as: UTF8.self)
        let path = try XCTUnwrap(
            said.split(separator: " ").map(String.init).first { $0.contains("/i2-") }
        )
        .trimmingCharacters(in: .whitespacesAndNewlines)
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "half a letter")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o600)
        let shown = try chat.run(["library", "show", "i2"])
        XCTAssertEqual(String(decoding: shown.output, as: UTF8.self), "Dear landlord\n")
        try editor(chat, "true")
        let unchanged = try chat.run(["library", "edit", "i2"])
        XCTAssertEqual(
            String(decoding: unchanged.output, as: UTF8.self), "Nothing changed: i2 Letter\n")
    }

    func testAnItemIsChangedTakenBackAndExportedInTheShell() async throws {
        let chat = try await filled()
        let edited = try chat.run(["library", "edit", "i1", "--text", "-"], input: "new words\n")
        XCTAssertEqual(edited.exit, 0)
        let undone = try chat.run(["undo", "i1"])
        XCTAssertTrue(
            String(decoding: undone.output, as: UTF8.self)
                .hasPrefix("✓ undone: edited idea i1 Tea cups\n"))
        let file = chat.folder.path("tea.md")
        let exported = try chat.run(["library", "export", "i1", "-o", file])
        XCTAssertEqual(exported.exit, 0)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        XCTAssertTrue(page.contains("# Tea cups\n\nCups for a dragon.\n"), page)
        let again = try chat.run(["library", "export", "i1", "-o", file])
        XCTAssertEqual(again.exit, 2)
        XCTAssertEqual(try String(contentsOfFile: file, encoding: .utf8), page)
    }
}
