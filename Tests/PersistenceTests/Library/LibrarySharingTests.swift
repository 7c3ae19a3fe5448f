import Base
import Foundation
import XCTest

@testable import Persistence

/// What is written when only a part of an item changes, and the places in items.
final class LibrarySharingTests: XCTestCase {
    private let world = World()

    private func store(_ folder: StoreFolder) -> LibraryStore {
        LibraryStore(path: folder.database, environment: world.environment)
    }

    private func values(_ folder: StoreFolder, _ sql: String) throws -> [String] {
        let connection = try Connection(path: folder.database)
        defer { connection.close() }
        return try connection.rows(SQL(stringLiteral: sql)) { $0.text(0) }
    }

    /// The pages of the index of bodies, as they are stored.
    private func index(_ folder: StoreFolder) throws -> [String] {
        try values(folder, "SELECT id || ' ' || hex(block) FROM bodies_search_data ORDER BY id")
    }

    private func size(_ folder: StoreFolder) throws -> Int { try folder.bytes().count }

    private static let novel = (0..<14_000).map {
        "Sentence \($0) of the long tale about the sea, the tide and ferry \($0 % 997).\n"
    }.joined()

    private func novel(_ library: LibraryStore) async throws -> ItemID {
        try await library.add([
            ItemDraft(kind: .story, title: "The Tide", body: Self.novel, tags: ["sea"])
        ])[0].id
    }

    func testAHundredChangesOfTheMetadataWriteTheBodyAndItsIndexNotOnceMore() async throws {
        XCTAssertGreaterThan(Self.novel.utf8.count, 700_000)
        let folder = try StoreFolder()
        let library = store(folder)
        let id = try await novel(library)
        await library.close()
        let (before, pages) = (try size(folder), try index(folder))
        for number in 0..<100 {
            let change = ItemChange(metadata: JSONObject([.init("place", .integer(Int64(number)))]))
            guard case .changed = try await library.change(id, change) else {
                return XCTFail("no revision \(number)")
            }
        }
        await library.close()
        XCTAssertLessThan(try size(folder) - before, 300_000)
        XCTAssertEqual(try index(folder), pages)
        XCTAssertEqual(try values(folder, "SELECT count(*) FROM bodies"), ["1"])
        let history = try await library.history(of: id)
        XCTAssertEqual(history.count, 101)
        XCTAssertEqual(Set(history.map(\.body)), [Self.novel])
    }

    func testAnotherTitleOrTagIsFoundAndLeavesTheIndexOfTheBodyAlone() async throws {
        let folder = try StoreFolder()
        let library = store(folder)
        let id = try await novel(library)
        let pages = try index(folder)
        _ = try await library.change(id, ItemChange(title: "The Ebb", tags: ["north"]))
        let undone = try await library.steps(undone: false, limit: 1)[0].id
        XCTAssertEqual(try index(folder), pages)
        let found = { (words: String) in
            try await library.search(SearchQuery(words)).map(\.item.id)
        }
        var hits = [try await found("ebb ferry north"), try await found("the tide sea")]
        XCTAssertEqual(hits, [[id], [id]], "the old title's words are in the body too")
        hits = [try await found("\"the tide and\""), try await found("\"ebb sentence\"")]
        XCTAssertEqual(hits, [[id], []])
        let tags = [try await library.tags(ofLatest: 100).map(\.tag)]
        XCTAssertEqual(tags, [["north"]])
        _ = try await library.undo(undone)
        hits = [try await found("ebb"), try await found("tide ferry")]
        XCTAssertEqual(hits, [[], [id]])
        XCTAssertEqual(try index(folder), pages)
    }

