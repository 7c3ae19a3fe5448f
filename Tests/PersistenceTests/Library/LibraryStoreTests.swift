import Base
import Foundation
import XCTest

@testable import Persistence

/// Items: numbers, kinds, tags, trash, revisions and conflicts.
final class LibraryStoreTests: XCTestCase {
    private let world = World()
    private static let metadata = JSONObject([.init("a", 1), .init("b", ["c"])])

    private func store(_ folder: StoreFolder) -> LibraryStore {
        LibraryStore(path: folder.database, environment: world.environment)
    }

    private func idea(_ title: String, _ body: String = "", tags: [String] = []) -> ItemDraft {
        ItemDraft(kind: .idea, title: title, body: body, tags: tags)
    }

    func testAnItemIsAsItWasSavedAndThereAfterANewStart() async throws {
        let folder = try StoreFolder()
        let first = store(folder)
        let draft = ItemDraft(
            kind: .draft, title: "Dear Ida", body: "two\nlines\u{0}", metadata: Self.metadata,
            tags: ["To do", "#mail", "to do", " "])
        let origin = RevisionOrigin(
            by: .model, name: "m-1", conversation: "c", hasUntrustedText: true)
        let saved = try await first.add([draft, idea("Milk")], by: origin)
        await first.close()
        let second = store(folder)
        let found = try await second.item(ItemID(rawValue: 1))
        XCTAssertEqual(found, saved[0])
        XCTAssertEqual(found?.body, "two\nlines\u{0}")
        XCTAssertEqual(found?.tags, ["to-do", "mail"])
        XCTAssertEqual(found?.metadata, Self.metadata)
        XCTAssertEqual(found?.hasUntrustedText, true)
        XCTAssertEqual(found.map { [$0.id.description, $0.kind.rawValue] }, ["i1", "draft"])
        let history = try await second.history(of: ItemID(rawValue: 1))
        XCTAssertEqual(history.map(\.origin), [origin])
        let missing = try await second.item(ItemID(rawValue: 3))
        XCTAssertNil(missing)
    }

    func testANumberIsNeverUsedTwice() async throws {
        let folder = try StoreFolder()
        let library = store(folder)
        _ = try await library.add([idea("a"), idea("b")])
        _ = try await library.trash([ItemID(rawValue: 2)])
        let gone = try await library.emptyTrash()
        XCTAssertEqual(gone, EmptiedTrash(count: 1))
        await library.close()
        let next = try await store(folder).add([idea("c")])
        XCTAssertEqual(next.map(\.id.rawValue), [3])
    }

    func testListsAreOfOneKindOneTagAndInTheOrderAskedFor() async throws {
        let library = store(try StoreFolder())
        let items = try await library.add([
            idea("one", tags: ["x"]), ItemDraft(kind: .draft, title: "two", body: "", tags: ["x"]),
            idea("three"),
        ])
        _ = try await library.change(items[0].id, ItemChange(body: "more"))
        func titles(_ filter: ItemFilter) async throws -> [String] {
            try await library.items(filter).map(\.title)
        }
        let latest = try await titles(ItemFilter())
        XCTAssertEqual(latest, ["one", "three", "two"])
        let oldest = try await titles(ItemFilter(order: .oldest))
        XCTAssertEqual(oldest, ["one", "two", "three"])
        let newest = try await titles(ItemFilter(order: .newest, limit: 2))
        XCTAssertEqual(newest, ["three", "two"])
        let ideas = try await titles(ItemFilter(kinds: [.idea], order: .newest))
        XCTAssertEqual(ideas, ["three", "one"])
        let tagged = try await titles(ItemFilter(kinds: [.idea, .draft], tag: "X"))
        XCTAssertEqual(tagged, ["one", "two"])
        _ = try await library.trash([items[0].id])
        let trash = try await titles(ItemFilter(isTrashed: true))
        XCTAssertEqual(trash, ["one"])
        let counts = try await [
            library.count(), library.count(ItemFilter(tag: "x")),
            library.count(ItemFilter(isTrashed: true)),
        ]
        XCTAssertEqual(counts, [2, 1, 1])
        let tags = try await library.tags(ofLatest: 100)
        XCTAssertEqual(tags.map(\.tag), ["x"])
    }

