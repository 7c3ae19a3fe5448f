import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Calls of the model: turns arguments into actions, and reports the results in words.
///
/// What would hide or empty a reminder in the guise of a change is refused
/// here; a person may do it with a command.
extension RemindersServer {
    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        let call = ItemArguments(arguments: arguments, fields: fields)
        switch name {
        case "create_reminder": return try await create(call)
        case "list_reminders": return try await list(call)
        case "search_reminders":
            let listing = try await actions.all()
            return await output(
                ItemMatcher.search(
                    arguments["query"]?.stringValue ?? "", in: listing.reminders), of: listing,
                empty: "no reminder has these words in its title, notes or tags")
        default: break
        }
        guard let candidates = Self.candidates(for: name) else {
            throw ToolError.toolNotFound(name: name)
        }
        let query = arguments["title"]?.stringValue ?? ""
        do {
            let reminder = try await find(query, candidates)
            let (text, summary, changed) = try await act(name, on: reminder, call)
            return ToolOutput(
                text: text, summary: summary,
                isForeign: await actions.items.areForeign([changed]))
        } catch let error as ToolError where error.mayQuoteOthers {
            return await failure(error, of: query)
        }
    }

    /// Which reminders a call that names one can be about; nil for other calls.
    private static func candidates(for tool: String) -> Candidates? {
        switch tool {
        case "complete_reminder", "edit_reminder", "snooze_reminder": .open
        case "reopen_reminder": .done
        case "delete_reminder": .any
        default: nil
        }
    }

    private func act(
        _ tool: String, on reminder: Reminder, _ call: ItemArguments
    ) async throws -> (text: String, summary: String, reminder: Reminder) {
        let quoted = JSONWriter.string(.string(reminder.title))
        switch tool {
        case "complete_reminder":
            let done = try await actions.complete(reminder)
            var text = "completed \(quoted)"
            if let next = done.nextDue {
                text += "; it repeats, next \(next.isoText(in: words().local))"
            }
            if !done.openParts.isEmpty {
                text += "; \(Self.count(done.openParts)) of it still open"
            }
            return (text, completed(done), done.reminder)
        case "reopen_reminder":
            let open = try await actions.reopen(reminder)
            return ("reopened \(quoted)", "✓ open again: \(words().title(open))", open)
        case "edit_reminder":
            let changed = try await actions.edit(reminder, try await edit(call, of: reminder))
            return (
                "changed " + line(changed), "✓ \(words().full(changed))\(silence(changed))", changed
            )
        case "snooze_reminder":
            let until = try snoozeEnd(call)
            let later = try await actions.snooze(reminder, until: until)
            return (
                "snoozed \(quoted) until \(words().local.isoText(until))",
                snoozed(later, until: until), later
            )
        case "delete_reminder":
            let parts = try await actions.delete(reminder)
            let kept = parts.isEmpty ? "" : "; \(Self.count(parts)) of it kept"
            return ("moved \(quoted) to the trash" + kept, deleted(reminder, parts), reminder)
        default: throw ToolError.toolNotFound(name: tool)
        }
    }

    /// A reminder that is moved into another list is new there. Into the past it cannot be
    /// moved: `edit` refuses that.
    package func effects(of name: String, arguments: JSONObject) async -> [CallEffect]? {
        guard name == "edit_reminder", arguments["list"] != nil,
            let tool = ReminderTools.all.first(where: { $0.name == name })
        else { return nil }
        return [
            CallEffect(tool, arguments), CallEffect(.addition, "create_reminder", arguments),
        ]
    }

    /// `buy milk · 3 Nov` for the calls that name a reminder. One that names
    /// none, or several, fails as the call itself would.
    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        guard let candidates = Self.candidates(for: name),
            let query = arguments["title"]?.stringValue
        else { return .touches(nil) }
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
    /// are. Without the reminders, whose titles may be in it, it counts as
    /// foreign.
    private func failure(_ error: ToolError, of query: String) async -> ToolOutput {
        var isForeign = true
        if let all = try? await actions.all().reminders {
            isForeign = await actions.items.areForeign(Reminder.named(query, in: all))
        }
        return ToolOutput(text: error.modelText, isError: true, isForeign: isForeign)
    }

    // MARK: - Arguments

    private func rule(
        _ call: ItemArguments, due: ItemTime?
    ) throws -> ItemEdit.Change<RecurrenceRule>? {
        let change = try call.rule("recurrence")
        if let rule = change?.value, let due, !isAlive(rule, from: due) {
            throw ItemActions.refusal("$.recurrence", "ends before it would ever remind the user")
        }
        return change
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

    private func alarm(
        _ call: ItemArguments, due: ItemTime?
    ) throws -> ItemEdit.Change<CalendarDuration>? {
        let change = call.alarm("alarm_minutes_before")
        if change?.value != nil, due == nil {
            throw ItemActions.refusal("$.alarm_minutes_before", "needs a due_date")
        }
        return change
    }

    private func create(_ call: ItemArguments) async throws -> ToolOutput {
        let due = try call.due("due_date")
        var draft = ItemEdit(title: call.arguments["title"]?.stringValue ?? "", due: due)
        draft.recurrence = try rule(call, due: due)
        draft.notes = call.change("notes")
        draft.priority = call.integer("priority").map { .set($0) }
        draft.list = call.text("list")
        draft.categories = call.texts("tags")
        draft.alarm = try alarm(call, due: due)
        if let query = call.text("parent") { draft.parent = .set(try await parent(query)) }
        let reminder = try await actions.create(draft)
        let words = self.words()
        return ToolOutput(
            text: "created " + line(reminder)
                + (reminder.due.map(words.isPast) == true ? "; the due date is in the past" : ""),
            summary: "✓ \(words.full(reminder))\(silence(reminder))",
            isForeign: await actions.items.areForeign([reminder]))
    }

    private func edit(_ call: ItemArguments, of reminder: Reminder) async throws -> ItemEdit {
        var edit = ItemEdit(title: call.arguments["new_title"]?.stringValue)
        if call.arguments["due_date"] != nil {
            let due = try call.due("due_date")
            try due.map(checkMove)
            edit.due = due.map { .set($0) } ?? .clear
        }
        let due = edit.due == nil ? reminder.due : edit.due?.value
        edit.recurrence = try rule(call, due: due)
        edit.alarm = try alarm(call, due: due)
        edit.priority = call.integer("priority").map { $0 == 0 ? .clear : .set($0) }
        edit.categories = call.texts("tags")
        edit.notes = call.change("notes")
        edit.list = call.text("list")
        edit.parent = call.change("parent")
        if let query = edit.parent?.value { edit.parent = .set(try await parent(query)) }
        if edit.isEmpty {
            throw ToolError.failed("nothing to change was given; give the fields that differ")
        }
        return edit
    }

    /// A reminder moved out of sight is as good as deleted.
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

    private func snoozeEnd(_ call: ItemArguments) throws -> Date {
        let now = context().now
        switch (call.integer("minutes"), try call.due("until")) {
        case (let minutes?, nil): return now.addingTimeInterval(Double(minutes) * 60)
        case (nil, let time?):
            let instant = fields.morning(time)
            guard instant > now,
                instant <= now.addingTimeInterval(Double(ReminderTools.longestSnooze) * 60)
            else { throw ItemActions.refusal("$.until", "must be within a year from now") }
            return instant
        default:
            throw ItemActions.refusal("$.minutes", "or until must be given, and not both")
        }
    }

    // MARK: - Answers

    private func line(_ reminder: Reminder) -> String {
        words().modelLine(reminder, id: String(reminder.uid.prefix(8)))
    }

    static func count(_ parts: [Reminder]) -> String {
        parts.count == 1 ? "1 part" : "\(parts.count) parts"
    }

    private func list(_ call: ItemArguments) async throws -> ToolOutput {
        var filter = ReminderFilter(call.text("filter").flatMap(ReminderFilter.Span.init) ?? .open)
        filter.list = call.text("list")
        filter.tag = call.text("tag")
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
        let ids = ItemIDs(listing.reminders)
        let byID = Dictionary(grouping: listing.reminders, by: \.uid)
        return await actions.items.listing(
            ReminderListing(reminders, text: words, ids: ids).reminders, "reminder", empty: empty,
            more: "search_reminders finds them", listing.problems,
            // An id is whatever the program wrote that made the file.
            named: { $0.parent.flatMap { byID[$0] } ?? [] }
        ) { reminder in
            words.modelLine(
                reminder, id: ids[reminder],
                parent: reminder.parent.flatMap { byID[$0]?.first }.map { ids[$0] })
        }
    }
}
