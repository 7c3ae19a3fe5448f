import AgentCore
import FoundationEssentials
import ICalendar

/// Calls of the model: arguments into acts, and what came of them in words.
///
/// What would hide or empty a reminder in the guise of a change is refused
/// here; a person may do it with a command.
extension RemindersServer {
    /// More reminders than this are not listed for the model, but counted.
    private static let listLimit = 200

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        let query = arguments["title"]?.stringValue ?? ""
        switch name {
        case "create_reminder": return try await create(arguments)
        case "list_reminders": return try await list(arguments)
        case "search_reminders":
            let listing = try await actions.all()
            return await output(
                ItemMatcher.search(
                    arguments["query"]?.stringValue ?? "", in: listing.reminders), of: listing,
                empty: "no reminder has these words in its title, notes or tags")
        case "complete_reminder":
            return try await answering(query) {
                let done = try await actions.complete(find(query, .open))
                return ToolOutput(
                    text: "completed \(Self.quoted(done.reminder))"
                        + (done.nextDue.map {
                            "; it repeats, next \($0.isoText(in: words().local))"
                        }
                            ?? "") + openParts(done.openParts),
                    summary: completed(done),
                    isForeign: await actions.items.areForeign([done.reminder]))
            }
        case "reopen_reminder":
            return try await answering(query) {
                let reminder = try await actions.reopen(find(query, .done))
                return ToolOutput(
                    text: "reopened \(Self.quoted(reminder))",
                    summary: "✓ open again: \(words().title(reminder))",
                    isForeign: await actions.items.areForeign([reminder]))
            }
        case "edit_reminder":
            return try await answering(query) {
                let reminder = try await find(query, .open)
                let edit = try await edit(arguments, of: reminder)
                let changed = try await actions.edit(reminder, edit)
                return ToolOutput(
                    text: "changed " + line(changed), summary: "✓ \(words().full(changed))",
                    isForeign: await actions.items.areForeign([changed]))
            }
        case "snooze_reminder":
            return try await answering(query) {
                let until = try snoozeEnd(arguments)
                let reminder = try await actions.snooze(find(query, .open), until: until)
                return ToolOutput(
                    text: "snoozed \(Self.quoted(reminder)) until \(words().local.isoText(until))",
                    summary: snoozed(reminder, until: until),
                    isForeign: await actions.items.areForeign([reminder])
                )
            }
        case "delete_reminder":
            return try await answering(query) {
                let reminder = try await find(query, .any)
                let parts = try await actions.delete(reminder)
                return ToolOutput(
                    text: "moved \(Self.quoted(reminder)) to the trash" + keptParts(parts),
                    summary: deleted(reminder, parts),
                    isForeign: await actions.items.areForeign([reminder]))
            }
        default: throw ToolError.toolNotFound(name: name)
        }
    }

    // MARK: - What a call would touch

    /// `buy milk · 3 Nov` for the calls that name a reminder. One that names
    /// none, or several, fails as the call itself would.
    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        let candidates: Candidates
        switch name {
        case "complete_reminder", "edit_reminder", "snooze_reminder": candidates = .open
        case "reopen_reminder": candidates = .done
        case "delete_reminder": candidates = .any
        default: return .touches(nil)
        }
        guard let query = arguments["title"]?.stringValue else { return .touches(nil) }
        do {
            let reminder = try await find(query, candidates)
            let title = words().title(reminder)
            guard name == "delete_reminder" else { return .touches(title) }
            let parts = try await actions.parts(of: reminder)
            return .touches(
                title + (reminder.recurrence == nil ? "" : " (all its repetitions)")
                    + (parts.isEmpty ? "" : " (\(Self.count(parts)) kept)"))
        } catch let error as ToolError {
            return .fails(await failure(error, of: query))
        } catch {
            // The call itself will say what is wrong with the folder.
            return .touches(nil)
        }
    }

    /// An error that names reminders as an answer, which says whose words those
    /// are.
    private func answering(
        _ query: String, _ body: () async throws -> ToolOutput
    ) async throws -> ToolOutput {
        do {
            return try await body()
        } catch let error as ToolError {
            guard error.mayQuoteOthers else { throw error }
            return await failure(error, of: query)
        }
    }

    /// The error as an answer. Without the reminders, whose titles may be in it,
    /// it counts as foreign.
    private func failure(_ error: ToolError, of query: String) async -> ToolOutput {
        var isForeign = true
        if let all = try? await actions.all().reminders {
            isForeign = await actions.items.areForeign(Reminder.named(query, in: all))
        }
        return ToolOutput(text: error.modelText, isError: true, isForeign: isForeign)
    }

    // MARK: - Arguments

    /// nil for an empty text, which models write for "none".
    private func text(_ name: String, _ arguments: JSONObject) -> String? {
        arguments[name]?.stringValue.flatMap { DateFieldParser.isNone($0) ? nil : $0 }
    }

    private func value<Value>(
        _ name: String, _ arguments: JSONObject,
        _ read: (DateFieldParser, String) throws(DateFieldParser.Problem) -> Value
    ) throws -> Value? {
        guard let text = text(name, arguments) else { return nil }
        do throws(DateFieldParser.Problem) {
            return try read(fields, text)
        } catch {
            throw ItemActions.refusal("$.\(name)", error.sentence)
        }
    }

    private func due(_ name: String, _ arguments: JSONObject) throws -> ItemTime? {
        try value(name, arguments) { fields, text throws(DateFieldParser.Problem) in
            try fields.iso(text)
        }
    }

    private func rule(_ arguments: JSONObject, due: ItemTime?) throws -> RecurrenceRule? {
        let rule = try value("recurrence", arguments) {
            fields, text throws(DateFieldParser.Problem) in try fields.rule(text)
        }
        if let rule, let due, !isAlive(rule, from: due) {
            throw ItemActions.refusal("$.recurrence", "ends before it would ever remind the user")
        }
        return rule
    }

    /// Whether a series has a time that is still to come.
    private func isAlive(_ rule: RecurrenceRule, from due: ItemTime) -> Bool {
        let context = self.context()
        let set = RecurrenceSet(
            start: due, rules: [rule.bounded(like: due, in: context.local)])
        let isOver = words(context).isPast(due)
        if case .until(let moment) = rule.bound {
            let end = context.resolver().time(moment).time
            if end.deadline(in: context.local) <= context.now { return false }
        }
        // A rule that cannot be followed is refused like one that is over.
        guard let next = try? set.next(after: context.now, in: context.local) else {
            return !isOver
        }
        return next.instant(in: context.local) > context.now
    }

    private func create(_ arguments: JSONObject) async throws -> ToolOutput {
        var draft = ItemEdit(
            title: arguments["title"]?.stringValue ?? "", due: try due("due_date", arguments))
        let due = draft.due?.value
        draft.recurrence = try rule(arguments, due: due).map { .set($0) }
        draft.notes = arguments["notes"]?.stringValue.map { .set($0) }
        draft.priority = arguments["priority"]?.integerValue.map { .set($0) }
        draft.list = text("list", arguments)
        draft.categories = tags(arguments)
        if let minutes = arguments["alarm_minutes_before"]?.integerValue {
            draft.alarm = .set(try alarm(minutes: minutes, due: due))
        }
        if let query = text("parent", arguments) {
            draft.parent = .set(try await parent(query))
        }
        let reminder = try await create(draft)
        let words = self.words()
        return ToolOutput(
            text: "created " + line(reminder)
                + (reminder.due.map(words.isPast) == true ? "; the due date is in the past" : ""),
            summary: "✓ \(words.full(reminder))")
    }

    private func tags(_ arguments: JSONObject) -> ItemEdit.Change<[String]>? {
        (arguments["tags"]?.arrayValue?.compactMap(\.stringValue)).map {
            $0.isEmpty ? .clear : .set($0)
        }
    }

    private func alarm(minutes: Int, due: ItemTime?) throws -> CalendarDuration {
        guard due != nil else {
            throw ItemActions.refusal("$.alarm_minutes_before", "needs a due_date")
        }
        return CalendarDuration(seconds: -minutes * 60)
    }

    private func edit(_ arguments: JSONObject, of reminder: Reminder) async throws -> ItemEdit {
        var edit = ItemEdit()
        edit.title = arguments["new_title"]?.stringValue
        if arguments["due_date"] != nil {
            if let due = try due("due_date", arguments) {
                try checkMove(due)
                edit.due = .set(due)
            } else {
                edit.due = .clear
            }
        }
        let due = edit.due == nil ? reminder.due : edit.due?.value
        if arguments["recurrence"] != nil {
            edit.recurrence = try rule(arguments, due: due).map { .set($0) } ?? .clear
        }
        if let minutes = arguments["alarm_minutes_before"]?.integerValue {
            edit.alarm = minutes < 0 ? .clear : .set(try alarm(minutes: minutes, due: due))
        }
        if let priority = arguments["priority"]?.integerValue {
            edit.priority = priority == 0 ? .clear : .set(priority)
        }
        edit.categories = tags(arguments)
        if arguments["notes"] != nil {
            edit.notes = text("notes", arguments).map { .set($0) } ?? .clear
        }
        edit.list = text("list", arguments)
        if arguments["parent"] != nil {
            if let query = text("parent", arguments) {
                edit.parent = .set(try await parent(query))
            } else {
                edit.parent = .clear
            }
        }
        if edit.isEmpty {
            throw ToolError.failed("nothing to change was given; give the fields that differ")
        }
        return edit
    }

    /// A reminder moved to where nobody will see it is as good as deleted.
    private func checkMove(_ due: ItemTime) throws {
        let words = self.words()
        if words.isPast(due) {
            throw ItemActions.refusal(
                "$.due_date",
                "is in the past; to finish the reminder use complete_reminder or delete_reminder")
        }
        if due.civilDate.year > words.today.year + 50 {
            throw ItemActions.refusal("$.due_date", "is too far away")
        }
    }

    private func snoozeEnd(_ arguments: JSONObject) throws -> Date {
        let context = self.context()
        let minutes = arguments["minutes"]?.integerValue
        let until = try due("until", arguments)
        switch (minutes, until) {
        case (let minutes?, nil): return context.now.addingTimeInterval(Double(minutes) * 60)
        case (nil, let time?):
            let instant = fields.morning(time)
            let furthest = context.now.addingTimeInterval(Double(ReminderTools.longestSnooze) * 60)
            guard instant > context.now, instant <= furthest else {
                throw ItemActions.refusal("$.until", "must be within a year from now")
            }
            return instant
        default:
            throw ItemActions.refusal("$.minutes", "or until must be given, and not both")
        }
    }

    // MARK: - Answers

    private static func quoted(_ reminder: Reminder) -> String {
        JSONWriter.string(.string(reminder.title))
    }

    private func line(_ reminder: Reminder) -> String {
        words().modelLine(reminder, id: String(reminder.uid.prefix(8)))
    }

    private func openParts(_ parts: [Reminder]) -> String {
        parts.isEmpty ? "" : "; \(Self.count(parts)) of it still open"
    }

    private func keptParts(_ parts: [Reminder]) -> String {
        parts.isEmpty ? "" : "; \(Self.count(parts)) of it kept"
    }

    static func count(_ parts: [Reminder]) -> String {
        parts.count == 1 ? "1 part" : "\(parts.count) parts"
    }

    private func list(_ arguments: JSONObject) async throws -> ToolOutput {
        var filter = ReminderFilter(
            arguments["filter"]?.stringValue.flatMap(ReminderFilter.Span.init) ?? .open)
        filter.list = text("list", arguments)
        filter.tag = text("tag", arguments)
        let words = self.words()
        let listing = try await actions.all(openOnly: filter.isOpenOnly)
        let empty =
            switch filter.span {
            case .open where filter.list == nil && filter.tag == nil: "there are no open reminders"
            case .all where filter.list == nil && filter.tag == nil: "there are no reminders"
            default: "there are no such reminders"
            }
        return await output(
            listing.reminders.filter { filter.allows($0, at: words) }, of: listing, empty: empty)
    }

    private func output(
        _ reminders: [Reminder], of listing: ReminderActions.Listing, empty: String
    ) async -> ToolOutput {
        let words = self.words()
        let ids = ItemMatcher.shortIDs(listing.reminders.map(\.uid))
        let ordered = ReminderListing(reminders, text: words, ids: ids).reminders
        var lines = ordered.prefix(Self.listLimit).map { reminder in
            words.modelLine(
                reminder, id: ids[reminder.uid] ?? reminder.uid,
                parent: reminder.parent.flatMap { ids[$0] })
        }
        if lines.isEmpty { lines = [empty] }
        if ordered.count > Self.listLimit {
            lines.append("and \(ordered.count - Self.listLimit) more; search_reminders finds them")
        }
        let unread = listing.problems.filter { $0.title == nil }.count
        if unread > 0 { lines.append("\(unread) files could not be read") }
        return ToolOutput(
            text: lines.joined(separator: "\n"),
            summary: ordered.count == 1 ? "1 reminder" : "\(ordered.count) reminders",
            isForeign: await actions.items.areForeign(Array(ordered.prefix(Self.listLimit))))
    }
}
