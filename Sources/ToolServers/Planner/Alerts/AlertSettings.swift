import Base
import FoundationEssentials
import ICalendar

/// The user's settings for alerts.
package struct AlertSettings: Sendable, Equatable {
    /// A command to run for each alert.
    package enum Hook: Sendable, Equatable {
        /// A line for `/bin/sh -c`.
        case line(String)
        /// A program and its arguments, without a shell.
        case words([String])
    }

    /// Print in the chat, and on the terminal of `chat alerts run`.
    package var terminal = true
    /// Ring the terminal's bell with it.
    package var bell = true
    /// Desktop notifications, or the terminal's own if there is no desktop.
    package var desktop = true
    package var hook: Hook?
    /// The length of a "snooze" without a time.
    package var snoozeMinutes = 10
    /// The hour at which reminders due on a day without a time, and all-day events created
    /// here, ring; nil means never, since an hour that the user did not choose annoys.
    package var allDayHour: Int?
    /// Minutes before its start at which an event created here rings, if it has no alarm of its
    /// own; nil means never.
    package var eventMinutes: Int? = 10
    /// The calendars in which new events get this as an alarm in their file, which rings on
    /// the devices of everyone who shares them.
    package var eventAlarmWritten: [String] = []
    /// Maximum hours by which a missed alert is delivered late; older ones are summed up in one
    /// line.
    package var lateHours = 12

    package init() {}
}

extension AlertSettings {
    /// The time at which an event created here rings without an alarm of its own: ahead of its
    /// start, or at the start if it was changed after that; an all-day event at the configured
    /// hour. nil if it does not ring, for example if it was over before.
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

    /// Maximum lead time in seconds of a ring before its event.
    var eventLead: Double { 60 * Double(eventMinutes ?? 0) }

    /// The time at which an item due on a day without a time rings.
    func ring(ofDay day: CivilDate, in local: LocalTime) -> Date? {
        allDayHour.flatMap { CivilDateTime(day, hour: $0, minute: 0) }.map(local.instant)
    }

    /// The settings allowed in `config.json`.
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
