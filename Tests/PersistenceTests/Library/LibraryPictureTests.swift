import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// The picture that belongs to an item.
final class LibraryPictureTests: XCTestCase {
    private let picture = Array("a picture of the harbour\u{0}\u{FF}".utf8)

    func testItIsNoRevisionAndAnotherTakesItsPlace() async throws {
        let folder = try StoreFolder()
        let library = LibraryStore(path: folder.database, environment: World().environment)
        let items = try await library.add([
            ItemDraft(kind: .story, title: "a", body: "b"),
            ItemDraft(kind: .story, title: "c", body: "d"),
        ]).map(\.id)
        var kept = try await library.picture(of: items[0])
        XCTAssertNil(kept)
        try await library.setPicture(picture, of: items[0])
        try await library.setPicture([1, 2], of: ItemID(rawValue: 99))
        let killed = try folder.copyOfNow()
        kept = try await LibraryStore(path: killed.database, environment: World().environment)
            .picture(of: items[0])
        XCTAssertEqual(kept, picture)
        kept = try await library.picture(of: items[1])
        XCTAssertNil(kept)
        kept = try await library.picture(of: ItemID(rawValue: 99))
        XCTAssertNil(kept)
        try await library.setPicture([3], of: items[0])
        kept = try await library.picture(of: items[0])
        XCTAssertEqual(kept, [3])
        let item = try await library.liveItem(items[0])
        XCTAssertEqual(item.revision, 1)
    }

    func testItGoesWithItsItemForGood() async throws {
        let folder = try StoreFolder()
        let library = LibraryStore(path: folder.database, environment: World().environment)
        let id = try await library.add([ItemDraft(kind: .story, title: "a", body: "b")])[0].id
        try await library.setPicture(picture, of: id)
        _ = try await library.trash([id])
        var kept = try await library.picture(of: id)
        XCTAssertEqual(kept, picture)
        _ = try await library.emptyTrash()
        kept = try await library.picture(of: id)
        XCTAssertNil(kept)
        await library.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/data/\(name)"))
            XCTAssertNil(bytes.range(of: Data("harbour".utf8)), name)
        }
    }
}