    func testBodiesAreWrittenAndIndexedAgainWhereTheyChangeByAByte() async throws {
        let folder = try StoreFolder()
        let library = store(folder)
        let id = try await library.add([ItemDraft(kind: .idea, title: "t", body: "caf\u{E9}")])[0]
            .id
        // Equal as strings, and other bytes.
        _ = try await library.change(id, ItemChange(body: "cafe\u{301}"))
        _ = try await library.change(id, ItemChange(body: "a boat", metadata: JSONObject()))
        _ = try await library.change(id, ItemChange(title: "u"))
        let bodies = try await library.history(of: id).map { Array($0.body.utf8) }
        XCTAssertEqual(
            bodies, ["a boat", "a boat", "cafe\u{301}", "caf\u{E9}"].map { Array($0.utf8) })
        XCTAssertEqual(try values(folder, "SELECT count(*) FROM bodies"), ["3"])
        // Written against the second one: its body is not stored again either.
        let update = try await library.change(id, ItemChange(title: "mine"), basedOn: 2)
        guard case .conflict(_, let kept) = update else { return XCTFail("\(update)") }
        XCTAssertEqual(Array(kept.body.utf8), Array("cafe\u{301}".utf8))
        XCTAssertEqual(try values(folder, "SELECT count(*) FROM bodies"), ["3"])
        _ = try await library.restore(id, toRevision: 1)
        let hits = [
            try await library.search(SearchQuery("boat")).count,
            try await library.search(SearchQuery("café")).count,
        ]
        XCTAssertEqual(hits, [0, 1])
        _ = try await library.trash([id])
        let none = try await library.search(SearchQuery("café"))
        XCTAssertEqual(none, [])
        _ = try await library.emptyTrash()
        XCTAssertEqual(try values(folder, "SELECT count(*) FROM bodies"), ["0"])
        XCTAssertEqual(try values(folder, "SELECT count(*) FROM revisions"), ["0"])
    }

    func testWordsAreFoundAcrossTitlesAndBodiesOfManyItemsTheNewestFirst() async throws {
        let library = store(try StoreFolder())
        _ = try await library.add(
            (1...3_000).map {
                ItemDraft(
                    kind: $0 % 500 == 1 ? .story : .idea, title: $0 % 1_000 == 1 ? "Boat" : "Cup",
                    body: $0 % 2 == 1 ? "on the lake" : "at sea")
            })
        let find = { (words: String, kinds: [ItemKind], limit: Int) in
            try await library.search(SearchQuery(words), ItemFilter(kinds: kinds), limit: limit)
                .map(\.item.id.rawValue)
        }
        var ids = try await find("lake boat", [], 20)
        XCTAssertEqual(ids, [2_001, 1_001, 1])
        ids = try await find("lake boat", [], 2)
        XCTAssertEqual(ids, [2_001, 1_001])
        ids = try await find("lak", [.story], 20)
        XCTAssertEqual(ids, [2_501, 2_001, 1_501, 1_001, 501, 1])
        ids = try await find("sea boat", [], 20)
        XCTAssertEqual(ids, [])
    }

    // MARK: - Places

    func testAPlaceIsKeptWithoutARevisionAndGoesWithItsItem() async throws {
        let folder = try StoreFolder()
        let library = store(folder)
        let items = try await library.add([
            ItemDraft(kind: .story, title: "a", body: "b"),
            ItemDraft(kind: .story, title: "c", body: "d"),
        ]).map(\.id)
        let none = try await library.place(of: items[0])
        XCTAssertNil(none)
        try await library.setPlace(17, of: items[0])
        try await library.setPlace(4, of: items[1])
        try await library.setPlace(23, of: items[0])
        try await library.setPlace(1, of: ItemID(rawValue: 99))
        // As a kill would leave it.
        let killed = try folder.copyOfNow()
        let place = try await store(killed).place(of: items[0])
        XCTAssertEqual(place, 23)
        var last = try await library.lastPlaced(.story)
        XCTAssertEqual(last, items[0])
        let item = try await library.liveItem(items[0])
        XCTAssertEqual(item.revision, 1)
        _ = try await library.trash([items[0]])
        last = try await library.lastPlaced(.story)
        XCTAssertEqual(last, items[1])
        _ = try await library.emptyTrash()
        XCTAssertEqual(try values(folder, "SELECT item FROM item_places"), ["2"])
        try await library.setPlace(nil, of: items[1])
        last = try await library.lastPlaced(.story)
        XCTAssertNil(last)
    }
}
