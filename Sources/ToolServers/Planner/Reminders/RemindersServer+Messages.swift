import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Handles plain messages: `MessageJudge` reads them, and they are carried out
/// or asked about here.
extension RemindersServer {
    package func canHandle(message: PlainMessage) -> IntentMatch {
        judge.read(message, in: context()).match(for: .reminder)
    }

    package func endQuestion() { judge.endQuestion() }

    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
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

    private func answer(_ message: PlainMessage, _ mayAsk: Bool) async throws -> CommandOutput? {
        let understanding = judge.take(message, in: context())
        do {
            switch understanding.act {
            case .store(let readings, .reminder): return try await store(readings, mayAsk)
            case .ask(let reading, .reminder): return asked(reading, understanding, message)
            case .reminders(let query):
                let output = try await list(query).output(wantsJSON: true)
                referent.noteShown(output, at: context().now)
                return output
            case .find(let title):
                let output = try await search(title).output(wantsJSON: true)
                guard output.json?.arrayValue?.isEmpty == false else { return nil }
                referent.noteShown(output, at: context().now)
                return output
            case .change(let change):
                if let done = try await perform(change, mayAsk) { return done }
            case nil, .store, .ask, .agenda, .free, .when, .next, .undo: return nil
            }
        } catch ToolError.noMatch {
            // Not about reminders; the calendar or the model may know it.
        }
        // "finish the report" may be something to do where nothing is called so.
        guard mayAsk, case .change(let change)? = understanding.act, change.kind == nil,
            change.title != nil, change.verb != .delete || !change.asksFirst,
            case let offer = judge.offer(message, in: context()), offer.unused.isEmpty,
            case .ask(let reading, _)? = offer.act
        else { return nil }
        return asked(reading, offer, message)
    }

    private func asked(
        _ reading: ParsedPhrase, _ understanding: Understanding, _ message: PlainMessage
    ) -> CommandOutput {
        if reading.start == nil, !understanding.isUnclaimed {
            judge.noteAsked(.when(reading), at: context().now)
        }
        return ReminderQuestion(
            asking: reading, phrase: message.text, words: words(),
            notUnderstood: understanding.unused
        ).output()
    }

    // MARK: - New ones

    /// The command that undoes an action, shown at the end of its line.
    private static let undo = StyledLine.Span(" · /undo", .hint)

