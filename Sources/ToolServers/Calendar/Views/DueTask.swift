import AgentCore
import FoundationEssentials

/// An open reminder as the agenda shows it: what, and when that day. Read
/// from a VTODO; everything else about reminders is their own server's.
package struct DueTask: Sendable, Equatable {
    package var title: String
    package var due: ItemTime
    package var isRecurring: Bool
    package var hasAlarm: Bool

    package init(title: String, due: ItemTime, isRecurring: Bool = false, hasAlarm: Bool = false) {
        self.title = title
        self.due = due
        self.isRecurring = isRecurring
        self.hasAlarm = hasAlarm
    }

    /// Those of a file that are open and have a time.
    static func tasks(
        in file: Component, local: LocalTime, zones: TimeZoneDatabase
    ) -> [DueTask] {
        file.components("VCALENDAR").flatMap { calendar in
            let resolver = ZoneResolver(calendar: calendar, local: local, zones: zones)
            return calendar.components("VTODO").compactMap { todo -> DueTask? in
                let status = todo.first("STATUS")?.value.uppercased()
                guard status != "COMPLETED", status != "CANCELLED", todo.first("COMPLETED") == nil,
                    todo.first("RECURRENCE-ID") == nil,
                    let moment = todo.first("DUE").flatMap(CalendarMoment.init)
                else { return nil }
                let title = TextValue.oneLine(
                    todo.first("SUMMARY").map {
                        TextValue.unescape($0.value(upTo: ReminderComponent.lineLimit))
                    } ?? "")
                return DueTask(
                    title: title.isEmpty ? "(no title)" : title, due: resolver.time(moment).time,
                    isRecurring: todo.first("RRULE") != nil || todo.first("RDATE") != nil,
                    hasAlarm: todo.components("VALARM").contains { AlertAlarm($0) != nil })
            }
        }
    }
}
