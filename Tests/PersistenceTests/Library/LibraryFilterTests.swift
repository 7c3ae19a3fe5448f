import Foundation
import XCTest

@testable import Persistence

/// Lists of items: each filter has a statement of its own, and all of them show
/// what a look at every item would.
final class LibraryFilterTests: XCTestCase {
    private static let kinds: [ItemKind] = [.idea, .draft, .transcript]
    private static let tags = [[], ["garden"], ["garden", "bees"], ["bees"]]

    private func sorted(_ items: [LibraryItem], as filter: ItemFilter) -> [LibraryItem] {
        items.sorted { first, second in
            if filter.isTrashed {
                return (first.trashed ?? .distantPast, first.id)
                    > (second.trashed ?? .distantPast, second.id)
            }
            return switch filter.order {
            case .latestChange: (first.updated, first.id) > (second.updated, second.id)
            case .newest: first.id > second.id
            case .oldest: first.id < second.id
            }
        }
    }

    func testEveryFilterShowsWhatALookAtEachItemWould() async throws {
        let folder = try StoreFolder()
        let library = LibraryStore(path: folder.database, environment: World().environment)
        let drafts = (0..<48).map { number in
            ItemDraft(
                kind: Self.kinds[number % 3], title: "Item \(number)", body: "",
                tags: Self.tags[number / 3 % 4])
        }
        let saved = try await library.add(drafts)
        for number in [3, 40, 17, 8] {
            _ = try await library.change(saved[number].id, ItemChange(body: "Other words"))
        }
        for number in [9, 2, 30, 16, 5] { _ = try await library.trash([saved[number].id]) }
        var all: [LibraryItem] = []
        for item in saved {
            let found = try await library.item(item.id)
            all.append(try XCTUnwrap(found))
        }

        let choices: [[ItemKind]] = [[], [.idea], [.idea, .transcript], [.letter]]
        for kinds in choices {
            for tag in [nil, "garden", "bees", "sea"] {
                for isTrashed in [false, true] {
                    for order in [ItemFilter.Order.latestChange, .newest, .oldest] {
                        for limit in [nil, 4] {
                            let filter = ItemFilter(
                                kinds: kinds, tag: tag, isTrashed: isTrashed, order: order,
                                limit: limit)
                            let meant = all.filter { item in
                                (item.trashed != nil) == isTrashed
                                    && (kinds.isEmpty || kinds.contains(item.kind))
                                    && (tag.map(item.tags.contains) ?? true)
                            }
                            let found = try await library.items(filter).map(\.id)
                            let expected = sorted(meant, as: filter).map(\.id)
                            XCTAssertEqual(
                                found, limit.map { Array(expected.prefix($0)) } ?? expected,
                                "\(filter)")
                            let count = try await library.count(filter)
                            XCTAssertEqual(count, meant.count, "\(filter)")
                        }
                    }
                }
            }
        }
    }
}
