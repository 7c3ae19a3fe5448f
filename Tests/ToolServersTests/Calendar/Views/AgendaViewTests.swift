import AgentCore
import Base
import Foundation
import XCTest

@testable import DateLanguage
@testable import Planner

/// The agenda as text: what is seen on a terminal of 80 and of 50 columns.
final class AgendaViewTests: XCTestCase {
    private static func filled() async throws -> CalendarRig {
        let rig = try CalendarRig()
        try await rig.run("add 'early run' --start 2026-03-04T07:00 --end 2026-03-04T08:00")
        try await rig.run(
            "add workshop --start 2026-03-04T09:00 --end 2026-03-04T11:00 --location 'Room 4'")
        try await rig.run("add 'Ida’s birthday 🎂' --start 2026-03-04")
        try await rig.run(
            "add 会議、とても長い日本語の題名がここにあります --start 2026-03-04T14:00 --end 2026-03-04T15:00 --location 東京"
        )
        try await rig.run("add call --start 2026-03-04T14:30 --end 2026-03-04T15:30")
        try await rig.run("add 'night train' --start 2026-03-04T23:00 --end 2026-03-05T07:00")
        try await rig.run("add fair --start 2026-03-05 --end 2026-03-06")
        try rig.put(
            "ny.ics",
            """
            BEGIN:VEVENT
            UID:ny
            SUMMARY:New York
            STATUS:TENTATIVE
            DTSTART;TZID=America/New_York:20260306T090000
            DTEND;TZID=America/New_York:20260306T093000
            END:VEVENT
            """)
        try rig.put(
            "todo.ics",
            "BEGIN:VTODO\nUID:t\nSUMMARY:water the plants\nDUE:20260304T160000Z\nEND:VTODO",
            list: "reminders")
        try rig.put(
            "day.ics",
            "BEGIN:VTODO\nUID:d\nSUMMARY:pay rent\nDUE;VALUE=DATE:20260304\nEND:VTODO",
            list: "reminders")
        try rig.put(
            "done.ics",
            "BEGIN:VTODO\nUID:x\nSUMMARY:done\nSTATUS:COMPLETED\nDUE;VALUE=DATE:20260304\nEND:VTODO",
            list: "reminders")
        return rig
    }

    func testTheNextDaysAtEightyColumns() async throws {
        let lines = try await Self.filled().lines("agenda")
        XCTAssertEqual(
            lines.joined(separator: "\n"),
            """
            Today, Wed 4 Mar
              all day      ▎ Ida’s birthday 🎂
                           ☐ pay rent
              07:00–08:00  ▎ early run  1 h
              09:00–11:00  ▎ workshop  2 h  Room 4
              ── 10:15 now ─────────────────────────────────────────────
                           free 3 h
              14:00–15:00  ▎ 会議、とても長い日本語の題名がここにあります  overlaps call
              14:30–15:30  ▎ call  overlaps 会議、とても長い日本語の題名がここにあります
              17:00        ☐ water the plants
                           free 7 h 30 min
              23:00 →      ▎ night train  8 h

            Tomorrow, Thu 5 Mar
              day 1 of 2   ▎ fair
              → 07:00      ▎ night train  8 h

            Fri 6 Mar
              day 2 of 2   ▎ fair
              15:00–15:30  ▎ New York  30 min  not sure  09:00 EST
            """)
    }

