import Base
import FoundationEssentials
import XCTest

@testable import ICalendar

final class OccurrenceSeriesTests: XCTestCase {
    private let weekly = """
        BEGIN:VEVENT
        UID:1
        DTSTART;TZID=Europe/Berlin:20260302T090000
        DTEND;TZID=Europe/Berlin:20260302T100000
        RRULE:FREQ=WEEKLY;COUNT=5
        SUMMARY:meet
        END:VEVENT
        """

    func testOccurrencesHaveTheLengthOfTheMaster() throws {
        XCTAssertEqual(
            try list(weekly, "2026-03-01", "2026-03-20"),
            [
                "2026-03-02T09:00:00/2026-03-02T10:00:00 meet",
                "2026-03-09T09:00:00/2026-03-09T10:00:00 meet",
                "2026-03-16T09:00:00/2026-03-16T10:00:00 meet",
            ])
    }

    func testAMovedOccurrenceIsFoundWhereItWasMovedTo() throws {
        let text =
            weekly + """

                BEGIN:VEVENT
                UID:1
                RECURRENCE-ID;TZID=Europe/Berlin:20260309T090000
                DTSTART;TZID=Europe/Berlin:20260504T150000
                DTEND;TZID=Europe/Berlin:20260504T153000
                SUMMARY:moved
                END:VEVENT
                """
        XCTAssertEqual(
            try list(text, "2026-03-05", "2026-03-18"),
            ["2026-03-16T09:00:00/2026-03-16T10:00:00 meet"])
        XCTAssertEqual(
            try list(text, "2026-05-04", "2026-05-05"),
            ["2026-05-04T15:00:00/2026-05-04T15:30:00 moved [2026-03-09T09:00:00]"])
    }

    func testACancelledOccurrenceIsLeftOut() throws {
        let text =
            weekly + """

                BEGIN:VEVENT
                UID:1
                RECURRENCE-ID:20260309T080000Z
                DTSTART;TZID=Europe/Berlin:20260309T090000
                STATUS:CANCELLED
                SUMMARY:off
                END:VEVENT
                """
        XCTAssertEqual(
            try list(text, "2026-03-01", "2026-03-12"),
            ["2026-03-02T09:00:00/2026-03-02T10:00:00 meet"])
    }

    func testThisAndFutureShiftsTheLaterOnes() throws {
        let text =
            weekly + """

                BEGIN:VEVENT
                UID:1
                RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260316T090000
                DTSTART;TZID=Europe/Berlin:20260317T110000
                DURATION:PT15M
                SUMMARY:new
                END:VEVENT
                """
        XCTAssertEqual(
            try list(text, "2026-03-01", "2026-04-30"),
            [
                "2026-03-02T09:00:00/2026-03-02T10:00:00 meet",
                "2026-03-09T09:00:00/2026-03-09T10:00:00 meet",
                "2026-03-17T11:00:00/2026-03-17T11:15:00 new [2026-03-16T09:00:00]",
                "2026-03-24T11:00:00/2026-03-24T11:15:00 new [2026-03-23T09:00:00]",
                // After the clocks changed: the same wall clock.
                "2026-03-31T11:00:00/2026-03-31T11:15:00 new [2026-03-30T09:00:00]",
            ])
    }

    func testAnOverrideWithoutAMasterStandsAlone() throws {
        let text = """
            BEGIN:VEVENT
            UID:1
            RECURRENCE-ID;TZID=Europe/Berlin:20260309T090000
            DTSTART;TZID=Europe/Berlin:20260310T090000
            SUMMARY:alone
            END:VEVENT
            """
        XCTAssertEqual(
            try list(text, "2026-03-01", "2026-04-01"),
            ["2026-03-10T09:00:00/2026-03-10T09:00:00 alone [2026-03-09T09:00:00]"])
    }

    func testWhatBeganBeforeAndLastsIntoTheWindowIsThere() throws {
        let text = """
            BEGIN:VEVENT
            UID:1
            DTSTART;VALUE=DATE:20260301
            DTEND;VALUE=DATE:20260304
            RRULE:FREQ=MONTHLY
            SUMMARY:trip
            END:VEVENT
            """
        XCTAssertEqual(
            try list(text, "2026-04-03", "2026-05-01"), ["2026-04-01/2026-04-04 trip"])
        XCTAssertEqual(try list(text, "2026-04-04", "2026-05-01"), [])
    }

    func testTheNextOccurrenceMayBeAMovedOne() throws {
        let text =
            weekly + """

                BEGIN:VEVENT
                UID:1
                RECURRENCE-ID;TZID=Europe/Berlin:20260330T090000
                DTSTART;TZID=Europe/Berlin:20260305T120000
                SUMMARY:early
                END:VEVENT
                """
        let series = try series(text)
        XCTAssertEqual(
            try series.next(after: instant("2026-03-03")).map(row),
            "2026-03-05T12:00:00/2026-03-05T12:00:00 early [2026-03-30T09:00:00]")
        XCTAssertEqual(
            try series.next(after: instant("2026-03-24")).map(row), nil)
    }

    // MARK: Reading

    private let local = LocalTime(TimeZoneDatabase().rules(named: "Europe/Berlin") ?? .utc)

    private func series(_ text: String) throws -> OccurrenceSeries {
        let file = Array("BEGIN:VCALENDAR\n\(text)\nEND:VCALENDAR\n".utf8)
        let calendar = try XCTUnwrap(CalendarParser.parse(file).components("VCALENDAR").first)
        let resolver = ZoneResolver(
            calendar: calendar, local: local, zones: TimeZoneDatabase())
        return OccurrenceSeries(components: calendar.components("VEVENT"), resolver: resolver)
    }

    private func instant(_ day: String) throws -> Date {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        let date = try XCTUnwrap(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
        return local.start(of: date)
    }

    private func list(_ text: String, _ from: String, _ to: String) throws -> [String] {
        try series(text).occurrences(from: instant(from), to: instant(to)).map(row)
    }

    private func row(_ each: Occurrence) -> String {
        func show(_ time: ItemTime) -> String {
            time.isDate ? time.civilDate.isoText : time.clock.isoText
        }
        let id = each.isOverride ? each.recurrenceID.map { " [\(show($0))]" } ?? "" : ""
        return
            "\(show(each.start))/\(show(each.end)) \(each.component.first("SUMMARY")?.value ?? "")"
            + id
    }
}
