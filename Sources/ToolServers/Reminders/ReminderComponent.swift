import AgentCore
import FoundationEssentials

/// A VTODO (RFC 5545 §3.6.2) read as a `Reminder`, made from a draft, and
/// changed in place. Pure: trees in, trees out.
///
/// What it does not know in a component it never touches.
package enum ReminderComponent {
    package static let productID = "-//chat//NONSGML chat//EN"

    /// The reminders of a file: one for each VTODO that is no override of a
    /// single occurrence (RECURRENCE-ID).
    package static func reminders(
        in file: Component, path: String, list: String, local: LocalTime
    ) -> [Reminder] {
        file.components("VCALENDAR").flatMap { calendar in
            let isOurs = calendar.first("PRODID")?.value == productID
            return calendar.components("VTODO").filter { $0.first("RECURRENCE-ID") == nil }
                .map { todo in
                    reminder(todo, path: path, list: list, isOurs: isOurs, local: local)
                }
        }
    }

    private static func reminder(
        _ todo: Component, path: String, list: String, isOurs: Bool, local: LocalTime
    ) -> Reminder {
        let status = todo.first("STATUS")?.value.uppercased()
        let completedAt = todo.first("COMPLETED").flatMap(CalendarMoment.init)?.instant(in: local)
        let isDone =
            switch status {
            case "COMPLETED", "CANCELLED": true
            case "NEEDS-ACTION", "IN-PROCESS": false
            default: todo.first("COMPLETED") != nil
            }
        return Reminder(
            uid: todo.first("UID").map { TextValue.unescape($0.value) } ?? "",
            title: TextValue.oneLine(text(todo, "SUMMARY") ?? ""),
            due: todo.first("DUE").flatMap(CalendarMoment.init).map { due($0, local: local) },
            completed: isDone, completedAt: completedAt?.instant,
            priority: todo.first("PRIORITY").flatMap { Int($0.value) }
                .flatMap { (1...9).contains($0) ? $0 : nil },
            categories: todo.all("CATEGORIES").flatMap { TextValue.list($0.value) }.map(
                TextValue.oneLine),
            list: list, notes: text(todo, "DESCRIPTION"),
            recurrence: (todo.first("RRULE") ?? todo.first("RDATE"))?.value, path: path,
            isOurs: isOurs)
    }

    private static func due(_ moment: CalendarMoment, local: LocalTime) -> Reminder.Due {
        if case .date(let date) = moment { return .date(date) }
        // Only a date has no instant.
        let instant = moment.instant(in: local)
        return .instant(
            instant?.instant ?? Date(timeIntervalSince1970: 0),
            isApproximate: instant?.isApproximate ?? true)
    }

    private static func text(_ todo: Component, _ name: StaticString) -> String? {
        guard let value = todo.first(name)?.value, !value.isEmpty else { return nil }
        return TextValue.unescape(value)
    }

    /// A file with one new VTODO. A due time is written in UTC, which needs no
    /// VTIMEZONE, and has an alarm at that time; a due day has none, since an
    /// alarm at midnight helps nobody.
    package static func file(_ draft: Reminder.Draft, uid: String, now: Date) -> Component {
        let stamp = CalendarMoment.utcText(now)
        var lines = [
            ContentLine("UID", value: uid),
            ContentLine("DTSTAMP", value: stamp),
            ContentLine("CREATED", value: stamp),
            ContentLine("LAST-MODIFIED", value: stamp),
            ContentLine("SUMMARY", value: TextValue.escape(draft.title)),
        ]
        if let notes = draft.notes, !notes.isEmpty {
            lines.append(ContentLine("DESCRIPTION", value: TextValue.escape(notes)))
        }
        var alarm: [Component.Item] = []
        switch draft.due {
        case nil: break
        case .date(let date):
            lines.append(
                ContentLine(
                    "DUE", parameters: [("VALUE", "DATE")], value: CalendarMoment.text(date)))
        case .instant(let instant, _):
            lines.append(ContentLine("DUE", value: CalendarMoment.utcText(instant)))
            alarm = [
                .component(
                    Component(
                        "VALARM",
                        items: [
                            ContentLine("ACTION", value: "DISPLAY"),
                            ContentLine("DESCRIPTION", value: TextValue.escape(draft.title)),
                            ContentLine("TRIGGER", parameters: [("RELATED", "END")], value: "PT0S"),
                        ].map(Component.Item.line)))
            ]
        }
        if let priority = draft.priority {
            lines.append(ContentLine("PRIORITY", value: String(priority)))
        }
        lines.append(ContentLine("STATUS", value: "NEEDS-ACTION"))
        lines.append(ContentLine("SEQUENCE", value: "0"))
        let calendar = Component(
            "VCALENDAR",
            items: [
                .line(ContentLine("VERSION", value: "2.0")),
                .line(ContentLine("PRODID", value: productID)),
                .component(Component("VTODO", items: lines.map(Component.Item.line) + alarm)),
            ])
        return Component(name: "", begin: nil, items: [.component(calendar)])
    }

    /// The file with that VTODO completed, or nil when it holds none.
    /// - Throws: `ICalendarError` for a file that is cut off: it is left alone.
    package static func completing(
        uid: String, in file: Component, now: Date
    ) throws(ICalendarError) -> Component? {
        guard file.isTerminated else { throw ICalendarError(.unterminated) }
        return changing(uid: uid, in: file) { todo in
            let stamp = CalendarMoment.utcText(now)
            todo.set("STATUS", value: "COMPLETED")
            todo.set("COMPLETED", value: stamp)
            todo.set("PERCENT-COMPLETE", value: "100")
            todo.set("LAST-MODIFIED", value: stamp)
            todo.set("DTSTAMP", value: stamp)
            let sequence = todo.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
            todo.set("SEQUENCE", value: String(max(0, min(sequence, Int(Int32.max) - 1)) + 1))
        }
    }

    private static func changing(
        uid: String, in file: Component, _ change: (inout Component) -> Void
    ) -> Component? {
        var file = file
        for (outer, item) in file.items.enumerated() {
            guard case .component(var calendar) = item, calendar.name == "VCALENDAR" else {
                continue
            }
            for (inner, item) in calendar.items.enumerated() {
                guard case .component(var todo) = item, todo.name == "VTODO",
                    todo.first("RECURRENCE-ID") == nil,
                    (todo.first("UID").map { TextValue.unescape($0.value) } ?? "") == uid
                else { continue }
                change(&todo)
                calendar.items[inner] = .component(todo)
                file.items[outer] = .component(calendar)
                return file
            }
        }
        return nil
    }
}