    func testAListMayLeaveOutTheEndsOfBodies() async throws {
        let library = store(try StoreFolder())
        _ = try await library.add([
            ItemDraft(kind: .idea, title: "A", body: "äöü and more", tags: ["x"]),
            ItemDraft(kind: .draft, title: "B", body: ""),
        ])
        let whole = try await library.items(ItemFilter(order: .oldest))
        XCTAssertEqual(whole.map(\.body), ["äöü and more", ""])
        let short = try await library.items(ItemFilter(order: .oldest), bodyLimit: 3)
        XCTAssertEqual(short.map(\.body), ["äöü", ""])
        let titles = try await library.titles(limit: 1)
        XCTAssertEqual(titles.map(\.title), ["B"])
        let tags = try await library.tags(ofLatest: 1)
        XCTAssertEqual(tags.count, 0)
    }

    func testWordsNameAnItem() async throws {
        let library = store(try StoreFolder())
        let items = try await library.add([
            idea("Buy milk"), idea("Milk the cow"), idea("Crème brûlée"), idea("12"),
        ])
        let table: [(String, [Int])] = [
            ("i2", [2]), ("2", [2]), ("I3", [3]), (" i1 ", [1]), ("12", [4]), ("last", [4]),
            ("@-1", [4]), ("@-4", [1]), ("@-5", []), ("@-0", []), ("buy milk", [1]),
            ("milk", [2]), ("mil", [2]), ("cow", [2]), ("creme", [3]), ("e", [3, 2]),
            ("nothing", []), ("", []), ("i99", []), ("99999999999999999999", []),
        ]
        for (words, expected) in table {
            let found = try await library.matches(words)
            XCTAssertEqual(found.map { Int($0.id.rawValue) }, expected, words)
        }
        _ = try await library.change(items[0].id, ItemChange(tags: ["a"]))
        let last = try await library.matches("last")
        XCTAssertEqual(last.map(\.title), ["Buy milk"])
        let drafts = try await library.matches("i1", in: ItemFilter(kinds: [.draft]))
        XCTAssertEqual(drafts, [])
        _ = try await library.trash([items[1].id])
        let trashed = try await library.matches("milk", in: ItemFilter(isTrashed: true))
        XCTAssertEqual(trashed.map(\.id), [items[1].id])
        let live = try await library.matches("i2")
        XCTAssertEqual(live, [])
    }

    func testWordsAreFoundInTitleBodyAndTagsButNotInTheTrash() async throws {
        let library = store(try StoreFolder())
        let items = try await library.add([
            idea("A dragon", "breathes fire"), ItemDraft(kind: .draft, title: "x", body: "Dragons"),
            idea("y", "no idea", tags: ["dragon"]), idea("日本語の本", "料理"),
        ])
        func found(_ words: String, _ kinds: [ItemKind] = []) async throws -> [Int] {
            try await library.search(SearchQuery(words), ItemFilter(kinds: kinds))
                .map { Int($0.item.id.rawValue) }
        }
        var ids = try await found("drag")
        XCTAssertEqual(ids, [3, 2, 1])
        ids = try await found("drag", [.idea])
        XCTAssertEqual(ids, [3, 1])
        ids = try await found("draft ")
        XCTAssertEqual(ids, [], "the kind is not a word of it")
        ids = try await found("idea ")
        XCTAssertEqual(ids, [3])
        ids = try await found("本")
        XCTAssertEqual(ids, [4])
        ids = try await found("NOT \"OR")
        XCTAssertEqual(ids, [])
        _ = try await library.change(items[0].id, ItemChange(title: "A cat", body: "purrs"))
        ids = try await found("dragon ")
        XCTAssertEqual(ids, [3])
        ids = try await found("purrs")
        XCTAssertEqual(ids, [1])
        _ = try await library.trash([items[0].id])
        ids = try await found("purrs")
        XCTAssertEqual(ids, [])
        _ = try await library.restore([items[0].id])
        let hits = try await library.search(SearchQuery("purrs"))
        XCTAssertEqual(hits.map(\.snippet.text), ["purrs"])
    }

