import Foundation
import XCTest

/// Files of others that hold less, more or other than ours: occurrences without
/// their series, items without a UID, several revisions, several rules, times of
/// mixed kinds. What takes place after a change, and that undo gives every byte
/// back. Above 400 lines because the files stand in the tests that explain them.
final class ForeignEditingTests: XCTestCase {
    /// What takes place after the commands; undone, it is as it was.
    private func after(
        _ commands: String..., of lines: String, before: [String]? = nil,
        file: StaticString = #filePath, line: UInt = #line
    ) async throws -> (listed: [String], text: String, others: [String]) {
        let rig = try CalendarRig()
        try rig.put("a.ics", lines)
        if let before {
            let listed = try await rig.listed("2026-03-01", "2026-06-01")
            XCTAssertEqual(listed, before, file: file, line: line)
        }
        let original = try rig.text("a.ics")
        for command in commands { try await rig.run(command) }
        let others = try rig.others(than: "a.ics").map { try rig.text($0) }
        let listed = try await rig.listed("2026-03-01", "2026-06-01")
        let names = try rig.others(than: "")
        let text = names.contains("a.ics") ? try rig.text("a.ics") : ""
        for _ in commands { try await rig.undo() }
        XCTAssertEqual(try rig.text("a.ics"), original, file: file, line: line)
        XCTAssertEqual(try rig.others(than: "a.ics"), [], file: file, line: line)
        return (listed, text, others)
    }

    // MARK: - Occurrences without their series

    private static func loose(_ day: String, at hour: String = "09", title: String = "standup")
        -> String
    {
        """
        BEGIN:VEVENT
        UID:loose
        SUMMARY:\(title)
        RECURRENCE-ID:202603\(day)T080000Z
        DTSTART;TZID=Europe/Berlin:202603\(day)T\(hour)0000
        DTEND;TZID=Europe/Berlin:202603\(day)T\(hour)1500
        X-SEAT:\(day)
        END:VEVENT
        """
    }

    /// The second was moved from nine to ten.
    private static let standups = [
        loose("10"), loose("17", at: "10"), loose("24"),
    ].joined(separator: "\n")

    private static let standupsListed = [
        "standup 2026-03-10T09:00 2026-03-10T09:15",
        "standup 2026-03-17T10:00 2026-03-17T10:15",
        "standup 2026-03-24T09:00 2026-03-24T09:15",
    ]

    func testOneOfSeveralLooseOccurrencesIsChangedAndNoOther() async throws {
        let (listed, text, _) = try await after(
            "edit standup --this 2026-03-17 --title retro", of: Self.standups,
            before: Self.standupsListed)
        var wanted = Self.standupsListed
        wanted[1] = "retro 2026-03-17T10:00 2026-03-17T10:15"
        XCTAssertEqual(listed, wanted)
        XCTAssertTrue(text.contains(Self.loose("10")) && text.contains(Self.loose("24")), text)
    }

    func testARenamedOneHidesNoneOfTheOthers() async throws {
        let (listed, _, _) = try await after(
            "edit standup --this 2026-03-10 --title retro",
            "edit standup --this 2026-03-24 --start 11:00",
            "edit retro --this 2026-03-10 --start 2026-03-11T09:00", of: Self.standups)
        XCTAssertEqual(
            listed,
            [
                "retro 2026-03-11T09:00 2026-03-11T09:15",
                "standup 2026-03-17T10:00 2026-03-17T10:15",
                "standup 2026-03-24T11:00 2026-03-24T11:15",
            ])
    }

    func testTheFollowingAndAllOfThemMoveInTheirPlace() async throws {
        let (following, text, others) = try await after(
            "edit standup --following 2026-03-17 --start 11:00", of: Self.standups)
        XCTAssertEqual(
            following,
            [
                Self.standupsListed[0], "standup 2026-03-17T11:00 2026-03-17T11:15",
                "standup 2026-03-24T10:00 2026-03-24T10:15",
            ])
        XCTAssertEqual(others, [])
        // What names them is the other's series' and stays.
        for day in ["10", "17", "24"] {
            XCTAssertTrue(text.contains("RECURRENCE-ID:202603\(day)T080000Z\n"), text)
        }
        let (all, _, _) = try await after(
            "edit standup --all --title sync --by 30m", of: Self.standups)
        XCTAssertEqual(
            all,
            [
                "sync 2026-03-10T09:30 2026-03-10T09:45", "sync 2026-03-17T10:30 2026-03-17T10:45",
                "sync 2026-03-24T09:30 2026-03-24T09:45",
            ])
    }

