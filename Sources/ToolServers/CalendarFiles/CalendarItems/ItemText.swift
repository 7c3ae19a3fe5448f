import Base
import DateLanguage
import FoundationEssentials
import ICalendar

/// Formats items: as text for people, as JSON for the model and for other programs. Pure;
/// `now` and the zone are given.
///
/// The parts specific to each kind are in `ItemText+Reminders` and `ItemText+Events`.
package struct ItemText: Sendable {
    package let now: Date
    package let local: LocalTime
    package let today: CivilDate
    /// The default list, whose name is not shown.
    package let defaultList: String

    package init(now: Date, local: LocalTime, defaultList: String = "reminders") {
        self.now = now
        self.local = local
        today = local.civil(at: now).date
        self.defaultList = defaultList
    }

    package init(_ context: DateContext, defaultList: String = "reminders") {
        self.init(now: context.now, local: context.local, defaultList: defaultList)
    }

    /// `Sun 22 Nov`, with the year if it is not the current one.
    package func day(_ date: CivilDate) -> String { date.text(asOf: today) }

    package func clock(_ instant: Date) -> String { local.civil(at: instant).clockText }

    /// `Sun 22 Nov 09:00` on the reader's clock; a guessed time has `~` before
    /// the clock.
    package func time(_ time: ItemTime, isGuess: Bool = false) -> String {
        if case .date(let date) = time { return day(date) }
        let civil = local.civil(at: time.instant(in: local))
        return "\(day(civil.date)) \(isGuess ? "~" : "")\(civil.clockText)"
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
            if abs(minutes) < 24 * 60 {
                return Self.relative((abs(minutes) + 30) / 60 * minutes.signum(), "h", "h")
            }
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

    /// The time of an alarm with that offset: `15 min before`; for a day, whose offset counts from
    /// midnight, `at 09:00` or `at 23:45 the day before`.
    package static func alarm(_ offset: CalendarDuration, isDay: Bool) -> String {
        let minutes = offset.days * 1440 + offset.seconds / 60
        guard isDay, offset.seconds % 60 == 0 else { return words(offset) }
        let days = Int((Double(minutes) / 1440).rounded(.down))
        let (hour, minute) = ((minutes - days * 1440) / 60, minutes % 60)
        let clock = CivilDateTime(secondsAsUTC: (hour * 60 + (minute + 60) % 60) * 60).clockText
        switch days {
        case 0: return "at \(clock)"
        case -1: return "at \(clock) the day before"
        case ...(-2): return "at \(clock) \(-days) days before"
        default: return words(offset)
        }
    }

    /// `1 h 30 min`, `45 min`, `3 days`.
    package static func length(_ seconds: Int) -> String {
        let minutes = seconds / 60
        if minutes < 60 { return "\(minutes) min" }
        if minutes < 48 * 60 {
            return minutes % 60 == 0
                ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
        }
        return "\(minutes / (24 * 60)) days"
    }

    /// ` ↻ ⏰` after a title: recurs, has an alarm.
    package static func marks(repeats: Bool, rings: Bool) -> String {
        (repeats ? " ↻" : "") + (rings ? " ⏰" : "")
    }

    // MARK: - JSON

    package func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }

    package func texts(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }

    /// The texts for the model; nil if there are none, so that the model gets no empty list.
    package func someTexts(_ values: [String]) -> JSONValue? {
        values.isEmpty ? nil : texts(values)
    }

    /// Notes for the model, shortened if long.
    package func shortNotes(_ notes: String?) -> JSONValue? {
        notes.map { .string($0.count > 300 ? $0.prefix(300) + " …" : $0) }
    }
}

extension ItemTime {
    /// The time from which it is overdue: a day counts until its end.
    package func deadline(in local: LocalTime) -> Date {
        switch self {
        case .date(let date): local.start(of: date.adding(days: 1))
        case .time: instant(in: local)
        }
    }
}
