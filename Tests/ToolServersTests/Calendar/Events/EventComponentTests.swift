import Base
import Foundation
import ICalendar
import XCTest

@testable import CalendarFiles
@testable import Planner

/// One VEVENT as a person reads it.
final class EventComponentTests: XCTestCase {
    private let zones = TimeZoneDatabase()

    private func event(_ lines: String) throws -> Event? {
        let berlin = try XCTUnwrap(zones.rules(named: "Europe/Berlin"))
        let file = try CalendarParser.parse(
            Array(CalendarRig.calendar("BEGIN:VEVENT\nUID:a\n\(lines)\nEND:VEVENT").utf8))
        let calendar = file.components("VCALENDAR")[0]
        let resolver = ZoneResolver(calendar: calendar, local: LocalTime(berlin), zones: zones)
        return Event(calendar.components("VEVENT")[0], zones: resolver)
    }

    private func span(_ lines: String) throws -> String? {
        let local = LocalTime(try XCTUnwrap(zones.rules(named: "Europe/Berlin")))
        return try event(lines).map {
            "\($0.start.isoText(in: local)) \($0.end.isoText(in: local))"
        }
    }

    func testEndsAreThoseOfTheStandard() throws {
        let cases: [(String, String)] = [
            ("DTSTART;VALUE=DATE:20260305", "2026-03-05 2026-03-06"),
            ("DTSTART;VALUE=DATE:20260305\nDTEND;VALUE=DATE:20260308", "2026-03-05 2026-03-08"),
            ("DTSTART;VALUE=DATE:20260305\nDURATION:P2D", "2026-03-05 2026-03-07"),
            // What some programs write for one day.
            ("DTSTART;VALUE=DATE:20260305\nDTEND;VALUE=DATE:20260305", "2026-03-05 2026-03-06"),
            (
                "DTSTART:20260305T090000Z",
                "2026-03-05T10:00:00+01:00 2026-03-05T10:00:00+01:00"
            ),
            (
                "DTSTART;TZID=Europe/Berlin:20260328T220000\nDURATION:PT8H",
                "2026-03-28T22:00:00+01:00 2026-03-29T07:00:00+02:00"
            ),
            (
                "DTSTART;TZID=Europe/Berlin:20260328T220000\nDURATION:P1D",
                "2026-03-28T22:00:00+01:00 2026-03-29T22:00:00+02:00"
            ),
            // An end before the start is none.
            (
                "DTSTART:20260305T090000Z\nDTEND:20260305T080000Z",
                "2026-03-05T10:00:00+01:00 2026-03-05T10:00:00+01:00"
            ),
            (
                "DTSTART;TZID=America/New_York:20260305T090000\nDTEND:20260305T150000Z",
                "2026-03-05T15:00:00+01:00 2026-03-05T16:00:00+01:00"
            ),
        ]
        for (lines, wanted) in cases { XCTAssertEqual(try span(lines), wanted, lines) }
    }

    func testEveryWordOfAnEventIsRead() throws {
        let event = try XCTUnwrap(
            try event(
                """
                DTSTART:20260305T090000Z
                SUMMARY:Lunch\\, with Ida
                LOCATION:Café\\; upstairs
                DESCRIPTION:two\\nlines
                CATEGORIES:work,food
                CATEGORIES:fun
                STATUS:TENTATIVE
                TRANSP:TRANSPARENT
                RRULE:FREQ=DAILY
                ATTENDEE:mailto:ida@example.org
                BEGIN:VALARM
                ACTION:DISPLAY
                TRIGGER:-PT15M
                END:VALARM
                BEGIN:VALARM
                ACTION:DISPLAY
                TRIGGER;RELATED=END:PT0S
                END:VALARM
                """))
        XCTAssertEqual(event.title, "Lunch, with Ida")
        XCTAssertEqual(event.location, "Café; upstairs")
        XCTAssertEqual(event.notes, "two\nlines")
        XCTAssertEqual(event.categories, ["work", "food", "fun"])
        XCTAssertEqual(event.status, .tentative)
        XCTAssertTrue(event.isTransparent && event.isRecurring)
        XCTAssertFalse(event.isBusy)
        XCTAssertEqual(event.recurrence, "FREQ=DAILY")
        XCTAssertEqual(
            event.alarms.map(\.trigger),
            [
                .offset(CalendarDuration(seconds: -900), fromStart: true),
                .offset(.zero, fromStart: false),
            ])
    }

    func testAComponentWithoutAReadableStartIsNoEvent() throws {
        XCTAssertNil(try event("SUMMARY:x"))
        XCTAssertNil(try event("DTSTART:20260230T000000Z"))
        XCTAssertNil(try event("DTSTART:soon"))
    }

    func testAZoneThatNobodyKnowsIsSaid() throws {
        let event = try XCTUnwrap(try event("DTSTART;TZID=Middle Earth:20260305T090000"))
        XCTAssertEqual(event.unknownZone, "Middle Earth")
    }
}
