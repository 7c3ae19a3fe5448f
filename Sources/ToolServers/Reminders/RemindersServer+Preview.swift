import AgentCore

/// What a call of the model would touch, for the question before it runs.
extension RemindersServer {
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
            let parts = try await actions.all().reminders.filter {
                $0.parent == reminder.uid && !reminder.uid.isEmpty
            }
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
}
