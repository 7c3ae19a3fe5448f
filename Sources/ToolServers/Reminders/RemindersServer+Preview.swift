import AgentCore

/// What a call of the model would touch, for the question before it runs.
extension RemindersServer {
    /// `buy milk · 3 Nov` for the calls that name a reminder; what would happen
    /// instead where they name none or several.
    package func preview(of name: String, arguments: JSONObject) async -> String? {
        let acts = [
            "complete_reminder", "reopen_reminder", "edit_reminder", "snooze_reminder",
            "delete_reminder",
        ]
        guard acts.contains(name), let query = arguments["title"]?.stringValue else { return nil }
        let all: [Reminder]
        do {
            all = try await actions.all().reminders
        } catch {
            // The call itself will say what is wrong with the folder.
            return nil
        }
        let candidates: [Reminder]
        switch name {
        case "reopen_reminder": candidates = all.filter(\.completed)
        case "delete_reminder":
            let open = all.filter { !$0.completed }
            candidates = ReminderMatcher.match(query, in: open) == .none ? all : open
        default: candidates = all.filter { !$0.completed }
        }
        let words = self.words()
        switch ReminderMatcher.match(query, in: candidates) {
        case .none: return "nothing: no reminder matches"
        case .one(let reminder):
            guard name == "delete_reminder" else { return words.title(reminder) }
            let parts = all.filter { $0.parent == reminder.uid && !reminder.uid.isEmpty }
            return words.title(reminder)
                + (reminder.recurrence == nil ? "" : " (all its repetitions)")
                + (parts.isEmpty ? "" : " (\(Self.count(parts)) kept)")
        case .several(let found):
            let shown = found.prefix(5).map(words.title).joined(separator: ", ")
            let more = found.count > 5 ? " and \(found.count - 5) more" : ""
            return "nothing: several match (\(shown)\(more))"
        }
    }
}
