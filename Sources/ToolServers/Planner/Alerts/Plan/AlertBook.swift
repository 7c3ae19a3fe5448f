import Base
import FoundationEssentials
import Glibc
import Persistence

/// Owns this process's connection to the alert log, and identifies processes.
package actor AlertBook: QueuedActor {
    private let database: CalendarDatabase
    private let environment: Environment
    /// The name of this process in its claims.
    package nonisolated let owner: String
    private var hasPruned = false
    package nonisolated let executor = QueueExecutor(label: "chat.alerts")

    /// `folder` is the state folder; nothing is opened before the first call.
    package init(folder: String, environment: Environment, owner: String? = nil) {
        database = CalendarDatabase(folder: folder, environment: environment)
        self.environment = environment
        self.owner = owner ?? ProcessName.own
    }

    private func log() throws(SQLiteError) -> AlertLog {
        let log = AlertLog(try database.connection())
        if !hasPruned {
            hasPruned = true
            try log.prune(now: environment.now())
        }
        return log
    }

    package func firstUse() throws(SQLiteError) -> Date {
        try log().firstUse(now: environment.now())
    }

    package func entries(since: Date) throws(SQLiteError) -> [AlertLog.Entry] {
        try log().entries(since: since)
    }

    package func claim(_ alert: Alert) throws(SQLiteError) -> Bool {
        try log().claim(
            alert.key, title: alert.title, isEvent: alert.isEvent, owner: owner,
            now: environment.now(), isGone: ProcessName.isGone)
    }

    /// Claims alerts to summarise, and returns those that this process should show.
    package func summarise(_ alerts: [Alert]) throws(SQLiteError) -> [Alert] {
        let won = try log().summarise(
            alerts.map { ($0.key, $0.title, $0.isEvent) }, owner: owner, now: environment.now())
        return zip(alerts, won).compactMap { $1 ? $0 : nil }
    }

    package func deliver(_ alert: Alert, channels: [String]) throws(SQLiteError) {
        try log().deliver(alert.key, channels: channels, now: environment.now())
    }

    /// Gives a claim back.
    package func release(_ alert: Alert) throws(SQLiteError) {
        try log().release(alert.key, owner: owner)
    }

    package func add(channel: String, to key: AlertLog.Key) throws(SQLiteError) -> Bool {
        try log().add(channel: channel, to: key)
    }

    package func dismiss(_ key: AlertLog.Key) throws(SQLiteError) { try log().dismiss(key) }

    package func snooze(_ key: AlertLog.Key, until: Date) throws(SQLiteError) {
        try log().snooze(key, until: until)
    }

    package func lastDelivered() throws(SQLiteError) -> AlertLog.Entry? {
        try log().lastDelivered()
    }

    package func close() { database.close() }
}

/// Names a process so that a later one with the same number differs:
/// `number.start.boot`, from `/proc`.
package enum ProcessName {
    package static let own = name(getpid()) ?? "\(getpid())"

    /// Whether no such process runs here now.
    package static func isGone(_ name: String) -> Bool {
        guard let number = name.split(separator: ".").first.flatMap({ pid_t($0) }), number > 0
        else { return true }
        if kill(number, 0) != 0, errno == ESRCH { return true }
        guard let current = Self.name(number) else { return false }
        return current != name
    }

    private static func name(_ process: pid_t) -> String? {
        guard let status = read("/proc/\(process)/stat"),
            // The name in brackets may contain anything, even brackets.
            let bracket = status.lastIndex(of: ")")
        else { return nil }
        let fields = status[bracket...].split(separator: " ")
        // Field 22 of proc_pid_stat(5); the bracket ends the second one. Z is a
        // process that has ended but was not reaped yet.
        guard fields.count > 20, fields[1] != "Z" else { return nil }
        return "\(process).\(fields[20]).\(boot)"
    }

    private static let boot = String(
        (read("/proc/sys/kernel/random/boot_id") ?? "").prefix(8))

    private static func read(_ path: String) -> String? {
        // Unreadable: the process is unknown.
        (try? WholeFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }
}
