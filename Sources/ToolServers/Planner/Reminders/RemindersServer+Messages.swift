import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Plain messages: read by `MessageJudge`, carried out or asked about here.
extension RemindersServer {
    package func canHandle(message: String) -> IntentMatch {
        judge.read(message, in: context()).match(for: .reminder)
    }

    package func handle(
        message: String, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        guard var output = try await answer(message, mayAsk) else { return nil }
        // It shows the names of lists too.
        if let files = output.quotedFiles {
            output.quotesOthers =
                !(await actions.store.haveOwnNames(
                    files, showing: actions.items.shownNames))
        }
        return output
    }

    private func answer(_ message: String, _ mayAsk: Bool) async throws -> CommandOutput? {
        let understanding = judge.read(message, in: context())
        do {
            switch understanding.act {
            case .store(let readings, .reminder): return try await store(readings, mayAsk)
            case .ask(let reading, .reminder):
                if reading.start == nil { judge.noteAsked(reading, at: context().now) }
                return ReminderQuestion(
                    asking: reading, phrase: message, words: words(),
                    notUnderstood: understanding.unused
                ).output()
            case .reminders(let filter):
                let output = try await RemindersCommand(server: self).list(filter)
                referent.noteShown(output, at: context().now)
                return output
            case .next(.reminder): return try await next()
            case .find(let title):
                let output = try await RemindersCommand(server: self).search(title)
                guard output.json?.arrayValue?.isEmpty == false else { return nil }
                referent.noteShown(output, at: context().now)
                return output
            case .change(let change): return try await perform(change, mayAsk)
            case nil, .store, .ask, .agenda, .free, .when, .next, .undo: return nil
            }
        } catch ToolError.noMatch {
            // Not one of ours; the calendar or the model may know it.
            return nil
        }
    }

    // MARK: - New ones

    /// The word that takes an act back, at the end of its line.
    private static let undo = StyledLine.Span(" · /undo", .hint)

    private func store(_ readings: [ParsedPhrase], _ mayAsk: Bool) async throws -> CommandOutput? {
        var drafts: [ItemEdit] = []
        for reading in readings {
            var draft = ItemEdit(reminder: reading, in: context())
            if let anchor = reading.anchor {
                let found = try await fix(&draft, to: anchor, on: reading.start?.date)
                // A model may know what is meant.
                if found == 0, !mayAsk { return nil }
                guard found == 1 else {
                    return ReminderQuestion(
                        asking: reading, phrase: reading.title, words: words(),
                        notUnderstood: ["when \"\(anchor.words)\" is"]
                    ).output()
                }
            }
            drafts.append(draft)
        }
        var output = CommandOutput()
        var stored: [Reminder] = []
        for draft in drafts {
            let reminder = try await actions.create(draft)
            stored.append(reminder)
            output.lines.append(
                StyledLine([
                    .init("✓ \(words().full(reminder))", .success),
                    .init(silence(reminder), .warning), Self.undo,
                ]))
        }
        referent.note(stored.map(\.uid), at: context().now)
        let objects = stored.map(words().json)
        output.json = objects.count == 1 ? objects[0] : .array(objects)
        return output
    }

    /// Gives a draft the time of the one event that it hangs on.
    ///
    /// - Returns: how many have that name.
    private func fix(
        _ draft: inout ItemEdit, to anchor: ParsedPhrase.Anchor, on day: CivilDate?
    ) async throws -> Int {
        let context = self.context()
        let starts = try await eventStarts(anchor.words, actions.store, context).filter {
            day == nil || $0.day(in: context.local) == day
        }
        guard starts.count == 1, let start = starts.first else { return starts.count }
        if SearchText.folded(draft.title ?? "") == SearchText.folded(anchor.words) {
            draft.due = .set(start)
            draft.alarm = .set(anchor.offset)
        } else {
            draft.due = .set(anchor.offset.added(to: start, in: context.local))
        }
        return 1
    }

    private func next() async throws -> CommandOutput {
        let words = self.words()
        let open = try await actions.all(openOnly: true).reminders.filter { reminder in
            reminder.due.map { !words.isPast($0) } ?? false
        }
        guard
            let first = open.min(by: { left, right in
                guard let one = left.due, let other = right.due else { return false }
                return one.instant(in: words.local) < other.instant(in: words.local)
            })
        else { return CommandOutput(lines: [StyledLine("Nothing is coming up.", .dim)]) }
        referent.note([first.uid], at: context().now)
        return CommandOutput(
            lines: [StyledLine(words.full(first))], json: words.json(first))
    }

    // MARK: - Changes

