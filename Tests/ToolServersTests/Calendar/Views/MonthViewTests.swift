import Base
import Foundation
import XCTest

@testable import DateLanguage
@testable import Planner

/// The month as text, beside its list and above it.
final class MonthViewTests: XCTestCase {
    private func rig(_ locale: DateLocale = .british) async throws -> CalendarRig {
        let rig = try CalendarRig(locale: locale)
        try await rig.run("add dentist --start 2026-03-27T14:00 --location Oslo")
        try await rig.run("add 会議🎉 --start 2026-03-27T16:00")
        try await rig.run("add trip --start 2026-03-13 --end 2026-03-15")
        try await rig.run("add standup --start 2026-03-02T09:30 --repeat FREQ=WEEKLY")
        try await rig.run("add past --start 2026-03-01T09:30")
        return rig
    }

    func testAMonthAtEightyColumnsHasItsListBeside() async throws {
        let lines = try await rig().lines("month")
        XCTAssertEqual(
            lines.joined(separator: "\n"),
            """
                          March 2026
                Mo   Tu   We   Th   Fr   Sa   Su
             9                                 1•    Sun  1 09:30 ▎ past
            10   2•   3   ›4    5    6    7    8     Mon  2 09:30 ▎ standup ↻  ×5
            11   9•  10   11   12   13•  14•  15•    Fri 13       ▎ trip  to Sun 15
            12  16•  17   18   19   20   21   22     Fri 27 14:00 ▎ dentist  Oslo
            13  23•  24   25   26   27•• 28   29            16:00 ▎ 会議🎉
            14  30•  31
            """)
    }

    func testANarrowOneHasItBelowAndAWeekFromSunday() async throws {
        let lines = try await rig(.american).lines("month 2026-03 --columns 50")
        XCTAssertEqual(
            lines.joined(separator: "\n"),
            """
                          March 2026
                Su   Mo   Tu   We   Th   Fr   Sa
            10   1•   2•   3   ›4    5    6    7
            11   8    9•  10   11   12   13•  14•
            12  15•  16•  17   18   19   20   21
            13  22   23•  24   25   26   27•• 28
            14  29   30•  31

            Sun  1 09:30 ▎ past
            Mon  2 09:30 ▎ standup ↻  ×5
            Fri 13       ▎ trip  to Sun 15
            Fri 27 14:00 ▎ dentist  Oslo
                   16:00 ▎ 会議🎉
            """)
    }

    func testManyEventsOfADayAreCounted() async throws {
        let rig = try CalendarRig()
        for hour in 10...14 { try await rig.run("add e\(hour) --start 2026-03-05T\(hour):00") }
        for hour in 8...18 {
            let text = hour < 10 ? "0\(hour)" : "\(hour)"
            try await rig.run("add f\(hour) --start 2026-03-06T\(text):00")
        }
        let lines = try await rig.lines("month")
        XCTAssertTrue(
            lines.contains("10   2    3   ›4    5•5  6•+  7    8"), lines.joined(separator: "\n"))
    }

    func testAnEmptyMonthSaysSo() async throws {
        let lines = try await CalendarRig().lines("month 2027-02")
        XCTAssertEqual(lines.last, "No events in February.")
        XCTAssertEqual(lines[0], "            February 2027")
        XCTAssertEqual(lines.count, 8)
    }

    func testWeekNumbersAreThoseOfISO8601() throws {
        let days = [
            ("2026-01-01", 1), ("2025-12-29", 1), ("2027-01-01", 53), ("2026-12-31", 53),
            ("2024-12-30", 1), ("2023-01-01", 52), ("2026-06-15", 25),
        ]
        for (text, week) in days {
            guard case .date(let day) = try ISO8601.parse(text) else { return XCTFail(text) }
            XCTAssertEqual(MonthView.weekNumber(day), week, text)
        }
    }

    func testColoursOfCalendarsBecomeTheNearestOfTheTerminal() {
        let cases: [(String, StyledLine.Style)] = [
            ("#ff0000", .failure), ("#00ff00", .success), ("#0000ff", .accent),
            ("#ffcc00", .warning), ("#ff8800FF", .warning), ("#888888", .bold),
        ]
        for (color, style) in cases { XCTAssertEqual(CalendarColors.style(color), style, color) }
        XCTAssertNil(CalendarColors.style("blue"))
    }
}
