import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// `chat calendar …` and `/calendar …`: the words a person types, turned into
/// the calls the tools make, and the results as lines.
struct CalendarCommand: Sendable {
    let server: CalendarServer

    var command: Command {
        Command(
            name: server.name, summary: "see, add and change events",
            verbs: [
                Verb(
                    "agenda", "today and the next days, with reminders",
                    [.phrase("[day|week] [DATE]", "", .examples(["day", "week"]))],
                    options: [Self.columns], json: "\(Self.json), and reminders"
                ) { try await agenda($0, server.moment()) },
                Verb(
                    "month", "a month at a glance", [.phrase("[2026-03|DATE]")],
                    options: [Self.columns], json: Self.json
                ) { try await month($0, server.moment()) },
                Verb(
                    "list", "events in a range of days, each occurrence",
                    options: Self.span + [
                        .init("--calendar NAME", "only of that calendar", .calendar),
                        Self.columns,
                    ], json: Self.json
                ) { try await list($0, server.moment()) },
                Verb(
                    "add", "a new event, with its time in the words or in --start",
                    [.phrase("WORDS…", "words")], options: Self.fields, json: Self.json,
                    example: "dentist next friday 2-3:30pm"
                ) { try await add($0, server.moment()) },
                Verb(
                    "edit", "change one; if it repeats, say which occurrences", Self.one,
                    options: Self.scopes + Self.fields + [
                        .init("--title T", "another title"),
                        .init("--by 30m", "move it by this much; -1d moves it earlier"),
                    ], json: Self.json, example: "dentist --start 16:00"
                ) { try await edit($0, server.moment()) },
                Verb(
                    "delete", "move one to the trash", Self.one, options: Self.scopes,
                    json: Self.json, example: "dentist"
                ) { try await delete($0, server.moment()) },
                Verb(
                    "show", "one with all that is known of it, and when it rings", Self.one,
                    json: Self.json, example: "dentist"
                ) { try await show($0.text, server.moment()) },
                Verb(
                    "search", "search titles, places and notes", [.phrase("WORDS…", "a word")],
                    json: Self.json, example: "dentist"
                ) { try await search($0.text, server.moment()) },
                Verb(
                    "free", "find free time", [.phrase("[DATE]")],
                    options: Self.span + [
                        .init("--duration 30m", "at least this long"),
                        .init("--between 9-17", "the hours to look at"),
                    ], json: "start end"
                ) { try await free($0, server.moment()) },
                Verb(
                    "calendars", "all calendars",
                    json: "name displayName color events path"
                ) { _ in try await calendars(server.moment()) },
            ])
    }

    private static let json =
        "uid title start end allDay calendar location notes recurring path …"
    private static let one = [Verb.Argument.phrase("TITLE|ID", "a title or an id")]
    private static let columns = Verb.Option(
        "--columns N", "the width; default: that of the window")
    private static let span: [Verb.Option] = [
        .init("--from DATE", "the first day; default: today"),
        .init("--to DATE", "the last day"),
    ]
    /// Which of those that repeat.
    private static let scopes: [Verb.Option] = [
        .init("--this [DATE]", "only the one on that day"),
        .init("--following [DATE]", "that one and all after it"), .init("--all", "all of them"),
    ]
    private static let fields: [Verb.Option] = [
        .init("--start TIME", "such as 2026-11-22T09:00, or a day"),
        .init("--end TIME", "until then"),
        .init("--calendar NAME", "the calendar to put it in", .calendar),
        .init("--location PLACE", "where it is"),
        .init("--repeat RULE", "such as every other tuesday, or FREQ=WEEKLY;BYDAY=TU"),
        .init("--alarm 15m", "alert this long before; none for no alarm"),
        .init("--notes TEXT", "more about it"), .init("--all-day", "whole days"),
    ]

    /// Commands see no terminal; the shell tells the width in COLUMNS, which
    /// most do not export.
    func width(_ words: CommandArguments) throws(UsageError) -> Int {
        let range = 40...300
        if let asked = try words.number("--columns") {
            guard range.contains(asked) else {
                throw UsageError("--columns needs a number from 40 to 300.")
            }
            return asked
        }
        let told = server.environment.variables["COLUMNS"].flatMap { Int($0) } ?? 80
        return min(max(told, range.lowerBound), range.upperBound)
    }

