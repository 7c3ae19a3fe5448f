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
        XCTAssertEqual(lines, ["✓ dentist · Fri 13 Mar 14:00–15:30 CET · rings 13:50 · /undo"])
        lines = try await rig.lines("add trip 20-22 march")
        XCTAssertEqual(
            lines, ["✓ trip · Fri 20 Mar – Sun 22 Mar · no time, so it will not ring · /undo"])
        lines = try await rig.lines("add yoga every other tuesday 6pm --location Gym")
        XCTAssertEqual(
            lines,
            [
                "✓ yoga · Tue 10 Mar 18:00–19:00 CET · Gym · every other Tuesday · rings 17:50 · /undo"
            ])
        let titles = try await rig.listed("2026-03-05", "2026-03-31")
        XCTAssertEqual(
            titles,
            [
                "yoga 2026-03-10T18:00 2026-03-10T19:00",
                "dentist 2026-03-13T14:00 2026-03-13T15:30", "trip 2026-03-20 2026-03-23",
                "yoga 2026-03-24T18:00 2026-03-24T19:00",
            ])
    }

    // MARK: - What rings

    /// The last word of the echo before the way back, and what JSON says.
    private func said(_ rig: CalendarRig, _ line: String) async throws -> [String] {
        let output = try await rig.run(line)
        let words = (output.lines.first?.text ?? "").components(separatedBy: " · ")
        return [words.dropLast().last ?? "", output.json?["rings"]?.stringValue ?? "null"]
    }

    func testTheEchoSaysWhenAnEventRingsOrThatItDoesNot() async throws {
        let rig = try CalendarRig()
        for (line, expected) in [
            ("dentist --start 2026-03-13T14:00", ["rings 13:50", "2026-03-13T13:50:00+01:00"]),
            (
                "lunch --start 2026-03-13T12:00 --alarm 1h",
                ["rings 11:00", "2026-03-13T11:00:00+01:00"]
            ),
            (
                "flight --start 2026-03-13T12:00 --alarm 1d",
                ["rings Thu 12 Mar 12:00", "2026-03-12T12:00:00+01:00"]
            ),
            (
                "night --start 2026-03-13T00:05",
                ["rings Thu 12 Mar 23:55", "2026-03-12T23:55:00+01:00"]
            ),
            // 10:15 now: ten minutes ahead are over.
            ("call --start 2026-03-04T10:20", ["rings 10:20", "2026-03-04T10:20:00+01:00"]),
            ("quiet --start 2026-03-13T16:00 --alarm none", ["will not ring", "null"]),
            ("trip --start 2026-03-20", ["no time, so it will not ring", "null"]),
            (
                "standup --start 2026-03-09T09:00 --repeat FREQ=DAILY",
                ["rings 08:50", "2026-03-09T08:50:00+01:00"]
            ),
        ] {
            let found = try await said(rig, "add " + line)
            XCTAssertEqual(found, expected, line)
        }
        let past = try await rig.lines("add before --start 2026-03-03T10:00")
        XCTAssertEqual(
            past, ["✓ before · Tue 3 Mar 10:00–11:00 CET · /undo", "  that is in the past"])
        // Nothing but the alarms that were asked for is in the files.
        let files = try rig.folder.names(rig.folder.root + "/calendar").filter {
            $0.hasSuffix(".ics")
        }.map { try rig.text($0) }
        XCTAssertEqual(
            files.filter { $0.contains("VALARM") }.count, 2, files.joined(separator: "\n"))
    }

    func testNoAlarmStaysWithOneOccurrenceAndGoesWithUndo() async throws {
        let rig = try CalendarRig()
        try await rig.run("add standup --start 2026-03-09T09:00 --repeat FREQ=DAILY;COUNT=3")
        try await rig.run("edit standup --this 2026-03-10 --alarm none")
        func rings() async throws -> [String] {
            let output = try await rig.run("list --from 2026-03-09 --to 2026-03-12", json: true)
            return (output.json?.arrayValue ?? []).map {
                String(($0["rings"]?.stringValue ?? "null").prefix(16))
            }
        }
        var found = try await rings()
        XCTAssertEqual(found, ["2026-03-09T08:50", "null", "2026-03-11T08:50"])
        try await rig.undo()
        found = try await rings()
        XCTAssertEqual(found, ["2026-03-09T08:50", "2026-03-10T08:50", "2026-03-11T08:50"])
        try await rig.run("edit standup --all --alarm none")
        found = try await rings()
        XCTAssertEqual(found, ["null", "null", "null"])
        try await rig.run("edit standup --all --alarm 30m")
        found = try await rings()
        XCTAssertEqual(found, ["2026-03-09T08:30", "2026-03-10T08:30", "2026-03-11T08:30"])
    }

    func testShowSaysAllOfOneEvent() async throws {
        let rig = try CalendarRig()
        try await rig.run(
            "add dentist --start 2026-03-13T14:00 --location 'Main St' --notes 'bring the card'")
        let shown = try await rig.run("show dentist")
        let path = try XCTUnwrap(shown.json?["path"]?.stringValue)
        let uid = try XCTUnwrap(shown.json?["uid"]?.stringValue)
        XCTAssertEqual(
            shown.lines.map(\.text),
            [
                "dentist", "  when      Fri 13 Mar 14:00–15:00 CET", "  where     Main St",
                "  calendar  calendar", "  alert     rings 13:50", "  notes     bring the card",
                "  id        \(uid)", "  file      \(path)",
            ])
        XCTAssertEqual(shown.sources, [path])
        try rig.put(
            "a.ics", "BEGIN:VEVENT\nUID:a\nSUMMARY:theirs\nDTSTART:20260313T090000Z\nEND:VEVENT")
        let theirs = try await rig.run("show theirs")
        XCTAssert(theirs.lines.map(\.text).contains("  alert     will not ring"))
        XCTAssertEqual(theirs.json?["rings"], .null)
    }

    /// For calendars that ring elsewhere too, the user's wish is written down.
    func testTheAlarmIsWrittenForTheCalendarsThatAreNamed() async throws {
        var settings = AlertSettings()
        (settings.eventAlarmWritten, settings.allDayHour) = (["Family"], 9)
        let rig = try CalendarRig(alerts: settings)
        try rig.folder.put(Array("Family".utf8), "displayname", list: "shared")
        try rig.folder.put(Array("mine".utf8), "displayname", list: "calendar")
        func triggers() throws -> [String] {
            try rig.folder.names(rig.folder.root + "/shared").filter { $0.hasSuffix(".ics") }
                .flatMap { try rig.text($0, list: "shared").components(separatedBy: "\n") }
                .filter { $0.hasPrefix("TRIGGER") }.sorted()
        }
        try await rig.run("add tea --start 2026-03-13T14:00 --calendar shared")
        try await rig.run("add soon --start 2026-03-04T10:20 --calendar shared")
        try await rig.run("add trip --start 2026-03-20 --calendar shared")
        try await rig.run("add own --start 2026-03-13T14:00 --alarm 1h --calendar shared")
        try await rig.run("add quiet --start 2026-03-13T14:00 --alarm none --calendar shared")
        XCTAssertEqual(
            try triggers(), ["TRIGGER:-PT10M", "TRIGGER:-PT1H", "TRIGGER:PT0S", "TRIGGER:PT9H"])
        try await rig.run("add mine --start 2026-03-13T14:00")
        let text = try rig.others(than: "").map { try rig.text($0) }.joined()
        XCTAssertTrue(text.contains("SUMMARY:mine"), text)
        XCTAssertFalse(text.contains("VALARM"), text)
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
        _ = try await rig.server.commands[0].run(
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
        XCTAssertEqual(
            lines, ["✓ changed: dentist · Fri 6 Mar 16:00–17:00 CET · rings 15:50 · /undo"])
        lines = try await rig.lines("edit dentist --start 'next monday'")
        XCTAssertEqual(
            lines, ["✓ changed: dentist · Mon 9 Mar 16:00–17:00 CET · rings 15:50 · /undo"])
        lines = try await rig.lines("edit dentist --by -1h30m --end 18:00")
        XCTAssertEqual(
            lines, ["✓ changed: dentist · Mon 9 Mar 14:30–18:00 CET · rings 14:20 · /undo"])
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
                "busy", "rings", "problems",
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
            ("add tea", "calendar add needs a day or a time."),
            (
                "add tea --start soon",
                "--start: \"soon\" is not a date or time I understand; use words such as "
                    + "\"tomorrow at 5pm\", or a date such as 2026-03-05, 2026-03-05T09:00 (local time) "
                    + "or 2026-03-05T09:00:00+01:00"
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
            ("edit tea", "edit needs something to change."),
            ("edit", "calendar edit needs a title or an id."),
            ("delete coffee", "Nothing matches \"coffee\"."),
            ("edit tea --end 9:00 --by 1h", "--end is before the start; give an end after it"),
            ("edit tea --end 9:00 --colour red", "calendar edit has no option --colour."),
            ("list --from 2026-03-05 --to 2026-03-01", "--to is before --from"),
            ("free --between 17", "--between \"17\" is not a range of hours; use 9:00-17:00"),
            ("agenda --columns 10", "--columns needs a number from 40 to 300."),
            ("month --columns 301", "--columns needs a number from 40 to 300."),
            ("list --calendar nowhere", "There is no calendar \"nowhere\"."),
            ("list tomorrow", "calendar list does not take \"tomorrow\"."),
            ("paint", "calendar has no \"paint\"."),
            (
                "edit tea --calendar nowhere",
                "there is no calendar \"nowhere\"; there is only \"calendar\"; a new folder "
                    + "beside it makes one"
            ),
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
