import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// A database that the program before redaction has written: conversations, ideas, a
/// prompt, drafts, some of them deleted. What it holds is there, and no conversation
/// says anything of redaction until it is told to.
final class SchemaSixTests: XCTestCase {
    private func oldFile() throws -> StoreFolder {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 6)).write(to: URL(fileURLWithPath: path))
        return folder
    }

    func testTheLibraryFromBeforeIsThereWithItsTrashAndItsSteps() async throws {
        let folder = try oldFile()
        let before = try Connection(path: folder.database)
        let version = try before.first("PRAGMA user_version") { $0.integer(0) }
        XCTAssertEqual(version, 6)
        before.close()
        let library = LibraryStore(path: folder.database, environment: World().environment)
        let items = try await library.items()
        XCTAssertEqual(
            items.map { "\($0.id) \($0.kind) \($0.title)" }.sorted(),
            ["i1 idea Tea cups", "i5 draft My kept answer", "i6 prompt idea"])
        let trash = try await library.items(ItemFilter(isTrashed: true))
        XCTAssertEqual(Set(trash.map(\.id.description)), ["i2", "i3", "i4", "i7"])
        let metadata = trash.first { $0.id.rawValue == 4 }?.metadata
        XCTAssertEqual(metadata?["tone"], "bold")
        let hits = try await library.search(SearchQuery("dragon"), limit: 9)
        XCTAssertEqual(hits.map(\.item.tags), [["tea"]])
        let step = try await library.steps(undone: false, limit: 1)[0]
        _ = try await library.undo(step.id)
        let left = try await library.count(ItemFilter(isTrashed: true))
        XCTAssertEqual(left, 5, "the prompt was saved last")
        let emptied = try await library.emptyTrash()
        XCTAssertEqual(emptied.count, 5)
        await library.close()
    }

    func testConversationsFromBeforeFollowTheConfigurationUntilTheyAreTold() async throws {
        let folder = try oldFile()
        let store = try folder.store()
        let records = try await store.list(limit: 20)
        XCTAssertFalse(records.isEmpty)
        XCTAssertEqual(records.compactMap(\.preferences.redacts), [])
        let id = records[0].id
        for wanted in [true, false, nil] {
            var preferences = records[0].preferences
            preferences.redacts = wanted
            try await store.setPreferences(id, preferences)
            let kept = try await store.conversation(id)
            XCTAssertEqual(kept?.preferences, preferences)
            XCTAssertEqual(kept?.deleted, records[0].deleted)
        }
        let found = try await store.find(records[0].title)
        XCTAssertTrue(found.contains { $0.id == id })
        await store.close()
    }
}
