import Base
import XCTest

@testable import ICalendar

final class CalendarMomentTests: XCTestCase {
    func testEveryForm() throws {
        let day = try XCTUnwrap(CivilDate(year: 2026, month: 11, day: 22))
        let nine = try XCTUnwrap(CivilDateTime(day, hour: 9, minute: 0))
        XCTAssertEqual(CalendarMoment(value: "20261122"), .date(day))
        XCTAssertEqual(
            CalendarMoment(value: "20261122T080000Z"),
            .utc(Date(timeIntervalSince1970: 1_795_334_400)))
        XCTAssertEqual(CalendarMoment(value: "20261122T090000"), .floating(nine))
        XCTAssertEqual(
            CalendarMoment(value: "20261122T090000", zone: "Europe/Oslo"),
            .zoned(nine, zone: "Europe/Oslo"))
        XCTAssertEqual(CalendarMoment(value: "20261122T090000", zone: ""), .floating(nine))
        for text in [
            "", "2026", "20261322", "20260231", "20261122T", "20261122T2561", "20261122T250000Z",
            "20261122T090000X", "2026-11-22", "20261122T0900", "+2026112", "２0261122",
        ] {
            XCTAssertNil(CalendarMoment(value: text), text)
        }
    }

    func testWritingIsReadBack() {
        let instant = Date(timeIntervalSince1970: 1_795_334_400)
        XCTAssertEqual(CalendarMoment.utcText(instant), "20261122T080000Z")
        XCTAssertEqual(CalendarMoment(value: CalendarMoment.utcText(instant)), .utc(instant))
        _ = CalendarMoment.utcText(Date(timeIntervalSince1970: .infinity))
    }
}
