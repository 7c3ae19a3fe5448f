import Foundation
import XCTest

@testable import Base

final class ISO8601Tests: XCTestCase {
    private func date(_ year: Int, _ month: Int, _ day: Int) throws -> CivilDate {
        try XCTUnwrap(CivilDate(year: year, month: month, day: day))
    }

    func testEveryAcceptedShape() throws {
        let day = try date(2026, 11, 22)
        let nine = try XCTUnwrap(CivilDateTime(day, hour: 9, minute: 0))
        let eight = Date(timeIntervalSince1970: 1_795_334_400)
        XCTAssertEqual(try ISO8601.parse("2026-11-22"), .date(day))
        XCTAssertEqual(try ISO8601.parse(" 2026-11-22 "), .date(day))
        for text in ["2026-11-22T09:00", "2026-11-22 09:00", "2026-11-22t09:00:00"] {
            XCTAssertEqual(try ISO8601.parse(text), .local(nine), text)
        }
        for text in [
            "2026-11-22T08:00Z", "2026-11-22T09:00:00+01:00", "2026-11-22T09:00+0100",
            "2026-11-22T09:00+01", "2026-11-22T03:00:00-05:00", "2026-11-22T08:00:00.000z",
        ] {
            XCTAssertEqual(try ISO8601.parse(text), .instant(eight), text)
        }
        XCTAssertEqual(
            try ISO8601.parse("2026-11-22T08:00:00.5Z"), .instant(eight.addingTimeInterval(0.5)))
    }

    func testEveryRefusalSaysWhy() {
        let refusals: [(String, ISO8601.Failure.Reason)] = [
            ("", .notADate), ("tomorrow", .notADate), ("22.11.2026", .notADate),
            ("2026-2-3", .notADate), ("2026-02-31", .noSuchDate), ("2026-13-01", .noSuchDate),
            ("0000-01-01", .noSuchDate), ("2026-11-22T24:61", .noSuchTime),
            ("2026-11-22T25:00", .noSuchTime), ("2026-11-22T09:60", .noSuchTime),
            ("2026-11-22T09", .notADate), ("2026-11-22T09:00:", .notADate),
            ("2026-11-22T09:00+25:00", .noSuchOffset), ("2026-11-22T09:00+1", .noSuchOffset),
            ("2026-11-22T09:00 PM", .trailingText), ("2026-11-22Q", .trailingText),
            ("2026-11-22T09:00Zulu", .trailingText), ("２０２６-11-22", .notADate),
        ]
        for (text, reason) in refusals {
            XCTAssertThrowsError(try ISO8601.parse(text), text) {
                XCTAssertEqual($0 as? ISO8601.Failure, ISO8601.Failure(reason: reason), text)
            }
        }
    }
}
