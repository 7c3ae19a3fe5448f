import TestSupport
import XCTest

@testable import Base

final class TimeZoneDatabaseTests: XCTestCase {
    func testNamesLeadOnlyToZoneFiles() {
        let database = TimeZoneDatabase()
        for name in [
            "", "/", "Europe", "Europe/", "/Europe/Berlin", "../../etc/passwd", "Europe/../UTC",
            "Europe/Berlin\0", "zone.tab", "tzdata.zi", "Europe//Berlin", "right/Europe/Berlin",
            "posix/Europe/Berlin", "localtime", "posixrules", "Mars/Base", "Eürope/Berlin",
            String(repeating: "a", count: 5000),
        ] {
            XCTAssertNil(database.rules(named: name), name)
            XCTAssertNil(database.rules(matching: name), name)
        }
        XCTAssertEqual(database.rules(named: "Europe/Berlin")?.name, "Europe/Berlin")
    }

    func testNameInAnyCaseBearsTheRightName() {
        let database = TimeZoneDatabase()
        XCTAssertNil(database.rules(named: "europe/berlin"))
        XCTAssertEqual(database.rules(matching: "europe/BERLIN")?.name, "Europe/Berlin")
        XCTAssertEqual(database.rules(matching: "utc")?.name, "UTC")
        XCTAssertEqual(database.names(ofCity: "new york"), ["America/New_York"])
    }

    func testOldNameWithoutAFileIsWhatItStandsForNow() throws {
        let folder = try TemporaryFolder()
        let file = try XCTUnwrap(TimeZoneDatabase.read("/usr/share/zoneinfo/Asia/Kolkata"))
        try folder.write(file, to: "Kolkata")
        try folder.write(
            Array("# version x\nZ Kolkata 5:30 - IST\nL Kolkata Calcutta\nL\nZ \n".utf8),
            to: "tzdata.zi")
        let database = TimeZoneDatabase(folder: folder.path)
        XCTAssertEqual(database.rules(matching: "CALCUTTA")?.name, "Kolkata")
        XCTAssertNil(database.rules(matching: "Bombay"))
    }

    func testDescriptionIsReadOnceAndManyAreNotKept() {
        let database = TimeZoneDatabase()
        var reads = 0
        func rules(_ text: [UInt8]) -> TimeZoneRules? {
            database.rules(describedBy: text) {
                reads += 1
                return text.isEmpty ? nil : .utc
            }
        }
        for _ in 0..<3 {
            XCTAssertEqual(rules([1]), .utc)
            XCTAssertNil(rules([]))
        }
        XCTAssertEqual(reads, 2)
        for number in 0..<1000 { _ = rules([2, UInt8(number % 256), UInt8(number / 256)]) }
        reads = 0
        for number in 0..<1000 { _ = rules([2, UInt8(number % 256), UInt8(number / 256)]) }
        XCTAssertEqual(reads, 902)
        let large = [UInt8](repeating: 0, count: 1 << 20)
        _ = rules(large)
        _ = rules(large)
        XCTAssertEqual(reads, 904)
    }

    func testMissingDatabaseKnowsUTCAlone() {
        let database = TimeZoneDatabase(folder: "/nonexistent")
        XCTAssertNil(database.rules(matching: "Europe/Berlin"))
        XCTAssertEqual(database.rules(named: "Etc/UTC")?.name, "UTC")
    }

    func testFolderNamedLikeAZoneAndFilesThatAreNoneAreNoZones() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("not a zone".utf8), to: "Text")
        try folder.write([], to: "Empty")
        let database = TimeZoneDatabase(folder: folder.path)
        XCTAssertNil(database.rules(named: "Text"))
        XCTAssertNil(database.rules(named: "Empty"))
    }
}
