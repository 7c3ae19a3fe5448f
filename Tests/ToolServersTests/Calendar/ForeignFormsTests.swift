import AgentCore
import Base
import Foundation
import ICalendar
import XCTest

@testable import CalendarFiles
@testable import Planner

/// Times, ends and texts as other programs write them: read where they have one
/// meaning, with the exceptions of the series, and reported. Berlin, March 2026.
final class ForeignFormsTests: XCTestCase {
    private func listed(_ lines: String) async throws -> (starts: [String], reasons: [String]) {
        let rig = try CalendarRig()
        try rig.put("a.ics", lines)
        let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
        let prefix = rig.folder.root + "/calendar/a.ics: "
        let checked = try await EventBook.problems(in: rig.store, rig.server.moment().context)
        XCTAssertEqual(checked.map(\.sentence).sorted(), output.notices.sorted(), lines)
        return (
            (output.json?.arrayValue ?? []).map {
                "\($0["title"]?.stringValue ?? "") \(($0["start"]?.stringValue ?? "").prefix(16))"
            }, output.notices.map { $0.replacingOccurrences(of: prefix, with: "") }
        )
    }

    /// What stands behind the name of a time, and when it is in Berlin.
    private static let forms: [(form: String, clock: String)] = [
        (";TZID=GMT+05:30:202603DDT090000", "04:30"),
        (";TZID=tzone://Microsoft/Custom:202603DDT090000", "09:00"),
        (";TZID=Europe/Berlin:2026-03-DDT09:00:00", "09:00"),
        (":2026-03-DDT09:00:00Z", "10:00"), (":202603DDT090000+0530", "04:30"),
        (";TZID=Asia/Kolkata:202603DDT090000+0530", "04:30"),
        (";TZID=Europe/Berlin:202603DDT0900", "09:00"), (":202603DDt090000", "09:00"),
        (";TZID=Europe/Berlin: 202603DDT090000", "09:00"),
        (";VALUE=DATE:202603DDT090000", "09:00"),
    ]

    func testEachFormIsReadWithItsExceptionsAndReported() async throws {
        for (form, clock) in Self.forms {
            func at(_ day: String) -> String { form.replacingOccurrences(of: "DD", with: day) }
            let (starts, reasons) = try await listed(
                """
                BEGIN:VEVENT
                UID:a
                SUMMARY:walk
                DTSTART\(at("02"))
                RRULE:FREQ=WEEKLY;UNTIL=2026-03-24
                EXDATE\(at("09"))
                RDATE\(at("18"))
                END:VEVENT
                BEGIN:VEVENT
                UID:a
                SUMMARY:moved
                RECURRENCE-ID\(at("16"))
                DTSTART\(at("17"))
                END:VEVENT
                """)
            XCTAssertEqual(
                starts,
                [
                    "walk 2026-03-02T\(clock)", "moved 2026-03-17T\(clock)",
                    "walk 2026-03-18T\(clock)", "walk 2026-03-23T\(clock)",
                ], form)
            for name in ["DTSTART", "EXDATE", "RDATE", "UNTIL", "RECURRENCE-ID"] {
                XCTAssertTrue(
                    reasons.contains {
                        $0.contains("its \(name) is not in the standard's form (")
                    }, "\(form) \(name) \(reasons)")
            }
        }
    }

    func testWhatIsReadIsNamed() async throws {
        for (lines, start, reason) in [
            (
                "DTSTART;TZID=GMT+05:30:20260302T090000", "2026-03-02T04:30",
                "its DTSTART is not in the standard's form (TZID=GMT+05:30:20260302T090000); "
                    + "it is read as 20260302T090000 GMT+05:30"
            ),
            (
                "DTSTART:2026-03-02", "2026-03-02",
                "its DTSTART is not in the standard's form (2026-03-02); it is read as 20260302"
            ),
            (
                "DTSTART;VALUE=DATE:20260302T000000", "2026-03-02",
                "its DTSTART is not in the standard's form (VALUE=DATE:20260302T000000); "
                    + "it is read as 20260302"
            ),
            (
                "DTSTART:20260302T080000Z\nDTEND:20260302T070000Z", "2026-03-02T09:00",
                "its DTEND is before its DTSTART"
            ),
            (
                "DTSTART;VALUE=DATE:20260302\nDTEND;VALUE=DATE:20260301", "2026-03-02",
                "its DTEND is before its DTSTART"
            ),
            (
                "DTSTART:20260302T080000Z\nDURATION:-PT1H", "2026-03-02T09:00",
                "its DURATION is negative"
            ),
            (
                "DTSTART:20260302T080000Z\nDTEND;VALUE=DATE:20260303", "2026-03-02T09:00",
                "of its DTSTART and DTEND one is a day and the other a time"
            ),
            (
                "DTSTART:20260302T080000Z\nEXDATE:20260309T080000Z,never", "2026-03-02T09:00",
                "1 of 2 times in its EXDATE cannot be understood (never)"
            ),
            (
                "DTSTART:20260302T080000Z\nSTATUS:MAYBE", "2026-03-02T09:00",
                "its STATUS cannot be understood (MAYBE)"
            ),
            (
                "DTSTART:20260302T080000Z\nSEQUENCE:one", "2026-03-02T09:00",
                "its SEQUENCE cannot be understood (one)"
            ),
        ] {
            let (starts, reasons) = try await listed(
                "BEGIN:VEVENT\nUID:a\nSUMMARY:x\n\(lines)\nEND:VEVENT")
            XCTAssertEqual(starts, ["x " + start], lines)
            XCTAssertEqual(reasons, ["\"x\": " + reason], lines)
        }
    }

