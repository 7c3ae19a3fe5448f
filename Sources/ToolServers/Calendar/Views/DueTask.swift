import AgentCore
import FoundationEssentials
import ICalendar

/// An open reminder as the agenda shows it: what, and when that day. Read
/// from a VTODO; everything else about reminders is their own server's.
package struct DueTask: Sendable, Equatable {
    package var title: String
    package var due: ItemTime
    package var path: String
    package var isRecurring: Bool
    package var hasAlarm: Bool

    package init(
        title: String, due: ItemTime, path: String = "", isRecurring: Bool = false,
        hasAlarm: Bool = false
    ) {
        self.title = title
        self.due = due
        self.path = path
        self.isRecurring = isRecurring
        self.hasAlarm = hasAlarm
    }

    /// Those of a file that are open and have a time.
    static func tasks(
        in file: CalendarStore.File, local: LocalTime, zones: TimeZoneDatabase
    ) -> [DueTask] {
        ReminderComponent.places(in: file.content).compactMap { place -> DueTask? in
            let todo = place.todo
            let status = todo.first("STATUS")?.value.uppercased()
            guard status != "COMPLETED", status != "CANCELLED", todo.first("COMPLETED") == nil,
                let moment = todo.first("DUE").flatMap(CalendarMoment.init)
            else { return nil }
            let resolver = ZoneResolver(calendar: place.calendar, local: local, zones: zones)
            let title = ReminderComponent.title(todo)
            return DueTask(
                title: title.isEmpty ? "(no title)" : title, due: resolver.time(moment).time,
                path: file.path,
                isRecurring: todo.first("RRULE") != nil || todo.first("RDATE") != nil,
                hasAlarm: todo.components("VALARM").contains { AlertAlarm($0)?.isSeen == false })
        }
    }
}
