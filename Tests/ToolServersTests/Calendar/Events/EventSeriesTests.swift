import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// The occurrences of a series with all that can happen to them.
final class EventSeriesTests: XCTestCase {
    private let zones = TimeZoneDatabase()

    private func series(_ lines: String) throws -> [EventSeries] {
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        return EventSeries.series(
            in: try CalendarParser.parse(Array(CalendarRig.calendar(lines).utf8)),
            calendar: "c", path: "p", DateContext(now: CalendarRig.now, local: local, zones: zones))
    }

    private func times(_ lines: String, _ from: String, _ to: String) throws -> [String] {
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        func start(_ text: String) throws -> Date {
            guard case .date(let date) = try ISO8601.parse(text) else {
                throw OtherKindOfTime(text)
            }
            return local.start(of: date)
        }
        let window = try start(from)..<start(to)
        return try series(lines).flatMap { try $0.occurrences(in: window) }.map {
            "\($0.title) \($0.start.isoText(in: local)) \($0.end.isoText(in: local))"
        }
    }

    private static let weekly = """
        BEGIN:VEVENT
        UID:a
        SUMMARY:yoga
        DTSTART;TZID=Europe/Berlin:20260317T180000
        DTEND;TZID=Europe/Berlin:20260317T190000
        RRULE:FREQ=WEEKLY
        EXDATE;TZID=Europe/Berlin:20260407T180000
        END:VEVENT
        BEGIN:VEVENT
        UID:a
        SUMMARY:yoga outside
        RECURRENCE-ID:20260324T170000Z
        DTSTART;TZID=Europe/Berlin:20260325T180000
        DTEND;TZID=Europe/Berlin:20260325T200000
        END:VEVENT
        BEGIN:VEVENT
        UID:a
        SUMMARY:yoga
        STATUS:CANCELLED
        RECURRENCE-ID;TZID=Europe/Berlin:20260331T180000
        DTSTART;TZID=Europe/Berlin:20260331T180000
        END:VEVENT
        """

    func testASeriesKeepsItsClockAndItsExceptions() throws {
        XCTAssertEqual(
            try times(Self.weekly, "2026-03-16", "2026-04-16"),
            [
                "yoga 2026-03-17T18:00:00+01:00 2026-03-17T19:00:00+01:00",
                "yoga outside 2026-03-25T18:00:00+01:00 2026-03-25T20:00:00+01:00",
                "yoga 2026-04-14T18:00:00+02:00 2026-04-14T19:00:00+02:00",
            ])
    }

    func testAnEndInTheSecondPassOfTheRepeatedHourIsAfterTheStart() throws {
        for length in ["DURATION:PT1H", "DTEND;TZID=Europe/Berlin:20261024T031500"] {
            let lines = """
                BEGIN:VEVENT
                UID:n
                SUMMARY:night
                DTSTART;TZID=Europe/Berlin:20261024T021500
                \(length)
                RRULE:FREQ=DAILY;COUNT=3
                END:VEVENT
                """
            XCTAssertEqual(
                try times(lines, "2026-10-25", "2026-10-26"),
                ["night 2026-10-25T02:15:00+02:00 2026-10-25T02:15:00+01:00"], length)
        }
    }

    func testAnOverrideIsFoundWhereItWasMovedTo() throws {
        let far = Self.weekly.replacingOccurrences(of: "20260325T", with: "20261225T")
        XCTAssertEqual(try times(far, "2026-03-24", "2026-03-31"), [])
        XCTAssertEqual(
            try times(far, "2026-12-25", "2026-12-26"),
            ["yoga outside 2026-12-25T18:00:00+01:00 2026-12-25T20:00:00+01:00"])
    }

    func testAWindowHoldsWhatReachesIntoIt() throws {
        let night = """
            BEGIN:VEVENT
            UID:n
            SUMMARY:night
            DTSTART;TZID=Europe/Berlin:20260301T220000
            DTEND;TZID=Europe/Berlin:20260302T060000
            RRULE:FREQ=DAILY
            END:VEVENT
            """
        // RFC 5545 §3.8.5.3: an end makes each exactly as long, so the night of
        // 23 hours ends an hour later on the clock.
        XCTAssertEqual(
            try times(night, "2026-03-29", "2026-03-30"),
            [
                "night 2026-03-28T22:00:00+01:00 2026-03-29T07:00:00+02:00",
                "night 2026-03-29T22:00:00+02:00 2026-03-30T06:00:00+02:00",
            ])
        let trip = """
            BEGIN:VEVENT
            UID:t
            SUMMARY:trip
            DTSTART;VALUE=DATE:20260301
            DTEND;VALUE=DATE:20260304
            RRULE:FREQ=MONTHLY;COUNT=2
            END:VEVENT
            """
        XCTAssertEqual(
            try times(trip, "2026-04-03", "2026-04-04"), ["trip 2026-04-01 2026-04-04"])
        XCTAssertEqual(try times(trip, "2026-04-04", "2026-05-04"), [])
    }