    func testLooseOccurrencesAreDeletedOneByOneFromOneOnOrAll() async throws {
        let listed = Self.standupsListed
        let this = try await after("delete standup --this 2026-03-17", of: Self.standups)
        XCTAssertEqual(this.listed, [listed[0], listed[2]])
        let following = try await after("delete standup --following 2026-03-17", of: Self.standups)
        XCTAssertEqual(following.listed, [listed[0]])
        for scope in ["--all", "--following 2026-03-10"] {
            let all = try await after("delete standup \(scope)", of: Self.standups)
            XCTAssertEqual(all.listed, [])
            XCTAssertEqual(all.text, "", "the file is in the trash")
        }
    }

    func testAnOccurrenceIsFoundByATitleOfItsOwn() async throws {
        let series = """
            BEGIN:VEVENT
            UID:s
            SUMMARY:yoga
            DTSTART;TZID=Europe/Berlin:20260310T180000
            RRULE:FREQ=WEEKLY;COUNT=3
            END:VEVENT
            BEGIN:VEVENT
            UID:s
            SUMMARY:boating
            RECURRENCE-ID;TZID=Europe/Berlin:20260317T180000
            DTSTART;TZID=Europe/Berlin:20260318T180000
            END:VEVENT
            """
        let (listed, _, _) = try await after("edit boating --this --start 19:00", of: series)
        XCTAssertEqual(
            listed,
            [
                "yoga 2026-03-10T18:00 2026-03-10T18:00",
                "boating 2026-03-18T19:00 2026-03-18T19:00",
                "yoga 2026-03-24T18:00 2026-03-24T18:00",
            ])
    }

    // MARK: - Without a UID

    private static let nameless = """
        BEGIN:VEVENT
        SUMMARY:alpha
        DTSTART:20260310T080000Z
        END:VEVENT
        BEGIN:VEVENT
        UID:
        SUMMARY:beta
        DTSTART:20260311T080000Z
        RRULE:FREQ=DAILY;COUNT=3
        END:VEVENT
        """

    func testItemsWithoutAUIDAreFoundAndChangedByThemselves() async throws {
        let (listed, text, _) = try await after(
            "edit alpha --title one", "edit beta --this 2026-03-12 --title two",
            "edit one --start 10:00", of: Self.nameless)
        XCTAssertEqual(
            listed,
            [
                "one 2026-03-10T10:00 2026-03-10T10:00", "beta 2026-03-11T09:00 2026-03-11T09:00",
                "two 2026-03-12T09:00 2026-03-12T09:00", "beta 2026-03-13T09:00 2026-03-13T09:00",
            ])
        // An exception is told by the UID it shares with its series.
        let uids = text.split(separator: "\n").filter { $0.hasPrefix("UID:") }
        XCTAssertEqual(uids.count, 3, text)
        XCTAssertEqual(Set(uids).count, 2, text)
        let rest = try await after("delete beta --all", of: Self.nameless)
        XCTAssertEqual(rest.listed, ["alpha 2026-03-10T09:00 2026-03-10T09:00"])
        XCTAssertTrue(rest.text.contains("BEGIN:VEVENT\nSUMMARY:alpha\nDTSTART"), rest.text)
    }

    // MARK: - Revisions

    func testTheHighestSequenceHoldsWhereverItStandsInTheFile() async throws {
        func version(_ title: String, _ lines: String) -> String {
            "BEGIN:VEVENT\nUID:v\nSUMMARY:\(title)\nDTSTART:20260310T080000Z\n\(lines)\nEND:VEVENT"
        }
        let cases: [([String], String)] = [
            ([version("new", "SEQUENCE:2"), version("old", "SEQUENCE:1")], "new"),
            ([version("old", "SEQUENCE:9"), version("new", "SEQUENCE:10")], "new"),
            ([version("old", "X-A:1"), version("new", "SEQUENCE:1")], "new"),
            (
                [
                    version("new", "DTSTAMP:20260103T000000Z"),
                    version("old", "DTSTAMP:20260102T000000Z"),
                ], "new"
            ),
            ([version("old", "X-A:1"), version("new", "X-A:2")], "new"),
        ]
        for (versions, title) in cases {
            let lines = versions.joined(separator: "\n")
            let (listed, text, _) = try await after(
                "edit \(title) --title changed", of: lines,
                before: ["\(title) 2026-03-10T09:00 2026-03-10T09:00"])
            XCTAssertEqual(listed, ["changed 2026-03-10T09:00 2026-03-10T09:00"], lines)
            XCTAssertTrue(text.contains("SUMMARY:old\n"), "the older one is left as it is")
        }
    }

