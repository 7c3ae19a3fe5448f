import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Answers plain messages without a model if they are understood completely.
extension CalendarServer {
    package func canHandle(message: PlainMessage) -> IntentMatch {
        judge.read(message, in: moment().context).match(for: .event)
    }

    package func endQuestion() { judge.endQuestion() }

    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        let moment = moment()
        let understanding = judge.take(message, in: moment.context)
        let answer: CommandOutput?
        switch understanding.act {
        case .store(let readings, .event): return try await store(readings, moment)
        case .ask(let reading, .event): return ask(reading, understanding.unused, moment)
        case .change(let change): return try await perform(change, mayAsk, moment)
        case .agenda(let period): answer = try await self.answer(period, moment)
        case .free(let period, let isBusyAsked):
            answer = try await free(period, isBusyAsked: isBusyAsked, moment)
        case .when(let title): answer = try await when(title, moment)
        case .next(let kind): answer = try await next(kind, moment)
        case .find(let title):
            let output = try await moment.search(title, hasRings: true).output(wantsJSON: true)
            answer = output.json?.arrayValue?.isEmpty == false ? output : nil
        case nil, .store, .ask, .reminders, .undo: return nil
        }
        if let answer { referent.noteShown(answer, at: environment.now()) }
        return answer
    }

    // MARK: - New ones

    private func store(_ readings: [ParsedPhrase], _ moment: Moment) async throws -> CommandOutput?
    {
        var stored: [EventBook.Done] = []
        do {
            // The items of one message are undone at once.
            let step = environment.uuid()
            for reading in readings {
                guard let draft = ItemEdit(event: reading, in: moment.context) else { return nil }
                stored.append(try await moment.book.create(draft, step: step))
            }
        } catch ToolError.invalidArguments, ToolError.failed {
            // For example a calendar that does not exist, or a title too long: a
            // model may know better.
            return nil
        }
        let answers = stored.map { echo($0, nil, moment) }
        referent.note(stored.map(\.event.uid), at: environment.now())
        return CommandOutput(joining: answers)
    }

    /// The numbered question about an uncertain phrase; nil if no time was given, since there
    /// is nothing to choose from then.
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
            let output = try await agenda(period.days, moment, width: 80)
            guard period.isOpen, output.sources?.isEmpty ?? true else { return output }
            var next = try await self.next(nil, moment)
            if next.sources?.isEmpty == false {
                next.lines.insert(StyledLine("Nothing in the next seven days. Next:", .dim), at: 0)
            }
            return next
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

    /// The events with that title and their times; nil if none lies ahead, since
    /// the question may be about anything then.
    private func when(_ title: String, _ moment: Moment) async throws -> CommandOutput? {
        let found = try await coming(title, moment)
        return found.isEmpty ? nil : shown(found.map(\.event), moment)
    }

    private func shown(_ events: [Event], _ moment: Moment) -> CommandOutput {
        let lines = events.prefix(5).map { event in
            StyledLine([
                .init(event.name, .bold), .init(" · " + moment.text.fullSpan(event)),
                .init(event.location.map { " · \($0)" } ?? "", .dim),
            ])
        }
        return CommandOutput(lines: Array(lines), json: .array(events.map(moment.text.json)))
    }

    /// The next item within a year: the event, and the reminders that are due
    /// before it unless an event was asked for.
    private func next(
        _ kind: Understanding.Kind?, _ moment: Moment
    ) async throws -> CommandOutput {
        let all = EventMatcher.coming(
            try await moment.book.shelf().series, after: moment.context.now)
        let event =
            kind == .reminder
            ? nil : all.map(\.event).min { Event.isBefore($0, $1, in: moment.local) }
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

    /// The next occurrence of each series with that title, the earliest first; all series
    /// if there is no title.
    private func coming(
        _ title: String?, _ moment: Moment
    ) async throws -> [EventMatcher.Found] {
        let series = try await moment.book.shelf(text: title).series
        return
            (title.map { EventMatcher.coming($0, in: series, after: moment.context.now) }
            ?? EventMatcher.coming(series, after: moment.context.now))
            .sorted { Event.isBefore($0.event, $1.event, in: moment.local) }
    }

    // MARK: - Changes

    /// The possible subjects of a change: events, and the reminders that its words may also
    /// refer to.
    private struct Meant {
        var events: [EventMatcher.Found] = []
        var reminders: [Reminder] = []
        /// Whether the event was changed last.
        var isChanged = false
        /// A question to ask even about a single match.
        var question: String?
    }

    private func perform(
        _ wanted: Understanding.Change, _ mayAsk: Bool, _ moment: Moment
    ) async throws -> CommandOutput? {
        let meant: Meant
        if let title = wanted.title {
            meant = try await named(title, wanted, moment)
        } else {
            meant = try await it(wanted, moment)
        }
        if wanted.isOfBoth, meant.events.count == 2, meant.reminders.isEmpty,
            wanted.verb != .delete
        {
            return try await change(both: meant.events, wanted, moment)
        }
        guard let (series, event) = meant.events.first else { return nil }
        let isDeleted = wanted.verb == .delete
        let subject = Understanding.Change.Subject(event)
        let change = wanted.edit(of: subject, moment.fields)
        let isOne = meant.events.count == 1 && meant.reminders.isEmpty && meant.question == nil
        if isOne, let copy = wanted.copy(of: subject, title: event.title, moment.fields) {
            return echo(try await moment.book.create(copy), nil, moment)
        }
        guard isDeleted || change?.isEmpty == false else { return nil }
        // For a series, the scope is asked below.
        let isRecent = try await referent.isRecent(event, in: store, at: moment.context.now)
        let isSure =
            isDeleted && series.isRecurring || wanted.isExactly(event, isRecent: isRecent)
            || wanted.title == nil && wanted.actsIfExact && meant.isChanged
        if !isOne || wanted.asksFirst && !isSure {
            // A reminder of that name would be mistaken for the only match.
            guard
                mayAsk || wanted.kind != nil || wanted.title == nil || !meant.reminders.isEmpty
            else { return nil }
            let usual =
                isOne
                ? isDeleted ? "Cancel this?" : "Is this what you mean?"
                : isDeleted ? "Which is to be cancelled?" : "Which one do you mean?"
            judge.noteAsked(.which(wanted), at: moment.context.now)
            return which(meant, wanted, question: meant.question ?? usual, moment)
        }
        try await store.undoLast(if: wanted.isInstead)
        judge.noteDone(wanted, at: moment.context.now)
        // Another rule is meant for all of it.
        if series.isRecurring, isDeleted || change?.recurrence == nil {
            return isDeleted
                ? Self.scopes(
                    toBe: "cancelled", event, arguments: [event.uid], verb: "delete", moment)
                : Self.scopes(
                    toBe: "changed", event,
                    arguments: [event.uid] + (change?.options(in: moment.local) ?? []),
                    verb: "edit", moment)
        }
        guard let change, !isDeleted else {
            return echo(
                try await moment.book.delete(event, of: series, scope: .all), "cancelled", moment)
        }
        return echo(
            try await moment.book.edit(event, of: series, change, scope: .all),
            change.title != nil ? "renamed" : change.start == nil ? "changed" : "moved", moment)
    }

    private func change(
        both events: [EventMatcher.Found], _ wanted: Understanding.Change, _ moment: Moment
    ) async throws -> CommandOutput? {
        let acts = zip(events, events.reversed()).map { each, other -> ItemAct.Body? in
            let (series, event) = each
            let edit =
                wanted.verb == .swap
                ? ItemEdit(start: other.event.start)
                : wanted.edit(of: .init(event), moment.fields)
            guard let edit, !series.isRecurring else { return nil }
            return {
                let done = try await moment.book.edit(event, of: series, edit, scope: .all)
                return echo(done, "changed", moment)
            }
        }
        let done = try await ItemAct.perform(acts, in: store)
        if done != nil { referent.note(events.map(\.event.uid), at: moment.context.now) }
        return done
    }

    /// The items that "it" refers to: those of the last answer or action.
    private func it(_ wanted: Understanding.Change, _ moment: Moment) async throws -> Meant {
        guard
            let meant = try await referent.meant(
                in: store, moment.context, answersAlert: wanted.answersAlert,
                isOfBoth: wanted.isOfBoth, pick: wanted.occasion.pick)
        else { return Meant() }
        return Meant(
            events: try await coming(nil, moment).filter { meant.holds($0.event) },
            reminders: meant.areSeveral
                ? try await openReminders(nil, moment).filter(meant.holds) : [],
            isChanged: meant.isChanged,
            question: meant.areSeveral ? "Which one do you mean?" : nil)
    }

    private func named(
        _ title: String, _ wanted: Understanding.Change, _ moment: Moment
    ) async throws -> Meant {
        let (occasion, local) = (wanted.occasion, moment.local)
        func fitting(_ found: [EventMatcher.Found]) -> [EventMatcher.Found] {
            let onDay = occasion.day.map {
                EventMatcher.occurrences(of: found.map(\.series), in: moment.book.window($0...$0))
            }
            return (onDay ?? found).filter { occasion.fits($0.event.start, in: local) }
        }
        let all = try await coming(title, moment)
        var meant = Meant(events: fitting(all))
        // "my 3pm meeting" may have any title.
        if meant.events.isEmpty, occasion.isOnlyName {
            meant.events = fitting(try await coming(nil, moment))
            if occasion.clock == nil { meant.question = "Which one do you mean?" }
        }
        let isThere = !meant.events.isEmpty
        if !isThere { meant.events = all }
        guard wanted.kind == nil, !meant.events.isEmpty else {
            if !isThere { meant.question = moment.text.isNotThen(title, occasion) }
            return meant
        }
        // An exact title takes precedence over one that merely contains the words.
        let folded = SearchText.folded(title)
        let tasks = try await openReminders(title, moment).filter {
            NamedInWords.fits(title, title: $0.title)
        }
        let then = tasks.filter { occasion.fits($0.due, in: local) }
        if !isThere {
            if !then.isEmpty { return Meant() }
            meant.question = moment.text.isNotThen(title, occasion)
        }
        let exactEvents = meant.events.filter { SearchText.folded($0.event.title) == folded }
        let exactTasks = (isThere ? then : tasks).filter { SearchText.folded($0.title) == folded }
        if exactEvents.isEmpty {
            if isThere, !exactTasks.isEmpty { return Meant() }
            meant.reminders = isThere ? then : tasks
        } else {
            (meant.events, meant.reminders) = (exactEvents, exactTasks)
        }
        return meant
    }

    private func openReminders(_ title: String?, _ moment: Moment) async throws -> [Reminder] {
        try await store.files(CalendarStore.Selection(kind: "VTODO", openOnly: true, text: title))
            .files.flatMap { ReminderComponent.reminders(in: $0, context: moment.context) }
            .filter { !$0.completed }
    }

    private func which(
        _ meant: Meant, _ wanted: Understanding.Change, question: String, _ moment: Moment
    ) -> CommandOutput {
        var output = CommandOutput(lines: [StyledLine(question)])
        let (events, tasks) = (ItemIDs(meant.events.map(\.event)), ItemIDs(meant.reminders))
        for wanted in wanted.variants {
            output.choices += meant.events.prefix(9).compactMap { series, event in
                wanted.choice(
                    event, named: moment.text.line(event), id: events.full(event),
                    scope: series.isRecurring ? ["--this", moment.day(of: event)] : [],
                    edit: wanted.edit(of: .init(event), moment.fields),
                    moment.text)
            }
            output.choices += meant.reminders.compactMap {
                wanted.choice(
                    $0, named: moment.text.title($0), id: tasks.full($0),
                    edit: wanted.edit(of: .init($0, moment.local), moment.fields), moment.text)
            }
        }
        output.choices = Array(output.choices.prefix(9))
        return output
    }
}
