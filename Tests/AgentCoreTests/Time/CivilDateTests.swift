import Foundation
import XCTest

@testable import Base

final class CivilDateTests: XCTestCase {
    func testDayNumbersRunThroughEveryDay() {
        var expected = CivilDate(dayNumber: -719_162)
        XCTAssertEqual(expected.isoText, "0001-01-01")
        for number in stride(from: -719_162, through: 2_932_896, by: 97) {
            let date = CivilDate(dayNumber: number)
            XCTAssertEqual(date.dayNumber, number)
            XCTAssertEqual(CivilDate(year: date.year, month: date.month, day: date.day), date)
            XCTAssertGreaterThanOrEqual(date, expected)
            expected = date
        }
        XCTAssertEqual(CivilDate(dayNumber: 2_932_896).isoText, "9999-12-31")
    }

    func testDaysThatTheCalendarLacksAreNone() {
        XCTAssertNil(CivilDate(year: 2026, month: 2, day: 29))
        XCTAssertNotNil(CivilDate(year: 2024, month: 2, day: 29))
        XCTAssertNil(CivilDate(year: 1900, month: 2, day: 29))
        XCTAssertNil(CivilDate(year: 2026, month: 13, day: 1))
        XCTAssertNil(CivilDate(year: 2026, month: 4, day: 31))
        XCTAssertNil(CivilDate(year: 0, month: 1, day: 1))
    }

    func testWeekdays() throws {
        XCTAssertEqual(CivilDate(dayNumber: 0).weekday, 4)
        XCTAssertEqual(try XCTUnwrap(CivilDate(year: 2026, month: 11, day: 22)).weekday, 0)
        XCTAssertEqual(try XCTUnwrap(CivilDate(year: 1969, month: 12, day: 28)).weekday, 0)
    }
}
