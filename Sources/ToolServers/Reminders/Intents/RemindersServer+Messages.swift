import AgentCore
import FoundationEssentials

/// Plain messages: judged, and carried out or asked about where they are
/// understood.
extension RemindersServer {
    package func canHandle(message: String) -> IntentMatch { judge(message).match }

    private func judge(_ message: String) -> ReminderIntent {
        let context = self.context()
        let words = self.words(context)
        var intent = ReminderIntent.judge(message) { parse($0, context) }
        // A time that is over needs no doubt of the reader's to be asked about.
        if case .create(let reading)? = intent.action,
            ReminderQuestion.isPast(reading, words: words)
        {
            intent.match.isComplete = false
            intent.match.missing = """
                Not stored: the time it names is over. \
                Say it with a date: chat reminders add TITLE --due 2026-11-22T09:00
                """
            intent.action = .ask(reading, phrase: message)
        }
        return intent
    }

    /// The word that takes an act back, at the end of its line.
    private static let undo = StyledLine.Span(" · /undo", .dim)

    package func handle(message: String) async throws -> CommandOutput? {
        do {
            return try await perform(judge(message).action)
        } catch ToolError.noMatch {
            // Not one of ours; a calendar or the model may know it.
            return nil
        }
    }

    private func perform(_ action: ReminderIntent.Action?) async throws -> CommandOutput? {
        switch action {
        case nil: return nil
        case .list(let filter):
            let output = try await RemindersCommand(server: self).list(filter)
            noteShown(output)
            return output
        case .create(let reading):
            let reminder = try await create(ReminderDraft(reading, in: context()))
            return answer("✓ \(words().full(reminder))", reminder)
        case .ask(let reading, let phrase):
            return ReminderQuestion(asking: reading, phrase: phrase, words: words()).output()
        case .complete(let title, let isExact):
            return try await target(title, isExact: isExact, command: ["done"]) {
                let done = try await actions.complete($0)
                return answer(completed(done), done.reminder)
            }
        case .reopen(let title):
            return try await choosing(title, .done, command: ["reopen"]) {
                let reminder = try await actions.reopen($0)
                return answer("✓ open again: \(words().title(reminder))", reminder)
            }
        case .delete(let title, let isExact):
            return try await target(title, .any, isExact: isExact, command: ["delete"]) {
                let parts = try await actions.delete($0)
                return answer(deleted($0, parts), $0)
            }
        case .rename(let title, let name):
            return try await target(title, command: ["edit", "--title", name]) {
                var edit = ReminderEdit()
                edit.title = name
                let reminder = try await actions.edit($0, edit)
                return answer("✓ \(words().full(reminder))", reminder)
            }
        case .snooze(let title, let phrase):
            guard let until = when.later(phrase ?? "10m") else { return nil }
            return try await target(
                title, command: ["snooze", "--for", phrase ?? "10m"]
            ) {
                let reminder = try await actions.snooze($0, until: until)
                return answer(snoozed(reminder, until: until), reminder)
            }
        case .move(let title, let phrase):
            // A bare number is an hour here.
            let isHour = phrase.utf8.count <= 2 && Int(phrase) != nil
            let reading = parse(isHour ? "at \(phrase)" : phrase, context())
            guard let start = reading.start, !reading.hasOwnTitle, reading.isActedOn
            else { return nil }
            return try await target(title, command: ["edit", "--due", phrase]) {
                try await move($0, to: moved($0, to: start, in: reading))
            }
        case .postpone(let title, let phrase):
            return try await target(title, command: nil) { reminder in
                guard let due = reminder.due, let moved = postponed(due, by: phrase) else {
                    return nil
                }
                return try await move(reminder, to: moved)
            }
        }
    }

    // MARK: - When

    /// A day keeps the clock that the reminder has; a clock keeps its day,
    /// unless that is over.
    private func moved(_ reminder: Reminder, to start: Reading.Moment, in reading: Reading)
        -> ItemTime
    {
        let local = context().local
        let wanted = ItemTime(start, in: local)
        guard let due = reminder.due else { return wanted }
        switch start {
        case .date(let date):
            guard !due.isDate else { return wanted }
            let clock = local.civil(at: due.instant(in: local))
            return wanted.with(date, clock, local)
        case .time(let clock):
            let namesDay = reading.spans.contains { $0.part == .date }
            if namesDay || reading.spans.isEmpty { return wanted }
            let same = wanted.with(due.day(in: local), clock, local)
            return words().isPast(same) ? wanted : same
        }
    }