    func testSequenceDecidesBetweenOverridesToo() async throws {
        func override(_ title: String, _ sequence: Int, _ hour: String) -> String {
            """
            BEGIN:VEVENT
            UID:s
            SUMMARY:\(title)
            RECURRENCE-ID;TZID=Europe/Berlin:20260317T180000
            DTSTART;TZID=Europe/Berlin:20260317T\(hour)0000
            SEQUENCE:\(sequence)
            END:VEVENT
            """
        }
        let lines =
            """
            BEGIN:VEVENT
            UID:s
            SUMMARY:yoga
            SEQUENCE:4
            DTSTART;TZID=Europe/Berlin:20260310T180000
            RRULE:FREQ=WEEKLY;COUNT=3
            END:VEVENT

            """ + override("late", 3, "20") + "\n" + override("early", 1, "17")
        let (listed, _, _) = try await after("edit yoga --this 2026-03-17 --title later", of: lines)
        XCTAssertEqual(
            listed,
            [
                "yoga 2026-03-10T18:00 2026-03-10T18:00", "later 2026-03-17T20:00 2026-03-17T20:00",
                "yoga 2026-03-24T18:00 2026-03-24T18:00",
            ])
        // None of them comes back when the occurrence is taken out.
        let gone = try await after("delete late --this 2026-03-17", of: lines)
        XCTAssertEqual(gone.listed, [listed[0], listed[2]])
        XCTAssertFalse(gone.text.contains("RECURRENCE-ID"))
    }

    // MARK: - Several rules, added times

    /// Mondays and Thursdays, four times each.
    private static let gym = """
        BEGIN:VEVENT
        UID:g
        SUMMARY:gym
        DTSTART;TZID=Europe/Berlin:20260309T180000
        DTEND;TZID=Europe/Berlin:20260309T190000
        RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4
        RRULE:FREQ=WEEKLY;BYDAY=TH;UNTIL=20260402T220000Z
        END:VEVENT
        """

    private static let gymDays = [
        "03-09", "03-12", "03-16", "03-19", "03-23", "03-26", "03-30", "04-02",
    ]

    private func listed(_ title: String, _ days: some Sequence<String>, from: String, to: String)
        -> [String]
    {
        days.map { "\(title) 2026-\($0)T\(from) 2026-\($0)T\(to)" }
    }

    func testASeriesOfTwoRulesIsCutWithoutDoublingOrLosingAny() async throws {
        let days = Self.gymDays
        for cut in 1..<days.count {
            let before = listed("gym", days[..<cut], from: "18:00", to: "19:00")
            let (edited, _, _) = try await after(
                "edit gym --following 2026-\(days[cut]) --title swim", of: Self.gym)
            XCTAssertEqual(
                edited, before + listed("swim", days[cut...], from: "18:00", to: "19:00"), "\(cut)")
            let (deleted, _, _) = try await after(
                "delete gym --following 2026-\(days[cut])", of: Self.gym)
            XCTAssertEqual(deleted, before, "\(cut)")
            let (moved, _, _) = try await after(
                "edit gym --following 2026-\(days[cut]) --start 20:00", of: Self.gym)
            XCTAssertEqual(
                moved, before + listed("gym", days[cut...], from: "20:00", to: "21:00"), "\(cut)")
        }
    }

    func testACountThatWouldCountTheNewStartBecomesALastTime() async throws {
        // Three Thursdays: DTSTART counts for every rule.
        let lines = Self.gym.replacingOccurrences(of: "UNTIL=20260402T220000Z", with: "COUNT=4")
        let days = Self.gymDays.filter { $0 != "04-02" }
        let (edited, text, others) = try await after(
            "edit gym --following 2026-03-16 --title swim", of: lines,
            before: listed("gym", days, from: "18:00", to: "19:00"))
        XCTAssertEqual(
            edited,
            listed("gym", days[..<2], from: "18:00", to: "19:00")
                + listed("swim", days[2...], from: "18:00", to: "19:00"))
        let later = try XCTUnwrap(others.first)
        XCTAssertTrue(later.contains("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3\n"), later)
        XCTAssertTrue(later.contains("RRULE:FREQ=WEEKLY;BYDAY=TH;UNTIL=20260326T170000Z\n"), later)
        XCTAssertTrue(later.contains("DTSTART;TZID=Europe/Berlin:20260316T180000\n"), later)
        XCTAssertFalse(later.contains("EXDATE") || text.contains("COUNT"), later)
    }

