import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import Library

/// The library for the model: what each tool does, what it may touch, and whose
/// words it hands on.
final class LibraryToolsTests: XCTestCase {
    private func call(
        _ rig: LibraryRig, _ name: String, _ arguments: JSONObject
    ) async throws -> ToolOutput {
        let server = rig.server()
        let tool = try XCTUnwrap(server.listTools().first { $0.name == name })
        XCTAssertEqual(tool.inputSchema.violations(in: .object(arguments)), [])
        return try await server.callTool(name, arguments: arguments)
    }

    func testOneItemWithATrashIsAWriteAndReadingIsARead() throws {
        let classes = try LibraryRig().server().listTools().map { "\($0.name) \($0.toolClass)" }
        XCTAssertEqual(
            classes,
            [
                "library_search read", "library_get read", "library_save write",
                "library_update write", "library_trash destroy",
            ])
    }

    func testWhatTheModelSavesSaysWhichModelAndConversationMadeIt() async throws {
        let rig = try LibraryRig()
        let caller = ToolCaller(model: "claude-sonnet-5-5", conversation: "c1")
        let output = try await ToolCallContext.$caller.withValue(caller) {
            try await call(
                rig, "library_save",
                JSONObject([
                    .init("kind", "idea"), .init("text", "Cups that ring\nat four."),
                    .init("tags", ["Tea"]),
                ]))
        }
        XCTAssertEqual(output.summary, "✓ saved: idea i1 Cups that ring · /undo")
        XCTAssertFalse(output.isUntrusted)
        let item = try await rig.store.item(ItemID(rawValue: 1))
        XCTAssertEqual(item?.tags, ["tea"])
        let made = try await rig.store.revision(1, of: ItemID(rawValue: 1))
        XCTAssertEqual(
            made?.origin,
            RevisionOrigin(by: .model, name: "claude-sonnet-5-5", conversation: "c1"))
    }

    func testWhatWasShapedByWordsOfOthersStaysForeign() async throws {
        let rig = try LibraryRig()
        _ = try await ToolCallContext.$hasUntrustedText.withValue(true) {
            try await call(
                rig, "library_save", JSONObject([.init("kind", "draft"), .init("text", "theirs")]))
        }
        try await rig.add(.idea, "Mine")
        let foreign = try await call(rig, "library_get", JSONObject([.init("item", "i1")]))
        XCTAssertTrue(foreign.isUntrusted)
        let own = try await call(rig, "library_get", JSONObject([.init("item", "mine")]))
        XCTAssertFalse(own.isUntrusted)
        let found = try await call(rig, "library_search", JSONObject())
        XCTAssertTrue(found.isUntrusted, "one of them is")
        // A change by the user does not take the others' words out.
        _ = try await rig.run("edit", "i1", "--text", "theirs and mine")
        let still = try await call(rig, "library_get", JSONObject([.init("item", "i1")]))
        XCTAssertTrue(still.isUntrusted)
        let undone = try await UndoServer(
            UndoHistory([LibraryUndoSource(rig.store)]), environment: rig.clock.environment
        ).callTool("undo_change", arguments: JSONObject([.init("item", "i1")]))
        XCTAssertTrue(undone.isUntrusted)
    }

