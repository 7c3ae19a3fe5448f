import Base

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
    /// When a reminder that is due on a day, at no time, rings; nil: never,
    /// since an hour that the user did not choose annoys.
    package var allDayHour: Int?
    /// Alerts missed within this many hours are delivered late; older ones are summed
    /// up in one line.
    package var lateHours = 12

    package init() {}
}

extension AlertSettings {
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
