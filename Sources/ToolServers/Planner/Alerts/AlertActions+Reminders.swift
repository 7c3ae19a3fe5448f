import AgentCore
import CalendarFiles
import FoundationEssentials

/// The actions of an alert, carried out on the reminder that rang.
extension AlertActions {
    /// Done and snooze, performed by the reminders server.
    package init(_ reminders: ReminderActions) {
        @Sendable func find(_ alert: Alert) async throws -> Reminder {
            let all = try await reminders.all(openOnly: true).reminders
                .filter { $0.uid == alert.uid }
            // It may have been moved since. An alert from before this launch has no path.
            let here = all.filter { $0.path == alert.path }
            let found = here.isEmpty ? all : here
            guard Set(found.map(\.path)).count <= 1 else {
                throw ToolError.failed(
                    "\"\(alert.title)\" is in several lists; say which with /reminders done ID")
            }
            // Among occurrences of one series, the earliest one rang.
            guard let reminder = Reminder.earliest(found) else {
                throw ToolError.failed("that reminder is not open any more")
            }
            return reminder
        }
        self.init(
            done: { _ = try await reminders.complete(try await find($0)) },
            snooze: { _ = try await reminders.snooze(try await find($0), until: $1) })
    }
}
