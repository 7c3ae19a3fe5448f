import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The views of the calendar that only users see, as text.
extension CalendarServer {
    private static let columns = Verb.Option(
        "--columns N", "the width; default: that of the window")

    static let agenda = Act<Moment>(
        Verb(
            "agenda", "today and the next days, with reminders",
            [
                .init("day|week", "", .examples(["day", "week"]), isOptional: true),
                .phrase("DATE", isOptional: true),
            ],
            options: [columns], json: "\(json), and reminders")
    ) { try await $1.server.agenda($0, $1) }

    static let month = Act<Moment>(
        Verb(
            "month", "a month at a glance", [.phrase("2026-03|DATE", isOptional: true)],
            options: [columns],
            json: json)
    ) { try await $1.server.month($0, $1) }

    static let show = Act<Moment>(
        Verb(
            "show", "one with all that is known of it, and when it rings",
            [.phrase("TITLE|ID", "a title or an id")], json: json, example: "dentist")
    ) { try await $1.server.show($0.text, $1) }

    static let calendars = Act<Moment>(
        Verb("calendars", "all calendars", json: "name displayName color events path")
    ) { try await $1.server.calendars($1) }

    /// The width of the window; for a file that in COLUMNS, which shells rarely export.
    func width(_ arguments: CommandArguments?) throws(UsageError) -> Int {
        let range = 40...300
        if let asked = try arguments?.number("--columns") {
            guard range.contains(asked) else {
                throw UsageError("--columns needs a number from 40 to 300.")
            }
            return asked
        }
        // A window of 40 columns has one less for text.
        if let window = arguments?.interaction.columns {
            return min(max(window, 39), range.upperBound)
        }
        let told = environment.variables["COLUMNS"].flatMap { Int($0) } ?? 80
        return min(max(told, range.lowerBound), range.upperBound)
    }

    func view(_ arguments: CommandArguments?, _ moment: Moment) async throws -> AgendaView {
        AgendaView(
            text: moment.text, width: try width(arguments),
            colors: CalendarColors(try await store.collections()))
    }

    private func agenda(
        _ arguments: CommandArguments, _ moment: Moment
    ) async throws -> CommandOutput {
        var plain = arguments.plain[...]
        var unit = ""
        if let first = plain.first, ["day", "week"].contains(first) {
            unit = first
            plain.removeFirst()
        }
        let date = plain.joined(separator: " ")
        var days = moment.today...moment.today.adding(days: 6)
        if !date.isEmpty {
            let named = try moment.days(date, "agenda")
            days = unit == "week" ? moment.week(of: named.lowerBound) : named
        } else if unit == "day" {
            days = moment.today...moment.today
        } else if unit == "week" {
            days = moment.week(of: moment.today)
        }
        return try await agenda(days, moment, width: try width(arguments))
    }

    private func month(
        _ arguments: CommandArguments, _ moment: Moment
    ) async throws -> CommandOutput {
        var day = moment.today
        if !arguments.text.isEmpty {
            let parts = arguments.text.split(separator: "-")
            if arguments.plain.count == 1, parts.count == 2, parts[0].count == 4,
                let year = Int(parts[0]), let month = Int(parts[1]),
                let first = CivilDate(year: year, month: month, day: 1)
            {
                day = first
            } else {
                day = try moment.days(arguments.text, "month").lowerBound
            }
        }
        let view = MonthView(
            of: day, text: moment.text, width: try width(arguments),
            firstWeekday: moment.context.locale.firstWeekday,
            colors: CalendarColors(try await store.collections()))
        var listing = try await moment.book.events(on: view.days)
        if arguments.wantsJSON { listing.events = await moment.book.ringing(listing.events) }
        return CommandOutput(
            lines: view.lines(listing.events),
            json: .array(listing.events.map(moment.text.json)),
            notices: Self.notices(listing.problems))
    }

    private func show(
        _ query: String, _ moment: Moment
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
            notices: Self.notices(event.itemProblems), sources: [event.path])
    }

    private func calendars(_ moment: Moment) async throws -> CommandOutput {
        let collections = try await store.collections()
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
                }), notices: Self.notices(shelf.problems))
    }
}

extension CalendarServer.Moment {
    fileprivate func days(_ text: String, _ name: String) throws -> ClosedRange<CivilDate> {
        try ActValue(name: name, isTyped: true, texts: [text]).read(fields.days)
    }

    /// The week of a day, from the locale's first day of the week on.
    func week(of day: CivilDate) -> ClosedRange<CivilDate> {
        let offset = (day.weekday - context.locale.firstWeekday.rawValue + 7) % 7
        let first = day.adding(days: -offset)
        return first...first.adding(days: 6)
    }
}

extension Understanding.Change.Subject {
    init(_ event: Event) {
        self.init(
            from: event.start, to: event.end, event.title, isRecurring: event.fields.isRecurring)
    }
}
