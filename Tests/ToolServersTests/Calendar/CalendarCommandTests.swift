import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import DateLanguage
@testable import Planner

/// What a person types after `calendar`, and what comes out.
final class CalendarCommandTests: XCTestCase {
    private func refused(_ rig: CalendarRig, _ line: String) async -> String {
        do {
            let output = try await rig.run(line)
            return "accepted: \(output.lines.map(\.text))"
        } catch let error as UsageError {
            return error.problem
        } catch let error as ToolError {
            return error.modelText
        } catch {
            return "\(error)"
        }
    }

    private func reading(
        _ title: String, _ start: String, _ end: String? = nil, confidence: Double = 1,
        parts: [ParsedPhrase.Span.Part] = [.date, .time]
    ) throws -> ParsedPhrase {
        func moment(_ text: String) throws -> ParsedPhrase.Moment {
            switch try ISO8601.parse(text) {
            case .date(let date): .date(date)
            case .local(let clock): .time(clock)
            case .instant: throw OtherKindOfTime(text)
            }
        }
        var reading = ParsedPhrase(
            title: title, kind: .event, start: try moment(start), confidence: confidence)
        reading.end = try end.map(moment)
        reading.spans = (parts + (title.isEmpty ? [] : [.title])).map { .init($0, 0..<1) }
        return reading
    }

    func testNoneClearsAField() async throws {
        let rig = try CalendarRig()
        try await rig.run(
            "add tea --start 2026-03-05T10:00 --location Gym --notes green --alarm 15m")
        let edited = try await rig.run("edit tea --location none --notes none")
        XCTAssertEqual(["location", "notes"].map { edited.json?[$0] }, [.null, .null])
    }

    func testAPhraseBecomesAnEvent() async throws {
        var weekly = try reading("yoga", "2026-03-10T18:00")
        weekly.recurrence = RecurrenceRule(.weekly, interval: 2)
        weekly.alarm = CalendarDuration(seconds: -600)
        let rig = try CalendarRig(readings: [
            "dentist next friday 2-3:30pm": try reading(
                "dentist", "2026-03-13T14:00", "2026-03-13T15:30"),
            "trip 20-22 march": try reading("trip", "2026-03-20", "2026-03-22", parts: [.date]),
            "yoga every other tuesday 6pm": weekly,
        ])
        var lines = try await rig.lines("add dentist next friday 2-3:30pm")
        XCTAssertEqual(lines, ["✓ dentist · Fri 13 Mar 14:00–15:30 CET · /undo"])
        lines = try await rig.lines("add trip 20-22 march")
        XCTAssertEqual(lines, ["✓ trip · Fri 20 Mar – Sun 22 Mar · /undo"])
        lines = try await rig.lines("add yoga every other tuesday 6pm --location Gym")
        XCTAssertEqual(
            lines, ["✓ yoga · Tue 10 Mar 18:00–19:00 CET · Gym · every other Tuesday · /undo"])
        let titles = try await rig.listed("2026-03-05", "2026-03-31")
        XCTAssertEqual(
            titles,
            [
                "yoga 2026-03-10T18:00 2026-03-10T19:00",
                "dentist 2026-03-13T14:00 2026-03-13T15:30", "trip 2026-03-20 2026-03-23",
                "yoga 2026-03-24T18:00 2026-03-24T19:00",
            ])
    }

    func testASeriesBeginsOnADayOfItsRule() async throws {
        let rig = try CalendarRig()
        let lines = try await rig.lines(
            "add standup --start 2026-03-07T09:00 --repeat FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU")
        XCTAssertEqual(lines.first?.hasPrefix("✓ standup · Mon 9 Mar 09:00–10:00 CET"), true)
    }

