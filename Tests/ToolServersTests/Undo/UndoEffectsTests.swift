import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Library
@testable import Planner
@testable import Texts

/// What undoing does, in the terms of a model's calls: an addition undone is a deletion.
final class UndoEffectsTests: XCTestCase {
    /// `deletion delete_reminder "call mom"` for each effect.
    private func words(_ effects: [CallEffect]?) -> [String] {
        (effects ?? []).map { effect in
            // A call that changes nothing has the arguments that it was given.
            let named =
                effect.kind == .read
                ? .null : effect.arguments["title"] ?? effect.arguments["item"] ?? .null
            return "\(effect.kind) \(effect.tool) \(JSONWriter.string(named))"
        }
    }

    private func effects(
        _ folder: CalendarFolder, _ item: String? = nil
    ) async -> [CallEffect]? {
        await UndoServer(
            UndoHistory([CalendarUndoSource(folder.store)]), environment: folder.environment
        ).effects(
            of: UndoServer.tool,
            arguments: item.map { JSONObject([.init("item", .string($0))]) } ?? JSONObject())
    }

    func testTheToolIsHeldToTheWorstItCanDo() throws {
        let server = UndoServer(UndoHistory([]), environment: ManualClock().environment)
        XCTAssertEqual(server.listTools().map(\.toolClass), [.destroy])
    }