    func testTheStandardsFormsAreNotReported() async throws {
        let (starts, reasons) = try await listed(
            """
            begin:vevent
            uid:a
            summary:x
            dtstart;value=date-time;tzid="Europe/Berlin":20260302T090000
            dtend;tzid=Europe/Berlin:20260302T100000
            rrule:freq=weekly;until=20260309
            exdate:
            status:confirmed
            priority:0
            x-foo;x-bar=1:2
            end:vevent
            """)
        XCTAssertEqual(starts, ["x 2026-03-02T09:00", "x 2026-03-09T09:00"])
        XCTAssertEqual(reasons, [])
    }

    func testAnOccurrenceThatCannotBeToldIsReported() async throws {
        let master = "BEGIN:VEVENT\nUID:a\nSUMMARY:x\nDTSTART:20260302T080000Z\n"
        let lost =
            "BEGIN:VEVENT\nUID:a\nSUMMARY:y\nRECURRENCE-ID:never\n"
            + "DTSTART:20260303T080000Z\nEND:VEVENT"
        let reason = "\"y\": its RECURRENCE-ID cannot be understood (never)"
        let both = try await listed(master + "END:VEVENT\n" + lost)
        XCTAssertEqual(both.starts, ["x 2026-03-02T09:00"])
        XCTAssertEqual(both.reasons, [reason])
        let alone = try await listed(lost)
        XCTAssertEqual(alone.starts, [])
        XCTAssertEqual(alone.reasons, [reason])
    }

    func testRemindersAreReadAndReportedToo() async throws {
        for (lines, due, reason) in [
            (
                "DUE:2026-11-28T09:00", "2026-11-28T09:00:00+01:00",
                "its DUE is not in the standard's form (2026-11-28T09:00); "
                    + "it is read as 20261128T090000"
            ),
            (
                "DTSTART:20261128T080000Z\nDUE:20261128T070000Z", "2026-11-28T08:00:00+01:00",
                "its DUE is before its DTSTART"
            ),
            (
                "DTSTART:20261128T080000Z\nDURATION:-PT1H", "2026-11-28T09:00:00+01:00",
                "its DURATION is negative"
            ),
            (
                "DUE:20261128T080000Z\nPRIORITY:high", "2026-11-28T09:00:00+01:00",
                "its PRIORITY cannot be understood (high)"
            ),
        ] {
            let folder = try CalendarFolder()
            try folder.put(
                Array(
                    CalendarRig.calendar("BEGIN:VTODO\nUID:u\nSUMMARY:milk\n\(lines)\nEND:VTODO")
                        .utf8), "a.ics")
            let output = try await folder.server.run("list")
            XCTAssertEqual(output.json?[0]?["due"]?.stringValue, due)
            XCTAssertEqual(output.notices, [folder.list + "/a.ics: \"milk\": " + reason])
        }
    }

    func testARepetitionInAFormOfItsOwnGoesOn() async throws {
        for (due, next) in [
            ("DUE;TZID=GMT+05:30:20261120T090000", "DUE;TZID=\"GMT+05:30\":20261127T090000"),
            ("DUE:20261120T003000+0530", "DUE;TZID=UTC+0530:20261127T003000"),
            (
                "DUE;TZID=Europe/Berlin:20261120T090000+0100",
                "DUE;TZID=Europe/Berlin:20261127T090000"
            ),
            ("DUE:2026-11-20", "DUE:20261127"),
            ("DUE;VALUE=DATE:20261120T090000", "DUE:20261127T090000"),
        ] {
            let folder = try CalendarFolder()
            try folder.put(
                Array(
                    CalendarRig.calendar(
                        "BEGIN:VTODO\nUID:u\nSUMMARY:milk\n\(due)\nRRULE:FREQ=WEEKLY\nEND:VTODO"
                    ).utf8), "a.ics")
            _ = try await folder.server.run("done", "milk")
            let text = String(decoding: try folder.bytes(folder.list + "/a.ics"), as: UTF8.self)
            XCTAssertTrue(text.contains("\r\n" + next + "\r\n"), "\(due)\n\(text)")
        }
    }

    // MARK: - Text

