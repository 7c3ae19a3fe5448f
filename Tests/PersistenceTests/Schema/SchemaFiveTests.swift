import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// A database that the program before the library has written: asked again,
/// summed up, forked, renamed, imported, deleted, with a tool and a file.
final class SchemaFiveTests: XCTestCase {
    private func oldFile() throws -> StoreFolder {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 5)).write(to: URL(fileURLWithPath: path))
        return folder
    }

    /// Every row of every table, by its columns in the old file.
    private func rows(
        _ path: String, columns: [String: [String]]? = nil
    ) throws -> (columns: [String: [String]], rows: [String: [String]]) {
        let connection = try Connection(path: path)
        defer { connection.close() }
        let tables = try connection.rows(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'items%'
                AND name NOT LIKE 'item_%' AND name NOT LIKE 'bodies%' AND name NOT IN ('revisions', 'sqlite_sequence', 'tool_calls', 'sent')
            """
        ) { $0.text(0) }
        var found: ([String: [String]], [String: [String]]) = ([:], [:])
        for table in tables {
            let names =
                try columns?[table]
                ?? connection.rows(
                    "SELECT name FROM pragma_table_info('\(table)')"
                ) { $0.text(0) }
            let values = names.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
            found.0[table] = names
            found.1[table] = try connection.rows(
                "SELECT \(values) FROM \"\(table)\" ORDER BY 1"
            ) { $0.text(0) }
        }
        return found
    }

    func testEveryRowIsThereAfterTheMigration() async throws {
        let folder = try oldFile()
        let before = try rows(folder.database)
        XCTAssertEqual(before.rows["conversations"]?.count, 7)
        XCTAssertEqual(before.rows["turns"]?.count, 13)
        XCTAssertEqual(before.rows["messages"]?.count, 28)
        XCTAssertEqual(before.rows["summaries"]?.count, 2)
        XCTAssertEqual(before.rows["generations"]?.count, 1)
        let store = try folder.store()
        await store.close()
        let after = try rows(folder.database, columns: before.columns)
        XCTAssertEqual(Set(after.rows.keys), Set(before.rows.keys))
        for (table, rows) in before.rows { XCTAssertEqual(after.rows[table], rows, table) }
    }

    func testItsConversationsAreReadSearchedAndCountedAsBefore() async throws {
        let folder = try oldFile()
        let store = try folder.store()
        let list = try await store.list(limit: 10)
        XCTAssertEqual(
            list.map(\.title),
            [
                "Ferries of Norway (fork)", "Ferries of Norway", "what is on my list?",
                "remind me to call mom tomorrow at 5pm", "what was the ferry called?",
                "An older talk",
            ])
        XCTAssertEqual(list.map(\.messages), [6, 6, 4, 2, 4, 2])
        let tool = try await store.allTurns(of: list[2].id, includingReplaced: false)
        XCTAssertEqual(
            tool.flatMap { $0.turn.messages.map(\.role) }, [.user, .assistant, .tool, .assistant])
        XCTAssertEqual(
            tool.last?.turn.messages.last?.text, "You have **one** reminder. 田中 👩‍👩‍👧‍👦")
        let ferries = try await store.allTurns(of: list[1].id, includingReplaced: true)
        XCTAssertEqual(ferries.map { $0.replaced == nil }, [false, true, true, true])
        let file = try await store.allTurns(of: list[4].id, includingReplaced: false)
        let names = file.flatMap { turn in
            turn.turn.messages.flatMap(\.parts).compactMap { part in
                if case .attachment(let attachment) = part { attachment.name } else { nil }
            }
        }
        XCTAssertEqual(names, ["notes.txt"])
        let deleted = try await store.deleted(limit: 10).map(\.title)
        XCTAssertEqual(deleted, ["drop this one"])
        await store.close()
    }

    func testTheLibraryBeginsEmptyAndTheOldFileIsKept() async throws {
        let folder = try oldFile()
        let library = LibraryStore(path: folder.database, environment: World().environment)
        let items = try await library.items()
        XCTAssertEqual(items, [])
        let kept = try await library.add([ItemDraft(kind: .idea, title: "t", body: "b")])
        XCTAssertEqual(kept.map(\.id.description), ["i1"])
        await library.close()
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data")
        let backup = try XCTUnwrap(beside.first { $0.hasPrefix("chat.db.backup-v5-") })
        let old = try rows(folder.path + "/data/" + backup)
        XCTAssertEqual(old.rows["turns"]?.count, 13)
    }
}
