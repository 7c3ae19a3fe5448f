import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar
import Persistence

/// The actions on an item when its alert rings, done by the reminders server,
/// as one undo step.
package struct AlertActions: Sendable {
    package var done: @Sendable (_ alert: Alert) async throws -> Void
    package var snooze: @Sendable (_ alert: Alert, _ until: Date) async throws -> Void
}

/// The alerts that rang here and await an answer: "done" and "snooze" from a
/// button, a slash command or a plain message.
///
/// A reminder is snoozed in its file, so that phones know; an event, whose file may be
/// shared with others, in our log.
package actor RungAlerts {
    private let book: AlertBook
    private let actions: AlertActions
    private let environment: Environment
    private let local: @Sendable () -> LocalTime
    private let settings: AlertSettings
    /// The alerts that rang here, at most `kept`, the latest last.
    private var fired: [(alert: Alert, rang: Date)] = []

    /// The last one snoozed here: "/done" after "/snooze" means it.
    private var snoozed: (alert: Alert, at: Date)?

    private static let kept = 50
    /// Hours for which "/done" may refer to an alert of another instance.
    private static let memory = 12.0

    package init(
        book: AlertBook, actions: AlertActions, settings: AlertSettings,
        environment: Environment, local: @escaping @Sendable () -> LocalTime
    ) {
        self.book = book
        self.actions = actions
        self.settings = settings
        self.environment = environment
        self.local = local
    }

    func note(_ alert: Alert) {
        fired.removeAll { $0.alert.uid == alert.uid }
        fired.append((alert, environment.now()))
        if fired.count > Self.kept { fired.removeFirst() }
    }

    /// Removes an alert that could not be delivered.
    func withdraw(_ alert: Alert) { fired.removeAll { $0.alert == alert } }

    /// The item that rang last here and was not answered; "done" and "snooze
    /// that" refer to it.
    package func lastFired() -> RecentReferent.Ring? {
        fired.last.map { ($0.alert.uid, $0.rang) }
    }

    /// Whether the last alert rang at that time or later.
    package func hasRung(since time: Date) -> Bool { fired.last.map { $0.rang >= time } ?? false }

    // MARK: - Commands

    /// `/done`.
    package func done() async throws -> CommandOutput {
        let alert = try await latest()
        return CommandOutput(lines: [try await done(alert)])
    }

    /// `/snooze [TIME|all [TIME]]`.
    package func snooze(_ words: [String]) async throws -> CommandOutput {
        let isAll = words.first == "all"
        let rest = isAll ? Array(words.dropFirst()) : words
        guard let minutes = Self.minutes(rest, standard: settings.snoozeMinutes) else {
            throw UsageError(
                "\"\(rest.joined(separator: " "))\" is not a length of time.",
                hint: "/snooze 10m, /snooze 2h, /snooze 1d")
        }
        let alerts = isAll && !fired.isEmpty ? fired.map(\.alert) : [try await latest()]
        var lines: [StyledLine] = []
        for alert in alerts { lines.append(try await snooze(alert, minutes: minutes)) }
        return CommandOutput(lines: lines)
    }

    /// Handles a button. A failure cannot be shown anywhere, so the alert stays open.
    package func press(_ button: DesktopChannel.Button, _ alert: Alert) async -> Bool {
        do {
            switch button {
            case .done: _ = try await done(alert)
            case .snooze: _ = try await snooze(alert, minutes: settings.snoozeMinutes)
            }
            return true
        } catch {
            return false
        }
    }

    // MARK: - Acts

    private func latest() async throws -> Alert {
        if let alert = fired.last?.alert { return alert }
        let now = environment.now()
        if let snoozed, abs(now.timeIntervalSince(snoozed.at)) < Self.memory * 3600 {
            return snoozed.alert
        }
        if let entry = try await book.lastDelivered(), let delivered = entry.delivered,
            abs(now.timeIntervalSince(delivered)) < Self.memory * 3600
        {
            return Alert(
                key: entry.key, title: entry.title, isEvent: entry.isEvent,
                time: ItemTime(
                    Date(timeIntervalSince1970: Double(entry.key.fires)), in: local()))
        }
        throw ToolError.failed("No alert has rung.")
    }

    private func done(_ alert: Alert) async throws -> StyledLine {
        if !alert.isEvent { try await actions.done(alert) }
        fired.removeAll { $0.alert.uid == alert.uid }
        if snoozed?.alert.uid == alert.uid { snoozed = nil }
        // The item is done; a log entry that stays open is harmless.
        try? await book.dismiss(alert.key)
        let verb = alert.isEvent ? "dismissed" : "done"
        return line("✓ \(verb): ", alert, canUndo: !alert.isEvent)
    }

    private func snooze(_ alert: Alert, minutes: Int) async throws -> StyledLine {
        let now = environment.now()
        let until = now.addingTimeInterval(Double(minutes) * 60)
        var isInFile = false
        if !alert.isEvent {
            do {
                try await actions.snooze(alert, until)
                isInFile = true
                // The item is snoozed; a log entry that stays open is harmless.
                try? await book.dismiss(alert.key)
            } catch {
                // If the folder cannot be written to, it still rings here.
                try await book.snooze(alert.key, until: until)
            }
        } else {
            try await book.snooze(alert.key, until: until)
        }
        fired.removeAll { $0.alert.uid == alert.uid }
        snoozed = (alert, now)
        let local = local()
        let civil = local.civil(at: until)
        let isToday = civil.date == local.civil(at: now).date
        let text = "again at \(isToday ? "" : civil.date.isoText + " ")\(civil.clockText)"
        return line("⏰ ", alert, " · \(text)", canUndo: isInFile)
    }

    private func line(
        _ glyph: String, _ alert: Alert, _ what: String = "", canUndo: Bool
    ) -> StyledLine {
        StyledLine([
            .init(glyph, .success), .init(AlertNotice.title(alert)), .init(what, .dim),
            .init(canUndo ? " · /undo" : "", .dim),
        ])
    }

    /// A duration as read by `DurationParser`, from a minute to a year.
    static func minutes(_ words: [String], standard: Int) -> Int? {
        if words.isEmpty { return standard }
        let length = DurationParser.duration(of: words.joined(separator: " "))
        return length.map { $0.days * 1440 + $0.seconds / 60 }.flatMap {
            (1...525_600).contains($0) ? $0 : nil
        }
    }
}
