import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// A database that the program before shared bodies has written: an idea, a draft that
/// was edited, a story with its cast and another title, a résumé in the trash.
final class SchemaSevenTests: XCTestCase {
    private func oldFile() throws -> StoreFolder {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 7)).write(to: URL(fileURLWithPath: path))
        return folder
    }

    /// Every revision as it is read with the old columns or the new ones.
    private func revisions(_ path: String, isOld: Bool) throws -> [String] {
        let connection = try Connection(path: path)
        defer { connection.close() }
        let text = isOld ? "r.body" : "(SELECT text FROM bodies WHERE id = r.body)"
        return try connection.rows(
            """
            SELECT r.item || ' ' || r.number || ' ' || r.title || ' ' || \(text) || r.metadata
                || r.tags || r.made || r.made_by || r.carries_foreign_text || r.is_conflict
            FROM revisions r ORDER BY r.item, r.number
            """
        ) { $0.text(0) }
    }

    private func number(_ path: String, _ sql: String) throws -> Int64? {
        let connection = try Connection(path: path)
        defer { connection.close() }
        return try connection.first(SQL(stringLiteral: sql)) { $0.integer(0) }
    }

    func testEveryRevisionIsThereAndBodiesAreKeptOnce() async throws {
        let folder = try oldFile()
        let before = try revisions(folder.database, isOld: true)
        XCTAssertEqual(before.count, 10)
        let library = LibraryStore(path: folder.database, environment: World().environment)
        let items = try await library.items(ItemFilter(order: .oldest))
        XCTAssertEqual(
            items.map { "\($0.id) \($0.kind) \($0.title) \($0.tags)" },
            [
                "i1 idea Tea cups [\"tea\", \"garden\"]", "i2 draft Kettles []",
                "i3 story A mad tea party []",
            ])
        await library.close()
        XCTAssertEqual(try revisions(folder.database, isOld: false), before)
        XCTAssertEqual(try number(folder.database, "SELECT count(*) FROM bodies"), 5)
        XCTAssertEqual(
            try number(folder.database, "SELECT count(*) FROM pragma_foreign_key_check"), 0)
    }

    func testTheIndexUndoAndTheTrashGoOn() async throws {
        let folder = try oldFile()
        let library = LibraryStore(path: folder.database, environment: World().environment)
        for (words, ids) in [
            "tea": ["i3", "i1"], "garden cups": ["i1"], "mad butter": ["i3"], "spoons": ["i2"],
            "田中": ["i2"], "chemistry": [], "story": [],
        ] {
            let hits = try await library.search(SearchQuery(words))
            XCTAssertEqual(hits.map(\.item.id.description), ids, words)
        }
        let kinds = ItemFilter(kinds: [.story, .draft])
        let stories = try await library.search(SearchQuery("tea"), kinds)
        XCTAssertEqual(stories.map(\.item.id.description), ["i3"])
        let verbs = try await library.steps(undone: false, limit: 9)
        XCTAssertEqual(verbs.count, 9)
        // The résumé comes back with its words.
        _ = try await library.undo(verbs[0].id)
        let found = try await library.search(SearchQuery("chemistry"))
        XCTAssertEqual(found.map(\.item.id.description), ["i4"])
        _ = try await library.trash([ItemID(rawValue: 4)])
        let emptied = try await library.emptyTrash()
        XCTAssertEqual(emptied.count, 1)
        XCTAssertEqual(emptied.left.backups, [])
        await library.close()
        // Neither in the file nor in the copy of it as it was.
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data")
        XCTAssertEqual(files.filter { $0.hasPrefix("chat.db.backup-v7-") }.count, 1)
        for name in files {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/data/\(name)"))
            for word in ["Lindqvist", "lindqvist", "chemistry"] {
                XCTAssertNil(bytes.range(of: Data(word.utf8)), "\(name): \(word)")
            }
        }
    }

    /// The file and its log as they are after each statement, before the commit and
    /// after it: what a kill at that moment leaves.
    func testAKillAtAnyPointLeavesTheOldSchemaOrTheNewOne() async throws {
        let original = try oldFile()
        let expected = try revisions(original.database, isOld: true)
        let migration = try XCTUnwrap(Migrations.all.dropFirst(7).first)
        let statements =
            migration.sql.components(separatedBy: ";\n").map { $0 + ";" } + [
                "PRAGMA user_version=8;", "COMMIT;",
            ]
        XCTAssertGreaterThan(statements.count, 15)
        let folder = try oldFile()
        let connection = try Connection(path: folder.database)
        try connection.configure()
        // Pages go to the log long before the commit.
        try connection.script("cache", "PRAGMA cache_size=1; BEGIN IMMEDIATE;")
        for (index, statement) in statements.enumerated() {
            try connection.script("statement \(index)", statement)
            let killed = try folder.copyOfNow()
            let version = try number(killed.database, "PRAGMA user_version")
            XCTAssertEqual(version, index == statements.count - 1 ? 8 : 7, "\(index)")
            let library = LibraryStore(path: killed.database, environment: World().environment)
            let hits = try await library.search(SearchQuery("mad butter"))
            XCTAssertEqual(hits.map(\.item.id.description), ["i3"], "\(index)")
            await library.close()
            XCTAssertEqual(try revisions(killed.database, isOld: false), expected, "\(index)")
        }
        connection.close()
    }
}
