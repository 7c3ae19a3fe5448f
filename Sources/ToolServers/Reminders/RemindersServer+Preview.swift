import AgentCore

/// What a call of the model would touch, for the question before it runs.
extension RemindersServer {
    /// `buy milk · 3 Nov` for the calls that name a reminder; what would happen
    /// instead where they name none or several.
    package func preview(of name: String, arguments: JSONObject) async -> String? {
        guard name == "complete_reminder" || name == "delete_reminder",
            let query = arguments["title"]?.stringValue
        else { return nil }
        let all: [Reminder]
        do {
            all = try await store.all().reminders
        } catch {
            // The call itself will say what is wrong with the folder.
            return nil
        }
        let candidates = name == "complete_reminder" ? all.filter { !$0.completed } : all
        let words = self.words()
        switch ReminderMatcher.match(query, in: candidates) {
        case .none: return "nothing: no reminder matches"
        case .one(let reminder): return words.title(reminder)
        case .several(let found):
            let shown = found.prefix(5).map(words.title).joined(separator: ", ")
            let more = found.count > 5 ? " and \(found.count - 5) more" : ""
            return "nothing: several match (\(shown)\(more))"
        }
    }
}