    func testAChangeIsARevisionAndNoChangeIsNone() async throws {
        let library = store(try StoreFolder())
        let item = try await library.add([idea("a", "b")])[0]
        let same = try await library.change(item.id, ItemChange(title: "a", body: "b"))
        XCTAssertEqual(same, .unchanged(item))
        let update = try await library.change(
            item.id, ItemChange(body: "c"), basedOn: 1,
            by: RevisionOrigin(by: .tool, name: "t"))
        XCTAssertEqual(update.item.body, "c")
        XCTAssertEqual(update.item.revision, 2)
        XCTAssertGreaterThan(update.item.updated, item.updated)
        let history = try await library.history(of: item.id)
        XCTAssertEqual(history.map(\.body), ["c", "b"])
        XCTAssertEqual(history.map(\.number), [2, 1])
        let steps = try await library.steps(undone: false, limit: 9)
        XCTAssertEqual(steps.map(\.verb), ["edited", "saved"])
    }

    func testAChangeMeanwhileIsNeverOverwritten() async throws {
        let folder = try StoreFolder()
        let (mine, theirs) = (store(folder), store(folder))
        let item = try await mine.add([idea("a", "one", tags: ["t"])])[0]
        _ = try await theirs.change(item.id, ItemChange(body: "theirs"))
        let update = try await mine.change(item.id, ItemChange(body: "mine"), basedOn: 1)
        guard case .conflict(let now, let kept) = update else { return XCTFail("\(update)") }
        XCTAssertEqual(now.body, "theirs")
        XCTAssertEqual([kept.body, "\(kept.number)", "\(kept.isConflict)"], ["mine", "3", "true"])
        let found = try await theirs.item(item.id)
        XCTAssertEqual(found?.body, "theirs")
        let words = try await mine.search(SearchQuery("mine"))
        XCTAssertEqual(words, [], "what is kept beside it is not it")
        let taken = try await mine.restore(item.id, toRevision: 3)
        XCTAssertEqual(taken.body, "mine")
        XCTAssertEqual(taken.revision, 3)
        let bodies = try await mine.history(of: item.id).map(\.body)
        XCTAssertEqual(bodies, ["mine", "theirs", "one"])
    }

    func testForeignTextStaysMarkedWhoeverEditsIt() async throws {
        let library = store(try StoreFolder())
        let item = try await library.add(
            [idea("a", "b")], by: RevisionOrigin(by: .model, hasUntrustedText: true))[0]
        let update = try await library.change(item.id, ItemChange(body: "mine"))
        XCTAssertTrue(update.item.hasUntrustedText)
    }

    func testAConflictTakesTheMarkOfTheRevisionItWasMadeFrom() async throws {
        let library = store(try StoreFolder())
        let item = try await library.add([idea("a", "mine")])[0]
        _ = try await library.change(
            item.id, ItemChange(body: "theirs"),
            by: RevisionOrigin(by: .model, hasUntrustedText: true))
        let back = try await library.restore(item.id, toRevision: 1)
        XCTAssertFalse(back.hasUntrustedText)
        let update = try await library.change(item.id, ItemChange(title: "b"), basedOn: 2)
        guard case .conflict(_, let kept) = update else { return XCTFail("\(update)") }
        XCTAssertEqual(kept.body, "theirs")
        XCTAssertTrue(kept.origin.hasUntrustedText)
    }

    func testWhatCannotBeDoneSaysWhyAndChangesNothing() async throws {
        let library = store(try StoreFolder())
        let items = try await library.add([idea("a"), idea("b")])
        let none = ItemID(rawValue: 77)
        await assertThrows(LibraryError(.notFound(none))) {
            _ = try await library.change(none, ItemChange(body: "x"))
        }
        await assertThrows(LibraryError(.notFound(none))) {
            _ = try await library.trash([items[0].id, none])
        }
        let count = try await library.count()
        XCTAssertEqual(count, 2, "none of them went")
        await assertThrows(LibraryError(.notInTrash(items[0].id))) {
            _ = try await library.restore([items[0].id])
        }
        await assertThrows(LibraryError(.noRevision(items[0].id, 2))) {
            _ = try await library.restore(items[0].id, toRevision: 2)
        }
        _ = try await library.trash([items[0].id])
        await assertThrows(LibraryError(.inTrash(items[0].id))) {
            _ = try await library.change(items[0].id, ItemChange(body: "x"))
        }
        let steps = try await library.steps(undone: false, limit: 9)
        XCTAssertEqual(steps.map(\.verb), ["deleted", "saved"])
    }

    private func assertThrows(
        _ expected: LibraryError, line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            XCTFail("nothing was thrown", line: line)
        } catch {
            XCTAssertEqual(error as? LibraryError, expected, "\(error)", line: line)
        }
    }
}
