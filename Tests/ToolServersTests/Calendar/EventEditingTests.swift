import AgentCore
import Base
import Foundation
import ICalendar
import XCTest

/// Changes of one, the following or all occurrences, on real files: what takes
/// place afterwards, what the file says, and that undo gives every byte back.
/// Above 400 lines because one series is changed in every way.
final class EventEditingTests: XCTestCase {
    /// Tuesdays 18:00–19:00 in Berlin from 17 March, six times, over the
    /// change of the clocks on 29 March; 7 April left out, 24 March moved.
    private static let yoga = """
        BEGIN:VEVENT
        UID:yoga
        DTSTAMP:20260101T000000Z
        SUMMARY;LANGUAGE=en:Yoga
        X-COLOUR:mauve;"a:b"
        DTSTART;TZID=Europe/Berlin:20260317T180000
        DTEND;TZID=Europe/Berlin:20260317T190000
        RRULE:FREQ=WEEKLY;COUNT=6;X-WHY=habit
        EXDATE;TZID=Europe/Berlin:20260407T180000
        ATTENDEE;CN=Ida:mailto:ida@example.org
        SEQUENCE:3
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:-PT10M
        END:VALARM
        END:VEVENT
        BEGIN:VEVENT
        UID:yoga
        DTSTAMP:20260101T000000Z
        SUMMARY:Yoga in the park
        RECURRENCE-ID;TZID=Europe/Berlin:20260324T180000
        DTSTART;TZID=Europe/Berlin:20260325T170000
        DTEND;TZID=Europe/Berlin:20260325T183000
        END:VEVENT
        """

    private static let before = [
        "Yoga 2026-03-17T18:00 2026-03-17T19:00",
        "Yoga in the park 2026-03-25T17:00 2026-03-25T18:30",
        "Yoga 2026-03-31T18:00 2026-03-31T19:00",
        "Yoga 2026-04-14T18:00 2026-04-14T19:00",
        "Yoga 2026-04-21T18:00 2026-04-21T19:00",
    ]

    private func rig() throws -> CalendarRig {
        let rig = try CalendarRig()
        try rig.put("yoga.ics", Self.yoga)
        return rig
    }

    /// What takes place after the command; undone, it is as it was.
    private func after(
        _ command: String, file: StaticString = #filePath, line: UInt = #line
    ) async throws -> (listed: [String], text: String, others: [String]) {
        let rig = try rig()
        let listed = try await rig.listed("2026-03-01", "2026-06-01")
        XCTAssertEqual(listed, Self.before, file: file, line: line)
        let original = try rig.text("yoga.ics")
        try await rig.run(command)
        let others = try rig.others(than: "yoga.ics").map { try rig.text($0) }
        let result = (
            try await rig.listed("2026-03-01", "2026-06-01"), try rig.text("yoga.ics"), others
        )
        try await rig.undo()
        XCTAssertEqual(try rig.text("yoga.ics"), original, file: file, line: line)
        XCTAssertEqual(try rig.others(than: "yoga.ics"), [], file: file, line: line)
        return result
    }

    private func lines(_ text: String) -> Set<String> {
        Set(text.split(separator: "\n").map(String.init))
    }

    func testOneOccurrenceGetsAnOverrideOfItsOwn() async throws {
        let (listed, text, _) = try await after("edit yoga --this 2026-03-31 --start 20:00")
        var wanted = Self.before
        wanted[2] = "Yoga 2026-03-31T20:00 2026-03-31T21:00"
        XCTAssertEqual(listed, wanted)
        // The others keep every byte; the new one keeps what it came from.
        XCTAssertTrue(text.contains(Self.yoga))
        let added = text.replacingOccurrences(of: Self.yoga, with: "")
        XCTAssertTrue(
            lines(added).isSuperset(of: [
                "RECURRENCE-ID;TZID=Europe/Berlin:20260331T180000",
                "DTSTART;TZID=Europe/Berlin:20260331T200000",
                "DTEND;TZID=Europe/Berlin:20260331T210000", "X-COLOUR:mauve;\"a:b\"",
                "ATTENDEE;CN=Ida:mailto:ida@example.org", "TRIGGER:-PT10M", "SEQUENCE:4",
            ]), added)
        XCTAssertFalse(added.contains("RRULE") || added.contains("EXDATE"))
    }