    func testWhatRepeatsAndWhatRingsIsMarked() async throws {
        let rig = try CalendarRig()
        try rig.put(
            "a.ics",
            """
            BEGIN:VEVENT
            UID:a
            SUMMARY:run
            DTSTART:20260304T110000Z
            RRULE:FREQ=DAILY;COUNT=2
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER:-PT10M
            END:VALARM
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            SUMMARY:later run
            RECURRENCE-ID:20260305T110000Z
            DTSTART:20260305T130000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            SUMMARY:lunch
            DTSTART:20260304T120000Z
            BEGIN:VALARM
            ACTION:NONE
            TRIGGER:-PT0S
            END:VALARM
            END:VEVENT
            """)
        try rig.put(
            "todo.ics",
            "BEGIN:VTODO\nUID:t\nSUMMARY:water\nDUE:20260304T160000Z\nRRULE:FREQ=WEEKLY\n"
                + "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;RELATED=END:PT0S\nEND:VALARM\nEND:VTODO",
            list: "reminders")
        let agenda = try await rig.lines("agenda --columns 60")
        let rows = agenda.filter { $0.contains("▎") || $0.contains("☐") }
        XCTAssertEqual(
            rows,
            [
                "  12:00        ▎ run ↻ ⏰", "  13:00        ▎ lunch",
                "  17:00        ☐ water ↻ ⏰", "  14:00        ▎ later run ↻",
            ])
        let month = try await rig.lines("month 2026-03 --columns 60")
        XCTAssert(month.contains { $0.contains("▎ run ↻ ⏰") }, "\(month)")
    }

    func testNoLineIsWiderThanTheTerminal() async throws {
        let rig = try await Self.filled()
        for width in [40, 50, 80, 120] {
            for verb in ["agenda", "agenda week", "list", "month", "month 2026-04"] {
                let lines = try await rig.lines("\(verb) --columns \(width)")
                XCTAssertFalse(lines.isEmpty)
                for line in lines {
                    XCTAssertLessThanOrEqual(DisplayWidth.of(line), width, "\(verb): \(line)")
                    XCTAssertNotEqual(line.last, " ", "\(verb): \(line)|")
                }
            }
        }
    }

    /// In a window of 40 columns the last one stays free.
    func testANarrowWindowBreaksNoLine() async throws {
        for line in try await Self.filled().run("agenda", window: 39).lines {
            XCTAssertLessThanOrEqual(DisplayWidth.of(line.text), 39, line.text)
        }
    }

    func testANarrowTerminalCutsTitles() async throws {
        let lines = try await Self.filled().lines("agenda day --columns 44")
        XCTAssertTrue(
            lines.contains("  14:00–15:00  ▎ 会議、とても長い日本語の題…"), lines.joined(separator: "\n"))
    }

    func testStylesSayWhatIsOverWhatOverlapsAndWhoseItIs() async throws {
        let rig = try await Self.filled()
        try rig.folder.put(Array("#00cc00\n".utf8), "color", list: "calendar")
        let lines = try await rig.run("agenda day").lines
        func style(_ text: String, _ part: String) -> StyledLine.Style? {
            lines.first { $0.text.contains(text) }?.spans.first { $0.text.contains(part) }?.style
        }
        XCTAssertEqual(lines[0].spans[0].style, .accent)
        XCTAssertEqual(style("early run", "early run"), .dim)
        XCTAssertEqual(style("workshop", "workshop"), .plain)
        XCTAssertEqual(style("workshop", "▎"), .success)
        XCTAssertEqual(style("call  ", "overlaps"), .warning)
        XCTAssertEqual(style("free 3 h", "free"), .dim)
        XCTAssertEqual(style("now", "now"), .accent)
    }

    func testADayWithNothingSaysSo() async throws {
        let rig = try CalendarRig()
        let today = try await rig.lines("agenda")
        XCTAssertEqual(today, ["Today, Wed 4 Mar", "  nothing"])
        let list = try await rig.lines("list --from 2026-05-01 --to 2026-05-09")
        XCTAssertEqual(list, ["Nothing from Fri 1 May to Sat 9 May."])
    }

    func testAWeekBeginsWhereTheLocaleSays() async throws {
        let monday = try CalendarRig().server.moment()
        XCTAssertEqual(monday.week(of: monday.today).lowerBound.isoText, "2026-03-02")
        let sunday = try CalendarRig(locale: .american).server.moment()
        XCTAssertEqual(sunday.week(of: sunday.today).lowerBound.isoText, "2026-03-01")
    }
}