    func testADoubtIsAskedAboutWithTheCommandsThatSettleIt() async throws {
        var doubtful = try reading("call", "2026-03-06T15:00", confidence: 0.6)
        doubtful.alternatives = [try reading("call", "2026-03-13T15:00")]
        var past = try reading("call", "2026-03-03T15:00")
        past.doubts = [.past]
        let rig = try CalendarRig(readings: [
            "call next friday": doubtful, "call yesterday at 3": past,
        ])
        let output = try await rig.run("add call next friday")
        XCTAssertEqual(output.lines.map(\.text), ["Which do you mean?"])
        XCTAssertEqual(
            output.choices.map(\.label),
            ["call · Fri 6 Mar 15:00–16:00 CET", "call · Fri 13 Mar 15:00–16:00 CET"])
        let late = try await rig.run("add call yesterday at 3")
        XCTAssertEqual(
            late.lines.map(\.text), ["Yesterday, Tue 3 Mar 15:00 CET is over. Add it all the same?"]
        )
        XCTAssertEqual(late.choices.count, 1)
        XCTAssertEqual(try? rig.others(than: ""), nil, "nothing is stored yet")
        // Each choice does what it says.
        _ = try await CalendarCommand(server: rig.server).command.run(
            Array(output.choices[1].command.dropFirst()))
        let listed = try await rig.listed("2026-03-05", "2026-03-31")
        XCTAssertEqual(listed, ["call 2026-03-13T15:00 2026-03-13T16:00"])
    }

    func testDatesMayBeWords() async throws {
        let rig = try CalendarRig(readings: [
            "next monday": try reading("", "2026-03-09", parts: [.date]),
            "4pm": try reading("", "2026-03-04T16:00", parts: [.time]),
            "friday at 9": try reading("", "2026-03-06T09:00"),
        ])
        try await rig.run("add dentist --start 'friday at 9'")
        var lines = try await rig.lines("edit dentist --start 4pm")
        XCTAssertEqual(lines, ["✓ changed: dentist · Fri 6 Mar 16:00–17:00 CET · /undo"])
        lines = try await rig.lines("edit dentist --start 'next monday'")
        XCTAssertEqual(lines, ["✓ changed: dentist · Mon 9 Mar 16:00–17:00 CET · /undo"])
        lines = try await rig.lines("edit dentist --by -1h30m --end 18:00")
        XCTAssertEqual(lines, ["✓ changed: dentist · Mon 9 Mar 14:30–18:00 CET · /undo"])
        lines = try await rig.lines("agenda day next monday")
        XCTAssertEqual(lines, ["Mon 9 Mar", "  14:30–18:00  ▎ dentist  3 h 30 min"])
    }

    func testTheJSONOfAListHasEveryFieldForEachOccurrence() async throws {
        let rig = try CalendarRig()
        try await rig.run(
            "add run --start 2026-03-28T08:00 --repeat FREQ=DAILY;COUNT=2 --notes far --alarm 5m")
        let output = try await rig.run("list --from 2026-03-28 --to 2026-03-29", json: true)
        let events = try XCTUnwrap(output.json?.arrayValue)
        XCTAssertEqual(
            events[0].objectValue?.names,
            [
                "uid", "title", "start", "end", "allDay", "calendar", "location", "notes",
                "recurring", "path", "recurrenceId", "recurrence", "zone", "categories", "status",
                "busy", "problems",
            ])
        XCTAssertEqual(
            events.map { $0["start"]?.stringValue },
            ["2026-03-28T08:00:00+01:00", "2026-03-29T08:00:00+02:00"])
        XCTAssertEqual(events[0]["recurring"]?.boolValue, true)
        XCTAssertEqual(events[0]["location"], .null)
        XCTAssertEqual(events[0]["notes"]?.stringValue, "far")
    }

