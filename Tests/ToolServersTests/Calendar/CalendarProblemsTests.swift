import AgentCore
import Base
import Foundation
import ICalendar
import XCTest

@testable import CalendarFiles
@testable import Planner

/// What cannot be followed in the files of others is said: once for an item, in
/// lists, in JSON and to `doctor`.
final class CalendarProblemsTests: XCTestCase {
    private func event(_ title: String, _ lines: String) -> String {
        "BEGIN:VEVENT\nUID:\(title)\nSUMMARY:\(title)\n\(lines)\nEND:VEVENT"
    }

    /// Rules, and the reason that each is refused for; nil where it is read.
    private static let rules: [(String, String?)] = [
        ("RRULE:FREQ=DAILY;COUNT=-1", "its RRULE cannot be understood (COUNT)"),
        (
            "RRULE:RRULE:FREQ=DAILY;COUNT=3",
            "its RRULE cannot be understood (RRULE:FREQ=DAILY;COUNT=3)"
        ),
        ("RRULE:FREQ=SOMETIMES", "its RRULE cannot be understood (FREQ)"),
        (
            "RRULE:RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD",
            "its RRULE cannot be understood (BYMONTH)"
        ),
        ("RRULE:RSCALE=CHINESE;FREQ=YEARLY", "its RRULE cannot be understood (RSCALE)"),
        ("RRULE:RSCALE=GREGORIAN;FREQ=DAILY;SKIP=OMIT;COUNT=3", nil),
        ("RRULE:rscale=gregorian;FREQ=DAILY;COUNT=3", nil),
    ]

    func testARuleThatCannotBeReadIsSaidOnceAndItsFirstTimeIsShown() async throws {
        for (rule, reason) in Self.rules {
            let rig = try CalendarRig()
            try rig.put("a.ics", event("walk", "DTSTART:20260310T080000Z\n\(rule)"))
            let path = rig.folder.root + "/calendar/a.ics"
            let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
            XCTAssertEqual(output.json?.arrayValue?.count, reason == nil ? 3 : 1, rule)
            XCTAssertEqual(
                output.json?[0]?["problems"],
                .array([reason].compactMap { $0.map(JSONValue.string) }))
            let sentences = [reason].compactMap { $0.map { "\(path): \"walk\": \($0)" } }
            XCTAssertEqual(output.notices, sentences, rule)
            // Later days are what is not known; days before are not concerned.
            let later = try await rig.run("list --from 2026-05-01 --to 2026-05-31")
            XCTAssertEqual(later.notices, sentences, rule)
            let earlier = try await rig.run("agenda 2026-03-02")
            XCTAssertEqual(earlier.notices, [], rule)
            let found = try await rig.run("search walk")
            XCTAssertEqual(found.notices, sentences, rule)
            let checked = try await EventBook.problems(in: rig.store, rig.server.moment().context)
            XCTAssertEqual(checked.map(\.sentence), sentences, rule)
        }
    }

    func testAnAlarmThatIsNotAsTheStandardHasItIsSaid() async throws {
        let odd = "it has an alarm that is not written as the standard has it"
        for (line, reason) in [
            ("TRIGGER:-PT15M", nil), ("TRIGGER;VALUE=DATE-TIME:20260310T070000Z", nil),
            (
                "TRIGGER;VALUE=DATE-TIME:20260310T080000",
                "\(odd) (20260310T080000); it is read as 2026-03-10T08:00:00+01:00"
            ),
            (
                "TRIGGER;VALUE=DATE-TIME;TZID=Mars/Olympus:20260310T080000",
                "unknown time zone \"Mars/Olympus\"; its times are treated as local"
            ),
            ("TRIGGER:PT-15M", "\(odd) (PT-15M); it is read as -PT15M"),
            ("TRIGGER: -PT15M", "\(odd) (-PT15M); it is read as -PT15M"),
            (
                "TRIGGER;VALUE=DATE:20260310",
                "it has an alarm that cannot be understood (20260310), which does not ring"
            ),
            ("ACTION:AUDIO", "it has an alarm without a TRIGGER, which does not ring"),
            ("PROXIMITY:ARRIVE", nil), ("ACTION:NONE", nil),
        ] as [(String, String?)] {
            let rig = try CalendarRig()
            try rig.put(
                "a.ics",
                event(
                    "walk",
                    "DTSTART:20260310T080000Z\nBEGIN:VALARM\n\(line)\nEND:VALARM"))
            let path = rig.folder.root + "/calendar/a.ics"
            let sentences = [reason].compactMap { $0.map { "\(path): \"walk\": \($0)" } }
            let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
            XCTAssertEqual(output.notices, sentences, line)
            XCTAssertEqual(
                output.json?[0]?["problems"],
                .array([reason].compactMap { $0.map(JSONValue.string) }))
            let checked = try await EventBook.problems(in: rig.store, rig.server.moment().context)
            XCTAssertEqual(checked.map(\.sentence), sentences, line)
        }
    }

    func testListsOfTimesAndLengthsThatCannotBeReadAreSaid() async throws {
        for (line, reason) in [
            ("RDATE:soon", "its RDATE cannot be understood (soon)"),
            (
                "EXDATE;VALUE=DATE:11.3.2026,12.3.2026",
                "its EXDATE cannot be understood (11.3.2026,12.3.2026)"
            ),
            ("DURATION:1h", "its DURATION cannot be understood (1h)"),
            ("EXDATE:", nil), ("RDATE;VALUE=PERIOD:20260311T080000Z/PT1H", nil),
            ("DURATION:PT1H", nil),
        ] {
            let rig = try CalendarRig()
            try rig.put(
                "a.ics",
                event("walk", "DTSTART:20260310T080000Z\nRRULE:FREQ=DAILY;COUNT=3\n\(line)"))
            let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
            XCTAssertEqual(
                output.json?[0]?["problems"],
                .array([reason].compactMap { $0.map(JSONValue.string) }), line)
        }
    }

