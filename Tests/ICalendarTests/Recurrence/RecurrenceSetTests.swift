import Base
import FoundationEssentials
import XCTest

@testable import ICalendar

final class RecurrenceSetTests: XCTestCase {
    func testTheStartIsTheFirstTimeEvenWhereTheRuleDoesNotNameIt() throws {
        XCTAssertEqual(
            try list("DTSTART:20260304T090000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"),
            ["20260304T090000", "20260309T090000", "20260316T090000"])
        XCTAssertEqual(
            try list("DTSTART:20260304T090000Z\nRRULE:FREQ=DAILY;UNTIL=20250101T000000Z"),
            ["20260304T090000"])
        XCTAssertEqual(try list("DTSTART:20260304T090000Z"), ["20260304T090000"])
    }

    func testAnExcludedTimeMayBeWrittenInAnyWay() throws {
        let series = "DTSTART;TZID=Europe/Berlin:20260302T090000\nRRULE:FREQ=DAILY;COUNT=4\n"
        let left = ["20260302T090000", "20260304T090000", "20260305T090000"]
        for excluded in [
            "EXDATE;TZID=Europe/Berlin:20260303T090000", "EXDATE:20260303T080000Z",
            "EXDATE;VALUE=DATE:20260303", "EXDATE:20260303T090000",
            "EXDATE;TZID=America/New_York:20260303T030000",
            "EXDATE;TZID=Nowhere/Known:20260303T090000",
            "EXDATE:20200101T000000Z,20260303T080000Z,nonsense",
            "EXRULE:FREQ=DAILY;COUNT=0\nEXDATE:20260303T080000Z",
        ] {
            XCTAssertEqual(try list(series + excluded), left, excluded)
        }
        XCTAssertEqual(
            try list(series + "EXDATE:20260303T090100"),
            left[...0] + ["20260303T090000"] + left[1...])
    }

    func testMoreThanAPersonCanHaveListedIsLeftOutAndSaid() throws {
        let start = "DTSTART:20260302T090000Z\n"
        let rule = "RRULE:FREQ=DAILY\n"
        let times = String(repeating: "20260303T090000Z,", count: 300_000) + "20260304T090000Z"
        for (lines, problem) in [
            ("RDATE:\(times)", RecurrenceError(.tooManyTimes, part: "RDATE")),
            ("EXDATE:\(times)", RecurrenceError(.tooManyTimes, part: "EXDATE")),
            (String(repeating: rule, count: 5_000), RecurrenceError(.tooManyRules)),
            (
                "RRULE:FREQ=WEEKLY;BYDAY=" + String(repeating: "MO,", count: 100_000) + "TU",
                RecurrenceError(.tooLong)
            ),
        ] {
            let file = try CalendarParser.parse(
                Array("BEGIN:VEVENT\n\(start)\(lines)\nEND:VEVENT\n".utf8))
            let set = try XCTUnwrap(
                RecurrenceSet(
                    component: file.components()[0],
                    resolver: ZoneResolver(
                        calendar: nil, local: LocalTime(.utc), zones: TimeZoneDatabase())))
            XCTAssertEqual(set.problems, [problem])
            XCTAssertLessThanOrEqual(set.added.count + set.excluded.count, 20_000)
            XCTAssertLessThanOrEqual(set.rules.count, 100)
        }
    }

    func testDaysAreExcludedByTheirDate() throws {
        let series = "DTSTART;VALUE=DATE:20260302\nRRULE:FREQ=DAILY;COUNT=3\n"
        for excluded in [
            "EXDATE;VALUE=DATE:20260303", "EXDATE:20260303T000000Z", "EXDATE:20260303",
            "EXDATE;TZID=America/New_York:20260303T000000",
        ] {
            XCTAssertEqual(try list(series + excluded), ["20260302", "20260304"], excluded)
        }
    }

    func testAnExclusionRuleTakesOutWhatItNames() throws {
        XCTAssertEqual(
            try list(
                "DTSTART:20260302T090000Z\nRRULE:FREQ=DAILY;COUNT=7\nEXRULE:FREQ=DAILY;INTERVAL=3"),
            ["20260303T090000", "20260304T090000", "20260306T090000", "20260307T090000"])
        // 2 March 2026 is a Monday, which the second rule does not name.
        XCTAssertEqual(
            try list(
                "DTSTART:20260302T090000Z\nRRULE:FREQ=DAILY;COUNT=4\nEXRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=1"
            ),
            ["20260302T090000", "20260303T090000", "20260305T090000"])
    }

    func testAddedTimesMergeWithTheRule() throws {
        XCTAssertEqual(
            try list(
                """
                DTSTART;TZID=Europe/Berlin:20260302T090000
                RRULE:FREQ=DAILY;INTERVAL=2;COUNT=2
                RDATE:20260303T120000Z,20260304T080000Z
                RDATE;TZID=Europe/Berlin:20260301T070000
                """),
            ["20260301T070000", "20260302T090000", "20260303T120000", "20260304T080000"])
    }

