import FoundationEssentials
import Persistence

/// Decides what to do about alerts now, and when to check again. A value, made
/// from the alerts of the files, the log of given alerts, and the clock, which
/// may have been changed since the last time.
///
///     now - 14 days … - 12 h … - 2 min … now … later
///          |  older    | late    | due   |  next
///
/// Older alerts are not mentioned, nor those from before alerts were first
/// checked here.
package struct AlertPlan: Sendable, Equatable {
    /// Alerts to ring now.
    package var due: [Alert] = []
    /// Alerts to ring now, with the time they were due.
    package var late: [Alert] = []
    /// Alerts to sum up in one line.
    package var older: [Alert] = []
    /// All future alerts, in order.
    package var upcoming: [Alert] = []
    /// The time to check again; nil to wait for a change.
    package var next: Date?

    /// Seconds after which an alert is reported as late.
    static let punctual = 120.0
    /// Maximum number of late alerts that ring at once: the latest; the others are summed up.
    static let lateLimit = 5
    /// Days.
    package static let reach = 14

    /// - Parameters:
    ///   - since: when alerts were first delivered here.
    ///   - delay: seconds during which other processes have priority.
    ///   - isGone: whether the process of that name has ended.
    package init(
        alerts: [Alert], entries: [AlertLog.Entry], now: Date, since: Date,
        lateHours: Int, delay: Double = 0, isGone: (String) -> Bool = { _ in false }
    ) {
        let log = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let oldest = now.addingTimeInterval(-Double(lateHours) * 3600)
        let forgotten = now.addingTimeInterval(-Double(Self.reach) * 86_400)
        for alert in Self.withSnoozes(alerts, log) {
            if let first = alert.repeats, log[first]?.state == .dismissed { continue }
            // It rang before the event was changed.
            if let ahead = alert.insteadOf, ahead != alert.key, log[ahead] != nil { continue }
            if let entry = log[alert.key] {
                switch entry.state {
                case .delivered, .dismissed: continue
                // A clock that was ahead marked it as old.
                case .summarised: if !entry.isFromTheFuture(now: now) { continue }
                case .claimed:
                    guard entry.isAbandoned(now: now, isGone: isGone(entry.owner)) else {
                        look(
                            at: now.addingTimeInterval(
                                isGone(entry.owner) ? AlertLog.lease : AlertLog.patience))
                        continue
                    }
                }
            }
            let instant = alert.instant
            if instant > now {
                upcoming.append(alert)
                look(at: instant.addingTimeInterval(delay))
            } else if instant.addingTimeInterval(delay) > now {
                look(at: instant.addingTimeInterval(delay))
            } else if instant > now.addingTimeInterval(-Self.punctual - delay) {
                due.append(alert)
            } else if instant > oldest {
                late.append(alert)
            } else if instant > forgotten, instant >= since {
                older.append(alert)
            }
        }
        if late.count > Self.lateLimit {
            older += late.dropLast(Self.lateLimit)
            late = late.suffix(Self.lateLimit)
        }
    }

    private mutating func look(at instant: Date) {
        next = min(next ?? instant, instant)
    }

    /// Includes snoozed alerts if their original is still known.
    private static func withSnoozes(
        _ alerts: [Alert], _ log: [AlertLog.Key: AlertLog.Entry]
    ) -> [Alert] {
        var all = alerts
        var seen = Set<AlertLog.Key>()
        var moved = alerts
        // An alert snoozed repeatedly is at the end of a chain of entries.
        while !moved.isEmpty {
            moved = moved.compactMap { alert in
                guard let entry = log[alert.key], let until = entry.snoozed,
                    seen.insert(alert.key).inserted
                else { return nil }
                return alert.moved(to: until)
            }
            all += moved
        }
        guard all.count > alerts.count else { return alerts }
        return all.sorted { $0.key.fires < $1.key.fires }
    }
}