    func day(
        _ text: String, _ moment: CalendarServer.Moment, option: String
    ) throws(UsageError) -> CivilDate {
        try time(text, moment, option: option).day(in: moment.local)
    }

    func time(
        _ text: String, _ moment: CalendarServer.Moment, option: String
    ) throws(UsageError) -> DateField {
        try value(option) { () throws(DateFieldParser.Problem) in try moment.fields.time(text) }
    }

    func value<Value>(
        _ option: String, _ read: () throws(DateFieldParser.Problem) -> Value
    ) throws(UsageError) -> Value {
        do throws(DateFieldParser.Problem) {
            return try read()
        } catch {
            throw UsageError("\(option): \(error.sentence)")
        }
    }

    // MARK: - Looking

    private func agenda(
        _ words: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        var plain = words.plain[...]
        var unit = ""
        if let first = plain.first, ["day", "week"].contains(first) {
            unit = first
            plain.removeFirst()
        }
        let date = plain.joined(separator: " ")
        var days = moment.today...moment.today.adding(days: 6)
        if !date.isEmpty {
            let day = try day(date, moment, option: "agenda")
            days = unit == "week" ? moment.week(of: day) : day...day
        } else if unit == "day" {
            days = moment.today...moment.today
        } else if unit == "week" {
            days = moment.week(of: moment.today)
        }
        return try await server.agenda(days, moment, width: try width(words))
    }

    private func month(
        _ words: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        var day = moment.today
        if !words.text.isEmpty {
            let parts = words.text.split(separator: "-")
            if words.plain.count == 1, parts.count == 2, parts[0].count == 4,
                let year = Int(parts[0]), let month = Int(parts[1]),
                let first = CivilDate(year: year, month: month, day: 1)
            {
                day = first
            } else {
                day = try self.day(words.text, moment, option: "month")
            }
        }
        let view = MonthView(
            of: day, text: moment.text, width: try width(words),
            firstWeekday: moment.context.locale.firstWeekday,
            colors: CalendarColors(try await server.store.collections()))
        var listing = try await moment.book.events(on: view.days)
        if words.wantsJSON { listing.events = await moment.book.ringing(listing.events) }
        return CommandOutput(
            lines: view.lines(listing.events),
            json: .array(listing.events.map(moment.text.json)),
            notices: CalendarServer.notices(listing.problems))
    }

    private func list(
        _ words: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let days = try days(words, moment, usual: 30)
        var listing = try await moment.book.events(on: days)
        if let name = words["--calendar"] {
            let names = try await server.store.collections()
                .filter { $0.isNamed(name) }.map(\.name)
            guard !names.isEmpty else { throw UsageError("there is no calendar \"\(name)\"") }
            listing.events.removeAll { !names.contains($0.folder) }
        }
        if words.wantsJSON { listing.events = await moment.book.ringing(listing.events) }
        let view = AgendaView(
            text: moment.text, width: try width(words),
            colors: CalendarColors(try await server.store.collections()))
        return CommandOutput(
            // Programs that ask for years of events need no view of them.
            lines: words.wantsJSON
                ? [] : view.lines(AgendaView.Content(events: listing.events, days: days)),
            json: .array(listing.events.map(moment.text.json)),
            notices: CalendarServer.notices(listing.problems))
    }

    /// `--from` and `--to`, both inclusive; `usual` days from now where
    /// nothing is said.
    private func days(
        _ words: CommandArguments, _ moment: CalendarServer.Moment, usual: Int
    ) throws(UsageError) -> ClosedRange<CivilDate> {
        var from = moment.today
        if let text = words["--from"] { from = try day(text, moment, option: "--from") }
        var to = from.adding(days: usual - 1)
        if let text = words["--to"] {
            to = try day(text, moment, option: "--to")
            if words["--from"] == nil { from = min(from, to) }
        }
        guard from <= to else { throw UsageError("--to is before --from") }
        guard to.dayNumber - from.dayNumber <= 36_600 else {
            throw UsageError("--to must be within a hundred years of --from")
        }
        return from...to
    }