    func testAPeriodHasItsOwnEnd() throws {
        let set = try set(
            "DTSTART:20260302T090000Z\nRDATE;VALUE=PERIOD:20260303T090000Z/PT3H,"
                + "20260304T090000Z/20260304T093000Z")
        XCTAssertEqual(
            set.added.map { set.addedEnds[$0].map(text) }, ["20260303T120000", "20260304T093000"])
        XCTAssertTrue(set.isRecurring)
    }

    func testSeveralRulesAreJoined() throws {
        XCTAssertEqual(
            try list(
                "DTSTART:20260302T090000Z\nRRULE:FREQ=WEEKLY;COUNT=2\nRRULE:FREQ=DAILY;COUNT=3"),
            ["20260302T090000", "20260303T090000", "20260304T090000", "20260309T090000"])
    }

    func testATaskWithoutAStartRepeatsFromItsDue() throws {
        XCTAssertEqual(
            try list("DUE;VALUE=DATE:20260131\nRRULE:FREQ=MONTHLY;COUNT=3", name: "VTODO"),
            ["20260131", "20260331", "20260531"])
        XCTAssertNil(try read("DUE:20260131T000000Z"))
        XCTAssertNil(try read("SUMMARY:some day", name: "VTODO"))
    }

    func testARuleThatCannotBeReadIsNamedAndLeftOut() throws {
        let set = try set("DTSTART:20260302T090000Z\nRRULE:FREQ=DAILY;INTERVAL=0")
        XCTAssertEqual(set.problems, [RecurrenceError(.invalidRule, part: "INTERVAL")])
        XCTAssertFalse(set.isRecurring)
    }

    func testPartsOfTheClockDoNotCountForDays() throws {
        XCTAssertEqual(
            try list(
                "DTSTART;VALUE=DATE:20260302\nRRULE:FREQ=DAILY;COUNT=2;BYHOUR=9,10;BYMINUTE=5"),
            ["20260302", "20260303"])
        XCTAssertEqual(
            try list("DTSTART;VALUE=DATE:20260302\nRRULE:FREQ=DAILY;UNTIL=20260304T000000Z"),
            ["20260302", "20260303", "20260304"])
    }

    func testTheSearchStartsAnywhere() throws {
        let set = try set("DTSTART:19000101T090000Z\nRRULE:FREQ=DAILY;INTERVAL=3;COUNT=40000")
        let local = LocalTime(.utc)
        let all = try set.first(40_000, in: local)
        XCTAssertEqual(all.count, 40_000)
        for index in [1, 2, 20_000, 39_999] {
            let before = all[index].instant(in: local).addingTimeInterval(-1)
            XCTAssertEqual(try set.next(after: before, in: local), all[index])
            XCTAssertEqual(try set.previous(before: before, in: local), all[index - 1])
        }
        XCTAssertNil(try set.next(after: all[39_999].instant(in: local), in: local))
        XCTAssertNil(try set.previous(before: all[0].instant(in: local), in: local))
        XCTAssertTrue(try set.contains(all[777], in: local))
        XCTAssertEqual(Array(set.starts(in: local).prefix(3)), Array(all[..<3]))
        var starts = set.starts(from: all[39_998].instant(in: local), in: local)
        XCTAssertEqual(try starts.nextStart(), all[39_998])
        XCTAssertEqual(try starts.nextStart(), all[39_999])
        XCTAssertNil(try starts.nextStart())
    }

    // MARK: Reading

    private let local = LocalTime(TimeZoneDatabase().rules(named: "Europe/Berlin") ?? .utc)

    private func set(_ lines: String, name: String = "VEVENT") throws -> RecurrenceSet {
        try XCTUnwrap(read(lines, name: name))
    }

    private func read(_ lines: String, name: String = "VEVENT") throws -> RecurrenceSet? {
        let file = "BEGIN:VCALENDAR\nBEGIN:\(name)\n\(lines)\nEND:\(name)\nEND:VCALENDAR\n"
        let calendar = try XCTUnwrap(
            CalendarParser.parse(Array(file.utf8)).components("VCALENDAR").first)
        let component = try XCTUnwrap(calendar.components(name).first)
        let resolver = ZoneResolver(calendar: calendar, local: local, zones: TimeZoneDatabase())
        return RecurrenceSet(component: component, resolver: resolver)
    }

    private func list(_ lines: String, name: String = "VEVENT") throws -> [String] {
        try set(lines, name: name).first(20, in: local).map(text)
    }

    private func text(_ time: ItemTime) -> String {
        (time.isDate ? time.civilDate.isoText : time.clock.isoText)
            .filter { $0 != "-" && $0 != ":" }
    }
}
