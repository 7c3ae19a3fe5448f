import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// Copies of a database and what becomes of them in another one.
final class BackupDatabaseTests: XCTestCase {
    private struct Stop: Error {}

    private func backup(_ folder: StoreFolder, _ world: World = World()) -> BackupDatabase {
        BackupDatabase(
            path: folder.database, locks: folder.locks, environment: world.environment)
    }

    /// The conversations of the program before the library, with items beside.
    private func used(_ world: World) async throws -> StoreFolder {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 5)).write(to: URL(fileURLWithPath: path))
        let library = LibraryStore(path: path, environment: world.environment)
        let items = try await library.add([
            ItemDraft(kind: .idea, title: "a boat", body: "that folds 田中", tags: ["sea"]),
            ItemDraft(kind: .draft, title: "gone", body: "for ever"),
            ItemDraft(kind: .prompt, title: "kind", body: "Be kind."),
        ])
        _ = try await library.change(items[0].id, ItemChange(body: "that folds twice"))
        _ = try await library.trash([items[1].id])
        try await library.setPlace(12, of: items[2].id)
        try await library.setPicture(Array("a picture".utf8), of: items[2].id)
        await library.close()
        return folder
    }

    private func copy(_ folder: StoreFolder, _ world: World = World()) async throws -> String {
        let target = folder.path + "/copy-\(UUID().uuidString).db"
        _ = try await backup(folder, world).snapshot(to: target)
        return target
    }

    private func merge(_ copy: String, into folder: StoreFolder) async throws -> MergeReport {
        try await backup(folder).merge(from: copy, alongside: {}, undo: {})
    }

    /// Every row but those of the full-text indexes and of undo.
    private func rows(_ path: String, without: Set<String> = []) throws -> [String: [String]] {
        let connection = try Connection(path: path)
        defer { connection.close() }
        var found: [String: [String]] = [:]
        for table in [
            "conversations", "turns", "messages", "parts", "summaries", "generations", "items",
            "revisions", "bodies", "item_tags", "item_places",
            "item_pictures",
        ] {
            let names = try connection.rows(MergeSQL.columns, [.text(table)]) { $0.text(0) }
                .filter { !without.contains($0) && !without.contains("\(table).\($0)") }
            let values = names.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
            found[table] = try connection.rows(
                "SELECT \(values) FROM \"\(table)\" ORDER BY 1"
            ) { $0.text(0) }
        }
        return found
    }

    private func outcomes(_ report: MergeReport) -> [MergeReport.Outcome: Int] {
        report.lines.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
    }

    // MARK: - Copies

    func testACopyIsOneStateWithoutWhatWasDeletedForEver() async throws {
        let world = World()
        let folder = try await used(world)
        let library = LibraryStore(path: folder.database, environment: world.environment)
        _ = try await library.emptyTrash()
        // Another instance is in the middle of a transaction.
        let other = try Connection(path: folder.database)
        try other.script("begin", "BEGIN IMMEDIATE; DELETE FROM turns;")
        let target = folder.path + "/copy.db"
        let contents = try await backup(folder, world).snapshot(to: target)
        try other.script("end", "ROLLBACK")
        other.close()
        await library.close()
        XCTAssertEqual(contents?.conversations, 7)
        XCTAssertEqual(contents?.items, 2)
        XCTAssertEqual(contents?.schema, Migrations.all.count)
        XCTAssertEqual(try rows(target), try rows(folder.database))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: target))
        XCTAssertNil(bytes.range(of: Data("for ever".utf8)))
        let mode =
            try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        XCTAssertEqual(mode, 0o600)
    }

    func testWithoutADatabaseThereIsNoCopyAndNoneIsMade() async throws {
        let folder = try StoreFolder()
        let contents = try await backup(folder).snapshot(to: folder.path + "/copy.db")
        XCTAssertNil(contents)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
    }

    func testADamagedOrNewerCopyIsRefused() async throws {
        let folder = try await used(World())
        let newer = try await copy(folder)
        let connection = try Connection(path: newer)
        try connection.script("newer", "PRAGMA user_version = 99")
        connection.close()
        do {
            _ = try await backup(folder).prepare(newer)
            XCTFail("it was taken")
        } catch let error as SQLiteError {
            XCTAssertEqual(
                error.reason, .newerSchema(found: 99, supported: Migrations.all.count))
        }
        let damaged = try await copy(folder)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: damaged)))
        for index in 4_096..<min(bytes.count, 40_000) { bytes[index] = 0xA5 }
        try Data(bytes).write(to: URL(fileURLWithPath: damaged))
        do {
            _ = try await backup(folder).prepare(damaged)
            XCTFail("it was taken")
        } catch is SQLiteError {}
    }

    // MARK: - Merging

    func testIntoNothingEverythingComesBackRowForRow() async throws {
        let (old, new) = (try await used(World()), try StoreFolder())
        let copy = try await copy(old)
        let planned = try await backup(new).difference(from: copy)
        XCTAssertFalse(FileManager.default.fileExists(atPath: new.database))
        let report = try await merge(copy, into: new)
        XCTAssertEqual(report.lines, planned.lines)
        XCTAssertEqual(outcomes(report), [.new: 10])
        // Where it comes from cannot be known: it is marked as words of others.
        // And the numbers of conversations mean nothing.
        let marks: Set = [
            "carries_foreign_text", "has_foreign_text", "conversations.seq", "conversation",
            "revisions.body",
        ]
        var (before, after) = (
            try rows(old.database, without: marks), try rows(new.database, without: marks)
        )
        for table in ["parts", "revisions", "bodies", "summaries", "generations"] {
            // Their own numbers mean nothing.
            before[table] = before[table]?.map { $0.drop { $0 != "|" }.description }.sorted()
            after[table] = after[table]?.map { $0.drop { $0 != "|" }.description }.sorted()
        }
        XCTAssertEqual(after, before)
        let store = try new.store()
        let hits = try await store.search(SearchQuery("fjord"), limit: 5)
        XCTAssertFalse(hits.hits.isEmpty)
        await store.close()
        let library = LibraryStore(path: new.database, environment: SystemIDs.environment)
        let found = try await library.search(SearchQuery("folds"))
        XCTAssertEqual(found.map(\.item.id.description), ["i1"])
        XCTAssertEqual(found.map(\.item.hasUntrustedText), [true])
        // i2 is in the trash and its number is not given out again.
        let next = try await library.add([ItemDraft(kind: .idea, title: "n", body: "n")])
        XCTAssertEqual(next.map(\.id.description), ["i4"])
        await library.close()
    }

    func testTakingItInAgainChangesNothing() async throws {
        let (old, new) = (try await used(World()), try StoreFolder())
        let copy = try await copy(old)
        _ = try await merge(copy, into: new)
        let once = try rows(new.database)
        let again = try await merge(copy, into: new)
        XCTAssertFalse(again.isChange)
        XCTAssertEqual(outcomes(again), [.unchanged: 10])
        XCTAssertEqual(try rows(new.database), once)
        let own = try await merge(copy, into: old)
        XCTAssertFalse(own.isChange)
    }

    func testWhatFailsAlongsideTakesEverythingBack() async throws {
        let (old, new) = (try await used(World()), try await used(World()))
        let copy = try await copy(old)
        // One that is only in the copy.
        let connection = try Connection(path: new.database)
        try connection.script("less", "DELETE FROM conversations WHERE title LIKE 'Ferries%'")
        connection.close()
        let before = try rows(new.database)
        do {
            _ = try await backup(new).merge(from: copy, alongside: { throw Stop() }, undo: {})
            XCTFail("it was merged")
        } catch is Stop {}
        XCTAssertEqual(try rows(new.database), before)
    }

    func testNewerConversationsReplaceOlderAndOlderOnesAreLeft() async throws {
        let world = World()
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let talk = try await said("one", in: store)
        _ = try await said("other", in: store)
        let early = try await copy(folder, world)
        try await say("two", in: talk, store)
        let late = try await copy(folder, world)

        let report = try await backup(folder).difference(from: early)
        XCTAssertEqual(report.lines.map(\.outcome), [.kept, .unchanged])
        await store.close()

        let other = try StoreFolder()
        _ = try await merge(early, into: other)
        let updated = try await merge(late, into: other)
        XCTAssertEqual(updated.lines.map(\.outcome), [.unchanged, .updated])
        let merged = try other.store()
        let list = try await merged.list(limit: 9)
        // The one that was used last is first, as where it comes from.
        XCTAssertEqual(list.map(\.title), ["one", "other"])
        let texts = try await merged.turns(of: talk, last: 9).map { $0.turn.messages.map(\.text) }
        XCTAssertEqual(texts, [["one"], ["two"]])
        await merged.close()
    }

    func testConversationsThatWentOnInBothPlacesAreBothKept() async throws {
        let world = World()
        let folder = try StoreFolder()
        var store = try folder.store(world)
        let talk = try await said("one", in: store)
        let early = try await copy(folder, world)
        let other = try StoreFolder()
        _ = try await merge(early, into: other)
        let elsewhere = try other.store(world)
        try await say("elsewhere", in: talk, elsewhere)
        await elsewhere.close()
        try await say("here", in: talk, store)
        await store.close()
        let late = try await copy(folder, world)

        let report = try await merge(late, into: other)
        XCTAssertEqual(report.lines.map(\.outcome), [.beside])
        let again = try await merge(late, into: other)
        XCTAssertEqual(again.lines.map(\.outcome), [.unchanged])
        store = try other.store()
        let list = try await store.list(limit: 9)
        XCTAssertEqual(list.map(\.forkedFrom), [talk, nil])
        var texts: [[String]] = []
        for record in list {
            texts.append(
                try await store.turns(of: record.id, last: 9).compactMap {
                    $0.turn.messages.first?.text
                })
        }
        XCTAssertEqual(texts, [["one", "here"], ["one", "elsewhere"]])
        await store.close()
    }

    func testAConversationThatIsOpenElsewhereIsLeftAlone() async throws {
        let world = World()
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let talk = try await said("one", in: store)
        let early = try await copy(folder, world)
        try await say("two", in: talk, store)
        await store.close()
        let late = try await copy(folder, world)
        let other = try StoreFolder()
        _ = try await merge(early, into: other)
        let lock = try ConversationLock.acquire(folder: other.locks, id: talk)
        let report = try await merge(late, into: other)
        XCTAssertEqual(report.lines.map(\.outcome), [.kept])
        withExtendedLifetime(lock) {}
    }

    func testOldConversationsComeBeforeWhatIsHereInTheirOwnOrder() async throws {
        let world = World()
        let folder = try StoreFolder()
        let store = try folder.store(world)
        for title in ["a", "b", "c"] { _ = try await said(title, in: store) }
        await store.close()
        let copy = try await copy(folder, world)
        let other = try StoreFolder()
        let here = try other.store(world)
        for title in ["x", "y"] { _ = try await said(title, in: here) }
        await here.close()
        _ = try await merge(copy, into: other)
        let merged = try other.store(world)
        let list = try await merged.list(limit: 9).map(\.title)
        XCTAssertEqual(list, ["y", "x", "c", "b", "a"])
        await merged.close()
    }

    func testANewerItemBringsItsRevisionsAndANewerOneHereStays() async throws {
        let world = World()
        let folder = try await used(world)
        let early = try await copy(folder, world)
        let other = try StoreFolder()
        _ = try await merge(early, into: other)
        let here = LibraryStore(path: folder.database, environment: world.environment)
        let first = ItemID(rawValue: 1)
        _ = try await here.change(first, ItemChange(title: "a ship", body: "that sails"))
        await here.close()
        let late = try await copy(folder, world)

        let report = try await merge(late, into: other)
        XCTAssertEqual(
            report.lines.filter { $0.kind == .item }.map(\.outcome),
            [.updated, .unchanged, .unchanged])
        let library = LibraryStore(path: other.database, environment: world.environment)
        let item = try await library.liveItem(first)
        XCTAssertEqual([item.title, item.body], ["a ship", "that sails"])
        let history = try await library.history(of: first)
        XCTAssertEqual(history.map(\.body), ["that sails", "that folds twice", "that folds 田中"])
        let back = try await merge(early, into: other)
        XCTAssertFalse(back.isChange)
        let still = try await library.liveItem(first)
        XCTAssertEqual(still.title, "a ship")
        let hits = try await library.search(SearchQuery("sails"))
        XCTAssertEqual(hits.map(\.item.id), [first])
        await library.close()
    }

    func testRevisionsThatShareABodyDoSoWhereTheyComeIn() async throws {
        let world = World()
        let folder = try StoreFolder()
        let here = LibraryStore(path: folder.database, environment: world.environment)
        let id = try await here.add([ItemDraft(kind: .story, title: "a", body: "long")])[0].id
        _ = try await here.change(id, ItemChange(title: "b"))
        try await here.setPlace(1, of: id)
        let early = try await copy(folder, world)
        let other = try StoreFolder()
        // Its bodies have other numbers.
        let library = LibraryStore(path: other.database, environment: SystemIDs.environment)
        _ = try await library.add([ItemDraft(kind: .idea, title: "mine", body: "m")])
        await library.close()
        _ = try await merge(early, into: other)
        XCTAssertEqual(try rows(other.database)["bodies"], ["1|1|'m'", "2|2|'long'"])

        _ = try await here.change(id, ItemChange(title: "c"))
        _ = try await here.change(id, ItemChange(body: "longer"))
        _ = try await here.change(id, ItemChange(tags: ["x"]))
        try await here.setPlace(5, of: id)
        await here.close()
        _ = try await merge(try await copy(folder, world), into: other)
        XCTAssertEqual(
            try rows(other.database)["bodies"], ["1|1|'m'", "2|2|'long'", "4|2|'longer'"])
        let merged = LibraryStore(path: other.database, environment: world.environment)
        let history = try await merged.history(of: ItemID(rawValue: 2))
        XCTAssertEqual(
            history.map { "\($0.number) \($0.title) \($0.body)" },
            ["5 c longer", "4 c longer", "3 c long", "2 b long", "1 a long"])
        let hits = try await merged.search(SearchQuery("longer"))
        XCTAssertEqual(hits.map(\.item.revision), [5])
        let place = try await merged.place(of: ItemID(rawValue: 2))
        XCTAssertEqual(place, 5, "the later one")
        await merged.close()
    }

    func testItemsOfAnotherLibraryGetNumbersOfTheirOwn() async throws {
        let (one, other) = (try await used(World()), try StoreFolder())
        let library = LibraryStore(path: other.database, environment: SystemIDs.environment)
        _ = try await library.add([ItemDraft(kind: .idea, title: "mine", body: "m")])
        await library.close()
        let report = try await merge(try await copy(one), into: other)
        XCTAssertEqual(
            report.lines.filter { $0.kind == .item }.map(\.id), ["i2", "i3", "i4"])
        let merged = LibraryStore(path: other.database, environment: World().environment)
        let titles = try await merged.items(ItemFilter(order: .oldest)).map(\.title)
        XCTAssertEqual(titles, ["mine", "a boat", "kind"])
        await merged.close()
    }

    // MARK: - Pieces

    /// A conversation with one turn of the user's words alone.
    private func said(_ text: String, in store: ConversationStore) async throws -> String {
        let draft = await store.newConversation(
            kind: .repl, provider: .claude, model: "m")
        try await say(text, in: draft.id, store)
        return draft.id
    }

    private func say(
        _ text: String, in id: String, _ store: ConversationStore
    ) async throws {
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(
            user: Message(role: .user, parts: [.text(TextPart(text))]), isLocal: false)
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
    }
}

/// Ids that no other world of a test counts.
private enum SystemIDs {
    static let environment = Environment.system(variables: [:])
}
