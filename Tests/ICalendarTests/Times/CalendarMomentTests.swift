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
            "20261122T090000X", "2026-1122", "20261122T09", "+2026112", "２0261122",
        ] {
            XCTAssertNil(CalendarMoment(value: text), text)
        }
    }

    func testFormsOfOtherProgramsAreReadWhereTheyHaveOneMeaning() throws {
        let clock = "2026-11-28T09:00:00"
        for (text, wanted) in [
            ("2026-11-28", "20261128"), (" 20261128", "20261128"), ("\t20261128 ", "20261128"),
            (clock, "20261128T090000"), ("20261128T0900", "20261128T090000"),
            ("20261128t090000", "20261128T090000"), ("20261128t090000z", "20261128T090000Z"),
            ("2026-11-28 09:00", "20261128T090000"), ("20261128T09:00:00Z", "20261128T090000Z"),
            ("20261128T090000.000Z", "20261128T090000Z"), (" 20261128T090000", "20261128T090000"),
            ("20261128T240000", "20261129T000000"), ("20261128T090000+0000", "20261128T090000Z"),
            ("20261128T090000+0530", "20261128T090000 UTC+0530"),
            (clock + "-05:00", "20261128T090000 UTC-0500"),
            ("20261128T0900-05", "20261128T090000 UTC-0500"),
        ] {
            let moment = try XCTUnwrap(CalendarMoment(value: text), text)
            XCTAssertEqual(moment.text + (moment.zone.map { " " + $0 } ?? ""), wanted, text)
            XCTAssertFalse(CalendarMoment.isStandard(text), text)
        }
        for text in ["20261128", "20261128T090000", "20261128T090000Z", "20261128T090000Z "] {
            XCTAssertTrue(CalendarMoment.isStandard(text), text)
        }
        // More than one meaning, or none.
        for text in [
            "28.11.2026", "11/28/2026", "2026-1128", "20261128T9", "20261128T09:0000",
            "20261128T090000+", "20261128T090000+05:", "20261128T090000+0575", "20261128T240001",
            "20261128T090000 EST", "20261128T090000ZZ", "20261128T090000.", "2026-11-28T", "T0900",
        ] {
            XCTAssertNil(CalendarMoment(value: text), text)
            XCTAssertFalse(CalendarMoment.isStandard(text), text)
        }
    }

    func testAnOffsetBesideAZoneIsTheZoneWhereBothAgree() throws {
        let zones = TimeZoneDatabase()
        let resolver = ZoneResolver(calendar: nil, local: LocalTime(.utc), zones: zones)
        for (value, zone, offset) in [
            ("20261128T090000+0100", "Europe/Berlin", 3600),
            ("20260728T090000+0200", "Europe/Berlin", 7200),
            ("20261128T090000+0200", "UTC+0200", 7200), ("20261128T090000+0100", "UTC+0100", 3600),
        ] {
            let isKnown = zone == "Europe/Berlin" || value.hasSuffix("+0200")
            let moment = try XCTUnwrap(
                CalendarMoment(value: value, zone: isKnown ? "Europe/Berlin" : "Mars/Olympus"))
            let (time, isGuess) = resolver.time(moment)
            XCTAssertEqual(time.zone?.name, zone, value)
            XCTAssertFalse(isGuess)
            XCTAssertEqual(
                LocalTime.seconds(of: time.instant(in: LocalTime(.utc))),
                time.clock.secondsAsUTC - offset, value)
        }
    }

    func testMidnightUnderVALUEDATEIsADay() throws {
        for (line, wanted) in [
            ("DTSTART;VALUE=DATE:20261128T000000", "20261128"),
            ("DTSTART;VALUE=date;TZID=Europe/Berlin:20261128T000000", "20261128"),
            ("DTSTART;VALUE=DATE:20261128T090000", "20261128T090000"),
            ("DTSTART;VALUE=DATE-TIME:20261128", "20261128"),
        ] {
            let file = try CalendarParser.parse(Array(line.utf8))
            let moment = CalendarMoment(try XCTUnwrap(file.first("DTSTART")))
            XCTAssertEqual(moment?.text, wanted, line)
        }
    }

    func testWritingIsReadBack() {
        let instant = Date(timeIntervalSince1970: 1_795_334_400)
        XCTAssertEqual(CalendarMoment.utcText(instant), "20261122T080000Z")
        XCTAssertEqual(CalendarMoment(value: CalendarMoment.utcText(instant)), .utc(instant))
        _ = CalendarMoment.utcText(Date(timeIntervalSince1970: .infinity))
    }
}
