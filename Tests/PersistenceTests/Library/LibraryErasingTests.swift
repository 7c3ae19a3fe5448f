import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// What was deleted for good is in no file: the database, its index, its free space
/// and its log are looked through byte by byte.
final class LibraryErasingTests: XCTestCase {
    private let clock = ManualClock()

    private func store(_ folder: StoreFolder) -> LibraryStore {
        LibraryStore(path: folder.database, environment: clock.environment)
    }

    /// `file: word` for each word that stands in a file, in whatever case.
    private func traces(_ words: [String], in folder: StoreFolder) throws -> [String] {
        var found: [String] = []
        for name in (FilePath.names(in: folder.path + "/data") ?? []).sorted() {
            let bytes = try [UInt8](
                Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/data/\(name)"))
            ).map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
            found += words.filter { bytes.firstRange(of: Array($0.utf8)) != nil }.map {
                "\(name): \($0)"
            }
        }
        return found
    }

    private let words = ["zqsvensson", "zqlindqvist", "zqstorgatan", "zqtitle", "zqtag", "zqmeta"]

    /// Three private items with several revisions, long and short, between many others.
    private func fill(_ library: LibraryStore) async throws -> [ItemID] {
        var ids: [ItemID] = []
        for (index, kind) in [ItemKind.resume, .job, .letter].enumerated() {
            for number in 0..<40 {
                _ = try await library.add([
                    ItemDraft(
                        kind: .idea, title: "Idea \(index) \(number)",
                        body: String(repeating: "about tea and cups \(number) ", count: 40))
                ])
            }
            let item = try await library.add([
                ItemDraft(
                    kind: kind, title: "ZqTitle \(index)", body: "ZqSvensson\nZqStorgatan 5",
                    metadata: JSONObject([.init("requests", ["ZqMeta"])]), tags: ["zqtag"])
            ])[0]
            ids.append(item.id)
            for number in 0..<12 {
                let body = String(
                    repeating: "Ida ZqLindqvist \(number) writes. ", count: number * 60)
                _ = try await library.change(
                    item.id, ItemChange(title: "ZqTitle \(index) \(number)", body: body))
            }
        }
        return ids
    }

    func testNothingOfTheTrashIsLeftInAnyFile() async throws {
        let folder = try StoreFolder()
        let library = store(folder)
        let ids = try await fill(library)
        XCTAssertEqual(
            Set(try traces(words, in: folder).map { $0.split(separator: " ").last }).count, 6)
        _ = try await library.trash([ids[0], ids[1]])
        _ = try await library.undo(try await library.steps(undone: false, limit: 1)[0].id)
        _ = try await library.trash(ids)
        let emptied = try await library.emptyTrash()
        XCTAssertEqual(emptied.count, 3)
        XCTAssertFalse(emptied.left.isLogInUse)
        XCTAssertEqual(emptied.left.backups, [])
        XCTAssert(emptied.privateTexts.contains { $0.contains("ZqStorgatan 5") })
        // With the database still open.
        XCTAssertEqual(try traces(words, in: folder), [])
        let left = try await library.count()
        XCTAssertEqual(left, 120)
        let hits = try await library.search(SearchQuery("cups"), limit: 200)
        XCTAssertEqual(hits.count, 120)
        await library.close()
        XCTAssertEqual(try traces(words, in: folder), [])
    }

    func testAnotherInstanceThatIsReadingKeepsTheLogUntilItEnds() async throws {
        let folder = try StoreFolder()
        let library = store(folder)
        let ids = try await fill(library)
        let reader = try Connection(path: folder.database, busyTimeoutInMilliseconds: 1)
        try reader.configure()
        try reader.script("read", "BEGIN; SELECT count(*) FROM items;")
        _ = try await library.trash(ids)
        let emptied = try await library.emptyTrash()
        XCTAssertTrue(emptied.left.isLogInUse)
        try reader.script("end", "COMMIT")
        await library.close()
        reader.close()
        XCTAssertEqual(try traces(words, in: folder), [])
    }

    func testOneThatHasItOpenAndDoesNotReadChangesNothing() async throws {
        let folder = try StoreFolder()
        let (library, other) = (store(folder), store(folder))
        let ids = try await fill(library)
        let seen = try await other.count()
        XCTAssertEqual(seen, 123)
        _ = try await library.trash(ids)
        let emptied = try await library.emptyTrash()
        XCTAssertFalse(emptied.left.isLogInUse)
        XCTAssertEqual(try traces(words, in: folder), [])
        let left = try await other.count()
        XCTAssertEqual(left, 120)
    }

    func testCopiesThatMigrationsHaveMadeLoseTheSameItems() async throws {
        let folder = try StoreFolder()
        let library = store(folder)
        let ids = try await fill(library)
        let connection = try Connection(path: folder.database)
        let backup = folder.database + Migrator.backupMark + "9-20260101T000000Z"
        XCTAssertTrue(try DatabaseFile.create(backup))
        try connection.copy(to: backup)
        connection.close()
        _ = try await library.trash(ids)
        _ = try await library.emptyTrash()
        await library.close()
        XCTAssertEqual(try traces(words, in: folder), [])
        let kept = LibraryStore(path: backup, environment: clock.environment)
        let count = try await kept.count()
        XCTAssertEqual(count, 120)
        await kept.close()
    }

    /// Above what is written anew in memory.
    func testALargeFileIsWrittenAnewWithoutAFileThatStays() throws {
        let folder = try StoreFolder()
        _ = try DatabaseFile.prepare(folder.database)
        let connection = try Connection(path: folder.database)
        defer { connection.close() }
        try connection.configure()
        try connection.script("table", "CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT);")
        for number in 0..<300 {
            let secret = String(repeating: "ZqSvensson \(number) ", count: number % 50)
            try connection.script("add", "INSERT INTO notes(text) VALUES ('\(secret)');")
        }
        for rest in 0..<7 {
            try connection.script(
                "move", "UPDATE notes SET text = text || 'kept' || text WHERE id % 7 = \(rest);")
        }
        try connection.script("remove", "UPDATE notes SET text = 'kept';")
        XCTAssertNotEqual(try traces(["zqsvensson"], in: folder), [])
        XCTAssertTrue(try connection.scrub(inMemory: 0))
        XCTAssertEqual(try traces(["zqsvensson"], in: folder), [])
        XCTAssertEqual(
            FilePath.names(in: folder.path + "/data")?.sorted(),
            ["chat.db", "chat.db-shm", "chat.db-wal"])
        let memory = try connection.first("PRAGMA temp_store") { $0.integer(0) }
        XCTAssertEqual(memory, 2, "sorting is done in memory again")
        let rows = try connection.first("SELECT count(*) FROM notes") {
            $0.integer(0)
        }
        XCTAssertEqual(rows, 300)
    }
}
