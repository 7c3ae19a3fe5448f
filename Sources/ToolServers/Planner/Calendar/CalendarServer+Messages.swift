import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Plain messages, answered without a model where they are understood whole.
extension CalendarServer {
    package func canHandle(message: String) -> IntentMatch {
        judge.read(message, in: moment().context).match(for: .event)
    }

    package func handle(
        message: String, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        let moment = moment()
        let understanding = judge.read(message, in: moment.context)
        switch understanding.act {
        case .store(let readings, .event): return try await store(readings, moment)
        case .ask(let reading, .event): return ask(reading, understanding.unused, moment)
        case .agenda(let period):
            let output = try await answer(period, moment)
            referent.noteShown(output, at: environment.now())
            return output
        case .free(let period, let isBusyAsked):
            return try await free(period, isBusyAsked: isBusyAsked, moment)
        case .when(let title): return try await when(title, moment)
        case .next(let kind) where kind != .reminder: return try await next(kind, moment)
        case .find(let title):
            let output = try await CalendarCommand(server: self).search(title, moment)
            guard output.json?.arrayValue?.isEmpty == false else { return nil }
            referent.noteShown(output, at: environment.now())
            return output
        case .change(let change): return try await perform(change, mayAsk, moment)
        case nil, .store, .ask, .reminders, .next, .undo: return nil
        }
    }

    // MARK: - New ones

    private func store(_ readings: [ParsedPhrase], _ moment: Moment) async throws -> CommandOutput?
    {
        var output = CommandOutput()
        do {
            for reading in readings {
                guard let draft = ItemEdit(event: reading, in: moment.context) else { return nil }
                let echo = echo(try await moment.book.create(draft), nil, moment)
                output.lines += echo.lines
                output.sources = (output.sources ?? []) + (echo.sources ?? [])
                output.json = readings.count == 1 ? echo.json : output.json
            }
        } catch ToolError.invalidArguments, ToolError.failed {
            // Such as a calendar that does not exist, or a title too long: a model
            // may know better.
            return nil
        }
        return output
    }

    /// nil where no time was said: there is nothing to choose from.
    private func ask(_ reading: ParsedPhrase, _ unused: [String], _ moment: Moment)
        -> CommandOutput?
    {
        let question = ReadingQuestion(
            reading: reading, isEvent: true, text: moment.text, notUnderstood: unused)
        let output = question.output(as: moment.choice)
        return output.choices.isEmpty ? nil : output
    }

    // MARK: - Answers

    private func answer(_ period: Period, _ moment: Moment) async throws -> CommandOutput {
        guard let hours = period.hours else {
            return try await agenda(period.days, moment, width: 80)
        }
        let windows = FreeTime.windows(period.days, hours, in: moment.local)
        let listing = try await moment.book.events(on: period.days)
        let events = listing.events.filter { event in
            windows.contains { event.touches($0, in: moment.local) }
        }
        let tasks = try await tasks(on: period.days, moment).filter { task in
            task.due.map { due in
                due.isDate || windows.contains { $0.contains(due.instant(in: moment.local)) }
            } == true
        }
        let view = AgendaView(
            text: moment.text, width: 80, colors: CalendarColors(try await store.collections()))
        return CommandOutput(
            lines: view.lines(.init(events: events, tasks: tasks, days: period.days)),
            json: .array(events.map(moment.text.json)),
            notices: Self.notices(listing.problems),
            sources: events.map(\.path) + tasks.map(\.path))
    }

    private func free(
        _ period: Period, isBusyAsked: Bool, _ moment: Moment
    ) async throws -> CommandOutput {
        let hours = period.hours ?? .working
        var answer = try await moment.free(period.days, hours, minimum: 15 * 60)
        if period.isMoment {
            let windows = FreeTime.windows(period.days, hours, in: moment.local)
            answer.free.removeAll { slot in !windows.contains { $0.lowerBound == slot.lowerBound } }
        }
        let isWhole = answer.busy.isEmpty
        var lines: [StyledLine] = []
        if period.days.count == 1 {
            let day = period.days.lowerBound.nearText(asOf: moment.today)
            let span = Self.words(hours)
            if isWhole, !answer.free.isEmpty {
                lines.append(
                    StyledLine("\(isBusyAsked ? "No" : "Yes"), free \(day) \(span).", .success))
            } else if answer.free.isEmpty {
                lines.append(
                    StyledLine(
                        isWhole
                            ? "That is over: \(day) \(span)."
                            : isBusyAsked
                                ? "Yes, busy \(day) \(span)." : "No, not free \(day) \(span).",
                        .warning))
            } else {
                lines.append(StyledLine("Partly:", .plain))
            }
        }
        if period.days.count > 1 || (!isWhole && !answer.free.isEmpty) {
            lines += FreeView(text: moment.text).lines(answer.free, days: period.days)
        }
        if period.days.count == 1 {
            lines += answer.busy.prefix(8).map {
                StyledLine("  \($0.name) · \(moment.text.span($0))", .dim)
            }
        }
        return CommandOutput(
            lines: lines, notices: Self.notices(answer.problems),
            sources: answer.busy.prefix(8).map(\.path))
    }