    func testOneOccurrenceOfSomebodysSeriesIsAnEventByItself() throws {
        let lone = """
            BEGIN:VEVENT
            UID:x
            SUMMARY:guest
            RECURRENCE-ID:20260305T090000Z
            DTSTART:20260305T100000Z
            DTEND:20260305T110000Z
            END:VEVENT
            """
        XCTAssertEqual(
            try times(lone, "2026-03-01", "2026-04-01"),
            ["guest 2026-03-05T11:00:00+01:00 2026-03-05T12:00:00+01:00"])
    }

    func testSeveralEventsInOneFileAreSeveralSeries() throws {
        let two = """
            BEGIN:VEVENT
            UID:1
            SUMMARY:one
            DTSTART:20260305T090000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:2
            SUMMARY:two
            DTSTART:20260306T090000Z
            END:VEVENT
            """
        XCTAssertEqual(try series(two).map(\.main.title), ["one", "two"])
        XCTAssertEqual(try series(two).map(\.isRecurring), [false, false])
    }

    func testNextAndLastAreFoundFarAway() throws {
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        let leap = try series(
            "BEGIN:VEVENT\nUID:l\nDTSTART;VALUE=DATE:20240229\nRRULE:FREQ=YEARLY\nEND:VEVENT")[0]
        XCTAssertEqual(
            try leap.next(after: CalendarRig.now)?.start.isoText(in: local), "2028-02-29")
        XCTAssertEqual(
            try leap.last(before: CalendarRig.now)?.start.isoText(in: local), "2024-02-29")
        let over = try series(
            "BEGIN:VEVENT\nUID:o\nDTSTART:20200101T000000Z\nRRULE:FREQ=DAILY;COUNT=3\nEND:VEVENT"
        )[0]
        XCTAssertNil(try over.next(after: CalendarRig.now))
        XCTAssertEqual(
            try over.last(before: CalendarRig.now)?.start.isoText(in: local),
            "2020-01-03T01:00:00+01:00")
    }

    func testAHostileRuleIsRefusedOrBoundedSoon() throws {
        let rule = "BEGIN:VEVENT\nUID:h\nDTSTART:20260301T000000Z\nRRULE:FREQ=SECONDLY\nEND:VEVENT"
        let hostile = try series(rule)[0]
        let window = CalendarRig.now..<CalendarRig.now.addingTimeInterval(7 * 86_400)
        let start = ProcessorTime.now()
        let found = try hostile.occurrences(in: window)
        XCTAssertEqual(found.map(\.repeatsTooOften), [true])
        XCTAssertEqual(found.first?.start.instant(in: LocalTime(.utc)), CalendarRig.now)
        XCTAssertNotNil(try hostile.next(after: CalendarRig.now))
        XCTAssertLessThan(ProcessorTime.now() - start, .seconds(10))
    }

    func testAnEventOfEverySecondIsListedOnceYearsAfterItBegan() throws {
        let endless = try series(
            "BEGIN:VEVENT\nUID:h\nDTSTART:20160301T000000Z\nDURATION:PT1S\nRRULE:FREQ=SECONDLY\n"
                + "END:VEVENT")[0]
        let window = CalendarRig.now..<CalendarRig.now.addingTimeInterval(7 * 86_400)
        XCTAssertEqual(try endless.occurrences(in: window).map(\.repeatsTooOften), [true])
    }

    func testAnHourlyEventIsListedWithEachHour() throws {
        let hourly = try series(
            "BEGIN:VEVENT\nUID:h\nDTSTART:20260301T000000Z\nRRULE:FREQ=HOURLY\nEND:VEVENT")[0]
        let window = CalendarRig.now..<CalendarRig.now.addingTimeInterval(7 * 86_400)
        XCTAssertEqual(try hourly.occurrences(in: window).count, 7 * 24)
        XCTAssertFalse(try hourly.occurrences(in: window).contains(where: \.repeatsTooOften))
    }

    func testAChangeOfThisAndTheFollowingHoldsForThemAll() throws {
        let changed = """
            BEGIN:VEVENT
            UID:a
            SUMMARY:yoga
            DTSTART;TZID=Europe/Berlin:20260317T180000
            DTEND;TZID=Europe/Berlin:20260317T190000
            RRULE:FREQ=WEEKLY
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            SUMMARY:yoga late
            RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260331T180000
            DTSTART;TZID=Europe/Berlin:20260331T200000
            DTEND;TZID=Europe/Berlin:20260331T203000
            END:VEVENT
            """
        XCTAssertEqual(
            try times(changed, "2026-03-24", "2026-04-08"),
            [
                "yoga 2026-03-24T18:00:00+01:00 2026-03-24T19:00:00+01:00",
                "yoga late 2026-03-31T20:00:00+02:00 2026-03-31T20:30:00+02:00",
                "yoga late 2026-04-07T20:00:00+02:00 2026-04-07T20:30:00+02:00",
            ])
    }
}
