import AgentCore
import FoundationEssentials

/// Plain messages, answered without a model where they are understood whole.
extension CalendarServer {
    package func canHandle(message: String) -> IntentMatch {
        let moment = moment()
        return CalendarIntent.judge(message, context: moment.context, parse: moment.parse).match
    }

    package func handle(message: String) async throws -> CommandOutput? {
        let moment = moment()
        let intent = CalendarIntent.judge(
            message, context: moment.context, parse: moment.parse)
        switch intent.action {
        case nil: return nil
        case .create(let draft):
            do {
                return echo(try await moment.book.create(draft), nil, moment)
            } catch ToolError.invalidArguments, ToolError.failed {
                // A list that is none of the calendars, a title too long: a
                // model may know better.
                return nil
            }
        case .ask(let question, let drafts):
            return CalendarCommand.choices(question, drafts, moment)
        case .agenda(let period):
            let output = try await answer(period, moment)
            noteShown(output)
            return output
        case .free(let period): return try await free(period, moment)
        case .when(let title):
            let output = try await when(title, moment)
            if let output { noteShown(output) }
            return output
        case .rename(let title, let name):
            return try await change(title, moment) { _ in
                var change = EventChange()
                change.title = name
                return change
            }
        case .move(let title, let time):
            return try await change(title, moment) { event in
                var change = EventChange()
                change.start = TimeSpan.moved(
                    event, to: time, isAllDay: false, local: moment.local)
                return change
            }
        case .push(let title, let length):
            return try await change(title, moment) { event in
                var change = EventChange()
                change.start = length.added(to: event.start, in: moment.local)
                return change
            }
        case .cancel(let title): return try await cancel(title, moment)
        }
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
            task.due.isDate || windows.contains { $0.contains(task.due.instant(in: moment.local)) }
        }
        let view = AgendaView(
            text: moment.text, width: 80, colors: CalendarColors(try await store.collections()))
        return CommandOutput(
            lines: view.lines(.init(events: events, tasks: tasks, days: period.days)),
            json: .array(events.map(moment.text.json)),
            notices: Self.notices(listing.problems))
    }

    private func free(_ period: Period, _ moment: Moment) async throws -> CommandOutput {
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
                lines.append(StyledLine("Yes, free \(day) \(span).", .success))
            } else if answer.free.isEmpty {
                lines.append(
                    StyledLine(
                        isWhole ? "That is over: \(day) \(span)." : "No, not \(day) \(span).",
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
        return CommandOutput(lines: lines, notices: Self.notices(answer.problems))
    }

    private static func words(_ hours: FreeTime.Hours) -> String {
        func clock(_ minutes: Int) -> String {
            "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        }
        return "\(clock(hours.from))–\(clock(hours.to))"
    }

    /// nil where no event to come has that title: the question may be about
    /// anything.
    private func when(_ title: String, _ moment: Moment) async throws -> CommandOutput? {
        let found = try await coming(title, moment)
        guard !found.isEmpty else { return nil }
        let lines = found.prefix(5).map { _, event in
            StyledLine([
                .init(event.name, .bold), .init(" · " + moment.text.fullSpan(event)),
                .init(event.location.map { " · \($0)" } ?? "", .dim),
            ])
        }
        return CommandOutput(
            lines: Array(lines), json: .array(found.map { moment.text.json($0.1) }))
    }

    /// "It" may be said of the one that was shown.
    private func noteShown(_ output: CommandOutput) {
        let items = output.json?.arrayValue ?? []
        spokenOf.note(items.compactMap { $0["uid"]?.stringValue }, at: environment.now())
    }

    /// The next occurrence of each series of that title, the earliest first;
    /// without a title of what was spoken of last.
    private func coming(
        _ title: String?, _ moment: Moment
    ) async throws -> [(EventSeries, Event)] {
        let named: [EventSeries]
        if let title {
            let shelf = try await moment.book.shelf(text: title)
            named = EventMatcher.named(title, in: shelf.series).filter {
                NamedInWords.fits(title, title: $0.main.title)
            }
        } else {
            guard let uid = try await spokenOf.uid(in: store, now: moment.context.now) else {
                return []
            }
            named = try await moment.book.shelf().series.filter { $0.main.uid == uid }
        }
        return named.compactMap { series -> (EventSeries, Event)? in
            // A rule nobody can follow has no next time.
            guard let next = (try? series.next(after: moment.context.now)) ?? nil else {
                return nil
            }
            return (series, next)
        }.sorted { Event.isBefore($0.1, $1.1, in: moment.local) }
    }

    // MARK: - Changes

    private func change(
        _ title: String?, _ moment: Moment, _ make: (Event) -> EventChange
    ) async throws -> CommandOutput? {
        let found = try await coming(title, moment)
        guard let (series, event) = found.first else { return nil }
        func words(_ event: Event, _ change: EventChange) -> [String] {
            (change.start.map { ["--start", $0.isoText(in: moment.local)] } ?? [])
                + (change.title.map { ["--title", $0] } ?? [])
        }
        if found.count > 1 {
            var output = CommandOutput(lines: [StyledLine("Which one is meant?")])
            output.choices = found.prefix(9).map { series, event in
                var command = ["calendar", "edit", event.uid] + words(event, make(event))
                if series.isRecurring { command += ["--this", moment.day(of: event)] }
                return .init(moment.text.line(event), command: command)
            }
            return output
        }
        let change = make(event)
        if series.isRecurring {
            return CalendarCommand.scopes(
                "moved", event, [event.uid] + words(event, change), "edit", moment)
        }
        return echo(
            try await moment.book.edit(event, of: series, change, scope: .all),
            change.start == nil ? "renamed" : "moved", moment)
    }

    private func cancel(_ title: String?, _ moment: Moment) async throws -> CommandOutput? {
        let found = try await coming(title, moment)
        guard let (series, event) = found.first else { return nil }
        if found.count > 1 {
            var output = CommandOutput(lines: [StyledLine("Which is to be cancelled?")])
            output.choices = found.prefix(9).map { series, event in
                var command = ["calendar", "delete", event.uid]
                if series.isRecurring { command += ["--this", moment.day(of: event)] }
                return .init(moment.text.line(event), command: command)
            }
            return output
        }
        if series.isRecurring {
            return CalendarCommand.scopes("cancelled", event, [event.uid], "delete", moment)
        }
        return echo(
            try await moment.book.delete(event, of: series, scope: .all), "cancelled", moment)
    }
}

extension CalendarServer.Moment {
    /// The day here on which an occurrence is found.
    func day(of event: Event) -> String { event.start.day(in: local).isoText }
}
