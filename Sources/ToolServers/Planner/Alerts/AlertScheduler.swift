import Base
import CalendarFiles
import FoundationEssentials
import Persistence

/// Delivers each alert at its time, once among all instances: reads the files,
/// plans, claims, delivers, and waits for the watch.
///
/// `AlertPlan` decides what is due, the log which process delivers it, and
/// `AlertDelivery` how it reaches the user.
package actor AlertScheduler {
    package struct Dependencies: Sendable {
        package var store: CalendarStore
        package var book: AlertBook
        package var delivery: AlertDelivery
        package var rung: RungAlerts
        package var settings: AlertSettings
        package var environment: Environment
        package var zones: TimeZoneDatabase
        /// The user's current zone; read again when it may have changed.
        package var local: @Sendable () -> LocalTime
        /// Seconds of priority for an open chat.
        package var headStart: @Sendable () -> Double = { 0 }
        /// Nil in most tests.
        package var work: TimedWork?
        /// Writes to the log file; never a title.
        package var note: @Sendable (String) -> Void = { _ in }

        package init(
            store: CalendarStore, book: AlertBook, delivery: AlertDelivery, rung: RungAlerts,
            settings: AlertSettings, environment: Environment, zones: TimeZoneDatabase,
            local: @escaping @Sendable () -> LocalTime
        ) {
            self.store = store
            self.book = book
            self.delivery = delivery
            self.rung = rung
            self.settings = settings
            self.environment = environment
            self.zones = zones
            self.local = local
        }
    }

    private let dependencies: Dependencies
    private var local: LocalTime
    private var alerts: [Alert] = []
    /// The period covered by `alerts`.
    private var covered: Range<Date>?
    private var lastProblem = ""
    private var problems: [CalendarStore.Problem] = []
    /// Alerts delivered while the log could not be used.
    private var unlogged: Set<AlertLog.Key> = []
    /// The time when the files are due to be read again: half-way through the future period.
    private var freshUntil = Date.distantPast
    /// Whether to read again because a file has changed since it was read.
    private var isStale = false

    /// Seconds ahead for which alerts are in memory.
    private static let horizon = 2 * 86_400.0

    package init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        local = dependencies.local()
    }

    /// Runs until the watch is stopped or the task is cancelled.
    package func run(_ watch: AlertWatch) async {
        let roots = dependencies.store.roots + [dependencies.work?.folder].compactMap { $0 }
        var quiet = 0.15
        watch.watch(roots, quiet: quiet)
        var events: AlertWatch.Events = .files
        while !events.contains(.stopped), !Task.isCancelled {
            if !events.isDisjoint(with: [.zone, .tick, .clock]) { refreshZone() }
            if events.contains(.files) || !isCovered || isStale {
                let began = dependencies.environment.uptime()
                let folders = await scan()
                // A slow scan is not restarted at every change.
                quiet = min(30, max(0.15, 4 * (dependencies.environment.uptime() - began)))
                watch.watch(roots + folders, quiet: quiet)
            }
            let next = await fire(isForOnce: false)
            let other = await startWork()
            // An unreadable folder must not be retried endlessly.
            let again = isStale ? dependencies.environment.now().addingTimeInterval(1) : nil
            watch.arm([next, again, other].compactMap { $0 }.min())
            events = await watch.next()
        }
        await dependencies.delivery.close()
    }

    /// Delivers what is due now, without waiting. For a system timer.
    /// - Throws: if the log cannot be used, since each run would ring again.
    /// - Returns: the number of alerts delivered.
    package func runOnce() async throws -> Int {
        _ = try await dependencies.book.firstUse()
        _ = await scan()
        stays = false
        let before = given
        _ = await fire(isForOnce: true)
        return given - before
    }

    /// Starts other work that is due, and waits for it.
    package func workOnce() async {
        _ = await startWork()
        await dependencies.work?.finish()
    }

    private func startWork() async -> Date? {
        await dependencies.work?.start { [weak self] content in
            guard let self else { return }
            _ = await dependencies.delivery.deliver(notice(content))
        }
    }

    private var given = 0
    /// Whether we stay running for notification buttons.
    private var stays = true

    // MARK: - Reading

    private func refreshZone() {
        let current = dependencies.local()
        guard current.zoneName != local.zoneName || current.rules != local.rules else { return }
        local = current
        covered = nil
        dependencies.note("alerts: the time zone is now \(current.zoneName ?? "unknown")")
    }

    private var isCovered: Bool {
        guard let covered else { return false }
        let now = dependencies.environment.now()
        // The files are read again once half of the period ahead has passed.
        return covered.lowerBound <= now.addingTimeInterval(-Self.reachBack / 2)
            && now <= freshUntil
    }

    private static let reachBack = Double(AlertPlan.reach) * 86_400

    /// - Returns: the existing folders.
    private func scan() async -> [String] {
        isStale = false
        let now = dependencies.environment.now()
        let window =
            now.addingTimeInterval(-Self.reachBack)..<now.addingTimeInterval(Self.horizon)
        do {
            let found = try await Self.alerts(
                in: dependencies.store,
                AlertReader(
                    local: local, zones: dependencies.zones, settings: dependencies.settings),
                window, near: now)
            alerts = found.alerts
            covered = window
            // At least a minute: a file can have an alert each second.
            freshUntil = now.addingTimeInterval(
                max(60, min(Self.horizon, found.end?.timeIntervalSince(now) ?? .infinity) / 2))
            lastProblem = ""
            if found.problems != problems {
                for problem in found.problems.prefix(5) {
                    dependencies.note("alerts: \(problem.path): \(problem.reason)")
                }
            }
            problems = found.problems
            return try await dependencies.store.collections().map(\.path)
        } catch {
            // Known alerts stay known; each is checked again before it is delivered.
            tell("alerts: the calendars cannot be read: \(error)")
            return []
        }
    }

    static func alerts(
        in store: CalendarStore, _ reader: AlertReader, _ window: Range<Date>, near: Date
    ) async throws -> AlertReader.Findings {
        // Items that begin after the window may ring in it.
        let starts = window.lowerBound..<window.upperBound + reader.settings.eventLead
        let files = try await store.files(
            CalendarStore.Selection(openOnly: true, window: starts))
        var reader = reader
        reader.ownEvents = await store.eventsMadeHere(in: files.files)
        var found = AlertReader.Findings(problems: files.problems)
        for file in files.files {
            found.add(
                reader.alerts(
                    in: file, from: window.lowerBound, to: window.upperBound, near: near))
        }
        found.alerts.sort { $0.key.fires < $1.key.fires }
        return found
    }

    private func tell(_ problem: String) {
        if problem != lastProblem { dependencies.note(problem) }
        lastProblem = problem
    }

    // MARK: - Giving

    /// - Returns: when to check again.
    private func fire(isForOnce: Bool) async -> Date? {
        let now = dependencies.environment.now()
        let headStart = dependencies.headStart()
        var entries: [AlertLog.Entry] = []
        var since = now
        var isLogged = true
        do {
            since = try await dependencies.book.firstUse()
            entries = try await dependencies.book.entries(
                since: now.addingTimeInterval(-Self.reachBack))
        } catch {
            tell("alerts: the log of alerts cannot be used: \(error)")
            if isForOnce { return nil }
            isLogged = false
        }
        let plan = AlertPlan(
            alerts: alerts.filter { !unlogged.contains($0.key) }, entries: entries, now: now,
            since: since, lateHours: dependencies.settings.lateHours, delay: headStart,
            isGone: ProcessName.isGone)
        if headStart > 0 { await addDesktop(entries, now) }
        for (alert, isLate) in plan.due.map({ ($0, false) }) + plan.late.map({ ($0, true) }) {
            guard await isStillThere(alert) else {
                isStale = true
                continue
            }
            await give(alert, isLate: isLate, isLogged: isLogged)
        }
        if isLogged { await give(older: plan.older) }
        return plan.next
    }

    /// Whether the current file still has the alert.
    private func isStillThere(_ alert: Alert) async -> Bool {
        // If the file is gone or unreadable, its alerts are unknown.
        guard let file = try? await dependencies.store.file(alert.path) else { return false }
        let reader = AlertReader(
            local: local, zones: dependencies.zones, settings: dependencies.settings,
            ownEvents: await dependencies.store.eventsMadeHere(in: [file]))
        // A snoozed alert has a different time from the file's.
        let from = min(alert.instant, dependencies.environment.now()).addingTimeInterval(
            -Self.reachBack)
        let found = reader.alerts(
            in: file, from: from, to: alert.instant.addingTimeInterval(1), near: alert.instant)
        return found.alerts
            .contains {
                $0.uid == alert.uid
                    && ($0.key.fires == alert.key.fires
                        || $0.key.occurrence == alert.key.occurrence && isSnooze(alert))
            }
    }

    /// Whether its time is only in the log.
    private func isSnooze(_ alert: Alert) -> Bool { !alerts.contains { $0.key == alert.key } }

    private func give(_ alert: Alert, isLate: Bool, isLogged: Bool) async {
        var isLogged = isLogged
        if isLogged {
            do {
                guard try await dependencies.book.claim(alert) else { return }
            } catch {
                tell("alerts: the log of alerts cannot be used: \(error)")
                isLogged = false
            }
        }
        // Before it is shown: "/snooze" may come while a slow channel is still delivering.
        await dependencies.rung.note(alert)
        let taken = await dependencies.delivery.deliver(notice(.alert(alert, isLate: isLate)))
        do {
            if taken.isEmpty {
                await dependencies.rung.withdraw(alert)
                tell("alerts: no channel accepted an alert")
                if isLogged { try await dependencies.book.release(alert) }
                return
            }
            given += 1
            if isLogged {
                try await dependencies.book.deliver(alert, channels: taken)
            } else {
                unlogged.insert(alert.key)
            }
            dependencies.note(
                "alert \(alert.uid.prefix(64)) \(alert.key.fires) by \(taken.joined(separator: ","))"
                    + (isLate ? ", late" : ""))
        } catch {
            unlogged.insert(alert.key)
            tell("alerts: the log of alerts cannot be used: \(error)")
        }
    }

    private func give(older: [Alert]) async {
        guard !older.isEmpty else { return }
        do {
            let mine = try await dependencies.book.summarise(older)
            guard !mine.isEmpty else { return }
            let taken = await dependencies.delivery.deliver(notice(.older(mine)))
            if taken.isEmpty {
                for alert in mine { try await dependencies.book.release(alert) }
                return
            }
            dependencies.note("\(mine.count) older alerts by \(taken.joined(separator: ","))")
        } catch {
            tell("alerts: the log of alerts cannot be used: \(error)")
        }
    }

    /// An open chat may have no desktop to notify; this process may have one.
    private func addDesktop(_ entries: [AlertLog.Entry], _ now: Date) async {
        guard
            let channel = dependencies.delivery.channels.first(where: { $0.name == "desktop" }),
            channel.obstacle() == nil
        else { return }
        for entry in entries
        where entry.state == .delivered && entry.owner != dependencies.book.owner {
            guard !entry.channels.contains(channel.name), let delivered = entry.delivered,
                (-1...AlertLog.patience).contains(now.timeIntervalSince(delivered)),
                let alert = alerts.first(where: { $0.key == entry.key }),
                // A failed channel is tried again with the next alert.
                (try? await dependencies.book.add(channel: channel.name, to: entry.key)) == true
            else { continue }
            _ = await channel.deliver(
                notice(.alert(alert, isLate: delivered.timeIntervalSince(alert.instant) > 120)))
        }
    }

    private func notice(_ content: AlertNotice.Content) -> AlertNotice {
        AlertNotice(
            content: content, snoozeMinutes: dependencies.settings.snoozeMinutes, local: local,
            now: dependencies.environment.now(), canAnswer: stays)
    }
}
