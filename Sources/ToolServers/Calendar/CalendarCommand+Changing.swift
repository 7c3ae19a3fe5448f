import AgentCore
import FoundationEssentials
import ICalendar

/// The verbs that change something.
extension CalendarCommand {
    func add(
        _ arguments: [String], _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let words = try CommandArguments(
            arguments, verb: "add",
            options: [
                "--start", "--end", "--calendar", "--location", "--repeat", "--alarm", "--notes",
            ], flags: ["--all-day"])
        guard words.plain.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            throw UsageError(
                "add needs words", hint: "chat calendar add dentist next friday 2-3:30pm")
        }
        var draft: ItemEdit
        let isAllDay = words.flags.contains("--all-day")
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
            let plan = ReadingPlan(reading, context: moment.context)
            switch plan.verdict {
            case .noTime:
                throw UsageError(
                    "add needs a day or a time",
                    hint: "chat calendar add \(words.text) --start 2026-11-22T09:00")
            case .ask(let question, let drafts):
                return Self.choices(question, drafts, moment)
            case .draft(let read): draft = read
            }
            if isAllDay, let start = draft.start, !start.isDate {
                let first = start.day(in: moment.local)
                draft.start = .date(first)
                draft.end = .date(first.adding(days: 1))
            }
            if let text = words["--end"], let start = draft.start {
                let end = try time(text, moment, option: "--end")
                guard
                    let last = TimeSpan.end(end, after: start, context: moment.context)
                else { throw UsageError("--end must be a day for whole days, and a time else") }
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
        let event = draft
        return try await said { server.echo(try await moment.book.create(event), nil, moment) }
    }

    /// Each way to read what was said, as the command that does it.
    static func choices(
        _ question: String, _ drafts: [ItemEdit], _ moment: CalendarServer.Moment
    ) -> CommandOutput {
        var output = CommandOutput(lines: [StyledLine(question)])
        output.choices = drafts.compactMap { draft in
            guard let title = draft.title, let start = draft.start, let end = draft.end else {
                return nil
            }
            let event = Event(uid: "", title: title, start: start, end: end)
            var command = ["calendar", "add", title, "--start", start.isoText(in: moment.local)]
            if start.isDate {
                let last = end.civilDate.adding(days: -1)
                if last > start.civilDate { command += ["--end", last.isoText] }
            } else {
                command += ["--end", end.isoText(in: moment.local)]
            }
            if let rule = draft.recurrence?.value { command += ["--repeat", rule.text] }
            if let alarm = draft.alarm?.value { command += ["--alarm", alarm.text] }
            if let calendar = draft.list { command += ["--calendar", calendar] }
            return .init(moment.text.line(event), command: command)
        }
        return output
    }

    func edit(
        _ arguments: [String], _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let words = try CommandArguments(
            arguments, verb: "edit",
            options: [
                "--title", "--start", "--end", "--calendar", "--location", "--repeat", "--alarm",
                "--notes", "--by",
            ], flags: ["--all", "--all-day"], maybe: ["--this", "--following"])
        let (series, event, scope) = try await target(words, "edit", moment)
        var change = ItemEdit()
        change.title = words["--title"]
        change.location = words["--location"].map { .set($0) }
        change.notes = words["--notes"].map { .set($0) }
        change.list = words["--calendar"]
        let isAllDay = words.flags.contains("--all-day")
        if let text = words["--start"] {
            change.start = TimeSpan.moved(
                event, to: try time(text, moment, option: "--start"), isAllDay: isAllDay,
                local: moment.local)
        } else if let text = words["--by"] {
            let isBack = text.hasPrefix("-")
            guard
                let length = DurationParser.duration(of: isBack ? String(text.dropFirst()) : text),
                length != .zero
            else { throw UsageError("--by \"\(text)\" is no length; use 30m, 2h or -1d") }
            change.start = (isBack ? -length : length).added(to: event.start, in: moment.local)
        } else if isAllDay {
            change.start = .date(event.start.day(in: moment.local))
        }
        if let text = words["--end"] {
            let end = try time(text, moment, option: "--end")
            guard
                let last = TimeSpan.end(
                    end, after: change.start ?? event.start, context: moment.context)
            else { throw UsageError("--end must be a day for whole days, and a time else") }
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
            return Self.scopes("changed", event, arguments, "edit", moment)
        }
        let wanted = change
        return try await said {
            let done = try await moment.book.edit(
                event, of: series, wanted, scope: scope ?? .all)
            return server.echo(done, "changed", moment)
        }
    }

    func delete(
        _ arguments: [String], _ moment: CalendarServer.Moment
    ) async throws -> CommandOutput {
        let words = try CommandArguments(
            arguments, verb: "delete", flags: ["--all"], maybe: ["--this", "--following"])
        let (series, event, scope) = try await target(words, "delete", moment)
        guard let scope else {
            return Self.scopes("deleted", event, arguments, "delete", moment)
        }
        return try await said {
            let done = try await moment.book.delete(event, of: series, scope: scope)
            return server.echo(done, "deleted", moment)
        }
    }

    /// The event that is meant and how much of it; no scope where the event
    /// repeats and none was said.
    private func target(
        _ words: CommandArguments, _ verb: String, _ moment: CalendarServer.Moment
    ) async throws -> (EventSeries, Event, EventScope?) {
        guard !words.text.allSatisfy(\.isWhitespace) else {
            throw UsageError(
                "\(verb) needs a title or an id", hint: "chat calendar \(verb) dentist")
        }
        var scope: EventScope?
        var time: DateField?
        for name in ["this", "following", "all"] {
            let option = "--" + name
            guard words.flags.contains(option) || words[option] != nil else { continue }
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

    /// What a title or a note is refused for, in the person's words.
    private func said(
        _ work: () async throws -> CommandOutput
    ) async throws -> CommandOutput {
        do {
            return try await work()
        } catch ToolError.invalidArguments(let violations) {
            throw UsageError(
                violations.map { "\($0.path.dropFirst(2)) \($0.problem)" }.joined(separator: "; "))
        }
    }
}