    private static func latin1(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8($0.value) }
    }

    private static let kaese = CalendarRig.calendar(
        "BEGIN:VEVENT\nUID:a\nSUMMARY:K\u{E4}se\nDTSTART:20260302T080000Z\nLOCATION:K\u{F6}ln\n"
            + "X-ODD:\u{FC}\nEND:VEVENT\n"
            + "BEGIN:VEVENT\nUID:b\nSUMMARY:Br\u{F6}tchen\nDTSTART:20260303T080000Z\nEND:VEVENT")

    func testLatin1IsShownFoundAndReported() async throws {
        let rig = try CalendarRig()
        try rig.folder.put(Self.latin1(Self.kaese), "a.ics", list: "calendar")
        let output = try await rig.run("search käse", json: true)
        XCTAssertEqual(output.json?[0]?["title"], "Käse")
        XCTAssertEqual(output.json?[0]?["location"], "Köln")
        XCTAssertEqual(
            output.notices,
            [
                rig.folder.root + "/calendar/a.ics: 4 lines are in Latin-1, not in UTF-8 "
                    + "(SUMMARY, LOCATION, X-ODD)"
            ])
    }

    func testAChangeOfALatin1FileWritesItInUTF8AsAWhole() async throws {
        let rig = try CalendarRig()
        let original = Self.latin1(Self.kaese)
        try rig.folder.put(original, "a.ics", list: "calendar")
        let path = rig.folder.root + "/calendar/a.ics"
        try await rig.run("edit käse --location Düren")
        let text = try XCTUnwrap(String(validating: try rig.folder.bytes(path), as: UTF8.self))
        for line in ["SUMMARY:Käse", "LOCATION:Düren", "X-ODD:ü", "SUMMARY:Brötchen"] {
            XCTAssertTrue(text.contains("\r\n\(line)\r\n"), text)
        }
        try await rig.undo()
        XCTAssertEqual(try rig.folder.bytes(path), original)
    }

    func testVCalendarsQuotedPrintableIsShownAndKept() async throws {
        let rig = try CalendarRig()
        let line = "DESCRIPTION;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:am Dom,=\n=0D=0AK=F6ln"
        try rig.put(
            "a.ics",
            "BEGIN:VEVENT\nUID:a\nSUMMARY;ENCODING=QUOTED-PRINTABLE:K=C3=A4se\n\(line)\n"
                + "DTSTART:20260302T080000Z\nEND:VEVENT")
        let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31", json: true)
        XCTAssertEqual(output.json?[0]?["title"], "Käse")
        XCTAssertEqual(output.json?[0]?["notes"], "am Dom,\nKöln")
        XCTAssertEqual(
            output.notices,
            [
                rig.folder.root + "/calendar/a.ics: 2 lines are quoted-printable, as in "
                    + "vCalendar 1.0 (SUMMARY, DESCRIPTION)"
            ])
        try await rig.run("edit käse --title Brötchen")
        let text = try rig.text("a.ics")
        XCTAssertTrue(text.contains("\nSUMMARY:Brötchen\n"), text)
        XCTAssertTrue(text.contains("\n\(line)\n"), text)
    }

    func testUTF16IsNamed() async throws {
        let rig = try CalendarRig()
        try rig.folder.put(
            [0xFF, 0xFE] + Self.kaese.utf8.flatMap { [$0, 0] }, "a.ics", list: "calendar")
        let output = try await rig.run("list")
        XCTAssertEqual(
            output.notices,
            [
                "cannot read \(rig.folder.root)/calendar/a.ics: it is in UTF-16; save it in UTF-8"
            ])
    }

    func testOfSeveralCalendarsInOneFileTheRevisionThatIsShownIsChanged() async throws {
        let rig = try CalendarRig()
        let event = { (title: String, start: String) in
            "BEGIN:VEVENT\nUID:a\nSUMMARY:\(title)\nDTSTART:\(start)\nEND:VEVENT\n"
        }
        try rig.put(
            "a.ics",
            event("old", "never") + "END:VCALENDAR\nBEGIN:VCALENDAR\n"
                + event("new", "20260303T080000Z"))
        try await rig.run("edit new --title newest")
        let text = try rig.text("a.ics")
        XCTAssertTrue(text.contains(event("old", "never")), text)
        XCTAssertTrue(text.contains("SUMMARY:newest\nDTSTART:20260303T080000Z\n"), text)
    }

    func testWhatIsNotUnderstoodIsCountedAndNamed() async throws {
        let rig = try CalendarRig()
        try rig.put(
            "a.ics",
            """
            BEGIN:VJOURNAL
            UID:j
            END:VJOURNAL
            BEGIN:VEVENT
            UID:a
            SUMMARY:x
            DTSTART:20260302T080000Z
            no property
            an other: one

            END:VALARM
            BEGIN:VLOCATION
            END:VLOCATION
            END:VEVENT
            END:VCALENDAR
            BEGIN:VEVENT
            UID:b
            END:VEVENT
            BEGIN:VCALENDAR
            """)
        let path = rig.folder.root + "/calendar/a.ics: "
        let own = [
            path + "3 lines are not understood (no property, an other: one, END:VALARM)",
            path + "1 item is outside of a calendar and not shown (VEVENT)",
        ]
        let output = try await rig.run("list --from 2026-03-01 --to 2026-03-31")
        XCTAssertEqual(output.notices, own)
        let checked = try await EventBook.problems(in: rig.store, rig.server.moment().context)
        XCTAssertEqual(
            checked.map(\.sentence),
            own + [path + "3 components are kept and not shown (VJOURNAL, VLOCATION, VEVENT)"])
    }
}