    func testARuleThatEndedBeforeTheCutIsNotRevived() async throws {
        let lines = Self.gym.replacingOccurrences(
            of: "UNTIL=20260402T220000Z", with: "UNTIL=20260313T000000Z")
        let (listed, text, others) = try await after(
            "edit gym --following 2026-03-23 --title swim", of: lines)
        XCTAssertEqual(
            listed,
            self.listed("gym", ["03-09", "03-12", "03-16"], from: "18:00", to: "19:00")
                + self.listed("swim", ["03-23", "03-30"], from: "18:00", to: "19:00"))
        XCTAssertTrue(text.contains("RRULE:FREQ=WEEKLY;BYDAY=TH;UNTIL=20260313T000000Z\n"), text)
        XCTAssertFalse(try XCTUnwrap(others.first).contains("BYDAY=TH"))
    }

    /// Every second Tuesday, six times, and one Thursday besides.
    private static let choir = """
        BEGIN:VEVENT
        UID:c
        SUMMARY:choir
        DTSTART;TZID=Europe/Berlin:20260303T200000
        DTEND;TZID=Europe/Berlin:20260303T210000
        RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=6
        RDATE;TZID=Europe/Berlin:20260326T180000,20260409T180000
        EXDATE;TZID=Europe/Berlin:20260414T200000
        END:VEVENT
        """

    func testASeriesIsCutAtAnAddedTimeWithoutShiftingItsRule() async throws {
        let tuesdays = ["03-31", "04-28", "05-12"]
        let before = listed("choir", ["03-03", "03-17"], from: "20:00", to: "21:00")
        let (edited, text, others) = try await after(
            "edit choir --following 2026-03-26 --title band", of: Self.choir)
        let later =
            (listed("band", tuesdays, from: "20:00", to: "21:00")
            + listed("band", ["03-26", "04-09"], from: "18:00", to: "19:00"))
            .sorted { $0.dropFirst(5) < $1.dropFirst(5) }
        XCTAssertEqual(edited, before + later)
        XCTAssertFalse(text.contains("RDATE"), text)
        let new = try XCTUnwrap(others.first)
        // The rule's own last time before, which is left out, gives the phase.
        XCTAssertTrue(new.contains("DTSTART;TZID=Europe/Berlin:20260317T200000\n"), new)
        XCTAssertTrue(new.contains("EXDATE;TZID=Europe/Berlin:20260317T200000\n"), new)
        XCTAssertTrue(new.contains("RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=5\n"), new)
        let (moved, _, _) = try await after(
            "edit choir --following 2026-03-26 --by 1h", of: Self.choir)
        XCTAssertEqual(
            Set(moved),
            Set(
                before + listed("choir", tuesdays, from: "21:00", to: "22:00")
                    + listed("choir", ["03-26", "04-09"], from: "19:00", to: "20:00")))
        let (deleted, _, _) = try await after(
            "delete choir --following 2026-03-26", of: Self.choir)
        XCTAssertEqual(deleted, before)
    }

    func testAPeriodKeepsItsEndWhenTheSeriesMovesOrIsCut() async throws {
        let lines = Self.choir.replacingOccurrences(
            of: "RDATE;TZID=Europe/Berlin:20260326T180000,20260409T180000",
            with: "RDATE;VALUE=PERIOD:20260326T170000Z/PT3H,20260409T160000Z/20260409T180000Z")
        let (moved, text, _) = try await after("edit choir --all --by 30m", of: lines)
        XCTAssertTrue(moved.contains("choir 2026-03-26T18:30 2026-03-26T21:30"), "\(moved)")
        XCTAssertTrue(moved.contains("choir 2026-04-09T18:30 2026-04-09T20:30"), "\(moved)")
        XCTAssertTrue(text.contains("RDATE;VALUE=PERIOD:20260326T173000Z/PT3H\n"), text)
        let (_, old, others) = try await after(
            "edit choir --following 2026-03-31 --title band", of: lines)
        XCTAssertTrue(old.contains("RDATE;VALUE=PERIOD:20260326T170000Z/PT3H\n"), old)
        XCTAssertTrue(
            others[0].contains("RDATE;VALUE=PERIOD:20260409T160000Z/20260409T180000Z\n"),
            others[0])
    }

    // MARK: - Times of mixed kinds

    /// Daily 23:00, five times; the second left out by its day, the third changed
    /// by its day, the fourth left out in UTC.
    private static let walk = """
        BEGIN:VEVENT
        UID:w
        SUMMARY:walk
        DTSTART;TZID=Europe/Berlin:20260327T230000
        DURATION:PT30M
        RRULE:FREQ=DAILY;COUNT=5
        EXDATE;VALUE=DATE:20260328,20260610
        EXDATE:20260330T210000Z
        END:VEVENT
        BEGIN:VEVENT
        UID:w
        SUMMARY:stroll
        RECURRENCE-ID;VALUE=DATE:20260329
        DTSTART;TZID=Europe/Berlin:20260329T220000
        DURATION:PT30M
        END:VEVENT
        """