    func testUndoingAReminderIsWhatItDoesToTheReminder() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        var found = await effects(folder)
        XCTAssertEqual(words(found), ["read undo_change null"])
        _ = try await server.call("create_reminder", #"{"title":"call mom"}"#)
        found = await effects(folder)
        XCTAssertEqual(words(found), [#"deletion delete_reminder ["call mom"]"#])
        XCTAssertEqual(found?.first?.arguments["list"], "reminders")
        _ = try await server.call(
            "edit_reminder", #"{"title":"call mom","new_title":"call dad"}"#)
        found = await effects(folder)
        XCTAssertEqual(words(found), [#"change edit_reminder ["call mom","call dad"]"#])
        _ = try await server.call("edit_reminder", #"{"title":"call dad","list":"home"}"#)
        found = await effects(folder)
        XCTAssertEqual(
            words(found), [#"change edit_reminder ["call dad","call dad"]"#], "one file, moved")
        XCTAssertEqual(found?.first?.arguments["list"], "reminders")
        _ = try await server.call("delete_reminder", #"{"title":"call dad"}"#)
        found = await effects(folder)
        XCTAssertEqual(words(found), [#"addition create_reminder ["call dad"]"#])
    }

    /// The record of it is deleted and the series put back: two things.
    func testUndoingACompletedRepetitionIsADeletionAndAnOverwrite() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        _ = try await server.call(
            "create_reminder",
            #"{"title":"run","due_date":"2026-12-01T09:00","recurrence":"FREQ=DAILY"}"#)
        _ = try await server.call("complete_reminder", #"{"title":"run"}"#)
        let found = await effects(folder)
        XCTAssertEqual(
            Set(words(found)),
            [#"overwrite edit_reminder ["run","run"]"#, #"deletion delete_reminder ["run"]"#])
        XCTAssertEqual(found?.deletions, 2)
    }

    /// Which of them is meant is asked back, and nothing is changed.
    func testWhatNamesSeveralChangesOrNoneChangesNothing() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        for title in ["call mom", "call dad"] {
            _ = try await server.call("create_reminder", #"{"title":"\#(title)"}"#)
        }
        for (item, wanted) in [
            ("call", "read undo_change null"), ("cheese", "read undo_change null"),
            ("mom", #"deletion delete_reminder ["call mom"]"#),
        ] {
            let found = await effects(folder, item)
            XCTAssertEqual(words(found), [wanted], item)
        }
        let one = await effects(folder, "mom")
        let other = await effects(folder, "dad")
        XCTAssertNotEqual(one?.first?.subject, other?.first?.subject)
    }

    func testUndoingAnItemIsWhatItDoesToTheItem() async throws {
        let rig = try LibraryRig()
        let server = UndoServer(
            UndoHistory([LibraryUndoSource(rig.store)]), environment: rig.clock.environment)
        func effects() async -> [CallEffect]? {
            await server.effects(of: UndoServer.tool, arguments: JSONObject())
        }
        let item = try await rig.add(.idea, "Cups")
        var found = await effects()
        XCTAssertEqual(words(found), [#"deletion library_trash ["i1","Cups"]"#])
        _ = try await rig.store.change(item.id, ItemChange(title: "Pots"))
        found = await effects()
        XCTAssertEqual(words(found), [#"change library_update ["i1","Pots"]"#])
        _ = try await rig.store.trash([item.id])
        found = await effects()
        XCTAssertEqual(words(found), [#"addition library_save ["i1","Pots"]"#])
        let others = try await rig.store.add([
            ItemDraft(kind: .idea, title: "a", body: "a"),
            ItemDraft(kind: .draft, title: "b", body: "b"),
        ])
        found = await effects()
        XCTAssertEqual(
            words(found),
            [#"deletion library_trash ["i2","a"]"#, #"deletion library_trash ["i3","b"]"#])
        _ = try await rig.store.trash(others.map(\.id))
        found = await effects()
        XCTAssertEqual(
            words(found),
            [#"overwrite library_save ["i2","a"]"#, #"overwrite library_save ["i3","b"]"#],
            "several things")
    }

    /// They are told to later conversations, so that nothing stands in for the answer.
    func testNotesAndPromptsOutlastTheConversation() async throws {
        let rig = try LibraryRig()
        let server = UndoServer(
            UndoHistory([LibraryUndoSource(rig.store)]), environment: rig.clock.environment)
        let note = try await rig.add(.memory, "I like tea")
        var found = await server.effects(of: UndoServer.tool, arguments: JSONObject())
        XCTAssertEqual(words(found), [#"deletion forget ["i1","I like tea"]"#])
        _ = try await rig.store.trash([note.id])
        found = await server.effects(of: UndoServer.tool, arguments: JSONObject())
        XCTAssertEqual(words(found), [#"addition remember ["i1","I like tea"]"#])
        XCTAssertEqual(found?.map(\.outlastsConversation), [true])
        let prompt = try await rig.add(.prompt, "shout", "Answer in capitals.")
        _ = try await rig.store.change(prompt.id, ItemChange(body: "Answer quietly."))
        found = await server.effects(of: UndoServer.tool, arguments: JSONObject())
        XCTAssertEqual(words(found), [#"overwrite undo_change ["i2","shout"]"#])
        XCTAssertEqual(found?.map(\.outlastsConversation), [true])
    }

    func testUndoingARewrittenFileIsAnOverwrite() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("one\n".utf8), to: "a.md")
        let files = RewrittenFiles(
            folder: folder.path("state"), environment: ManualClock().environment)
        try await files.rewrite(try await files.read(path), to: "two\n", verb: "proofread")
        let server = UndoServer(UndoHistory([files]), environment: ManualClock().environment)
        let found = await server.effects(of: UndoServer.tool, arguments: JSONObject())
        XCTAssertEqual(found?.map(\.kind), [.overwrite])
        XCTAssertEqual(found?.map(\.tool), ["undo_change"])
    }

    func testTheQuestionNamesWhatWouldBeUndone() async throws {
        let folder = try CalendarFolder()
        _ = try await folder.server.call("create_reminder", #"{"title":"call mom"}"#)
        let server = UndoServer(
            UndoHistory([CalendarUndoSource(folder.store)]), environment: folder.environment)
        let preview = await server.preview(of: UndoServer.tool, arguments: JSONObject())
        XCTAssertEqual(preview, .touches("undoes: created reminder call mom"))
    }
}