    private static func words(_ hours: DayHours) -> String {
        func clock(_ minutes: Int) -> String {
            "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        }
        return "\(clock(hours.from))–\(clock(hours.to))"
    }

    /// nil where no event to come has that title: the question may be about
    /// anything.
    private func when(_ title: String, _ moment: Moment) async throws -> CommandOutput? {
        let found = try await coming(title, on: nil, moment)
        guard !found.isEmpty else { return nil }
        return shown(found.map(\.event), moment)
    }

    private func shown(_ events: [Event], _ moment: Moment) -> CommandOutput {
        let lines = events.prefix(5).map { event in
            StyledLine([
                .init(event.name, .bold), .init(" · " + moment.text.fullSpan(event)),
                .init(event.location.map { " · \($0)" } ?? "", .dim),
            ])
        }
        let output = CommandOutput(
            lines: Array(lines), json: .array(events.map(moment.text.json)))
        referent.noteShown(output, at: environment.now())
        return output
    }

    /// What comes next within a year: the event, and the reminders that are
    /// due before it unless an event was asked for.
    private func next(
        _ kind: Understanding.Kind?, _ moment: Moment
    ) async throws -> CommandOutput {
        let all = EventMatcher.coming(
            try await moment.book.shelf().series, after: moment.context.now)
        let event = all.map(\.event).min { Event.isBefore($0, $1, in: moment.local) }
        let last = event?.start.day(in: moment.local) ?? moment.today.adding(days: 365)
        let tasks =
            kind == .event
            ? []
            : try await tasks(on: moment.today...max(moment.today, last), moment)
                .compactMap { task in
                    task.due.map { (task: task, due: $0, at: $0.instant(in: moment.local)) }
                }
                .filter { _, _, at in
                    at > moment.context.now
                        && event.map { at < $0.start.instant(in: moment.local) } ?? true
                }.sorted { $0.at < $1.at }
        var output = shown([event].compactMap { $0 }, moment)
        output.lines =
            tasks.prefix(3).map {
                StyledLine([
                    .init($0.task.name, .bold), .init(" · " + moment.text.fullTime($0.due)),
                ])
            } + output.lines
        output.sources = [event?.path].compactMap { $0 } + tasks.prefix(3).map(\.task.path)
        if output.lines.isEmpty {
            output.lines = [StyledLine("Nothing is coming up.", .dim)]
        }
        return output
    }

    /// The next occurrence of each series of that title, the earliest first;
    /// without a title of what was spoken of last. With a day only what is on
    /// it.
    private func coming(
        _ title: String?, on day: CivilDate?, _ moment: Moment
    ) async throws -> [(series: EventSeries, event: Event)] {
        var found: [(series: EventSeries, event: Event)]
        if let title {
            let series = try await moment.book.shelf(text: title).series
            found = EventMatcher.coming(title, in: series, after: moment.context.now)
            if let day {
                found = EventMatcher.occurrences(
                    of: found.map(\.series), in: moment.book.window(day...day))
            }
        } else {
            guard let uid = try await referent.uid(in: store, now: moment.context.now) else {
                return []
            }
            let series = try await moment.book.shelf().series.filter { $0.main.uid == uid }
            found = EventMatcher.coming(series, after: moment.context.now)
        }
        return found.sorted { Event.isBefore($0.event, $1.event, in: moment.local) }
    }

    // MARK: - Changes

    private func perform(
        _ wanted: Understanding.Change, _ mayAsk: Bool, _ moment: Moment
    ) async throws -> CommandOutput? {
        let mayAsk = mayAsk || wanted.kind != nil
        if try await isReminder(wanted, moment) { return nil }
        func time(_ phrase: String) -> DateField? {
            try? moment.fields.time(MessageInterpreter.time(phrase))
        }
        let make: (Event) -> ItemEdit
        switch wanted.verb {
        case .complete, .reopen, .snooze: return nil
        case .delete: return try await cancel(wanted, mayAsk, moment)
        case .rename(let name):
            make = { _ in ItemEdit(title: name) }
        case .move(let phrase):
            guard let time = time(phrase) else { return nil }
            make = {
                ItemEdit(
                    start: TimeSpan.moved($0, to: time, isAllDay: false, local: moment.local))
            }
        case .shift(let length):
            make = { ItemEdit(start: length.added(to: $0.start, in: moment.local)) }
        case .end(let phrase):
            guard let time = time(phrase) else { return nil }
            make = {
                ItemEdit(end: TimeSpan.end(time, after: $0.start, context: moment.context))
            }
        }
        return try await change(wanted, mayAsk, moment, make)
    }

    /// A reminder of exactly that title is meant rather than an event that
    /// only holds the words.
    private func isReminder(
        _ wanted: Understanding.Change, _ moment: Moment
    ) async throws -> Bool {
        guard wanted.kind == nil, let title = wanted.title else { return false }
        let folded = SearchText.folded(title)
        let isEvent = try await coming(title, on: nil, moment).contains {
            SearchText.folded($0.event.title) == folded
        }
        if isEvent { return false }
        let files = try await store.files(
            CalendarStore.Selection(kind: "VTODO", openOnly: true, text: title))
        return files.files.flatMap {
            ReminderComponent.reminders(in: $0, context: moment.context)
        }.contains { SearchText.folded($0.title) == folded }
    }

    private func change(
        _ wanted: Understanding.Change, _ mayAsk: Bool, _ moment: Moment,
        _ make: (Event) -> ItemEdit
    ) async throws -> CommandOutput? {
        let found = try await coming(wanted.title, on: wanted.day, moment)
        guard let (series, event) = found.first else { return nil }
        func words(_ change: ItemEdit) -> [String] {
            (change.start.map { ["--start", $0.isoText(in: moment.local)] } ?? [])
                + (change.end.map { ["--end", $0.isoText(in: moment.local)] } ?? [])
                + (change.title.map { ["--title", $0] } ?? [])
        }
        if found.count > 1 || wanted.asksFirst {
            let question = found.count > 1 ? "Which one do you mean?" : "Is this what you mean?"
            return mayAsk
                ? which(found, question, moment) { ["edit", $0.uid] + words(make($0)) } : nil
        }
        let change = make(event)
        guard !change.isEmpty else { return nil }
        if series.isRecurring {
            return CalendarCommand.scopes(
                "changed", event, [event.uid] + words(change), "edit", moment)
        }
        return echo(
            try await moment.book.edit(event, of: series, change, scope: .all),
            change.title != nil ? "renamed" : change.start == nil ? "changed" : "moved", moment)
    }

    private func cancel(
        _ wanted: Understanding.Change, _ mayAsk: Bool, _ moment: Moment
    ) async throws -> CommandOutput? {
        let found = try await coming(wanted.title, on: wanted.day, moment).filter { found in
            guard wanted.isExact, let title = wanted.title else { return true }
            return SearchText.folded(found.event.title) == SearchText.folded(title)
        }
        guard let (series, event) = found.first else { return nil }
        if found.count > 1 || wanted.asksFirst && !series.isRecurring {
            let question = found.count > 1 ? "Which is to be cancelled?" : "Cancel this?"
            return mayAsk ? which(found, question, moment) { ["delete", $0.uid] } : nil
        }
        if series.isRecurring {
            return CalendarCommand.scopes("cancelled", event, [event.uid], "delete", moment)
        }
        return echo(
            try await moment.book.delete(event, of: series, scope: .all), "cancelled", moment)
    }

    private func which(
        _ found: [(series: EventSeries, event: Event)], _ question: String, _ moment: Moment,
        _ command: (Event) -> [String]
    ) -> CommandOutput {
        var output = CommandOutput(lines: [StyledLine(question)])
        output.choices = found.prefix(9).map { series, event in
            let scope = series.isRecurring ? ["--this", moment.day(of: event)] : []
            return .init(moment.text.line(event), command: ["calendar"] + command(event) + scope)
        }
        return output
    }
}

extension CalendarServer.Moment {
    /// The day here on which an occurrence is found.
    func day(of event: Event) -> String { event.start.day(in: local).isoText }

    /// A reading as the command that makes an event of it.
    func choice(_ reading: ParsedPhrase) -> CommandOutput.Choice? {
        guard let draft = ItemEdit(event: reading, in: context), let title = draft.title,
            let start = draft.start, let end = draft.end
        else { return nil }
        var command = ["calendar", "add", title, "--start", start.isoText(in: local)]
        if start.isDate {
            let last = end.civilDate.adding(days: -1)
            if last > start.civilDate { command += ["--end", last.isoText] }
        } else {
            command += ["--end", end.isoText(in: local)]
        }
        if let rule = draft.recurrence?.value { command += ["--repeat", rule.text] }
        if let alarm = draft.alarm { command += ["--alarm", alarm.value?.text ?? "none"] }
        if let calendar = draft.list { command += ["--calendar", calendar] }
        return .init(
            text.line(Event(uid: "", title: title, start: start, end: end)), command: command)
    }
}