    func testWhatADayHidStaysHiddenWhenTheSeriesMoves() async throws {
        let (earlier, text, _) = try await after(
            "edit walk --all --start 22:15", of: Self.walk,
            before: [
                "walk 2026-03-27T23:00 2026-03-27T23:30",
                "stroll 2026-03-29T22:00 2026-03-29T22:30",
                "walk 2026-03-31T23:00 2026-03-31T23:30",
            ])
        XCTAssertEqual(
            earlier,
            [
                "walk 2026-03-27T22:15 2026-03-27T22:45",
                "stroll 2026-03-29T22:00 2026-03-29T22:30",
                "walk 2026-03-31T22:15 2026-03-31T22:45",
            ])
        XCTAssertTrue(text.contains("EXDATE:20260330T201500Z\n"), text)
        // Over midnight each comes to lie on the next day.
        let (later, _, _) = try await after("edit walk --all --by 2h", of: Self.walk)
        XCTAssertEqual(
            later,
            [
                "walk 2026-03-28T01:00 2026-03-28T01:30",
                "stroll 2026-03-29T22:00 2026-03-29T22:30",
                "walk 2026-04-01T01:00 2026-04-01T01:30",
            ])
        let (days, _, _) = try await after("edit walk --all --all-day", of: Self.walk)
        XCTAssertEqual(
            days,
            [
                "walk 2026-03-27 2026-03-28", "stroll 2026-03-29T22:00 2026-03-29T22:30",
                "walk 2026-03-31 2026-04-01",
            ])
    }

    func testExceptionsInUTCMoveOnTheClockOfTheSeries() async throws {
        // The clocks change on 29 March between the two.
        let lines = """
            BEGIN:VEVENT
            UID:u
            SUMMARY:call
            DTSTART;TZID=Europe/Berlin:20260326T090000
            RRULE:FREQ=DAILY;COUNT=4
            EXDATE:20260328T080000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:u
            SUMMARY:long call
            RECURRENCE-ID:20260327T080000Z
            DTSTART:20260327T080000Z
            DTEND:20260327T100000Z
            END:VEVENT
            """
        let (listed, _, _) = try await after("edit call --all --start 2026-03-28T09:00", of: lines)
        XCTAssertEqual(
            listed,
            [
                "call 2026-03-28T09:00 2026-03-28T09:00",
                "long call 2026-03-29T09:00 2026-03-29T11:00",
                "call 2026-03-31T09:00 2026-03-31T09:00",
            ])
    }

    // MARK: - Alarms of fixed times

    func testAFixedAlarmMovesWithItsEvent() async throws {
        let lines = """
            BEGIN:VEVENT
            UID:f
            SUMMARY:flight
            DTSTART;TZID=Europe/Berlin:20260328T090000
            DTEND;TZID=Europe/Berlin:20260328T100000
            RRULE:FREQ=WEEKLY;COUNT=4
            BEGIN:VALARM
            ACTION:DISPLAY
            TRIGGER;VALUE=DATE-TIME:20260328T070000Z
            X-APPLE-DEFAULT-ALARM:FALSE
            END:VALARM
            BEGIN:VALARM
            ACTION:NONE
            TRIGGER;VALUE=DATE-TIME:19760401T005545Z
            END:VALARM
            END:VEVENT
            """
        func triggers(_ text: String) -> [String] {
            text.split(separator: "\n").filter { $0.hasPrefix("TRIGGER") }.map {
                String($0.suffix(16))
            }
        }
        let none = "19760401T005545Z"
        // An hour before, on the clock there, over the change of the clocks too.
        let all = try await after("edit flight --all --start 2026-03-29T10:00", of: lines)
        XCTAssertEqual(triggers(all.text), ["20260329T070000Z", none])
        let this = try await after("edit flight --this 2026-04-04 --start 11:00", of: lines)
        XCTAssertEqual(
            triggers(this.text), ["20260328T070000Z", none, "20260404T080000Z", none])
        let later = try await after("edit flight --following 2026-04-11 --title trip", of: lines)
        XCTAssertEqual(triggers(later.text), ["20260328T070000Z", none])
        XCTAssertEqual(triggers(try XCTUnwrap(later.others.first)), ["20260411T060000Z", none])
    }
}