    /// Later by what "an hour" or "two weeks" adds to now.
    private func postponed(_ due: ItemTime, by phrase: String) -> ItemTime? {
        let context = self.context()
        if let stretch = DurationParser.duration(of: phrase), stretch != .zero {
            return stretch.added(to: due, in: context.local)
        }
        let reading = parse("in " + phrase, context)
        guard let start = reading.start, !reading.hasOwnTitle else { return nil }
        let now = ItemTime(context.now, in: context.local)
        switch start {
        case .date(let date):
            return CalendarDuration(days: date.dayNumber - now.civilDate.dayNumber)
                .added(to: due, in: context.local)
        case .time(let clock):
            guard !due.isDate else { return nil }
            // Where the phrase is read to the minute, so is the clock.
            let said = LocalTime.seconds(of: context.local.instant(of: clock))
            let seconds = LocalTime.seconds(of: context.now)
            return CalendarDuration(
                seconds: said - (clock.second == 0 ? seconds / 60 * 60 : seconds)
            )
            .added(to: due, in: context.local)
        }
    }

    private func move(_ reminder: Reminder, to due: ItemTime) async throws -> CommandOutput {
        var edit = ReminderEdit()
        edit.due = .set(due)
        let changed = try await actions.edit(reminder, edit)
        return answer("✓ \(words().full(changed))", changed)
    }

    // MARK: - Which

    private func answer(_ text: String, _ reminder: Reminder) -> CommandOutput {
        spokenOf.note([reminder.uid], at: context().now)
        return CommandOutput(
            lines: [StyledLine([.init(text, .success), Self.undo])],
            json: ReminderJSON(words()).object(reminder))
    }

    /// What a title names, or what "that" is.
    private func target(
        _ title: String?, _ candidates: Candidates = .open, isExact: Bool = false,
        command: [String]?, _ act: (Reminder) async throws -> CommandOutput?
    ) async throws -> CommandOutput? {
        if let title {
            return try await choosing(title, candidates, isExact: isExact, command: command, act)
        }
        guard let uid = try await spokenOf.uid(in: actions.store, now: context().now),
            let reminder = try await actions.all(openOnly: true).reminders.first(where: {
                $0.uid == uid
            })
        else { return nil }
        return try await act(reminder)
    }

    /// "It" may be said of the one that a list held.
    private func noteShown(_ output: CommandOutput) {
        let items = output.json?.arrayValue ?? []
        spokenOf.note(items.compactMap { $0["uid"]?.stringValue }, at: context().now)
    }

    /// Acts on the one that is meant; asks where several are.
    private func choosing(
        _ title: String, _ candidates: Candidates, isExact: Bool = false, command: [String]?,
        _ act: (Reminder) async throws -> CommandOutput?
    ) async throws -> CommandOutput? {
        let all = try await actions.all().reminders.filter {
            NamedInWords.fits(title, title: $0.title)
        }
        var wanted = all.filter {
            switch candidates {
            case .open: !$0.completed
            case .done: $0.completed
            case .any: true
            }
        }
        if isExact {
            // Only an exact title is sure enough to act on without a question.
            let folded = SearchText.folded(title)
            wanted.removeAll { SearchText.folded($0.title) != folded }
        }
        if candidates == .any {
            let open = wanted.filter { !$0.completed }
            if ReminderMatcher.match(title, in: open) != .none { wanted = open }
        }
        switch ReminderMatcher.match(title, in: wanted) {
        case .none: return nil
        case .one(let reminder): return try await act(reminder)
        case .several(let found):
            guard let command, let verb = command.first else { return nil }
            let words = self.words()
            var output = CommandOutput(
                lines: [StyledLine("Which \"\(title)\"?", .warning)])
            output.choices = found.prefix(9).map { reminder in
                CommandOutput.Choice(
                    words.title(reminder),
                    command: ["reminders", verb] + command.dropFirst() + ["--", reminder.uid])
            }
            return output
        }
    }
}

extension ItemTime {
    /// That clock on that day, kept in this time's own zone.
    fileprivate func with(
        _ date: CivilDate, _ clock: CivilDateTime, _ local: LocalTime
    ) -> ItemTime {
        .time(
            CivilDateTime(
                secondsAsUTC: date.dayNumber * 86_400 + clock.secondsAsUTC
                    - clock.date.dayNumber * 86_400), zone: local.rules)
    }
}
