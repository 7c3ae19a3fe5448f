import AgentCore
import CalendarFiles
import FoundationEssentials

extension AlertActions {
    /// Done and snooze as the reminders server performs them.
    package init(_ reminders: ReminderActions) {
        @Sendable func find(_ uid: String) async throws -> Reminder {
            let all = try await reminders.all(openOnly: true).reminders
            // Among occurrences of one series, the earliest one rang.
            guard let reminder = Reminder.earliest(all.filter { $0.uid == uid }) else {
                throw ToolError.failed("that reminder is not open any more")
            }
            return reminder
        }
        self.init(
            done: { _ = try await reminders.complete(try await find($0)) },
            snooze: { _ = try await reminders.snooze(try await find($0), until: $1) })
    }
}
