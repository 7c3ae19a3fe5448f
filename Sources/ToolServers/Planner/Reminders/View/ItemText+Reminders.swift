import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// Formats reminders.
extension ItemText {
    /// `buy milk · tomorrow, Sun 22 Nov 09:00 CET`.
    package func title(_ reminder: Reminder) -> String {
        let name = reminder.name
        let isGuess = reminder.unknownZone != nil
        return reminder.due.map { "\(name) · \(fullTime($0, isGuess: isGuess))" } ?? name
    }

    /// The title with everything that was understood: recurrence, alert, list,
    /// tags, priority.
    package func full(_ reminder: Reminder) -> String {
        var parts = [title(reminder)]
        if let due = reminder.due, isPast(due), !reminder.completed { parts[0] += " (in the past)" }
        if let rule = repetition(reminder) { parts.append(rule) }
        if let alert = alert(reminder) { parts.append(alert) }
        parts += marks(reminder)
        return parts.joined(separator: " · ")
    }

    /// `↻ every other Tuesday`.
    func repetition(_ reminder: Reminder) -> String? {
        reminder.recurrence.map { rule in
            "↻ " + RuleDescription.of(rule, start: reminder.start ?? reminder.due, in: local)
                + (reminder.repeatsFromCompletion ? " from when it is done" : "")
        }
    }

    /// `alert 15 min before`, `snoozed to 17:30`; nil without an alert or
    /// with one at the due time.
    func alert(_ reminder: Reminder) -> String? {
        for alarm in reminder.alarms {
            guard case .at(let instant) = alarm.trigger, alarm.snoozes != nil, instant > now else {
                continue
            }
            let civil = local.civil(at: instant)
            return "snoozed to "
                + (civil.date == today ? "" : day(civil.date) + " ") + civil.clockText
        }
        for alarm in reminder.alarms where alarm.snoozes == nil {
            guard case .offset(let duration, _) = alarm.trigger, duration != .zero else { continue }
            return "alert " + Self.alarm(duration, isDay: reminder.due?.isDate == true)
        }
        return nil
    }

    /// Priority, tags, list.
    func marks(_ reminder: Reminder) -> [String] {
        var marks: [String] = []
        if let priority = reminder.priority { marks.append("!\(priority)") }
        marks += reminder.categories.map { "#\($0)" }
        if reminder.folder != defaultList { marks.append("@\(reminder.list)") }
        return marks
    }

    /// One line that distinguishes a reminder from others with the same title.
    package func candidate(_ reminder: Reminder, id: String) -> String {
        "\(title(reminder))\(reminder.completed ? " (done)" : "") [id \(id)]"
    }

    // MARK: - JSON

    /// Every field is always present; times have the reader's offset, and a day
    /// stands alone without a time.
    package func json(_ reminder: Reminder) -> JSONValue {
        [
            "uid": .string(reminder.uid),
            "title": .string(reminder.title),
            "due": reminder.due.map { .string($0.isoText(in: local)) } ?? .null,
            "start": reminder.start.map { .string($0.isoText(in: local)) } ?? .null,
            "timezone": text(reminder.due?.zone?.name),
            "overdue": .bool(isOverdue(reminder)),
            "completed": .bool(reminder.completed),
            "completedAt": reminder.completedAt.map { .string(local.isoText($0)) } ?? .null,
            "percent": reminder.percent.map { JSONValue($0) } ?? .null,
            "priority": reminder.priority.map { JSONValue($0) } ?? .null,
            "categories": texts(reminder.categories),
            "list": .string(reminder.list),
            "notes": text(reminder.notes),
            "recurrence": text(reminder.recurrence),
            "alarm": text(alarm(reminder)),
            "parent": text(reminder.parent),
            "path": .string(reminder.path),
            "problems": texts(reminder.problems),
        ]
    }

    func isOverdue(_ reminder: Reminder) -> Bool {
        !reminder.completed && reminder.due.map(isPast) == true
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

    /// One line of JSON for the model: only the fields present, long notes shortened.
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
                "tags": someTexts(reminder.categories),
                "list": reminder.folder == defaultList ? nil : .string(reminder.list),
                "part_of": parent.map(JSONValue.string),
                "problems": someTexts(reminder.problems),
                "notes": shortNotes(reminder.notes),
            ]))
    }
}

extension Reminder: PlannerItem {
    static let noun = "reminder"
    static let command = RemindersServer.noun
    func json(_ text: ItemText) -> JSONValue { text.json(self) }
    func told(_ text: ItemText, id: String, parent: String?) -> String {
        text.modelLine(self, id: id, parent: parent)
    }

    func time(after edit: ItemEdit, _ text: ItemText) -> String? {
        edit.due?.value.map { text.fullTime($0) }
    }
}