    func testAnEventWithoutAReadableStartIsSaid() async throws {
        for (lines, reason) in [
            ("X-A:1", "it has no DTSTART, so it has no date"),
            ("DTSTART:20261399T080000", "its DTSTART cannot be understood (20261399T080000)"),
            ("DTSTART;VALUE=DATE:10.3.2026", "its DTSTART cannot be understood (10.3.2026)"),
        ] {
            let rig = try CalendarRig()
            try rig.put(
                "a.ics",
                event("lost", lines) + "\n" + event("found", "DTSTART:20260310T080000Z"))
            let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
            XCTAssertEqual(output.json?.arrayValue?.map { $0["title"] }, ["found"])
            XCTAssertEqual(
                output.notices, [rig.folder.root + "/calendar/a.ics: \"lost\": " + reason])
        }
    }

    func testAnUnknownZoneIsSaidOnceForTheItem() async throws {
        let rig = try CalendarRig()
        try rig.put(
            "a.ics",
            event("call", "DTSTART;TZID=Mars/Olympus:20260310T080000\nRRULE:FREQ=DAILY;COUNT=3"))
        let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
        // Over and done with, it concerns none of the days that are asked for.
        let later = try await rig.run("list --from 2026-05-01 --to 2026-05-31")
        XCTAssertEqual(later.notices, [])
        let reason = "unknown time zone \"Mars/Olympus\"; its times are treated as local"
        XCTAssertEqual(
            output.json?.arrayValue?.map { $0["problems"] },
            [[.string(reason)], [.string(reason)], [.string(reason)]])
        XCTAssertEqual(
            output.notices, [rig.folder.root + "/calendar/a.ics: \"call\": " + reason])
    }

    func testAMisspeltEndHidesNothingAndTheFileIsLeftAlone() async throws {
        let typo = event("one", "DTSTART:20260310T080000Z").replacingOccurrences(
            of: "END:VEVENT", with: "BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALRM\nEND:VEVNT")
        let lines = [
            "BEGIN:VTIMEZONE\nTZID:X\nEND:VTIMEZON", typo,
            event("two", "DTSTART:20260311T080000Z"),
            typo.replacingOccurrences(of: "one", with: "three"),
            "BEGIN:VTODO\nUID:t\nSUMMARY:four\nDUE:20260312T080000Z\nEND:VTODO",
        ].joined(separator: "\n")
        let rig = try CalendarRig()
        try rig.put("a.ics", lines)
        let original = try rig.text("a.ics")
        let path = rig.folder.root + "/calendar/a.ics"
        let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
        XCTAssertEqual(
            output.json?.arrayValue?.map { $0["title"] }, ["one", "three", "two"])
        XCTAssertEqual(
            output.notices,
            ["\(path): the line END:VTIMEZON ends nothing that is open; the file is not changed"])
        let tasks = try await rig.server.tasks(
            on: try XCTUnwrap(
                CivilDate(year: 2026, month: 3, day: 12))...XCTUnwrap(
                    CivilDate(year: 2026, month: 3, day: 12)), rig.server.moment())
        XCTAssertEqual(tasks.map(\.title), ["four"])
        do {
            try await rig.run("edit two --title x")
            XCTFail("a file that is not whole was rewritten")
        } catch let error as ICalendarError {
            XCTAssertEqual(error.reason, .unterminated)
        }
        XCTAssertEqual(try rig.text("a.ics"), original)
    }

    func testAFileThatIsCutOffIsSaidAndListed() async throws {
        let rig = try CalendarRig()
        try rig.folder.put(
            Array(
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:c\nSUMMARY:cut\nDTSTART:20260310T080000Z\n".utf8
            ),
            "a.ics", list: "calendar")
        let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
        XCTAssertEqual(output.json?.arrayValue?.count, 1)
        XCTAssertEqual(
            output.notices,
            [
                rig.folder.root
                    + "/calendar/a.ics: it is cut off, or an END line is misspelt; it is not changed"
            ])
    }

    func testRemindersSayWhatOfThemCannotBeFollowed() async throws {
        for (lines, reasons) in [
            ("DUE:tomorrow", ["its DUE cannot be understood (tomorrow)"]),
            (
                "DTSTART:20261122T070000Z\nDUE:20261122T070000Z\nRRULE:FREQ=DAILY;COUNT=0",
                ["its RRULE cannot be understood (COUNT)"]
            ),
            ("RRULE:FREQ=DAILY", ["it repeats without a DTSTART or DUE to begin at"]),
            (
                "DTSTART;TZID=Mars:20261122T070000\nDUE;TZID=Mars:20261122T070000",
                ["unknown time zone \"Mars\"; its times are treated as local"]
            ),
            ("DUE:20261122T070000Z", []),
        ] {
            let folder = try CalendarFolder()
            try folder.put(
                Array(
                    CalendarRig.calendar("BEGIN:VTODO\nUID:u\nSUMMARY:milk\n\(lines)\nEND:VTODO")
                        .utf8),
                "a.ics")
            let output = try await folder.server.run("list")
            XCTAssertEqual(output.json?[0]?["problems"], .array(reasons.map(JSONValue.string)))
            XCTAssertEqual(
                output.notices, reasons.map { folder.list + "/a.ics: \"milk\": " + $0 })
        }
    }
}