    func testAnOverrideIsChangedInItsPlace() async throws {
        let (listed, text, _) = try await after("edit yoga --this 2026-03-25 --title Boating")
        XCTAssertEqual(listed[1], "Boating 2026-03-25T17:00 2026-03-25T18:30")
        XCTAssertEqual(text.components(separatedBy: "BEGIN:VEVENT").count, 3)
        XCTAssertTrue(text.contains("SUMMARY;LANGUAGE=en:Yoga\n"))
    }

    func testAllMoveOverTheChangeOfTheClocksWithTheirExceptions() async throws {
        let (listed, text, _) = try await after("edit yoga --all --start 17:30")
        XCTAssertEqual(
            listed,
            [
                "Yoga 2026-03-17T17:30 2026-03-17T18:30",
                "Yoga in the park 2026-03-25T17:00 2026-03-25T18:30",
                "Yoga 2026-03-31T17:30 2026-03-31T18:30",
                "Yoga 2026-04-14T17:30 2026-04-14T18:30",
                "Yoga 2026-04-21T17:30 2026-04-21T18:30",
            ])
        XCTAssertTrue(text.contains("RRULE:FREQ=WEEKLY;COUNT=6;X-WHY=habit\n"))
        XCTAssertTrue(text.contains("EXDATE;TZID=Europe/Berlin:20260407T173000\n"))
        XCTAssertTrue(text.contains("RECURRENCE-ID;TZID=Europe/Berlin:20260324T173000\n"))
    }

    func testAllMoveToAnotherDay() async throws {
        let (listed, _, _) = try await after("edit yoga --all --start 2026-03-18T18:00")
        XCTAssertEqual(
            listed,
            [
                "Yoga 2026-03-18T18:00 2026-03-18T19:00",
                "Yoga in the park 2026-03-25T17:00 2026-03-25T18:30",
                "Yoga 2026-04-01T18:00 2026-04-01T19:00",
                "Yoga 2026-04-15T18:00 2026-04-15T19:00",
                "Yoga 2026-04-22T18:00 2026-04-22T19:00",
            ])
    }

    func testATitleForAllIsNotTakenFromTheOneThatHasItsOwn() async throws {
        let (listed, _, _) = try await after("edit yoga --all --title Pilates --location Gym")
        XCTAssertEqual(
            listed,
            [
                "Pilates 2026-03-17T18:00 2026-03-17T19:00",
                "Yoga in the park 2026-03-25T17:00 2026-03-25T18:30",
                "Pilates 2026-03-31T18:00 2026-03-31T19:00",
                "Pilates 2026-04-14T18:00 2026-04-14T19:00",
                "Pilates 2026-04-21T18:00 2026-04-21T19:00",
            ])
    }

    func testFromOneOnASeriesOfItsOwnBegins() async throws {
        let (listed, text, others) = try await after(
            "edit yoga --following 2026-03-31 --start 19:00 --title Yin")
        XCTAssertEqual(
            listed,
            [
                "Yoga 2026-03-17T18:00 2026-03-17T19:00",
                "Yoga in the park 2026-03-25T17:00 2026-03-25T18:30",
                "Yin 2026-03-31T19:00 2026-03-31T20:00",
                "Yin 2026-04-14T19:00 2026-04-14T20:00",
                "Yin 2026-04-21T19:00 2026-04-21T20:00",
            ])
        XCTAssertTrue(text.contains("RRULE:FREQ=WEEKLY;X-WHY=habit;UNTIL=20260324T170000Z\n"), text)
        let later = try XCTUnwrap(others.first)
        // Six were wanted in all, two have been; the one left out counts.
        XCTAssertTrue(
            lines(later).isSuperset(of: [
                "RRULE:FREQ=WEEKLY;COUNT=4;X-WHY=habit",
                "EXDATE;TZID=Europe/Berlin:20260407T190000",
                "RELATED-TO;RELTYPE=SIBLING:yoga", "X-COLOUR:mauve;\"a:b\"", "SEQUENCE:1",
            ]), later)
        XCTAssertFalse(later.contains("park"))
        // The old file came without; the new one is to be understood alone.
        XCTAssertTrue(later.contains("BEGIN:VTIMEZONE"))
        XCTAssertFalse(text.contains("BEGIN:VTIMEZONE"))
    }