    func search(
        _ query: String, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        var listing = try await moment.book.search(query)
        listing.events = await moment.book.ringing(listing.events)
        let ids = ItemIDs(listing.events)
        let lines = StyledLine.table(
            listing.events.map { event in
                let isOver = event.end.instant(in: moment.local) <= moment.context.now
                return [
                    .init(ids[event], .dim),
                    .init(moment.text.line(event), isOver ? .dim : .plain),
                ]
            }, columns: 1, indent: "  ")
        return CommandOutput(
            lines: lines.isEmpty
                ? [StyledLine("No event has \"\(query)\" in its title, place or notes.", .dim)]
                : lines,
            json: .array(listing.events.map(moment.text.json)),
            notices: CalendarServer.notices(listing.problems))
    }

    private func show(
        _ query: String, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let event = await moment.book.ringing(try await moment.book.find(query).event)
        let text = moment.text
        let facts: [(String, String?)] = [
            ("when", text.fullSpan(event)), ("where", event.location),
            ("calendar", event.folder),
            (
                "repeats",
                event.recurrence.map {
                    RuleDescription.of(
                        $0, start: event.recurrenceID ?? event.start, in: moment.local)
                }
            ),
            ("alert", text.ring(event) ?? text.silence(event) ?? "over"),
            ("notes", event.notes?.oneLine), ("id", event.uid), ("file", event.path),
        ]
        return CommandOutput(
            lines: [StyledLine(event.name, .bold)]
                + facts.compactMap { name, value in
                    value.map {
                        StyledLine([
                            .init("  " + DisplayWidth.pad(name, to: 10), .dim), .init($0),
                        ])
                    }
                }, json: text.json(event),
            notices: CalendarServer.notices(event.itemProblems), sources: [event.path])
    }

    private func free(
        _ words: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let days: ClosedRange<CivilDate>
        if words.text.isEmpty {
            days = try self.days(words, moment, usual: words["--from"] == nil ? 7 : 1)
        } else {
            let day = try day(words.text, moment, option: "free")
            days = day...day
        }
        var minimum = 30 * 60
        if let text = words["--duration"] {
            guard let length = DurationParser.duration(of: text), length.days == 0,
                length.seconds > 0
            else {
                throw UsageError("--duration \"\(text)\" is not a length of time; use 30m or 1h30m")
            }
            minimum = length.seconds
        }
        var hours = DayHours.working
        if let text = words["--between"] {
            guard let given = DayHours(text) else {
                throw UsageError("--between \"\(text)\" is not a range of hours; use 9:00-17:00")
            }
            hours = given
        }
        let answer = try await moment.free(days, hours, minimum: Double(minimum))
        return CommandOutput(
            lines: FreeView(text: moment.text).lines(answer.free, days: days),
            json: .array(
                answer.free.map { slot in
                    [
                        "start": .string(moment.local.isoText(slot.lowerBound)),
                        "end": .string(moment.local.isoText(slot.upperBound)),
                    ]
                }), notices: CalendarServer.notices(answer.problems))
    }

    private func calendars(_ moment: CalendarServer.Moment) async throws -> CommandOutput {
        let collections = try await server.store.collections()
        let shelf = try await moment.book.shelf()
        var counts: [String: Int] = [:]
        for series in shelf.series { counts[series.main.folder, default: 0] += 1 }
        let colors = CalendarColors(collections)
        let width = collections.map { DisplayWidth.of($0.displayName) }.max() ?? 0
        let lines = collections.map { collection in
            let count = counts[collection.name] ?? 0
            return StyledLine([
                .init("  ▎ ", colors.style(of: collection.name)),
                .init(DisplayWidth.pad(collection.displayName, to: width)),
                .init("  \(count == 1 ? "1 event" : "\(count) events")  \(collection.path)", .dim),
            ])
        }
        return CommandOutput(
            lines: lines.isEmpty
                ? [StyledLine("No calendars yet; the first event makes one.", .dim)] : lines,
            json: .array(
                collections.map { collection in
                    [
                        "name": .string(collection.name),
                        "displayName": .string(collection.displayName),
                        "color": collection.color.map(JSONValue.string) ?? .null,
                        "events": JSONValue(counts[collection.name] ?? 0),
                        "path": .string(collection.path),
                    ]
                }), notices: CalendarServer.notices(shelf.problems))
    }
}

extension CalendarServer.Moment {
    /// From the locale's first day of the week on.
    func week(of day: CivilDate) -> ClosedRange<CivilDate> {
        let offset = (day.weekday - context.locale.firstWeekday.rawValue + 7) % 7
        let first = day.adding(days: -offset)
        return first...first.adding(days: 6)
    }
}
