import Base
import FoundationEssentials
import ICalendar

/// What the user can set about alerts.
package struct AlertSettings: Sendable, Equatable {
    /// What is run for each alert.
    package enum Hook: Sendable, Equatable {
        /// For `/bin/sh -c`.
        case line(String)
        /// A program and its words; no shell.
        case words([String])
    }

    /// Print in the chat, and on the terminal of `chat alerts run`.
    package var terminal = true
    /// Ring the terminal's bell with it.
    package var bell = true
    /// Desktop notifications, or the terminal's own where there is no desktop.
    package var desktop = true
    package var hook: Hook?
    /// How long "snooze" without a time puts off.
    package var snoozeMinutes = 10
    /// When a reminder that is due on a day, at no time, and an event of whole days
    /// that was made here ring; nil: never, since an hour that the user did not choose
    /// annoys.
    package var allDayHour: Int?
    /// So long before its start an event that was made here rings, without an alarm of
    /// its own; nil: never.
    package var eventMinutes: Int? = 10
    /// The calendars whose new events get that as an alarm in their file, which rings
    /// on the devices of everyone who shares them.
    package var eventAlarmWritten: [String] = []
    /// Alerts missed within this many hours are delivered late; older ones are summed
    /// up in one line.
    package var lateHours = 12

    package init() {}
}

extension AlertSettings {
    /// When an event that was made here rings without an alarm of its own: ahead of its
    /// start, or at the start where it was changed after that; a day at its hour. nil
    /// where it does not, as for one that was over before.
    package func ring(of start: ItemTime, changed: Date?, in local: LocalTime) -> Date? {
        let changed = changed ?? .distantPast
        guard !start.isDate else {
            return ring(ofDay: start.civilDate, in: local).flatMap { $0 > changed ? $0 : nil }
        }
        guard eventMinutes != nil else { return nil }
        let begin = start.instant(in: local)
        let ahead = begin.addingTimeInterval(-eventLead)
        return ahead > changed ? ahead : begin >= changed ? begin : nil
    }

    /// Seconds by which a ring may be ahead of its event.
    var eventLead: Double { 60 * Double(eventMinutes ?? 0) }

    /// When what is of a day and has no time rings.
    func ring(ofDay day: CivilDate, in local: LocalTime) -> Date? {
        allDayHour.flatMap { CivilDateTime(day, hour: $0, minute: 0) }.map(local.instant)
    }

    /// What `config.json` may say of it.
    package static let settings = SettingTable<AlertSettings>(
        "an object such as { \"bell\": false }",
        [
            .init("terminal", \.terminal, .flag, .plain),
            .init("bell", \.bell, .flag, .plain),
            .init("desktop", \.desktop, .flag, .plain),
            .init("hook", \.hook, .hook, .widens, none: "none", isSecret: true),
            .init("snooze_minutes", \.snoozeMinutes, .whole(1...10_080), .plain),
            .init("all_day_hour", \.allDayHour, .whole(0...23), .plain, none: "none"),
            .init("event_minutes", \.eventMinutes, .minutesOrNone, .plain),
            .init(
                "event_alarm_written", \.eventAlarmWritten, .calendars,
                .widens(if: { !$0.isEmpty })),
            .init("late_hours", \.lateHours, .whole(0...720), .plain),
        ])
}

extension SettingKind<AlertSettings.Hook> {
    fileprivate static var hook: Self {
        Self("a line for the shell, or an array of words") { value in
            if let line = value.stringValue { return line.isEmpty ? nil : .line(line) }
            return value.strings.flatMap { $0.first?.isEmpty == false ? .words($0) : nil }
        }
    }
}

extension SettingKind<Int?> {
    fileprivate static var minutesOrNone: Self {
        var kind = Self(
            "minutes from 0 to 40320, or \"none\"", text: { $0.map(String.init) ?? "none" }
        ) { value in
            if value.stringValue == "none" { return .some(nil) }
            return value.integerValue.flatMap { (0...40_320).contains($0) ? $0 : nil }
        }
        kind.words = ["none"]
        return kind
    }
}

extension SettingKind<[String]> {
    fileprivate static var calendars: Self {
        Self(
            "an array of names of calendars",
            text: { $0.isEmpty ? "none" : $0.joined(separator: ", ") }, read: { $0.strings })
    }
}
