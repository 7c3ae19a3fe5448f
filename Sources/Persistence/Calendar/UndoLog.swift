import Base
import FoundationEssentials

/// The calendar steps that can be undone, with the contents of each file before
/// and after: rows in `calendar.db`.
///
///     begin    before the file changes: what is there, what will be
///     finish   after it: the change is known to have happened
///     forget   the change did not happen
///
/// The caller judges a change that was begun and never finished (after a kill
/// in between) by the file's contents. The files are the caller's business.
package struct UndoLog {
    package struct Step: Sendable, Equatable {
        package var id: String
        package var verb: String
        package var title: String
        package var uid: String
        package var made: Date
        /// nil while it is in effect.
        package var undone: Date?
        /// Position in the order of steps.
        package var number: Int64
    }

    /// The change of one file in a step. nil bytes: the file does not exist.
    package struct Change: Sendable, Equatable {
        package var id: Int64
        package var path: String
        package var isDone: Bool
        package var before: [UInt8]?
        package var after: [UInt8]?
        /// The id of the removed file in the trash.
        package var trash: String?
    }

    /// Steps are kept while either of these limits allows it …
    package static let keptSteps = 500
    package static let keptDays = 30
    /// … unless they exceed this size, in which case the oldest are removed.
    package static let keptBytes: Int64 = 128 << 20

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Records a change that is about to happen. It is on disk when this returns.
    ///
    /// - Parameter isOwn: whether the text in `after` is the user's; the
    ///   content is then recognised as trusted wherever it is stored.
    /// - Parameter newEvents: UIDs of the events this change creates.
    /// - Returns: the id for `finish` and `forget`.
    package func begin(
        id: String, verb: String, title: String, uid: String, now: Date, path: String,
        before: [UInt8]?, after: [UInt8]?, trash: String?, isOwn: Bool = false,
        newEvents: [String] = []
    ) throws(SQLiteError) -> Int64 {
        try connection.transaction { () throws(SQLiteError) in
            if isOwn, let after {
                try connection.run(Self.addOwn, [.blob(SHA256.digest(after))])
            }
            for uid in newEvents { try connection.run(Self.addOwnEvent, [.text(uid)]) }
            try connection.run(
                Self.addStep,
                [
                    .text(id), .text(verb), .text(title), .text(uid),
                    .date(now),
                ])
            try connection.run(
                Self.addChange,
                [.text(id), .text(path), .optional(before), .optional(after), .optional(trash)])
            return connection.lastInsertedRow
        }
    }

    /// Marks a change as done. A power failure may lose the mark; the file's contents show it as
    /// well.
    package func finish(_ change: Int64) throws(SQLiteError) {
        try connection.write(Self.finishChange, [.integer(change)], .normal)
    }

    /// Removes a change that did not happen, and its step if that has no other change.
    package func forget(_ change: Int64) throws(SQLiteError) {
        try connection.transaction(.normal) { () throws(SQLiteError) in try remove(change) }
    }

    private func remove(_ change: Int64) throws(SQLiteError) {
        let step = try connection.first(Self.stepOfChange, [.integer(change)]) { $0.integer(0) }
        try connection.run(Self.removeChange, [.integer(change)])
        if let step { try connection.run(Self.removeEmptyStep, [.integer(step)]) }
    }

    /// Deletes each change with matching content, so that no trace remains in the file.
    ///
    /// - Returns: false if another program was reading, so that the log stays until the last one
    ///   closes the file.
    package func erase(
        where isMeant: (_ content: [UInt8]) -> Bool
    ) throws(SQLiteError) -> Bool {
        var meant: [Int64] = []
        try connection.each(Self.contents) { row in
            if [row.optionalBytes("before"), row.optionalBytes("after")].contains(where: {
                $0.map(isMeant) ?? false
            }) {
                meant.append(row.integer("id"))
            }
            return true
        }
        try connection.deletingSecurely { () throws(SQLiteError) in
            for change in meant { try remove(change) }
        }
        return try connection.scrub()
    }

    /// Records text of the user that is not the content of a file.
    package func addOwn(_ words: [UInt8]) throws(SQLiteError) {
        try connection.write(Self.addOwn, [.blob(SHA256.digest(words))], .normal)
    }

    /// Whether that content was written here from the user's text. A file's own
    /// claim (`PRODID`) proves nothing: any sender can write it.
    package func isOwn(_ content: [UInt8]) throws(SQLiteError) -> Bool {
        try connection.first(Self.findOwn, [.blob(SHA256.digest(content))]) { $0.integer(0) } != nil
    }

    /// Whether that event was created here. Other programs may have changed its
    /// file since.
    package func isOwnEvent(_ uid: String) throws(SQLiteError) -> Bool {
        try connection.first(Self.findOwnEvent, [.text(uid)]) { $0.integer(0) } != nil
    }

    /// The time from which events without an alarm give alerts; nil if alerts were never checked
    /// before.
    package func eventsRingSince() throws(SQLiteError) -> Date? {
        try connection.first(Self.eventsSince) { $0.integer(0) }.map { Date(milliseconds: $0) }
    }

    /// Records events that were created here by other means.
    package func addOwnEvents(_ uids: [String]) throws(SQLiteError) {
        try connection.transaction(.normal) { () throws(SQLiteError) in
            for uid in uids { try connection.run(Self.addOwnEvent, [.text(uid)]) }
        }
    }

    /// The latest change of that file, with its contents before and after.
    package func latestChange(of path: String) throws(SQLiteError) -> Change? {
        try connection.first(Self.latestChange, [.text(path)], Self.change)
    }

    /// Steps in effect, the newest first; or undone steps, the latest undo first.
    package func steps(undone: Bool, limit: Int) throws(SQLiteError) -> [Step] {
        try connection.rows(
            undone ? Self.undoneSteps : Self.activeSteps, [.integer(Int64(limit))], Self.step)
    }

    package func step(_ id: String) throws(SQLiteError) -> Step? {
        try connection.first(Self.findStep, [.text(id)], Self.step)
    }

    /// The changes of a step, in the order in which they happened.
    package func changes(of step: Step) throws(SQLiteError) -> [Change] {
        try connection.rows(Self.changesOfStep, [.integer(step.number)], Self.change)
    }

    /// The paths of a step without the file contents, which may be megabytes,
    /// and whether all changes are known to be done.
    package func outline(
        of step: Step
    ) throws(SQLiteError) -> (paths: [String], isDone: Bool) {
        let rows = try connection.rows(Self.outlineOfStep, [.integer(step.number)]) {
            ($0.text("path"), $0.flag("is_done"))
        }
        return (rows.map(\.0), rows.allSatisfy(\.1))
    }

    /// Sets where the contents of a change are in the trash, or will be.
    package func setTrash(_ trash: String?, of change: Int64) throws(SQLiteError) {
        try connection.write(Self.moveTrash, [.integer(change), .optional(trash)])
    }

    /// Sets the time at which a step was undone; nil puts it in effect again.
    package func setUndone(_ undone: Date?, of step: Step) throws(SQLiteError) {
        try connection.write(
            Self.setUndone,
            [
                .integer(step.number),
                .date(undone),
            ])
    }

    /// Removes old steps. Costs two lookups when there is nothing to do.
    package func prune(now: Date) throws(SQLiteError) {
        let oldest = now.inMilliseconds - Int64(Self.keptDays) * 86_400_000
        try connection.transaction(.normal) { () throws(SQLiteError) in
            try connection.run(
                Self.removeOld, [.integer(Int64(Self.keptSteps)), .integer(oldest)])
            let size = try connection.first(Self.pageBytes) { $0.integer(0) } ?? 0
            guard size > Self.keptBytes else { return }
            try connection.run(Self.removeLarge, [.integer(Self.keptBytes)])
        }
    }

    private static func step(_ row: Statement) throws(SQLiteError) -> Step {
        Step(
            id: row.text("id"), verb: row.text("verb"), title: row.text("title"),
            uid: row.text("uid"),
            made: row.date("made"), undone: row.optionalDate("undone"),
            number: row.integer("seq"))
    }

    private static func change(_ row: Statement) throws(SQLiteError) -> Change {
        Change(
            id: row.integer("id"), path: row.text("path"), isDone: row.flag("is_done"),
            before: row.optionalBytes("before"),
            after: row.optionalBytes("after"), trash: row.optionalText("trash"))
    }

    private static let columns = "id, verb, title, uid, made, undone, seq"
    private static let addStep: SQL = """
        INSERT INTO steps(id, verb, title, uid, made) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT(id) DO NOTHING
        """
    private static let addChange: SQL = """
        INSERT INTO changes(step, path, before, after, trash)
        VALUES ((SELECT seq FROM steps WHERE id = ?), ?, ?, ?, ?)
        """
    private static let finishChange: SQL = "UPDATE changes SET is_done = 1 WHERE id = ?"
    private static let stepOfChange: SQL = "SELECT step FROM changes WHERE id = ?"
    private static let removeChange: SQL = "DELETE FROM changes WHERE id = ?"
    private static let removeEmptyStep: SQL =
        "DELETE FROM steps WHERE seq = ?1 AND NOT EXISTS (SELECT 1 FROM changes WHERE step = ?1)"
    private static let activeSteps: SQL =
        "SELECT \(columns) FROM steps WHERE undone IS NULL ORDER BY seq DESC LIMIT ?"
    private static let undoneSteps: SQL = """
        SELECT \(columns) FROM steps WHERE undone IS NOT NULL
        ORDER BY undone DESC, seq LIMIT ?
        """
    private static let findStep: SQL = "SELECT \(columns) FROM steps WHERE id = ?"
    private static let changeColumns = "id, path, is_done, before, after, trash"
    private static let changesOfStep: SQL =
        "SELECT \(changeColumns) FROM changes WHERE step = ? ORDER BY id"
    private static let outlineOfStep: SQL =
        "SELECT path, is_done FROM changes WHERE step = ? ORDER BY id"
    private static let contents: SQL = "SELECT id, before, after FROM changes ORDER BY id"
    private static let latestChange: SQL =
        "SELECT \(changeColumns) FROM changes WHERE path = ? ORDER BY id DESC LIMIT 1"
    private static let addOwn: SQL =
        "INSERT INTO own_files(digest) VALUES (?) ON CONFLICT DO NOTHING"
    private static let findOwn: SQL = "SELECT 1 FROM own_files WHERE digest = ?"
    private static let addOwnEvent: SQL =
        "INSERT INTO own_events(uid) VALUES (?) ON CONFLICT DO NOTHING"
    private static let findOwnEvent: SQL = "SELECT 1 FROM own_events WHERE uid = ?"
    private static let eventsSince: SQL =
        "SELECT value FROM alert_facts WHERE name = 'events ring since'"
    private static let moveTrash: SQL = "UPDATE changes SET trash = ?2 WHERE id = ?1"
    private static let setUndone: SQL = "UPDATE steps SET undone = ?2 WHERE seq = ?1"
    private static let removeOld: SQL = """
        DELETE FROM steps WHERE made < ?2
        AND seq <= (SELECT seq FROM steps ORDER BY seq DESC LIMIT 1 OFFSET ?1)
        """
    // The size of the file, since a sum over the rows would read all of them.
    private static let pageBytes: SQL = """
        SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size
        """
    private static let removeLarge: SQL = """
        DELETE FROM steps WHERE seq IN (
            SELECT step FROM (
                SELECT step, sum(bytes) OVER (ORDER BY step DESC) AS total FROM (
                    SELECT step, sum(coalesce(length(before), 0) + coalesce(length(after), 0))
                        AS bytes
                    FROM changes GROUP BY step))
            WHERE total > ? AND step <> (SELECT max(seq) FROM steps))
        """
}
