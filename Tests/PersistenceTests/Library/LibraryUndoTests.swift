import Foundation
import XCTest

@testable import Persistence

/// Steps of items: undone, redone, refused, and never a revision lost.
final class LibraryUndoTests: XCTestCase {
    private let world = World()

    private func library(_ folder: StoreFolder) -> LibraryStore {
        LibraryStore(path: folder.database, environment: world.environment)
    }

    private func verbs(_ library: LibraryStore, undone: Bool) async throws -> [String] {
        try await library.steps(undone: undone, limit: 99).map(\.verb)
    }

    func testEachKindOfStepIsUndoneAndRedone() async throws {
        let library = library(try StoreFolder())
        let id = try await library.add([ItemDraft(kind: .idea, title: "a", body: "one")])[0].id
        _ = try await library.change(id, ItemChange(title: "b", body: "two", tags: ["t"]))
        _ = try await library.trash([id])
        _ = try await library.restore([id])
        _ = try await library.restore(id, toRevision: 1)

        struct State: Equatable {
            var title: String
            var isTrashed: Bool
            var tags: [String]
            var isFound: Bool
        }
        func state() async throws -> State {
            let item = try await library.item(id)
            let hits = try await library.search(SearchQuery(item?.body ?? ""))
            return State(
                title: item?.title ?? "", isTrashed: item?.trashed != nil, tags: item?.tags ?? [],
                isFound: !hits.isEmpty)
        }
        let states = [
            State(title: "a", isTrashed: true, tags: [], isFound: false),
            State(title: "a", isTrashed: false, tags: [], isFound: true),
            State(title: "b", isTrashed: false, tags: ["t"], isFound: true),
            State(title: "b", isTrashed: true, tags: ["t"], isFound: false),
            State(title: "b", isTrashed: false, tags: ["t"], isFound: true),
            State(title: "a", isTrashed: false, tags: [], isFound: true),
        ]
        for goal in states.reversed().dropFirst() {
            let latest = try await library.steps(undone: false, limit: 1)
            try await library.undo(latest[0].id)
            let now = try await state()
            XCTAssertEqual(now, goal)
        }
        let active = try await verbs(library, undone: false)
        XCTAssertEqual(active, [])
        for goal in states.dropFirst() {
            let latest = try await library.steps(undone: true, limit: 1)
            try await library.redo(latest[0].id)
            let now = try await state()
            XCTAssertEqual(now, goal)
        }
        let history = try await library.history(of: id)
        XCTAssertEqual(history.map(\.number), [2, 1])
    }

    func testWhatHasChangedSinceIsNotUndone() async throws {
        let library = library(try StoreFolder())
        let items = try await library.add([
            ItemDraft(kind: .idea, title: "a", body: ""),
            ItemDraft(kind: .idea, title: "b", body: ""),
        ])
        _ = try await library.change(items[1].id, ItemChange(body: "new"))
        let saved = try await library.steps(undone: false, limit: 9)[1]
        do {
            try await library.undo(saved.id)
            XCTFail("undone")
        } catch {
            XCTAssertEqual(
                error as? LibraryError, LibraryError(.changedSince(items[1].id, title: "b")))
        }
        let count = try await library.count()
        XCTAssertEqual(count, 2, "not one half of it either")
    }

    func testAStepIsUndoneOnce() async throws {
        let library = library(try StoreFolder())
        _ = try await library.add([ItemDraft(kind: .idea, title: "a", body: "")])
        let step = try await library.steps(undone: false, limit: 1)[0]
        try await library.undo(step.id)
        for body in [step.id, "none"] {
            do {
                try await library.undo(body)
                XCTFail("undone")
            } catch {
                XCTAssertEqual(error as? LibraryError, LibraryError(.noStep))
            }
        }
    }

    func testAnEditAfterAnUndoKeepsWhatWasUndone() async throws {
        let library = library(try StoreFolder())
        let id = try await library.add([ItemDraft(kind: .draft, title: "a", body: "1")])[0].id
        _ = try await library.change(id, ItemChange(body: "2"))
        let edit = try await library.steps(undone: false, limit: 1)[0]
        try await library.undo(edit.id)
        _ = try await library.change(id, ItemChange(body: "3"))
        let history = try await library.history(of: id)
        XCTAssertEqual(history.map(\.body), ["3", "2", "1"])
        do {
            try await library.redo(edit.id)
            XCTFail("redone over another edit")
        } catch {
            XCTAssertEqual(error as? LibraryError, LibraryError(.changedSince(id, title: "a")))
        }
    }

    func testAStepKnowsWhoMadeItAndGoesWithItsItems() async throws {
        let folder = try StoreFolder()
        let (mine, theirs) = (library(folder), library(folder))
        let item = try await theirs.add([ItemDraft(kind: .idea, title: "theirs", body: "")])[0]
        _ = try await mine.add([ItemDraft(kind: .idea, title: "mine", body: "")])
        let steps = try await mine.steps(undone: false, limit: 9)
        XCTAssertEqual(steps.map(\.isOwn), [true, false])
        XCTAssertEqual(steps.map { $0.changes.map(\.title) }, [["mine"], ["theirs"]])
        _ = try await mine.trash([item.id])
        _ = try await mine.emptyTrash()
        let left = try await verbs(mine, undone: false)
        XCTAssertEqual(left, ["saved"])
    }

    func testNothingThatWasAcknowledgedIsLostByAKill() async throws {
        let folder = try StoreFolder()
        let library = library(folder)
        _ = try await library.add([ItemDraft(kind: .idea, title: "kept", body: "words")])
        let copy = try folder.copyOfNow()
        let after = LibraryStore(path: copy.database, environment: world.environment)
        let titles = try await after.items().map(\.title)
        XCTAssertEqual(titles, ["kept"])
    }
}
