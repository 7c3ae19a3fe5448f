import AgentCore
import FoundationEssentials
import ICalendar

/// How reminders are said to the person. Pure; `now` and the zone are given.
package struct ReminderText: Sendable {
    package let now: Date
    package let local: LocalTime
    let today: CivilDate
    /// The list that needs no mention.
    let defaultList: String

    package init(now: Date, local: LocalTime, defaultList: String = "reminders") {
        self.now = now
        self.local = local
        today = local.civil(at: now).date
        self.defaultList = defaultList
    }

    package init(_ context: DateContext, defaultList: String = "reminders") {
        self.init(now: context.now, local: context.local, defaultList: defaultList)
    }

    /// `Sun 22 Nov`, with the year where it is another than now's.
    package func day(_ date: CivilDate) -> String { date.text(asOf: today) }

    /// `Sun 22 Nov 09:00` on the reader's clock; a guessed time has `~` before
    /// the clock.
    package func time(_ time: ItemTime, isGuess: Bool = false) -> String {
        if case .date(let date) = time { return day(date) }
        let civil = local.civil(at: time.instant(in: local))
        return "\(day(civil.date)) \(isGuess ? "~" : "")\(civil.clockText)"
    }

    func due(_ reminder: Reminder) -> String? {
        reminder.due.map { time($0, isGuess: reminder.unknownZone != nil) }
    }

    /// `tomorrow, Sun 22 Nov 09:00 CET`.
    package func fullTime(_ time: ItemTime, isGuess: Bool = false) -> String {
        let near = time.day(in: local).nearName(asOf: today).map { $0 + ", " } ?? ""
        if time.isDate { return near + self.time(time) }
        return near + self.time(time, isGuess: isGuess) + " "
            + local.abbreviation(at: time.instant(in: local))
    }

    /// `in 2 h`, `3 days ago`; nil for today's date.
    package func hint(_ time: ItemTime) -> String? {
        let days = time.day(in: local).dayNumber - today.dayNumber
        if !time.isDate {
            let minutes = Int(
                min(max((time.instant(in: local).timeIntervalSince(now) / 60), -1e12), 1e12)
                    .rounded(.down))
            if minutes == 0 || minutes == -1 { return "now" }
            if abs(minutes) < 60 { return Self.relative(minutes, "min", "min") }
            if abs(minutes) < 24 * 60 { return Self.relative(minutes / 60, "h", "h") }
        }
        if days == 0 { return nil }
        if days == 1 { return "tomorrow" }
        if days == -1 { return "yesterday" }
        if abs(days) < 60 { return Self.relative(days, "day", "days") }
        if abs(days) < 730 { return Self.relative(days / 30, "month", "months") }
        return Self.relative(days / 365, "year", "years")
    }

    private static func relative(_ count: Int, _ one: String, _ many: String) -> String {
        let text = "\(abs(count)) \(abs(count) == 1 ? one : many)"
        return count < 0 ? "\(text) ago" : "in \(text)"
    }

    package func isPast(_ time: ItemTime) -> Bool { time.deadline(in: local) <= now }

    /// The title, or words for none: other programs allow it to be missing.
    package static func name(_ reminder: Reminder) -> String {
        reminder.title.isEmpty ? "(no title)" : reminder.title
    }

    /// `buy milk · tomorrow, Sun 22 Nov 09:00 CET`.
    package func title(_ reminder: Reminder) -> String {
        let name = Self.name(reminder)
        let isGuess = reminder.unknownZone != nil
        return reminder.due.map { "\(name) · \(fullTime($0, isGuess: isGuess))" } ?? name
    }

    /// The title with all that was understood of it: repetition, alert, list,
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
            "↻ " + RecurrenceText.of(rule, start: reminder.start ?? reminder.due, in: local)
                + (reminder.repeatsFromCompletion ? " from when it is done" : "")
        }
    }

    /// `alert 15 min before`, `snoozed to 17:30`; nil where it is at the due
    /// time or there is none.
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
            return "alert " + Self.words(duration)
        }
        return nil
    }

    /// `15 min before`.
    package static func words(_ duration: CalendarDuration) -> String {
        let isBefore = duration.days < 0 || duration.seconds < 0
        let (days, seconds) = (abs(duration.days), abs(duration.seconds))
        var parts: [String] = []
        if days > 0 {
            parts.append(
                days % 7 == 0
                    ? "\(days / 7) week\(days == 7 ? "" : "s")"
                    : "\(days) day\(days == 1 ? "" : "s")")
        }
        if seconds >= 3600 { parts.append("\(seconds / 3600) h") }
        if seconds / 60 % 60 > 0 { parts.append("\(seconds / 60 % 60) min") }
        if seconds % 60 > 0 { parts.append("\(seconds % 60) s") }
        return parts.joined(separator: " ") + (isBefore ? " before" : " after")
    }

    /// Priority, tags, list.
    func marks(_ reminder: Reminder) -> [String] {
        var marks: [String] = []
        if let priority = reminder.priority { marks.append("!\(priority)") }
        marks += reminder.categories.map { "#\($0)" }
        if reminder.folder != defaultList { marks.append("@\(reminder.list)") }
        return marks
    }

    /// One line that tells a reminder from others of the same words.
    package func candidate(_ reminder: Reminder, id: String) -> String {
        "\(title(reminder))\(reminder.completed ? " (done)" : "") [id \(id)]"
    }
}