    func testASeriesThatCannotBeCutIsNotThereTwice() async throws {
        let rig = try CalendarRig()
        let folder = rig.folder.root + "/calendar"
        try rig.put("yoga.ics", Self.yoga)
        XCTAssertEqual(rename(folder + "/yoga.ics", rig.folder.path + "/elsewhere"), 0)
        XCTAssertEqual(symlink(rig.folder.path + "/elsewhere", folder + "/yoga.ics"), 0)
        do {
            try await rig.run("edit yoga --following 2026-03-31 --title Yin")
            XCTFail("written through a link")
        } catch let error as FileCallError {
            XCTAssertEqual(error.reason, .symbolicLink)
        }
        XCTAssertEqual(try rig.folder.names(folder), ["yoga.ics"])
    }

    func testLaterOverridesGoWithTheNewSeries() async throws {
        let (listed, text, others) = try await after(
            "edit yoga --following 2026-03-25 --location Gym")
        XCTAssertEqual(listed, Self.before)
        XCTAssertFalse(text.contains("park"))
        XCTAssertTrue(try XCTUnwrap(others.first).contains("Yoga in the park"))
    }

    func testOneIsTakenOut() async throws {
        let (listed, text, _) = try await after("delete yoga --this 2026-03-25")
        XCTAssertEqual(listed, Self.before.filter { !$0.contains("park") })
        XCTAssertTrue(text.contains("EXDATE;TZID=Europe/Berlin:20260407T180000\n"))
        XCTAssertTrue(text.contains("EXDATE;TZID=Europe/Berlin:20260324T180000\n"))
        XCTAssertFalse(text.contains("park"))
    }

    func testTheFollowingAreTakenOut() async throws {
        let (listed, text, _) = try await after("delete yoga --following 2026-03-31")
        XCTAssertEqual(listed, Array(Self.before.prefix(2)))
        XCTAssertTrue(text.contains("RRULE:FREQ=WEEKLY;X-WHY=habit;UNTIL=20260324T170000Z\n"))
        XCTAssertFalse(text.contains("EXDATE"))
    }

    func testAllGoToTheTrash() async throws {
        let rig = try rig()
        let original = try rig.text("yoga.ics")
        try await rig.run("delete yoga --all")
        let gone = try await rig.listed("2026-03-01", "2026-06-01")
        XCTAssertEqual(gone, [])
        XCTAssertEqual(try rig.others(than: ""), [])
        try await rig.undo()
        XCTAssertEqual(try rig.text("yoga.ics"), original)
    }

    /// Past midnight two occurrences touch one day, and some series have two on it.
    func testOfSeveralOnOneDayTheTimeSaysWhich() async throws {
        let rig = try CalendarRig()
        try await rig.run(
            "add late --start 2026-03-05T23:30 --end 2026-03-06T00:30 --repeat FREQ=DAILY;COUNT=3")
        try await rig.run("delete late --this 2026-03-06")
        for gone in ["2026-03-06", "2026-03-06T23:30", "2026-03-07T22:00"] {
            do {
                try await rig.run("delete late --this \(gone)")
                XCTFail("another was taken for \(gone)")
            } catch ToolError.noMatch {}
        }
        let left = try await rig.listed("2026-03-05", "2026-03-08")
        XCTAssertEqual(
            left.map { $0.prefix(21) }, ["late 2026-03-05T23:30", "late 2026-03-07T23:30"])
        try await rig.run(
            "add pills --start 2026-03-10T09:00 --repeat FREQ=DAILY;COUNT=2;BYHOUR=9,18;BYMINUTE=0")
        do {
            try await rig.run("delete pills --this 2026-03-10")
            XCTFail("one was picked")
        } catch ToolError.ambiguous {}
        try await rig.run("delete pills --this 2026-03-10T18:00")
        let pills = try await rig.listed("2026-03-10", "2026-03-11")
        XCTAssertEqual(pills.map { $0.prefix(22) }, ["pills 2026-03-10T09:00"])
    }