    private func perform(
        _ change: Understanding.Change, _ mayAsk: Bool
    ) async throws -> CommandOutput? {
        let isNamed = change.kind != nil || mayAsk
        switch change.verb {
        case .complete:
            return try await target(change, isNamed, command: ["done"]) {
                let done = try await actions.complete($0)
                return answer(completed(done), done.reminder)
            }
        case .reopen:
            return try await target(change, isNamed, .done, command: ["reopen"]) {
                let reminder = try await actions.reopen($0)
                return answer("✓ open again: \(words().title(reminder))", reminder)
            }
        case .delete:
            return try await target(change, isNamed, .any, command: ["delete"]) {
                let parts = try await actions.delete($0)
                return answer(deleted($0, parts), $0)
            }
        case .rename(let name):
            return try await target(change, isNamed, command: ["edit", "--title", name]) {
                let reminder = try await actions.edit($0, ItemEdit(title: name))
                return answer("✓ \(words().full(reminder))", reminder)
            }
        case .snooze(let phrase):
            guard let until = fields.later(phrase ?? "10m") else { return nil }
            return try await target(change, isNamed, command: ["snooze", "--for", phrase ?? "10m"])
            {
                let reminder = try await actions.snooze($0, until: until)
                return answer(snoozed(reminder, until: until), reminder)
            }
        case .move(let phrase):
            let reading = parse(MessageInterpreter.time(phrase), context())
            guard let start = reading.start, !reading.hasOwnTitle, reading.isActedOn
            else { return nil }
            return try await target(change, isNamed, command: ["edit", "--due", phrase]) {
                try await move($0, to: moved($0, to: start, in: reading))
            }
        case .shift(let length):
            return try await target(change, isNamed, command: nil) { reminder in
                guard let due = reminder.due else { return nil }
                return try await move(reminder, to: length.added(to: due, in: context().local))
            }
        case .end: return nil
        }
    }

    /// A day keeps the clock that the reminder has; a clock keeps its day,
    /// unless that is over.
    private func moved(
        _ reminder: Reminder, to start: ParsedPhrase.Moment, in reading: ParsedPhrase
    )
        -> ItemTime
    {
        let local = context().local
        let wanted = ItemTime(start, in: local)
        guard let due = reminder.due else { return wanted }
        switch start {
        case .date(let date):
            if due.isDate { return wanted }
            return ItemTime(local.civil(at: due.instant(in: local)), on: date, in: local)
        case .time(let clock):
            let namesDay = reading.spans.contains { $0.part == .date }
            if namesDay || reading.spans.isEmpty { return wanted }
            let same = ItemTime(clock, on: due.day(in: local), in: local)
            return words().isPast(same) ? wanted : same
        }
    }

    private func move(_ reminder: Reminder, to due: ItemTime) async throws -> CommandOutput {
        let changed = try await actions.edit(reminder, ItemEdit(due: due))
        return answer("✓ \(words().full(changed))", changed)
    }

    // MARK: - Which

    private func answer(_ text: String, _ reminder: Reminder) -> CommandOutput {
        referent.note([reminder.uid], at: context().now)
        return CommandOutput(
            lines: [StyledLine([.init(text, .success), Self.undo])],
            json: words().json(reminder))
    }

    /// Acts on the one that is meant, by its title or as what was spoken of
    /// last; asks where several are.
    private func target(
        _ change: Understanding.Change, _ mayAsk: Bool, _ candidates: Candidates = .open,
        command: [String]?,
        _ act: (Reminder) async throws -> CommandOutput?
    ) async throws -> CommandOutput? {
        guard let title = change.title else {
            guard let uid = try await referent.uid(in: actions.store, now: context().now),
                let reminder = try await actions.all(openOnly: true).reminders.first(where: {
                    $0.uid == uid
                })
            else { return nil }
            return try await act(reminder)
        }
        var found = try await candidatesNamed(title, candidates, isExact: change.isExact)
        if let day = change.day {
            found.removeAll { $0.due?.day(in: context().local) != day }
        }
        if found.count == 1, !change.asksFirst { return try await act(found[0]) }
        guard !found.isEmpty, mayAsk, let command, let verb = command.first else { return nil }
        let words = self.words()
        var output = CommandOutput(
            lines: [
                StyledLine(
                    found.count == 1 ? "\(Self.question(change.verb))?" : "Which \"\(title)\"?",
                    .warning)
            ])
        output.choices = found.prefix(9).map { reminder in
            CommandOutput.Choice(
                words.title(reminder),
                command: ["reminders", verb] + command.dropFirst() + ["--", reminder.uid])
        }
        return output
    }

    private static func question(_ verb: Understanding.Change.Verb) -> String {
        switch verb {
        case .delete: "Delete this"
        case .complete: "Is this done"
        case .reopen, .rename, .snooze, .move, .shift, .end: "Is this what you mean"
        }
    }

    private func candidatesNamed(
        _ title: String, _ candidates: Candidates, isExact: Bool
    ) async throws -> [Reminder] {
        let folded = SearchText.folded(title)
        let all = try await actions.all().reminders.filter { reminder in
            isExact
                ? SearchText.folded(reminder.title) == folded
                : NamedInWords.fits(title, title: reminder.title)
        }
        return Reminder.named(title, in: Self.narrowed(all, to: candidates) { !$0.isEmpty })
    }
}
