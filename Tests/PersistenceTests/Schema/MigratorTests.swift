import AgentCore
import Foundation
import XCTest

@testable import Persistence

final class MigratorTests: XCTestCase {
    private let later = Migrator(
        migrations: Migrations.all + [
            Migration(
                name: "pin", sql: "ALTER TABLE conversations ADD COLUMN pinned INTEGER"),
            Migration(name: "tags", sql: "CREATE TABLE tags(a TEXT) STRICT;"),
        ])

    private let current = Migrations.all.count
    private var afterwards: String { "\(current + 2)" }

    private func store(_ folder: StoreFolder, _ migrator: Migrator) throws -> ConversationStore {
        try ConversationStore(
            path: folder.database, environment: World().environment,
            busyTimeoutInMilliseconds: 5_000, migrator: migrator)
    }

    private func entries(_ folder: StoreFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data").sorted()
    }

    private func say(_ text: String, in store: ConversationStore) async throws {
        let id = await store.newConversation(kind: .repl, provider: .local, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user(text), isLocal: false)
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
    }

    func testANewFileGetsEveryMigrationAndNoBackup() async throws {
        let folder = try StoreFolder()
        let store = try store(folder, Migrator())
        let version = try await store.values("PRAGMA user_version")
        let application = try await store.values("PRAGMA application_id")
        XCTAssertEqual(version + application, ["\(current)", "1667785076"])
        let tables = try await store.values(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        XCTAssertEqual(
            tables,
            [
                "bodies", "bodies_search", "bodies_search_config", "bodies_search_content",
                "bodies_search_data", "bodies_search_idx", "chunks", "conversations", "generations",
                "item_changes", "item_pictures", "item_places", "item_steps", "item_tags",
                "items", "items_search", "items_search_config", "items_search_content",
                "items_search_data", "items_search_idx", "messages", "parts", "revisions", "search",
                "search_config",
                "search_content", "search_data", "search_idx", "search_state", "sent", "summaries",
                "tool_calls", "turns",
            ])
        await store.close()
        XCTAssertEqual(try entries(folder), ["chat.db"])
    }

    func testAnOlderFileIsBackedUpAndMigrated() async throws {
        let folder = try StoreFolder()
        let old = try store(folder, Migrator())
        try await say("before", in: old)
        await old.close()
        let new = try store(folder, later)
        let version = try await new.values("PRAGMA user_version")
        XCTAssertEqual(version, [afterwards])
        let pinned = try await new.values("SELECT count(pinned) FROM conversations")
        XCTAssertEqual(pinned, ["0"])
        await new.close()

        let backup = "chat.db.backup-v\(current)-20270115-080001"
        XCTAssertEqual(try entries(folder), ["chat.db", backup])
        let path = folder.path + "/data/" + backup
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o600)
        let restored = try ConversationStore(path: path, environment: World().environment)
        let titles = try await restored.list(limit: 5).map(\.title)
        XCTAssertEqual(titles, ["before"])
        await restored.close()
    }

    func testANewerFileIsRefusedByteForByteUntouchedWithItsLog() async throws {
        let folder = try StoreFolder()
        let new = try store(folder, later)
        try await say("new", in: new)
        let withLog = try folder.copyOfNow()
        await new.close()
        for copy in [folder, withLog] {
            let bytes = try copy.bytes()
            let log = try? copy.bytes("-wal")
            await XCTAssertReason(.newerSchema(found: current + 2, supported: current)) {
                _ = try store(copy, Migrator())
            }
            XCTAssertEqual(try copy.bytes(), bytes)
            if let log { XCTAssertEqual(try copy.bytes("-wal"), log) }
        }
        let again = try store(withLog, later)
        let titles = try await again.list(limit: 5).map(\.title)
        XCTAssertEqual(titles, ["new"])
        await again.close()
    }

    func testAMigrationThatFailsLeavesTheVersionBefore() async throws {
        let folder = try StoreFolder()
        let old = try store(folder, Migrator())
        try await say("before", in: old)
        await old.close()
        let broken = Migrator(
            migrations: later.migrations + [
                Migration(name: "bad", sql: "CREATE TABLE good(a); CREATE TABL bad(a);")
            ])
        await XCTAssertReason(.other) { _ = try store(folder, broken) }
        let opened = try store(folder, later)
        let version = try await opened.values("PRAGMA user_version")
        let tables = try await opened.values(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'good'")
        let titles = try await opened.list(limit: 5).map(\.title)
        XCTAssertEqual(version + tables + titles, [afterwards, "0", "before"])
        await opened.close()
    }

    func testADatabaseOfAnotherProgramIsRefusedUntouched() async throws {
        for script in [
            "CREATE TABLE theirs(a)", "PRAGMA application_id=7", "PRAGMA user_version=1",
            "PRAGMA application_id=1667785076", "PRAGMA user_version=-1",
        ] {
            let folder = try StoreFolder()
            let other = try Connection(path: try DatabaseFile.prepare(folder.database))
            try other.script("test", script)
            other.close()
            let bytes = try folder.bytes()
            await XCTAssertReason(.otherDatabase) { _ = try store(folder, Migrator()) }
            XCTAssertEqual(try folder.bytes(), bytes, script)
        }
    }

    func testInstancesThatMigrateAtOnceAgree() async throws {
        let folder = try StoreFolder()
        let old = try store(folder, Migrator())
        try await say("before", in: old)
        await old.close()
        let path = folder.database
        let migrator = later
        let versions = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let store = try ConversationStore(
                        path: path, environment: World().environment,
                        busyTimeoutInMilliseconds: 5_000, migrator: migrator)
                    let version = try await store.values("PRAGMA user_version")
                    await store.close()
                    return version
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        XCTAssertEqual(versions, Array(repeating: afterwards, count: 4))
    }
}