    func testARepeatingEventIsNeverChangedWithoutSayingHowMuch() async throws {
        let rig = try rig()
        let original = try rig.text("yoga.ics")
        for command in ["edit yoga --start 20:00", "delete yoga"] {
            let output = try await rig.run(command)
            XCTAssertEqual(output.choices.count, 3)
            XCTAssertEqual(
                output.choices[0].command.suffix(2), ["--this", "2026-03-17T18:00:00+01:00"])
            XCTAssertEqual(output.choices[2].command.last, "--all")
        }
        XCTAssertEqual(try rig.text("yoga.ics"), original)
        do {
            _ = try await rig.tool("delete_event", [("event", "yoga")])
            XCTFail("deleted without a scope")
        } catch ToolError.invalidArguments(let violations) {
            XCTAssertEqual(violations.map(\.path), ["$.scope"])
        }
    }

    func testARuleThatNamesItsDaysMovesWithThemOrIsRefused() async throws {
        let rig = try CalendarRig()
        try rig.put(
            "a.ics",
            """
            BEGIN:VEVENT
            UID:a
            SUMMARY:gym
            DTSTART;TZID=Europe/Berlin:20260309T070000
            DTEND;TZID=Europe/Berlin:20260309T080000
            RRULE:FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20260319T060000Z
            END:VEVENT
            """)
        try await rig.run("edit gym --all --start 2026-03-10T08:00")
        let listed = try await rig.listed("2026-03-01", "2026-05-01")
        XCTAssertEqual(
            listed,
            [
                "gym 2026-03-10T08:00 2026-03-10T09:00", "gym 2026-03-13T08:00 2026-03-13T09:00",
                "gym 2026-03-17T08:00 2026-03-17T09:00", "gym 2026-03-20T08:00 2026-03-20T09:00",
            ])
        try rig.put(
            "b.ics",
            """
            BEGIN:VEVENT
            UID:b
            SUMMARY:board
            DTSTART;TZID=Europe/Berlin:20260310T070000
            RRULE:FREQ=MONTHLY;BYDAY=2TU
            END:VEVENT
            """)
        do {
            try await rig.run("edit board --all --start 2026-03-11T08:00")
            XCTFail("the second Tuesday is no Wednesday")
        } catch ToolError.failed(let text) {
            XCTAssertTrue(text.contains("repetition"), text)
        }
    }

    func testTimesOfOtherZonesStayInTheirs() async throws {
        let rig = try CalendarRig()
        try rig.put(
            "call.ics",
            """
            BEGIN:VEVENT
            UID:call
            SUMMARY:call
            DTSTART;TZID=America/New_York:20260305T090000
            DTEND;TZID=America/New_York:20260305T100000
            END:VEVENT
            """)
        let lines = try await rig.lines("edit call --start 16:00")
        XCTAssertEqual(
            lines,
            ["✓ changed: call · Thu 5 Mar 16:00–17:00 CET (10:00 EST) · will not ring · /undo"])
        let text = try rig.text("call.ics")
        XCTAssertTrue(text.contains("DTSTART;TZID=America/New_York:20260305T100000\n"), text)
        XCTAssertFalse(text.contains("VTIMEZONE"), "what others left out is not added")
        // Floating stays floating.
        try rig.put(
            "f.ics",
            "BEGIN:VEVENT\nUID:f\nSUMMARY:run\nDTSTART:20260305T070000\nDURATION:PT30M\nEND:VEVENT")
        try await rig.run("edit run --start 2026-03-06T08:00")
        XCTAssertTrue(try rig.text("f.ics").contains("DTSTART:20260306T080000\nDURATION:PT30M\n"))
    }

