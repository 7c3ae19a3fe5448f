import AgentCore
import FoundationEssentials

/// Reminders as JSON: for `--json`, every field of each; for the model, one
/// short line of what is there. Pure.
package struct ReminderJSON: Sendable {
    let text: ReminderText
    private var local: LocalTime { text.local }

    package init(_ text: ReminderText) { self.text = text }

    /// Every field is always there; times with the reader's offset, a day
    /// alone where there is no time.
    package func object(_ reminder: Reminder) -> JSONValue {
        [
            "uid": .string(reminder.uid),
            "title": .string(reminder.title),
            "due": reminder.due.map { .string($0.isoText(in: local)) } ?? .null,
            "start": reminder.start.map { .string($0.isoText(in: local)) } ?? .null,
            "timezone": (reminder.due?.zone?.name).map(JSONValue.string) ?? .null,
            "overdue": .bool(isOverdue(reminder)),
            "completed": .bool(reminder.completed),
            "completedAt": reminder.completedAt.map { .string(local.isoText($0)) } ?? .null,
            "percent": reminder.percent.map { JSONValue($0) } ?? .null,
            "priority": reminder.priority.map { JSONValue($0) } ?? .null,
            "categories": .array(reminder.categories.map(JSONValue.string)),
            "list": .string(reminder.list),
            "notes": reminder.notes.map(JSONValue.string) ?? .null,
            "recurrence": reminder.recurrence.map(JSONValue.string) ?? .null,
            "alarm": alarm(reminder).map(JSONValue.string) ?? .null,
            "parent": reminder.parent.map(JSONValue.string) ?? .null,
            "path": .string(reminder.path),
            "problems": .array(reminder.problems.map(JSONValue.string)),
        ]
    }

    func isOverdue(_ reminder: Reminder) -> Bool {
        !reminder.completed && reminder.due.map(text.isPast) == true
    }

    /// The first alarm: `-PT15M`, or its time.
    private func alarm(_ reminder: Reminder) -> String? {
        reminder.alarms.first.map { alarm in
            switch alarm.trigger {
            case .at(let instant): local.isoText(instant)
            case .offset(let duration, _): duration.text
            }
        }
    }

    /// One line of JSON for the model: only what is there, long notes cut.
    package func modelLine(_ reminder: Reminder, id: String, parent: String? = nil) -> String {
        JSONWriter.string(
            .compact([
                "id": .string(id),
                "title": .string(reminder.title),
                "due": reminder.due.map { .string($0.isoText(in: local)) },
                "overdue": isOverdue(reminder) ? true : nil,
                "done": reminder.completed ? true : nil,
                "priority": reminder.priority.map { JSONValue($0) },
                "repeats": reminder.recurrence.map(JSONValue.string),
                "alarm": reminder.alarms.first.flatMap { alarm in
                    alarm.trigger == .offset(.zero, fromStart: false)
                        ? nil : self.alarm(reminder).map(JSONValue.string)
                },
                "tags": reminder.categories.isEmpty
                    ? nil : .array(reminder.categories.map(JSONValue.string)),
                "list": reminder.folder == text.defaultList ? nil : .string(reminder.list),
                "part_of": parent.map(JSONValue.string),
                "problems": reminder.problems.isEmpty
                    ? nil : .array(reminder.problems.map(JSONValue.string)),
                "notes": reminder.notes.map { notes in
                    .string(notes.count > 300 ? notes.prefix(300) + " …" : notes)
                },
            ]))
    }
}
