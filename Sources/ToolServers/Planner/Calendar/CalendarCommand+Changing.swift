import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The verbs that change something.
extension CalendarCommand {
    func add(
        _ words: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        var draft: ItemEdit
        var further: [ItemEdit] = []
        let isAllDay = words.has("--all-day")
        if let text = words["--start"] {
            let start = try time(text, moment, option: "--start")
            let end = try words["--end"].map { try time($0, moment, option: "--end") }
            guard
                let span = TimeSpan.new(
                    start, end, isAllDay: isAllDay, context: moment.context)
            else {
                throw UsageError(
                    "--end must be a day where --start is one, and a time where it is")
            }
            draft = ItemEdit(title: words.text, start: span.start, end: span.end)
        } else {
            let reading = moment.parse(words.text)
            guard reading.start == nil || reading.hasOwnTitle else {
                throw UsageError(
                    "add needs a title beside the time",
                    hint: "chat calendar add dentist \(words.text)")
            }
            guard let read = ItemEdit(event: reading, in: moment.context) else {
                throw UsageError(
                    "add needs a day or a time",
                    hint: "chat calendar add \(words.text) --start 2026-11-22T09:00")
            }
            let question = ReadingQuestion(reading: reading, isEvent: true, text: moment.text)
            guard question.isCertain else { return question.output(as: moment.choice) }
            further = reading.occasions.dropFirst().compactMap {
                ItemEdit(event: $0, in: moment.context)
            }
            draft = read
            if isAllDay, let start = draft.start, !start.isDate {
                let first = start.day(in: moment.local)
                draft.start = .date(first)
                draft.end = .date(first.adding(days: 1))
            }
            if let text = words["--end"], let start = draft.start {
                let end = try time(text, moment, option: "--end")
                guard
                    let last = TimeSpan.end(end, after: start, context: moment.context)
                else {
                    throw UsageError(
                        "--end must be a day for an all-day event, and a time otherwise")
                }
                draft.end = last
            }
        }
        draft.location = words["--location"].map { .set($0) }
        draft.notes = words["--notes"].map { .set($0) }
        if let text = words["--calendar"] { draft.list = text }
        if let text = words["--repeat"] { draft.recurrence = try rule(text, moment) }
        if let text = words["--alarm"] {
            draft.alarm = try alarm(text, for: draft.start, moment)
        }
        var output = server.echo(try await moment.book.create(draft), nil, moment)
        guard !further.isEmpty else { return output }
        var objects = [output.json].compactMap { $0 }
        for other in further {
            (draft.start, draft.end) = (other.start, other.end)
            if words["--repeat"] == nil { draft.recurrence = other.recurrence }
            let added = server.echo(try await moment.book.create(draft), nil, moment)
            output.lines += added.lines
            objects += [added.json].compactMap { $0 }
        }
        output.json = .array(objects)
        return output
    }

    func edit(
        _ words: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let (series, event, scope) = try await target(words, moment)
        var change = ItemEdit()
        change.title = words["--title"]
        change.location = words["--location"].map {
            DateFieldParser.isNone($0) ? .clear : .set($0)
        }
        change.notes = words["--notes"].map { DateFieldParser.isNone($0) ? .clear : .set($0) }
        change.list = words["--calendar"]
        let isAllDay = words.has("--all-day")
        if let text = words["--start"] {
            change.start = try time(text, moment, option: "--start")
                .moving(event.start, isAllDay: isAllDay, in: moment.local)
        } else if let text = words["--by"] {
            let isBack = text.hasPrefix("-")
            guard
                let length = DurationParser.duration(of: isBack ? String(text.dropFirst()) : text),
                length != .zero
            else {
                throw UsageError("--by \"\(text)\" is not a length of time; use 30m, 2h or -1d")
            }
            change.start = (isBack ? -length : length).added(to: event.start, in: moment.local)
        } else if isAllDay {
            change.start = .date(event.start.day(in: moment.local))
        }
        if let text = words["--end"] {
            let end = try time(text, moment, option: "--end")
            guard
                let last = TimeSpan.end(
                    end, after: change.start ?? event.start, context: moment.context)
            else {
                throw UsageError("--end must be a day for an all-day event, and a time otherwise")
            }
            change.end = last
        }
        if let text = words["--repeat"] { change.recurrence = try rule(text, moment) }
        if let text = words["--alarm"] {
            change.alarm = try alarm(text, for: change.start ?? event.start, moment)
        }
        guard !change.isEmpty else {
            throw UsageError(
                "edit needs something to change",
                hint: "chat calendar edit dentist --start 16:00")
        }
        if scope == nil {
            return Self.scopes("changed", event, words.typed, "edit", moment)
        }
        let done = try await moment.book.edit(event, of: series, change, scope: scope ?? .all)
        return server.echo(done, "changed", moment)
    }

    func delete(
        _ words: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let (series, event, scope) = try await target(words, moment)
        guard let scope else {
            return Self.scopes("deleted", event, words.typed, "delete", moment)
        }
        let done = try await moment.book.delete(event, of: series, scope: scope)
        return server.echo(done, "deleted", moment)
    }

    /// The event that is meant and how much of it; no scope where the event
    /// repeats and none was said.
    private func target(
        _ words: CommandArguments, _ moment: CalendarServer.Moment
    ) async throws -> (EventSeries, Event, EventScope?) {
        var scope: EventScope?
        var time: DateField?
        for name in ["this", "following", "all"] {
            let option = "--" + name
            guard words.has(option) else { continue }
            guard scope == nil else { throw UsageError("\(option) and another scope are given") }
            scope = EventScope(rawValue: name)
            if let text = words[option] {
                time = try self.time(text, moment, option: option)
            }
        }
        let (series, event) = try await moment.book.find(words.text, at: time)
        return (series, event, series.isRecurring ? scope : .all)
    }

    /// The question which occurrences are meant.
    static func scopes(
        _ done: String, _ event: Event, _ arguments: [String], _ verb: String,
        _ moment: CalendarServer.Moment
    ) -> CommandOutput {
        var output = CommandOutput(
            lines: [StyledLine("\(event.name) repeats. Which are to be \(done)?")])
        let shown =
            event.start.isDate
            ? event.start.day(in: moment.local).isoText : event.start.isoText(in: moment.local)
        let command = ["calendar", verb] + arguments
        output.choices = [
            .init(
                "only \(moment.text.span(event))", command: command + ["--this", shown]),
            .init(
                "this and all that follow", command: command + ["--following", shown]),
            .init("all of them", command: command + ["--all"]),
        ]
        return output
    }

    // MARK: - Values

    /// `none` clears it.
    private func rule(
        _ text: String, _ moment: CalendarServer.Moment
    ) throws(UsageError) -> ItemEdit.Change<RecurrenceRule> {
        if DateFieldParser.isNone(text) { return .clear }
        return .set(
            try value("--repeat") { () throws(DateFieldParser.Problem) in
                try moment.fields.repetition(text).rule
            })
    }

    /// `15m`, `1h`, `15 minutes before`, `-PT15M`, `none`.
    private func alarm(
        _ text: String, for time: ItemTime?, _ moment: CalendarServer.Moment
    ) throws(UsageError) -> ItemEdit.Change<CalendarDuration> {
        if DateFieldParser.isNone(text) { return .clear }
        return .set(
            try value("--alarm") { () throws(DateFieldParser.Problem) in
                try moment.fields.alarm(text, for: time)
            })
    }
}
