import AgentCore
import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// `chat alerts …` and `/alerts …`: lists the next alerts and their channels, runs the
/// daemon, and installs its start with the system.
package struct AlertsCommand: Sendable {
    package struct Dependencies: Sendable {
        package var scheduler: AlertScheduler.Dependencies
        package var presence: AlertPresence
        package var installer: AlertInstaller?
        /// Waits for the signal that ends the daemon, then stops the watch.
        package var untilStopped: @Sendable (AlertWatch) -> Void
        /// Whether it runs inside the chat, which delivers alerts itself.
        package var isChat: Bool

        package init(
            scheduler: AlertScheduler.Dependencies, presence: AlertPresence,
            installer: AlertInstaller?,
            isChat: Bool, untilStopped: @escaping @Sendable (AlertWatch) -> Void
        ) {
            self.scheduler = scheduler
            self.presence = presence
            self.installer = installer
            self.isChat = isChat
            self.untilStopped = untilStopped
        }
    }

    package static let noun = "alerts"

    private let dependencies: Dependencies
    private var settings: AlertSettings { dependencies.scheduler.settings }
    private static let listed = 10

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    package var command: Command {
        Command(
            name: Self.noun, summary: "alerts for reminders and events, and what delivers them",
            verbs: [
                Verb(
                    "status", "the next ten, and what would deliver them",
                    json: "next missed chatOpen daemonRunning installed channels warning problems"
                ) { _ in try await status() },
                Verb(
                    "run", "deliver alerts until stopped",
                    options: [.init("--once", "only what is due now")]
                ) { try await daemon(isOnce: $0.has("--once")) },
                Verb(
                    "install", "have the system start them", json: "installed delivery warning …"
                ) { _ in try await install() },
                Verb("uninstall", "undo the installation", json: "removed") { _ in
                    try await installer().uninstall()
                },
                Verb("test", "send one now, through every channel", json: "delivered") { _ in
                    await test()
                },
            ])
    }

    private func installer() throws -> AlertInstaller {
        guard let installer = dependencies.installer else {
            throw ToolError.failed("the path of this program is not known")
        }
        return installer
    }

    private func install() async throws -> CommandOutput {
        var output = try await installer().install()
        guard output.outcome == .ok else { return output }
        let reach = await reach(installed: output.json?["installed"]?.stringValue)
        if case .object(var json)? = output.json {
            json["delivery"] = .array(reach.names.map { .string($0) })
            json["warning"] = reach.warning.map { .string($0) } ?? .null
            output.json = .object(json)
        }
        if let warning = reach.warning {
            output.notices.append(warning)
            if reach.isWatched { output.outcome = .degraded }
        }
        return output
    }

    /// The processes and channels that would deliver an alert now; after an installation,
    /// once no chat is open.
    package func reach(installed way: String? = nil) async -> AlertReach {
        AlertReach(
            isChatOpen: way == nil && (dependencies.isChat || presence.isChatOpen),
            // systemd has started it; it may take a moment to acquire its lock.
            isDaemonRunning: way == AlertInstaller.Way.systemd.rawValue
                || presence.isDaemonRunning,
            ways: await dependencies.installer?.installed() ?? [],
            channels: dependencies.scheduler.delivery.channels.map {
                AlertReach.Channel(name: $0.name, obstacle: $0.obstacle())
            }, terminal: settings.terminal)
    }

    // MARK: - The daemon

    private func daemon(isOnce: Bool) async throws -> CommandOutput {
        if dependencies.isChat {
            return CommandOutput(lines: [
                StyledLine(
                    "This chat already delivers the alerts. /alerts shows what is next.", .hint)
            ])
        }
        var held = try dependencies.presence.becomeDaemon()
        guard held != nil else {
            return CommandOutput(
                notices: ["Another \"chat alerts run\" is running already; this one is not needed."]
            )
        }
        defer { withExtendedLifetime(held) {} }
        var dependencies = dependencies.scheduler
        let presence = self.dependencies.presence
        // An open chat shows it first, since the user is looking at it.
        dependencies.headStart = { presence.isChatOpen ? 1.5 : 0 }
        let scheduler = AlertScheduler(dependencies)
        if isOnce {
            // For buttons we would have to keep running.
            _ = try await scheduler.runOnce()
            // A routine may take longer than the minute until the next run.
            held = nil
            await scheduler.workOnce()
            await dependencies.delivery.close()
            await dependencies.book.close()
            return CommandOutput()
        }
        guard let watch = AlertWatch() else {
            throw ToolError.failed("could not start the alert thread")
        }
        dependencies.note("alerts: running")
        self.dependencies.untilStopped(watch)
        await scheduler.run(watch)
        watch.stop()
        await dependencies.book.close()
        dependencies.note("alerts: stopped")
        return CommandOutput()
    }

    // MARK: - Test

    private func test() async -> CommandOutput {
        let dependencies = dependencies.scheduler
        let notice = AlertNotice(
            content: .test, snoozeMinutes: settings.snoozeMinutes, local: dependencies.local(),
            now: dependencies.environment.now())
        let taken = await dependencies.delivery.deliver(notice)
        await dependencies.delivery.close()
        var lines: [StyledLine] = []
        for channel in dependencies.delivery.channels {
            if taken.contains(channel.name) {
                lines.append(
                    StyledLine([
                        .init("✓ ", .success), .init(channel.name), .init(" took it", .dim),
                    ]))
            } else {
                let why = channel.obstacle() ?? "did not accept it"
                lines.append(
                    StyledLine([
                        .init("✗ ", .failure), .init(channel.name), .init(" · \(why)", .dim),
                    ]))
            }
        }
        if lines.isEmpty {
            lines.append(StyledLine("Every channel is turned off in the settings."))
        }
        return CommandOutput(
            lines: lines, json: ["delivered": .array(taken.map { .string($0) })],
            outcome: taken.isEmpty ? .failure : .ok)
    }

    // MARK: - Status

    private func status() async throws -> CommandOutput {
        let dependencies = dependencies.scheduler
        let now = dependencies.environment.now()
        let local = dependencies.local()
        let reader = AlertReader(local: local, zones: dependencies.zones, settings: settings)
        let (plan, problems) = try await plan(reader, now)
        let reach = await reach()

        var lines: [StyledLine] = []
        for alert in plan.upcoming.prefix(Self.listed) {
            lines.append(Self.line(alert, now, local))
        }
        if lines.isEmpty { lines.append(StyledLine("No alerts are coming up.", .dim)) }
        let missed = plan.late + plan.older
        if !missed.isEmpty {
            lines.append(StyledLine("Missed", .warning))
            lines += missed.suffix(Self.listed).map { Self.line($0, now, local) }
        }
        lines.append(StyledLine(""))
        lines.append(
            Self.fact("open chat", reach.isChatOpen ? "yes" : "no", isGood: reach.isChatOpen))
        let started = reach.ways.map(\.rawValue).joined(separator: ", ")
        lines.append(
            Self.fact(
                "chat alerts run",
                (reach.isDaemonRunning ? "running" : "not running")
                    + (started.isEmpty ? "" : ", started by \(started)"),
                isGood: reach.isDaemonRunning))
        for channel in reach.outside {
            lines.append(
                Self.fact(
                    channel.name, channel.obstacle ?? "ready", isGood: channel.obstacle == nil))
        }
        var output = CommandOutput(lines: lines)
        if let warning = reach.warning { output.notices.append(warning) }
        output.notices += problems.map { "\(AlertNotice.plain($0.path)): \($0.reason)" }
        output.json = [
            "next": .array(
                plan.upcoming.prefix(Self.listed).map {
                    Self.json($0, now, local, delivery: reach.names)
                }),
            "missed": .array(missed.map { Self.json($0, now, local, delivery: []) }),
            "chatOpen": .bool(reach.isChatOpen), "daemonRunning": .bool(reach.isDaemonRunning),
            "installed": .array(reach.ways.map { .string($0.rawValue) }),
            "channels": .array(
                reach.channels.map { channel in
                    [
                        "name": .string(channel.name), "ready": .bool(channel.obstacle == nil),
                        "obstacle": channel.obstacle.map { .string($0) } ?? .null,
                    ]
                }),
            "warning": reach.warning.map { .string($0) } ?? .null,
            "problems": .array(
                problems.map { ["path": .string($0.path), "reason": .string($0.reason)] }),
        ]
        return output
    }

    private var presence: AlertPresence { dependencies.presence }

    private func plan(_ reader: AlertReader, _ now: Date) async throws -> (
        AlertPlan, [CalendarStore.Problem]
    ) {
        let dependencies = dependencies.scheduler
        let from = now.addingTimeInterval(-Double(AlertPlan.reach) * 86_400)
        let since = try await dependencies.book.firstUse()
        let entries = try await dependencies.book.entries(since: from)
        var plan: AlertPlan?
        var problems: [CalendarStore.Problem] = []
        // Ten are usually found nearby.
        for days in [2, 40, 400] {
            let to = now.addingTimeInterval(Double(days) * 86_400)
            let alerts = try await AlertScheduler.alerts(
                in: dependencies.store, reader, from..<to, near: now)
            if days == 2 { problems = alerts.problems }
            let found = AlertPlan(
                alerts: alerts.alerts, entries: entries, now: now, since: since,
                lateHours: settings.lateHours, isGone: ProcessName.isGone)
            plan = found
            if found.upcoming.count >= Self.listed { break }
        }
        // Never used: the loop has set a plan.
        let none = AlertPlan(
            alerts: [], entries: [], now: now, since: now, lateHours: settings.lateHours)
        return (plan ?? none, problems)
    }

    private static func line(_ alert: Alert, _ now: Date, _ local: LocalTime) -> StyledLine {
        let civil = local.civil(at: alert.instant)
        let isToday = civil.date == local.civil(at: now).date
        // `weekday` is 0…6.
        let weekday = CivilDate.weekdayNames[civil.date.weekday]
        let day = isToday ? "today         " : "\(weekday) \(civil.date.isoText)"
        return StyledLine([
            .init("  \(day) \(civil.clockText)  "), .init(AlertNotice.title(alert), .bold),
            .init(" · \(RelativeText.text(from: now, to: alert.instant))", .dim),
            .init(alert.list.isEmpty ? "" : " · \(AlertNotice.plain(alert.list))", .dim),
        ])
    }

    private static func fact(_ name: String, _ value: String, isGood: Bool) -> StyledLine {
        StyledLine([
            .init(isGood ? "✓ " : "✗ ", isGood ? .success : .warning),
            .init(DisplayWidth.pad(name, to: 16)), .init(value, .dim),
        ])
    }

    private static func json(
        _ alert: Alert, _ now: Date, _ local: LocalTime, delivery: [String]
    ) -> JSONValue {
        [
            "uid": .string(alert.uid), "title": .string(alert.title),
            "kind": .string(alert.isEvent ? "event" : "reminder"),
            "at": .string(local.isoText(alert.instant)),
            "in": .string(RelativeText.text(from: now, to: alert.instant)),
            "time": .string(
                alert.time.isDate
                    ? alert.time.civilDate.isoText
                    : local.isoText(alert.time.instant(in: local))),
            "list": .string(alert.list),
            "delivery": .array(delivery.map { .string($0) }),
        ]
    }
}