    func testWordsThatCannotBeUsedSayWhichWouldDo() async throws {
        let rig = try CalendarRig()
        try await rig.run("add tea --start 2026-03-05T10:00")
        let cases = [
            ("add", "calendar add needs words."),
            ("add tea", "add needs a day or a time"),
            (
                "add tea --start soon",
                "--start: \"soon\" is not a date or time I understand; use words such as "
                    + "\"tomorrow at 5pm\", or \(ISO8601.accepted)"
            ),
            (
                "add tea --start 2026-03-05T10:00 --repeat often",
                "--repeat: \"often\" is not a repetition I understand; use words such as "
                    + "\"every other tuesday\", or FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"
            ),
            (
                "add tea --start 2026-03-05T10:00 --alarm loud",
                "--alarm: \"loud\" is not a valid alarm offset; use 15m, 1h30m, 2d, none or, "
                    + "for a day, 9:00"
            ),
            ("edit tea", "edit needs something to change"),
            ("edit", "calendar edit needs a title or an id."),
            ("delete coffee", "Nothing matches \"coffee\"."),
            ("edit tea --end 9:00 --colour red", "calendar edit has no option --colour."),
            ("list --from 2026-03-05 --to 2026-03-01", "--to is before --from"),
            ("free --between 17", "--between \"17\" is not a range of hours; use 9:00-17:00"),
            ("agenda --columns 10", "--columns needs a number from 40 to 300."),
            ("month --columns 301", "--columns needs a number from 40 to 300."),
            ("list tomorrow", "calendar list does not take \"tomorrow\"."),
            ("paint", "calendar has no \"paint\"."),
            ("edit tea --calendar nowhere", "there is no calendar \"nowhere\"; there are calendar"),
        ]
        for (line, problem) in cases {
            let said = await refused(rig, line)
            XCTAssertEqual(said, problem, line)
        }
    }

    func testIDsOfListsAreUnderstood() async throws {
        let rig = try CalendarRig()
        try await rig.run("add tea --start 2026-03-05T10:00")
        try await rig.run("add tea --start 2026-03-06T10:00")
        let lines = try await rig.lines("search tea")
        XCTAssertEqual(lines.count, 2)
        let id = lines[1].split(separator: " ")[0]
        let deleted = try await rig.lines("delete \(id)")
        XCTAssertEqual(deleted, ["✓ deleted: tea · Fri 6 Mar 10:00–11:00 CET · /undo"])
    }

    func testCalendarsAreListedWithTheirNamesAndCounts() async throws {
        let rig = try CalendarRig()
        try await rig.run("add tea --start 2026-03-05T10:00")
        try rig.folder.put(Array("My days\n".utf8), "displayname", list: "calendar")
        let output = try await rig.run("calendars")
        XCTAssertEqual(
            output.lines.map(\.text), ["  ▎ My days  1 event  \(rig.folder.root)/calendar"])
        // The shown name is a name too.
        try await rig.run("add milk --start 2026-03-05T12:00 --calendar 'my days'")
        XCTAssertEqual(try rig.others(than: "").count, 2)
    }

    /// Ten thousand with CHAT_FULL=1.
    func testManyEventsAreListedSoon() async throws {
        let rig = try CalendarRig(inMemory: true)
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        let total = isFull ? 10_000 : 2000
        for number in 0..<total {
            let day = CivilDate(dayNumber: 20_000 + number % 2000)
            let text = day.isoText.filter { $0 != "-" }
            try rig.put(
                "\(number).ics",
                "BEGIN:VEVENT\nUID:\(number)\nSUMMARY:event \(number)\n"
                    + "DTSTART;TZID=Europe/Berlin:\(text)T090000\nDURATION:PT1H\n"
                    + (number % 10 == 0 ? "RRULE:FREQ=WEEKLY;COUNT=20\n" : "") + "END:VEVENT")
        }
        let clock = ContinuousClock()
        var counts: [Int] = []
        let first = try await clock.measure {
            counts.append(try await rig.listed("2026-03-02", "2026-03-08").count)
        }
        let second = try await clock.measure {
            counts.append(try await rig.listed("2026-03-02", "2026-03-08").count)
        }
        print("a week of \(total) events: \(first), then \(second)")
        XCTAssertGreaterThan(counts[0], 5)
        XCTAssertEqual(counts[0], counts[1])
    }
}
