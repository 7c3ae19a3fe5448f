import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// A database that the program before pictures has written: a story with its cast, another
/// title and a place in it, a draft, and one in the trash.
final class SchemaEightTests: XCTestCase {
    func testItemsAndPlacesStayAndAnItemCanHaveAPicture() async throws {
        let folder = try StoreFolder()
        let path = try DatabaseFile.prepare(folder.database)
        try Data(try DatabaseFixtures.bytes(schema: 8)).write(to: URL(fileURLWithPath: path))
        let library = LibraryStore(path: path, environment: World().environment)
        let items = try await library.items(ItemFilter(order: .oldest))
        XCTAssertEqual(
            items.map { "\($0.id) \($0.kind) \($0.title) \($0.revision)" },
            ["i1 story A mad tea party 3", "i2 draft Kettles 1"])
        XCTAssertEqual(items[0].metadata["cast"]?.arrayValue?.count, 2)
        let place = try await library.place(of: items[0].id)
        XCTAssertEqual(place, 40)
        var picture = try await library.picture(of: items[0].id)
        XCTAssertNil(picture)
        try await library.setPicture([1, 2, 3], of: items[0].id)
        picture = try await library.picture(of: items[0].id)
        XCTAssertEqual(picture, [1, 2, 3])
        _ = try await library.restore([ItemID(rawValue: 3)])
        await library.close()
        let connection = try Connection(path: path)
        defer { connection.close() }
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) }
        XCTAssertEqual(version, Int64(Migrations.all.count))
    }
}