    func testUndoingNamesTheMarkOfEitherRevision() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Mine")
        let id = ItemID(rawValue: 1)
        _ = try await rig.store.change(
            id, ItemChange(title: "Theirs"), by: RevisionOrigin(by: .model, hasUntrustedText: true))
        _ = try await rig.store.restore(id, toRevision: 1)
        let undo = UndoServer(
            UndoHistory([LibraryUndoSource(rig.store)]), environment: rig.clock.environment)
        let item = try await rig.store.item(id)
        XCTAssertEqual(item?.hasUntrustedText, false)
        let undone = try await undo.callTool("undo_change", arguments: JSONObject())
        XCTAssertTrue(undone.isUntrusted)
    }

    func testTheModelCannotKeepAKey() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Mine")
        let key = "use sk-ant-api03-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY for it"
        let calls: [(String, JSONObject)] = [
            ("library_save", JSONObject([.init("kind", "draft"), .init("text", .string(key))])),
            ("library_update", JSONObject([.init("item", "i1"), .init("text", .string(key))])),
        ]
        for (name, arguments) in calls {
            do {
                _ = try await call(rig, name, arguments)
                XCTFail("\(name) kept it")
            } catch {
                XCTAssertTrue("\(error)".contains("API key"), "\(error)")
                XCTAssertFalse("\(error)".contains("sk-ant"), "\(error)")
            }
        }
        let items = try await rig.store.items()
        XCTAssertEqual(items.map(\.revision), [1])
    }

    func testAModelChangesNoPrompt() async throws {
        let rig = try LibraryRig()
        try await rig.add(.prompt, "shout", "Answer in capitals.")
        let calls: [(String, JSONObject)] = [
            ("library_update", JSONObject([.init("item", "i1"), .init("text", "Obey me.")])),
            ("library_update", JSONObject([.init("item", "shout"), .init("tags", ["x"])])),
            ("library_trash", JSONObject([.init("item", "i1")])),
        ]
        for (name, arguments) in calls {
            do {
                _ = try await call(rig, name, arguments)
                XCTFail("\(name) changed it")
            } catch let error as ToolError {
                XCTAssertTrue("\(error)".contains("only the user changes prompts"), "\(error)")
            }
        }
        let items = try await rig.store.items()
        XCTAssertEqual(items.map(\.body), ["Answer in capitals."])
        XCTAssertEqual(items.map(\.revision), [1])
    }

    func testASearchFindsWordsAndWithoutThemGivesTheLatest() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", "Cups for a dragon.", tags: ["tea"])
        try await rig.add(.draft, "Letter", "Dear landlord")
        let found = try await call(
            rig, "library_search", JSONObject([.init("query", "dragon"), .init("kind", "idea")]))
        XCTAssertTrue(found.text.hasPrefix("i1 idea: Tea cups [tea] (2026-"), found.text)
        XCTAssertTrue(found.text.hasSuffix("\n  Cups for a dragon."), found.text)
        let all = try await call(rig, "library_search", JSONObject([.init("limit", 1)]))
        XCTAssertTrue(all.text.hasPrefix("i2 draft: Letter"), all.text)
        let none = try await call(rig, "library_search", JSONObject([.init("query", "zebra")]))
        XCTAssertEqual(none.text, "Nothing was found.")
    }

    func testALongTextIsReadInPieces() async throws {
        let rig = try LibraryRig()
        try await rig.add(.draft, "Long", String(repeating: "é", count: 20_005))
        let first = try await call(rig, "library_get", JSONObject([.init("item", "i1")]))
        XCTAssertTrue(first.text.hasSuffix("[5 characters more: offset 20000]"))
        let rest = try await call(
            rig, "library_get", JSONObject([.init("item", "i1"), .init("offset", 20_000)]))
        XCTAssertTrue(rest.text.hasSuffix("\n\nééééé"), rest.text)
    }

    func testAnUpdateKeepsARevisionAndNeverOverwritesWhatCameBetween() async throws {
        let rig = try LibraryRig()
        try await rig.add(.draft, "Letter", "one")
        let changed = try await call(
            rig, "library_update",
            JSONObject([.init("item", "i1"), .init("text", "two"), .init("revision", 1)]))
        XCTAssertEqual(changed.summary, "✓ changed: draft i1 Letter · /undo")
        let late = try await call(
            rig, "library_update",
            JSONObject([.init("item", "i1"), .init("text", "three"), .init("revision", 1)]))
        XCTAssertTrue(late.isError)
        XCTAssertTrue(late.text.contains("kept as revision 3"), late.text)
        let body = try await rig.body(1)
        XCTAssertEqual(body, "two")
        let empty = await failure {
            try await call(
                rig, "library_update", JSONObject([.init("item", "i1"), .init("text", " ")]))
        }
        XCTAssertNotNil(empty)
    }

    func testAnAmbiguousTitleIsAnsweredWithTheCandidates() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Green tea")
        try await rig.add(.idea, "Black tea")
        do {
            _ = try await call(rig, "library_trash", JSONObject([.init("item", "tea")]))
            XCTFail("one was chosen")
        } catch ToolError.ambiguous(_, let candidates) {
            XCTAssertEqual(candidates, ["i2 Black tea (idea)", "i1 Green tea (idea)"])
        }
        let count = try await rig.store.count()
        XCTAssertEqual(count, 2)
    }

    func testTheTrashTakesOneAndUndoBringsItBack() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea")
        let gone = try await call(rig, "library_trash", JSONObject([.init("item", "i1")]))
        XCTAssertEqual(gone.summary, "✓ deleted: idea i1 Tea · /undo")
        var item = try await rig.store.item(ItemID(rawValue: 1))
        XCTAssertNotNil(item?.trashed)
        _ = try await rig.run("undo")
        item = try await rig.store.item(ItemID(rawValue: 1))
        XCTAssertNil(item?.trashed)
    }

    func testThePreviewNamesTheItemAndACallThatCannotSucceedIsNotAskedAbout() async throws {
        let rig = try LibraryRig()
        try await rig.add(.draft, "Letter", "one two three")
        let server = rig.server()
        let trash = await server.preview(
            of: "library_trash", arguments: JSONObject([.init("item", "letter")]))
        XCTAssertEqual(trash, .touches("draft i1 Letter", item: "i1"))
        let update = await server.preview(
            of: "library_update", arguments: JSONObject([.init("item", "1"), .init("text", "x")]))
        XCTAssertEqual(update, .touches("draft i1 Letter, 3 words → 1", item: "i1"))
        let wrong = await server.preview(
            of: "library_trash", arguments: JSONObject([.init("item", "i9")]))
        XCTAssertEqual(wrong, .fails(ToolOutput(.noMatch(query: "i9"))))
    }
}
