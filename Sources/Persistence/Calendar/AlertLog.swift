import FoundationEssentials

/// The alerts that were given, and by whom: rows in `calendar.db`, through which several instances
/// agree that each alert is given once.
///
///     claim      one of all instances may give it; the others leave it
///     deliver    it was given                       → settled
///     release    no channel took it                 → any may try again
///     summarise  too old to be given by itself      → settled
///     dismiss    the user has seen it               → settled
///     snooze     settled; comes again under another time
///
/// Another process may take over a claim before delivery: after `lease` if the
/// claiming process is gone, after `patience` if it lives but does nothing. The
/// meaning of an alert is not this type's business.
package struct AlertLog {
    package struct Key: Sendable, Hashable {
        package var uid: String
        /// The recurrence; empty for an item that does not repeat.
        package var occurrence: String
        /// Seconds since 1970.
        package var fires: Int64

        package init(uid: String, occurrence: String, fires: Int64) {
            self.uid = uid
            self.occurrence = occurrence
            self.fires = fires
        }
    }

    package enum State: Int64, Sendable {
        case claimed, delivered, summarised, dismissed
    }

    package struct Entry: Sendable, Equatable {
        package var key: Key
        package var title: String
        package var isEvent: Bool
        package var state: State
        /// The process that claimed it.
        package var owner: String
        package var claimed: Date
        package var delivered: Date?
        /// Names of the channels that delivered it.
        package var channels: [String]
        /// The time when it is due again; nil if it was not snoozed.
        package var snoozed: Date?

        package init(
            key: Key, title: String, isEvent: Bool = false, state: State, owner: String,
            claimed: Date, delivered: Date? = nil, channels: [String] = [], snoozed: Date? = nil
        ) {
            self.key = key
            self.title = title
            self.isEvent = isEvent
            self.state = state
            self.owner = owner
            self.claimed = claimed
            self.delivered = delivered
            self.channels = channels
            self.snoozed = snoozed
        }

        /// Whether another process may take it over, given whether the owner is gone. A clock that
        /// was set back does not prevent it.
        package func isAbandoned(now: Date, isGone: Bool) -> Bool {
            let age = abs(now.timeIntervalSince(claimed))
            return state == .claimed && age >= (isGone ? AlertLog.lease : AlertLog.patience)
        }

        /// Whether it was written while the clock was ahead: an alert marked as too late may still
        /// be due.
        package func isFromTheFuture(now: Date) -> Bool {
            claimed > now.addingTimeInterval(AlertLog.patience)
        }
    }

    /// Seconds.
    package static let lease = 5.0
    /// Seconds; longer than any channel may take.
    package static let patience = 60.0
    /// Days; longer than any alert lead time.
    static let keptDays = 90

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Entries of that time or later, and all snoozed ones.
    package func entries(since: Date) throws(SQLiteError) -> [Entry] {
        try connection.rows(Self.select, [.integer(Int64(since.timeIntervalSince1970))], Self.entry)
    }

    package func entry(_ key: Key) throws(SQLiteError) -> Entry? {
        try connection.first(Self.selectOne, Self.values(key), Self.entry)
    }

    /// The latest alert that was delivered and not yet answered.
    package func lastDelivered() throws(SQLiteError) -> Entry? {
        try connection.first(Self.selectLast, [], Self.entry)
    }

    /// Claims an alert. Of any number of callers in any processes, exactly one gets true.
    /// - Parameter isGone: whether the process of that name has ended.
    package func claim(
        _ key: Key, title: String, isEvent: Bool, as state: State = .claimed, owner: String,
        now: Date, isGone: (String) -> Bool
    ) throws(SQLiteError) -> Bool {
        try connection.transaction { () throws(SQLiteError) in
            try connection.run(
                Self.insert,
                Self.values(key) + [
                    .text(title), .flag(isEvent), .integer(state.rawValue), .text(owner),
                    .date(now),
                ])
            if connection.changedRows == 1 { return true }
            guard let found = try entry(key) else { return false }
            let isRevived =
                found.state == .summarised && state == .claimed && found.isFromTheFuture(now: now)
            guard isRevived || found.isAbandoned(now: now, isGone: isGone(found.owner)) else {
                return false
            }
            try connection.run(
                Self.take,
                Self.values(key) + [
                    .integer(state.rawValue), .text(owner),
                    .date(now),
                ])
            return true
        }
    }

    /// Claims alerts that are shown together, in one transaction.
    /// - Returns: for each alert, whether the caller should show it.
    package func summarise(
        _ items: [(key: Key, title: String, isEvent: Bool)], owner: String, now: Date
    ) throws(SQLiteError) -> [Bool] {
        try connection.transaction { () throws(SQLiteError) in
            var won: [Bool] = []
            for item in items {
                try connection.run(
                    Self.insert,
                    Self.values(item.key) + [
                        .text(item.title), .flag(item.isEvent),
                        .integer(State.summarised.rawValue), .text(owner),
                        .date(now),
                    ])
                won.append(connection.changedRows == 1)
            }
            return won
        }
    }

    package func deliver(_ key: Key, channels: [String], now: Date) throws(SQLiteError) {
        try connection.write(
            Self.markDelivered,
            Self.values(key) + [
                .date(now),
                .text(channels.joined(separator: ",")),
            ])
    }

    /// Adds a channel to a delivered alert; true for the one caller that added it.
    package func add(channel: String, to key: Key) throws(SQLiteError) -> Bool {
        return try connection.write(Self.addChannel, Self.values(key) + [.text(channel)]) > 0
    }

    /// Releases a claim after no channel has delivered the alert.
    package func release(_ key: Key, owner: String) throws(SQLiteError) {
        try connection.write(Self.remove, Self.values(key) + [.text(owner)], .normal)
    }

    /// Marks an alert as seen, with no further effect.
    package func dismiss(_ key: Key) throws(SQLiteError) {
        try connection.write(Self.markDismissed, Self.values(key))
    }

    /// Marks an alert as seen until it is due again.
    package func snooze(_ key: Key, until: Date) throws(SQLiteError) {
        try connection.write(
            Self.markSnoozed,
            Self.values(key) + [.date(until)])
    }

    /// Time when alerts were first checked here; recorded by the first call.
    package func firstUse(now: Date) throws(SQLiteError) -> Date {
        if let known = try connection.first(Self.selectFirstUse, [], { $0.integer(0) }) {
            return Date(milliseconds: known)
        }
        return try connection.transaction { () throws(SQLiteError) in
            try connection.run(
                Self.insertFirstUse, [.date(now)])
            let known = try connection.first(Self.selectFirstUse, [], { $0.integer(0) })
            return known.map { Date(milliseconds: $0) } ?? now
        }
    }

    /// Removes entries that are no longer needed.
    package func prune(now: Date) throws(SQLiteError) {
        let oldest = Int64(now.timeIntervalSince1970) - Int64(Self.keptDays) * 86_400
        try connection.write(
            Self.removeOld,
            [.integer(oldest), .integer(now.inMilliseconds - 86_400_000)], .normal)
    }

    // MARK: - Rows

    private static func values(_ key: Key) -> [SQLiteValue] {
        [.text(key.uid), .text(key.occurrence), .integer(key.fires)]
    }

    private static func entry(_ row: Statement) throws(SQLiteError) -> Entry {
        Entry(
            key: Key(
                uid: row.text("uid"), occurrence: row.text("occurrence"),
                fires: row.integer("fires")),
            title: row.text("title"), isEvent: row.flag("is_event"),
            state: State(rawValue: row.integer("state")) ?? .delivered, owner: row.text("owner"),
            claimed: row.date("claimed"),
            delivered: row.optionalDate("delivered"),
            channels: row.text("channels").split(separator: ",").map(String.init),
            snoozed: row.optionalDate("snoozed"))
    }

    private static let columns =
        "uid, occurrence, fires, title, is_event, state, owner, claimed, delivered, channels, snoozed"
    private static let isKey = "uid = ?1 AND occurrence = ?2 AND fires = ?3"
    private static let select: SQL =
        "SELECT \(columns) FROM alerts WHERE fires >= ? OR snoozed IS NOT NULL ORDER BY fires"
    private static let selectOne: SQL = "SELECT \(columns) FROM alerts WHERE \(isKey)"
    private static let selectLast: SQL = """
        SELECT \(columns) FROM alerts WHERE state = 1 AND snoozed IS NULL
        ORDER BY delivered DESC, fires DESC LIMIT 1
        """
    private static let insert: SQL = """
        INSERT INTO alerts(uid, occurrence, fires, title, is_event, state, owner, claimed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """
    private static let take: SQL =
        "UPDATE alerts SET state = ?4, owner = ?5, claimed = ?6 WHERE \(isKey)"
    private static let markDelivered: SQL = """
        UPDATE alerts SET state = CASE state WHEN 0 THEN 1 ELSE state END, delivered = ?4,
        channels = ?5 WHERE \(isKey)
        """
    private static let addChannel: SQL = """
        UPDATE alerts SET channels = channels || ',' || ?4
        WHERE \(isKey) AND state = 1 AND snoozed IS NULL
        AND instr(',' || channels || ',', ',' || ?4 || ',') = 0
        """
    private static let remove: SQL =
        "DELETE FROM alerts WHERE \(isKey) AND owner = ?4 AND state IN (0, 2)"
    private static let markDismissed: SQL =
        "UPDATE alerts SET state = 3, snoozed = NULL WHERE \(isKey)"
    private static let markSnoozed: SQL = "UPDATE alerts SET state = 3, snoozed = ?4 WHERE \(isKey)"
    private static let selectFirstUse: SQL =
        "SELECT value FROM alert_facts WHERE name = 'first use'"
    private static let insertFirstUse: SQL =
        "INSERT INTO alert_facts(name, value) VALUES ('first use', ?) ON CONFLICT DO NOTHING"
    private static let removeOld: SQL =
        "DELETE FROM alerts WHERE fires < ?1 AND (snoozed IS NULL OR snoozed < ?2)"
}
