import AgentCore
import Base
import Foundation
import ICalendar
import XCTest

@testable import DateLanguage
@testable import Planner

/// `reminders` as it is typed, verb by verb. Above 400 lines because a test shows a whole exchange.
final class RemindersCommandTests: XCTestCase {
    private func run(
        _ server: RemindersServer, _ words: String...
    ) async throws -> CommandOutput {
        try await server.commands[0].run(words.first == "list" ? words + ["--json"] : words)
    }

    private func usage(_ server: RemindersServer, _ words: [String]) async -> UsageError? {
        do {
            _ = try await server.commands[0].run(
                words)
            return nil
        } catch { return error as? UsageError }
    }

    func testListIsTheFirstVerb() throws {
        let folder = try CalendarFolder()
        XCTAssertEqual(folder.server.commands.map(\.name), ["reminders"])
        XCTAssertEqual(
            folder.server.commands[0].verbs.map(\.name),
            [
                "list", "add", "done", "reopen", "edit", "snooze", "delete", "search", "lists",
                "review", "parse",
            ])
    }

    func testTheReviewAsksAboutEachThingThatIsDueAndDoesWhatWasPicked() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        for (title, due) in [
            ("pay rent", "2026-11-20"), ("call Bo", "2026-11-20T09:00"),
            ("buy milk", "2026-11-21T08:00"), ("next year", "2027-11-21"),
        ] {
            _ = try await run(server, "add", title, "--due", due)
        }
        var output = try await run(server, "review")
        var (asked, labels) = ([String](), [String]())
        for pick in ["done", "tomorrow", "leave it"] {
            asked.append(output.lines.last?.text ?? "")
            labels = output.choices.map(\.label)
            let choice = try XCTUnwrap(output.choices.first { $0.label == pick })
            output = try await server.commands[0].run(Array(choice.command.dropFirst()))
        }
        XCTAssertEqual(labels, ["done", "tomorrow", "leave it", "stop"])
        XCTAssertEqual(
            asked,
            [
                "Not done: call Bo · yesterday, Fri 20 Nov 09:00 CET (2 more)",
                "Not done: pay rent · yesterday, Fri 20 Nov (1 more)",
                "Not done: buy milk · today, Sat 21 Nov 08:00 CET",
            ])
        XCTAssertEqual(output.lines.map(\.text), ["That was all."])
        let left = try await run(server, "list").json?.arrayValue ?? []
        XCTAssertEqual(
            left.map { "\($0["title"]?.stringValue ?? "") \($0["due"]?.stringValue ?? "")" }
                .sorted(),
            ["buy milk 2026-11-21T08:00:00+01:00", "next year 2027-11-21", "pay rent 2026-11-22"])
    }

    func testAnAlertOfADayIsToldByItsClock() async throws {
        let folder = try CalendarFolder()
        for (alarm, told) in [
            ("9:00", "alert at 09:00"), ("15", "alert at 23:45 the day before"),
            ("1d", "alert at 00:00 the day before"), ("1d12h", "alert at 12:00 2 days before"),
        ] {
            let output = try await folder.server.commands[0].run(
                ["add", "pay rent", "--due", "2026-12-01", "--alarm", alarm])
            let line = output.lines.first?.text ?? ""
            XCTAssertTrue(line.contains(told), line)
        }
        let timed = try await folder.server.commands[0].run(
            ["add", "pay rent", "--due", "2026-12-01T09:00", "--alarm", "15"])
        XCTAssertTrue(timed.lines[0].text.contains("alert 15 min before"))
    }

    func testAReminderThatWillNotRingSaysSo() async throws {
        let folder = try CalendarFolder()
        for (words, expected) in [
            (["--due", "2026-12-01"], " · no time, so it will not ring"),
            (["--due", "2026-12-01", "--alarm", "9:00"], ""),
            (["--due", "2026-12-01T09:00"], ""),
            (["--due", "2026-12-01T09:00", "--alarm", "none"], " · will not ring"),
        ] {
            let output = try await folder.server.commands[0].run(
                ["add", "pay rent"] + words)
            XCTAssertEqual(
                output.lines.first?.text.hasSuffix("not ring"), !expected.isEmpty, "\(words)")
            XCTAssertEqual(output.lines.first?.text.hasSuffix(expected), true, "\(words)")
        }
        let server = RemindersServer(
            store: folder.store, context: { CalendarFolder.context() },
            options: .init(allDayHour: 9), environment: folder.environment)
        let rings = try await server.commands[0].run(
            ["add", "pay tax", "--due", "2026-12-01"])
        XCTAssertEqual(rings.lines.map(\.text), ["✓ pay tax · Tue 1 Dec"])
    }

    func testAddListDoneSearchDelete() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        let empty = try await run(server, "list")
        XCTAssertEqual(
            empty, CommandOutput(lines: [StyledLine("No open reminders.", .dim)], json: []))
        let added = try await run(
            server, "add", "call", "mom", "--due", "2026-12-24", "--priority=1", "--notes",
            "about Oslo")
        let silence = StyledLine.Span(" · no time, so it will not ring", .warning)
        XCTAssertEqual(
            added.lines, [StyledLine([.init("✓ call mom · Thu 24 Dec · !1", .success), silence])])
        let dashed = try await run(server, "add", "--literal", "--", "--odd", "title")
        XCTAssertEqual(dashed.lines, [StyledLine([.init("✓ --odd title", .success), silence])])
        let listed = try await run(server, "list")
        XCTAssertEqual(
            listed.lines.map(\.text).filter { !$0.hasPrefix("  ") }, ["Later", "", "No date"])
        let object = try XCTUnwrap(listed.json?[0]?.objectValue)
        XCTAssertEqual(
            object.names,
            [
                "uid", "title", "due", "start", "timezone", "overdue", "completed", "completedAt",
                "percent", "priority", "categories", "list", "notes", "recurrence", "alarm",
                "parent", "path", "problems",
            ])
        XCTAssertEqual(object["due"], "2026-12-24")
        XCTAssertEqual(object["priority"], 1)
        XCTAssertEqual(object["notes"], "about Oslo")
        XCTAssertEqual(object["completedAt"], .null)
        XCTAssertEqual(object["categories"], [])
        XCTAssertEqual(object["list"], "reminders")
        let done = try await run(server, "done", "call")
        XCTAssertEqual(done.lines, [StyledLine("✓ done: call mom", .success)])
        XCTAssertEqual(done.json?["completed"], true)
        let open = try await run(server, "list")
        XCTAssertEqual(open.json?.arrayValue?.count, 1)
        let all = try await run(server, "list", "--all")
        XCTAssertEqual(all.json?.arrayValue?.count, 2)
        let found = try await run(server, "search", "oslo")
        XCTAssertEqual(found.json?[0]?["title"], "call mom")
        let none = try await run(server, "search", "bergen")
        XCTAssertEqual(
            none.lines.map(\.text), ["No reminder has \"bergen\" in its title, notes or tags."])
        let gone = try await run(server, "delete", "--", "--odd", "title")
        XCTAssertEqual(gone.lines, [StyledLine("✓ deleted: --odd title (in the trash)", .success)])
    }

    func testWordsThatCannotBeUsedSayWhatWould() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        _ = try await run(server, "add", "x")
        let cases: [([String], String)] = [
            (["add"], "reminders add needs a title."),
            (["add", " "], "reminders add needs a title."),
            (["add", "x", "--due"], "--due needs a value."),
            (
                ["add", "x", "--due", "someday"],
                "--due: \"someday\" is not a date or time I understand; use words such as "
                    + "\"tomorrow at 5pm\", or \(ISO8601.accepted)"
            ),
            (["add", "x", "--repeat", "FREQ=DAILY"], "--repeat needs a first time"),
            (["add", "x", "--alarm", "15m"], "--alarm needs a due time"),
            (["edit", "x"], "edit needs something to change."),
            (["edit"], "reminders edit needs a title or an id."),
            (["snooze"], "reminders snooze needs a title or an id."),
            (["parse"], "reminders parse needs a phrase."),
            (
                ["parse", "x", "--tz", "Mars/Olympus"],
                "--tz \"Mars/Olympus\" is not a known time zone"
            ),
            (["parse", "x", "--now", "soon"], "--now \"soon\" cannot be read"),
            (
                ["add", "x", "--due", "2026-02-31"],
                "--due: \"2026-02-31\" names a day the calendar does not have; use \(ISO8601.accepted)"
            ),
            (
                ["add", "x", "--priority", "0"],
                "--priority \"0\" is not high, medium, low or a number from 1 to 9"
            ),
            (["add", "x", "--due=2026-01-01", "--due=2026-01-02"], "--due is given twice."),
            (["add", "x", "--colour"], "reminders add has no option --colour."),
            (["list", "milk"], "reminders list does not know \"milk\"."),
            (["done"], "reminders done needs a title or an id."),
            (["search"], "reminders search needs a word."),
            (["done", "--all"], "reminders done has no option --all."),
            (["fly"], "reminders has no \"fly\"."),
        ]
        for (words, problem) in cases {
            let error = await usage(server, words)
            XCTAssertEqual(error?.problem, problem, words.joined(separator: " "))
        }
        do {
            _ = try await run(server, "add", String(repeating: "x", count: 501))
            XCTFail("a title of 501 characters was taken")
        } catch ToolError.invalidArguments(let violations) {
            XCTAssertEqual(
                violations.map { "\($0.path) \($0.problem)" },
                ["$.title must have at most 500 characters"])
        }
        XCTAssertEqual(try folder.items().count, 1)
    }

    func testFilesThatCannotBeReadAreNamed() async throws {
        let folder = try CalendarFolder()
        try folder.put([1], "junk.ics")
        let listed = try await run(folder.server, "list")
        XCTAssertEqual(
            listed.notices,
            [
                "cannot read \(folder.list)/junk.ics: it is not a calendar "
                    + "(there is no BEGIN:VCALENDAR line)"
            ])
    }

    func testWordsAreReadAndEchoed() async throws {
        let folder = try CalendarFolder()
        let rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"
        let server = folder.server(phrases: [
            "call mom tomorrow at 5pm": try .of("call mom", "2026-11-22T17:00"),
            "tomorrow at noon": try .of("", "2026-11-22T12:00"),
            "every other tuesday": try .of("", "2026-11-24", rule: rule),
            "next friday": try .of(
                "", "2026-11-27", doubts: [.ambiguous],
                alternatives: [.of("", "2026-12-04")]),
        ])
        let read = try await run(
            server, "add", "call", "mom", "tomorrow", "at", "5pm", "--tag", "x")
        XCTAssertEqual(read.lines.map(\.text), ["✓ call mom · tomorrow, Sun 22 Nov 17:00 CET · #x"])
        let literal = try await run(server, "add", "--literal", "call mom tomorrow at 5pm")
        XCTAssertEqual(
            literal.lines.map(\.text), ["✓ call mom tomorrow at 5pm · no time, so it will not ring"]
        )
        let given = try await run(
            server, "add", "eat tomorrow", "--due", "tomorrow at noon", "--alarm", "1h30m",
            "--priority", "high", "--list", "food")
        XCTAssertEqual(
            given.lines.map(\.text),
            [
                "✓ eat tomorrow · tomorrow, Sun 22 Nov 12:00 CET · alert 1 h 30 min before · !1 · @food"
            ])
        let again = try await run(server, "add", "bins", "--repeat", "every other tuesday")
        XCTAssertEqual(
            again.lines.map(\.text),
            ["✓ bins · Tue 24 Nov · ↻ every other Tuesday · no time, so it will not ring"])
        XCTAssertEqual(again.json?["recurrence"]?.stringValue, rule)
        let error = await usage(server, ["add", "x", "--due", "next friday"])
        XCTAssertEqual(
            error?.problem, "--due: \"next friday\" may be 2026-11-27 or 2026-12-04; say which")
        let edited = try await run(
            server, "edit", "bins", "--due", "tomorrow at noon", "--repeat", "none", "--title",
            "the bins", "--notes", "both", "--parent", "eat")
        XCTAssertEqual(
            edited.lines.map(\.text), ["✓ the bins · tomorrow, Sun 22 Nov 12:00 CET"])
        XCTAssertEqual(edited.json?["parent"], given.json?["uid"])
        let snoozed = try await run(server, "snooze", "the", "bins", "for", "45", "min")
        XCTAssertEqual(
            snoozed.lines.map(\.text), ["✓ the bins · snoozed to today, Sat 21 Nov 13:45 CET"])
        for (words, clock) in [
            (["2", "hours"], "15:00"), (["1h", "30"], "14:30"), (["half", "an", "hour"], "13:30"),
            (["90m"], "14:30"),
        ] {
            let later = try await server.commands[0].run(["snooze", "the", "bins"] + words)
            XCTAssertEqual(
                later.lines.map(\.text), ["✓ the bins · snoozed to today, Sat 21 Nov \(clock) CET"])
        }
        let tomorrow = try await run(server, "snooze", "bins", "tomorrow")
        XCTAssertEqual(
            tomorrow.lines.map(\.text),
            ["✓ the bins · snoozed to tomorrow, Sun 22 Nov 09:00 CET"])
        let done = try await run(server, "done", "eat")
        XCTAssertEqual(done.lines.map(\.text), ["✓ done: eat tomorrow · 1 part still open"])
        let reopened = try await run(server, "reopen", "eat")
        XCTAssertEqual(
            reopened.lines.map(\.text),
            ["✓ open again: eat tomorrow · tomorrow, Sun 22 Nov 12:00 CET"])
    }

    func testDoubtsAreAskedWithLinesThatDoIt() async throws {
        let folder = try CalendarFolder()
        let phrase = "dentist next friday"
        let server = folder.server(phrases: [
            phrase: try .of(
                "dentist", "2026-11-27", confidence: 0.6, doubts: [.ambiguous],
                alternatives: [.of("dentist", "2026-12-04", confidence: 0.5)]),
            "call mom yesterday at 5": try .of("call mom", "2026-11-20T17:00", doubts: [.past]),
            "call mom at 9": try .of("call mom", "2026-11-21T09:00"),
            "tomorrow": try .of("", "2026-11-22"),
        ])
        let asked = try await run(server, "add", phrase, "--tag", "teeth")
        XCTAssertEqual(asked.lines.map(\.text), ["Which do you mean?"])
        XCTAssertEqual(
            asked.choices,
            [
                .init(
                    "dentist · Fri 27 Nov",
                    command: [
                        "reminders", "add", "--literal", "--due", "2026-11-27", "--tag", "teeth",
                        "--", "dentist",
                    ]),
                .init(
                    "dentist · Fri 4 Dec",
                    command: [
                        "reminders", "add", "--literal", "--due", "2026-12-04", "--tag", "teeth",
                        "--", "dentist",
                    ]),
                .init(
                    "\"dentist next friday\", without a date",
                    command: [
                        "reminders", "add", "--literal", "--tag", "teeth", "--", phrase,
                    ]),
            ])
        let past = try await run(server, "add", "call mom yesterday at 5")
        XCTAssertEqual(
            past.lines.map(\.text),
            ["Yesterday, Fri 20 Nov 17:00 CET is over. What do you mean?"])
        // Over by now, though the words name no past.
        let late = try await run(server, "add", "call mom at 9")
        XCTAssertEqual(late.choices.count, 2)
        let empty = try await run(server, "add", "tomorrow")
        XCTAssertEqual(empty.outcome, .usage)
        XCTAssertEqual(empty.choices, [])
        XCTAssertFalse(try folder.names(folder.path).contains("calendars"))
        let picked = try await run(
            server, "add", "--literal", "--due", "2026-12-04", "--", "dentist")
        XCTAssertEqual(
            picked.lines.map(\.text), ["✓ dentist · Fri 4 Dec · no time, so it will not ring"])
    }

    func testListsBySpanListAndTag() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        for words in [
            ["late", "--due", "2026-11-20T10:00", "--tag", "Home"],
            ["this morning", "--due", "2026-11-21T09:00"], ["whole day", "--due", "2026-11-21"],
            ["tonight", "--due", "2026-11-21T20:00", "--list", "work"],
            ["tomorrow", "--due", "2026-11-22", "--tag", "home"], ["later", "--due", "2027-01-01"],
            ["never"],
        ] {
            _ = try await server.commands[0].run(
                ["add"] + ["--literal"] + words)
        }
        func titles(_ words: String...) async throws -> [String] {
            let output = try await server.commands[0].run(
                ["list", "--json"] + words)
            return output.json?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
        }
        let today = try await titles("today")
        XCTAssertEqual(today, ["this morning", "tonight", "whole day"])
        let overdue = try await titles("overdue")
        XCTAssertEqual(overdue, ["late", "this morning"])
        let upcoming = try await titles("upcoming")
        XCTAssertEqual(upcoming, ["tonight", "whole day", "tomorrow", "later"])
        let tomorrow = try await titles("tomorrow")
        XCTAssertEqual(tomorrow, ["tomorrow"])
        let week = try await titles("week")
        XCTAssertEqual(week, ["tonight", "whole day", "tomorrow"])
        let tagged = try await titles("--tag", "#home")
        XCTAssertEqual(tagged, ["late", "tomorrow"])
        let work = try await titles("--list", "Work")
        XCTAssertEqual(work, ["tonight"])
        let none = await usage(server, ["list", "--list", "nope"])
        XCTAssertEqual(
            none,
            UsageError(
                "There is no list \"nope\".", hint: "chat reminders lists shows them.",
                exit: .failure))
        let all = try await titles()
        XCTAssertEqual(all.count, 7)
        let shown = try await run(server, "list", "today")
        XCTAssertEqual(
            shown.lines.last,
            StyledLine("1 overdue from before: chat reminders list overdue", .hint)
        )
        let lists = try await run(server, "lists")
        XCTAssertEqual(
            lists.lines.map(\.text), ["reminders  6 open  2 overdue", "work       1 open"])
    }

    func testSeveralAreDeletedOnlyWithAYes() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        var ids: [String] = []
        for title in ["one", "two", "three"] {
            let made = try await run(server, "add", title)
            ids.append(String((made.json?["uid"]?.stringValue ?? "").prefix(8)))
        }
        let asked = try await run(server, "delete", ids[0], ids[1])
        XCTAssertEqual(asked.outcome, .refused)
        XCTAssertEqual(
            asked.lines.map(\.text),
            [
                "These 2 would go to the trash:", "  one", "  two",
                "Nothing was deleted; --yes deletes them.",
            ])
        XCTAssertEqual(try folder.items().count, 3)
        let done = try await server.run("delete", ids[0], ids[1], isConfirmed: true)
        XCTAssertEqual(done.lines.count, 2)
        XCTAssertEqual(try folder.items().count, 1)
    }

    func testParseGivesTheFieldsAndStoresNothing() async throws {
        let folder = try CalendarFolder()
        var reading = try ParsedPhrase.of("call mom", "2026-03-05T17:00", rule: "FREQ=DAILY")
        reading.end = .time(
            try XCTUnwrap(
                CivilDateTime(
                    XCTUnwrap(CivilDate(year: 2026, month: 3, day: 5)), hour: 18, minute: 0)))
        reading.alarm = CalendarDuration(seconds: -900)
        reading.zone = "America/New_York"
        reading.priority = 1
        reading.categories = ["a"]
        reading.list = "home"
        reading.confidence = 0.8765
        reading.alternatives = [try .of("call mom", "2026-03-12")]
        let store = folder.store
        let server = RemindersServer(
            store: store, context: { CalendarFolder.context() }, environment: folder.environment,
            parse: { [reading] phrase, context in
                // What it is read against comes from the options.
                XCTAssertEqual(phrase, "call mom thursday 5pm")
                XCTAssertEqual(context.local.isoText(context.now), "2026-03-04T10:15:00-05:00")
                XCTAssertEqual(context.locale, .american)
                return reading
            })
        let output = try await server.run(
            "parse", "call mom thursday 5pm", "--now", "2026-03-04T10:15", "--tz",
            "America/New_York", "--locale", "en_US")
        XCTAssertEqual(
            output.json.map(JSONWriter.string),
            #"{"start":"2026-03-05T17:00","end":"2026-03-05T18:00","rrule":"FREQ=DAILY","#
                + #""title":"call mom","kind":"todo","alarm":"-PT15M","#
                + #""timezone":"America/New_York","priority":1,"categories":["a"],"list":"home","#
                + #""confidence":0.88,"alternatives":[{"start":"2026-03-12","end":null,"rrule":null,"#
                + #""title":"call mom","kind":"todo","alarm":null,"timezone":null,"priority":null,"#
                + #""categories":[],"list":null,"confidence":0.95}],"#
                + #""items":[{"start":"2026-03-05T17:00","end":"2026-03-05T18:00","#
                + #""rrule":"FREQ=DAILY","title":"call mom","kind":"todo","alarm":"-PT15M","#
                + #""timezone":"America/New_York","priority":1,"categories":["a"],"#
                + #""list":"home","confidence":0.88}],"unused":[],"#
                + #""action":{"online":"model","offline":"store","server":"reminders","#
                + #""target":"call mom"}}"#)
        XCTAssertEqual(
            output.lines.map(\.text),
            [
                "title     call mom", "kind      reminder",
                "start     tomorrow, Thu 5 Mar 17:00 EST",
                "end       tomorrow, Thu 5 Mar 18:00 EST",
                "repeats   daily", "rule      FREQ=DAILY", "alert     15 min before",
                "zone      America/New_York", "priority  1", "tags      #a", "list      home",
                "sure      88 %", "or        call mom · Thu 12 Mar",
                "action    model, without a model store",
            ])
        XCTAssertEqual(try folder.names(folder.path), [])
    }
}