    /// As with a reminder: the alarm says the new title, and one that sends mail
    /// is not ours to take away.
    func testAlarmsFollowATitleAndKeepTheirMail() async throws {
        let rig = try CalendarRig()
        try rig.put(
            "a.ics",
            """
            BEGIN:VEVENT
            UID:a
            SUMMARY:tea
            DTSTART:20260305T090000Z
            BEGIN:VALARM
            ACTION:EMAIL
            DESCRIPTION:tea
            TRIGGER:-PT1H
            END:VALARM
            END:VEVENT
            """)
        try await rig.run("edit tea --title coffee --alarm 15m")
        let text = try rig.text("a.ics")
        XCTAssertTrue(text.contains("ACTION:EMAIL\nDESCRIPTION:coffee\nTRIGGER:-PT1H\n"), text)
        XCTAssertTrue(text.contains("ACTION:DISPLAY\nDESCRIPTION:coffee\nTRIGGER:-PT15M\n"), text)
    }

    func testADayBecomesATimeAndATimeADay() async throws {
        let rig = try CalendarRig()
        try await rig.run("add trip --start 2026-03-13 --end 2026-03-15")
        var listed = try await rig.listed("2026-03-01", "2026-04-01")
        XCTAssertEqual(listed, ["trip 2026-03-13 2026-03-16"])
        try await rig.run("edit trip --start 2026-03-13T09:00")
        listed = try await rig.listed("2026-03-01", "2026-04-01")
        XCTAssertEqual(listed, ["trip 2026-03-13T09:00 2026-03-13T10:00"])
        let name = try XCTUnwrap(try rig.others(than: "").first)
        XCTAssertTrue(try rig.text(name).contains("BEGIN:VTIMEZONE\nTZID:Europe/Berlin\n"))
        try await rig.run("edit trip --all-day")
        listed = try await rig.listed("2026-03-01", "2026-04-01")
        XCTAssertEqual(listed, ["trip 2026-03-13 2026-03-14"])
    }

    func testAnEventGoesToAnotherCalendarAndBack() async throws {
        let rig = try rig()
        try rig.put(
            "x.ics", "BEGIN:VEVENT\nUID:x\nDTSTART:20260305T090000Z\nEND:VEVENT", list: "work")
        try await rig.run("edit yoga --all --calendar work")
        XCTAssertEqual(try rig.others(than: "x.ics", list: "work"), ["yoga.ics"])
        XCTAssertEqual(try rig.others(than: ""), [])
        try await rig.undo()
        XCTAssertTrue(try rig.text("yoga.ics").contains(Self.yoga))
        XCTAssertEqual(try rig.others(than: "x.ics", list: "work"), [])
    }

    func testOnlyOneOfSeveralEventsInAFileIsDeleted() async throws {
        let rig = try CalendarRig()
        let other = "BEGIN:VEVENT\nUID:2\nSUMMARY:two\nDTSTART:20260306T090000Z\nEND:VEVENT"
        try rig.put(
            "both.ics",
            "BEGIN:VEVENT\nUID:1\nSUMMARY:one\nDTSTART:20260305T090000Z\nEND:VEVENT\n" + other)
        try await rig.run("delete one")
        XCTAssertEqual(
            try rig.text("both.ics"),
            CalendarRig.calendar(other).replacingOccurrences(of: "\r\n", with: "\n"))
    }

    func testAFileThatIsCutOffIsNeverRewritten() async throws {
        let rig = try CalendarRig()
        let cut =
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:c\r\nSUMMARY:cut\r\nDTSTART:20260305T090000Z\r\n"
        try rig.folder.put(Array(cut.utf8), "cut.ics", list: "calendar")
        do {
            try await rig.run("edit cut --title x")
            XCTFail("rewritten")
        } catch let error as ICalendarError {
            XCTAssertEqual(error.reason, .unterminated)
        }
        XCTAssertEqual(
            try rig.folder.bytes(rig.folder.root + "/calendar/cut.ics"), Array(cut.utf8))
    }
}
