import AgentCore
import FoundationEssentials

/// How reminders are said: to the person in words, to the model and to other
/// programs in JSON. Pure; `now` and the zone are given.
package struct ReminderText: Sendable {
    package let now: Date
    package let local: LocalTime
    private let today: CivilDate

    package init(now: Date, local: LocalTime = LocalTime()) {
        self.now = now
        self.local = local
        today = local.civil(at: now).date
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun 22 Nov`, with the year where it is another than now's.
    package func day(_ date: CivilDate) -> String {
        // A weekday is 0…6, a month 1…12.
        let text = "\(Self.weekdays[date.weekday]) \(date.day) \(Self.months[date.month - 1])"
        return date.year == today.year ? text : "\(text) \(date.year)"
    }

    /// `Sun 22 Nov 09:00`; a guessed time has `~` before the clock.
    package func due(_ due: Reminder.Due) -> String {
        switch due {
        case .date(let date): return day(date)
        case .instant(let instant, let isApproximate):
            let civil = local.civil(at: instant)
            return "\(day(civil.date)) \(isApproximate ? "~" : "")\(civil.clockText)"
        }
    }

    /// `tomorrow, Sun 22 Nov 09:00 CET`.
    package func fullDue(_ due: Reminder.Due) -> String {
        let distance = due.day(in: local).dayNumber - today.dayNumber
        let near = [0: "today, ", 1: "tomorrow, "][distance] ?? ""
        guard case .instant(let instant, _) = due else { return near + self.due(due) }
        return near + self.due(due) + " " + local.abbreviation(at: instant)
    }

    /// `in 2 h`, `3 days ago`; nil for today's date.
    package func hint(_ due: Reminder.Due) -> String? {
        let days = due.day(in: local).dayNumber - today.dayNumber
        if case .instant(let instant, _) = due {
            let minutes = Int((instant.timeIntervalSince(now) / 60).rounded(.down))
            if minutes == 0 || minutes == -1 { return "now" }
            if abs(minutes) < 60 { return Self.relative(minutes, "min", "min") }
            if abs(minutes) < 24 * 60 { return Self.relative(minutes / 60, "h", "h") }
        }
        if days == 0 { return nil }
        if days == 1 { return "tomorrow" }
        if days == -1 { return "yesterday" }
        if abs(days) < 60 { return Self.relative(days, "day", "days") }
        return Self.relative(days / 30, "month", "months")
    }

    private static func relative(_ count: Int, _ one: String, _ many: String) -> String {
        let text = "\(abs(count)) \(abs(count) == 1 ? one : many)"
        return count < 0 ? "\(text) ago" : "in \(text)"
    }

    package func isPast(_ due: Reminder.Due) -> Bool { due.end(in: local) <= now }

    /// The title, or words for none: other programs allow it to be missing.
    package static func name(_ reminder: Reminder) -> String {
        reminder.title.isEmpty ? "(no title)" : reminder.title
    }

    /// `buy milk · tomorrow, Sun 22 Nov 09:00 CET`.
    package func title(_ reminder: Reminder) -> String {
        let name = Self.name(reminder)
        return reminder.due.map { "\(name) · \(fullDue($0))" } ?? name
    }

    /// `✓ buy milk · …`, and a word where the time has passed already.
    package func created(_ reminder: Reminder) -> String {
        let isPast = reminder.due.map(isPast) ?? false
        return "✓ \(title(reminder))\(isPast ? " (in the past)" : "")"
    }

    /// One line that tells a reminder from others of the same words.
    package func candidate(_ reminder: Reminder, id: String) -> String {
        "\(title(reminder))\(reminder.completed ? " (done)" : "") [id \(id)]"
    }

    /// The object of `--json`. Every field is always there.
    package func json(_ reminder: Reminder) -> JSONValue {
        [
            "uid": .string(reminder.uid),
            "title": .string(reminder.title),
            "due": reminder.due.map { .string($0.isoText(in: local)) } ?? .null,
            "completed": .bool(reminder.completed),
            "completedAt": reminder.completedAt.map { .string(local.isoText($0)) } ?? .null,
            "priority": reminder.priority.map { JSONValue($0) } ?? .null,
            "categories": .array(reminder.categories.map(JSONValue.string)),
            "list": .string(reminder.list),
            "notes": reminder.notes.map(JSONValue.string) ?? .null,
            "recurrence": reminder.recurrence.map(JSONValue.string) ?? .null,
            "path": .string(reminder.path),
        ]
    }

    /// One line of JSON for the model: only what is there, long notes cut.
    package func modelLine(_ reminder: Reminder, id: String) -> String {
        JSONWriter.string(
            .compact([
                "id": .string(id),
                "title": .string(reminder.title),
                "due": reminder.due.map { .string($0.isoText(in: local)) },
                "overdue": reminder.due.map(isPast) == true && !reminder.completed ? true : nil,
                "done": reminder.completed ? true : nil,
                "priority": reminder.priority.map { JSONValue($0) },
                "repeats": reminder.recurrence.map(JSONValue.string),
                "list": reminder.list == ReminderStore.defaultList ? nil : .string(reminder.list),
                "notes": reminder.notes.map { notes in
                    .string(notes.count > 300 ? notes.prefix(300) + " …" : notes)
                },
            ]))
    }
}