    private func store(_ readings: [ParsedPhrase], _ mayAsk: Bool) async throws -> CommandOutput? {
        var drafts: [ItemEdit] = []
        for reading in readings {
            var draft = ItemEdit(reminder: reading, in: context())
            if let anchor = reading.anchor {
                let found = try await fix(&draft, to: anchor, on: reading.start?.date)
                // A model may know which one the user means.
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
        var stored: [Reminder] = []
        // The items of one message are undone at once.
        let step = actions.items.environment.uuid()
        for draft in drafts { stored.append(try await actions.create(draft, step: step)) }
        let answers = stored.map { answer("✓ \(words().full($0))", $0, silence($0)) }
        referent.note(stored.map(\.uid), at: context().now)
        return CommandOutput(joining: answers)
    }

    /// Gives a draft the time of the one event that it refers to.
    ///
    /// - Returns: the number of events with that name.
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

    // MARK: - Changes

    /// Acts on the reminder that the words refer to; asks if there are several, or if the one with
    /// that name is at another time than given.
    private func perform(
        _ change: Understanding.Change, _ mayAsk: Bool
    ) async throws -> CommandOutput? {
        var question = change.title.map { "Which \"\($0)\"?" } ?? "Which one do you mean?"
        var isAsked = change.asksFirst
        let found: [Reminder]
        if let title = change.title {
            let named = try await candidatesNamed(title, change)
            if named.isEmpty, change.answersAlert, let done = try await doneAlready(title) {
                return done
            }
            let fitting = named.filter { change.occasion.fits($0.due, in: context().local) }
            found = fitting.isEmpty ? named : fitting
            if found.count == 1,
                change.isExactly(
                    found[0],
                    isRecent: try await referent.isRecent(
                        found[0], in: actions.store, at: context().now))
            {
                isAsked = false
            }
            if fitting.isEmpty {
                (isAsked, question) = (true, words().isNotThen(title, change.occasion))
            } else if fitting.count == 1 {
                question = Self.question(change.verb) + "?"
            }
        } else {
            let meant = try await referent.meant(
                in: actions.store, context(), answersAlert: change.answersAlert,
                isOfBoth: change.isOfBoth, pick: change.occasion.pick)
            guard let meant else { return nil }
            found = try await actions.all(openOnly: change.verb != .reopen).reminders
                .filter(meant.holds)
            if found.count == 1 { question = Self.question(change.verb) + "?" }
            isAsked = isAsked && !(change.actsIfExact && meant.isChanged) || meant.areSeveral
            if change.isOfBoth, found.count == 2, meant.count == 2, change.verb != .delete {
                let acts = zip(found, found.reversed()).map { each, other in
                    change.verb == .swap
                        ? other.due.map { edit(each, ItemEdit(due: $0)) } : act(change, on: each)
                }
                let done = try await ItemAct.perform(acts, in: actions.store)
                if done != nil { referent.note(found.map(\.uid), at: context().now) }
                return done
            }
        }
        if !change.others.isEmpty { question = "When?" }
        if found.count == 1, !isAsked {
            guard let known = act(change, on: found[0]) else { return nil }
            try await actions.store.undoLast(if: change.isInstead)
            let done = try await known()
            judge.noteDone(change, at: context().now)
            return done
        }
        guard mayAsk || change.kind != nil || change.title == nil else { return nil }
        judge.noteAsked(.which(change), at: context().now)
        var output = CommandOutput(lines: [StyledLine(question, .warning)])
        let ids = ItemIDs(found)
        output.choices = Array(
            change.variants.flatMap { change in
                found.compactMap {
                    change.choice(
                        $0, named: words().title($0), id: ids.full($0),
                        edit: change.edit(of: .init($0, words().local), fields), words())
                }
            }.prefix(9))
        return output.choices.isEmpty ? nil : output
    }

    private func act(_ change: Understanding.Change, on reminder: Reminder) -> ItemAct.Body? {
        switch change.verb {
        case .complete:
            return {
                let done = try await actions.complete(reminder)
                return answer(completed(done), done.reminder)
            }
        case .reopen:
            return {
                let open = try await actions.reopen(reminder)
                return answer("✓ open again: \(words().title(open))", open)
            }
        case .delete:
            return { answer(deleted(reminder, try await actions.delete(reminder)), reminder) }
        case .snooze(let phrase):
            return fields.later(phrase ?? "10m").map { snooze(reminder, until: $0) }
        // "5 more minutes" of what has rung.
        case .extend(let length) where reminder.due.map(words().isPast) == true:
            let local = context().local
            let until = length.added(to: ItemTime(context().now, in: local), in: local)
            return snooze(reminder, until: until.instant(in: local))
        default:
            let subject = Understanding.Change.Subject(reminder, context().local)
            if let copy = change.copy(of: subject, title: reminder.title, fields) {
                return { changed(try await actions.create(copy)) }
            }
            return change.edit(of: subject, fields).map { edit(reminder, $0) }
        }
    }

    private func edit(_ reminder: Reminder, _ edit: ItemEdit) -> ItemAct.Body {
        { changed(try await actions.edit(reminder, edit)) }
    }

    private func changed(_ reminder: Reminder) -> CommandOutput {
        answer("✓ \(words().full(reminder))", reminder)
    }

    private func snooze(_ reminder: Reminder, until: Date) -> ItemAct.Body {
        {
            let snoozed = try await actions.snooze(reminder, until: until)
            return answer(self.snoozed(snoozed, until: until), snoozed)
        }
    }

    private func answer(
        _ text: String, _ reminder: Reminder, _ remark: String = ""
    ) -> CommandOutput {
        referent.note([reminder.uid], at: context().now)
        return CommandOutput(
            lines: [StyledLine([.init(text, .success), .init(remark, .warning), Self.undo])],
            json: words().json(reminder))
    }

    private static func question(_ verb: Understanding.Change.Verb) -> String {
        switch verb {
        case .delete: "Delete this"
        case .complete: "Is this done"
        default: "Is this what you mean"
        }
    }

    /// The answer about a reminder of exactly that name that was completed before, or nil.
    private func doneAlready(_ title: String) async throws -> CommandOutput? {
        let folded = SearchText.folded(title)
        let done = try await actions.all().reminders.last {
            $0.completed && SearchText.folded($0.title) == folded
        }
        return done.map { reminder in
            CommandOutput(
                lines: [
                    StyledLine([
                        .init("\(reminder.name) is done already", .warning),
                        .init(
                            " · chat reminders reopen \(ItemIDs([reminder])[reminder])", .hint),
                    ])
                ], json: words().json(reminder))
        }
    }

    /// Reminders with that name; "my 7am alarm" means all that ring then,
    /// whatever their names.
    private func candidatesNamed(
        _ title: String, _ change: Understanding.Change
    ) async throws -> [Reminder] {
        let candidates: Candidates =
            switch change.verb {
            case .reopen: .done
            case .delete: .any
            default: .open
            }
        let folded = SearchText.folded(title)
        let all = try await actions.all().reminders
        var fitting = all.filter { NamedInWords.fits(title, title: $0.title) }
        if change.isExact {
            let exact = fitting.filter { SearchText.folded($0.title) == folded }
            // "rice is done", of "buy rice" a moment ago
            var recent: [Reminder] = []
            for reminder in exact.isEmpty ? fitting : []
            where try await referent.isRecent(reminder, in: actions.store, at: context().now) {
                recent.append(reminder)
            }
            fitting = exact + recent
        }
        let named = Reminder.named(
            title, in: Self.narrowed(fitting, to: candidates) { !$0.isEmpty })
        let local = context().local
        guard change.occasion.isOnlyName,
            !named.contains(where: { change.occasion.fits($0.due, in: local) })
        else { return named }
        let then = all.filter { !$0.completed && change.occasion.fits($0.due, in: local) }
        return then.isEmpty ? named : then
    }
}
