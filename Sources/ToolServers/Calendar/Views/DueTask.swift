import AgentCore
import FoundationEssentials

/// An open reminder as the agenda shows it: what, and when that day. Read
/// from a VTODO; everything else about reminders is their own server's.
package struct DueTask: Sendable, Equatable {
    package var title: String
    package var due: ItemTime
    package var path: String

    package init(title: String, due: ItemTime, path: String = "") {
        self.title = title
        self.due = due
        self.path = path
    }

    /// Those of a file that are open and have a time.
    static func tasks(
        in file: CalendarStore.File, local: LocalTime, zones: TimeZoneDatabase
    ) -> [DueTask] {
        file.content.components("VCALENDAR").flatMap { calendar in
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
                    title: title.isEmpty ? "(no title)" : title,
                    due: resolver.time(moment).time, path: file.path)
            }
        }
    }
}
