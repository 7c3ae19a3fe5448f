import Base
import FoundationEssentials

/// The runs of routines: each time of a routine has at most one row, written by the process
/// that runs it before it does anything else. It does not know what a routine is, or when it
/// is due.
///
///     running ──▶ done, same, shut         waiting ──▶ running
///        ├──────▶ waiting, failed             └──────▶ failed
///        └─ its process is gone ──▶ interrupted        missed: its time passed unused
package struct RoutineLog {
    package enum State: String, Sendable {
        /// Claimed, and perhaps sent.
        case running
        case done
        /// Done, with the same result as the time before; not reported.
        case same
        /// The gate of the routine was closed: no model was asked.
        case shut
        /// The provider failed; the run will be tried again.
        case waiting
        case failed
        /// The process ended in the middle of the run. It is not repeated automatically.
        case interrupted
        /// The time passed while no process ran, and is too long ago to be made up for.
        case missed
    }

    package struct Run: Sendable, Equatable {
        /// The id of the routine.
        package var routine: String
        /// The scheduled time; of several missed ones, the last.
        package var due: Date
        package var state: State
        /// False if the user started it.
        package var isScheduled: Bool
        /// Number of times that were missed; otherwise 1.
        package var times: Int
        package var owner: String
        package var claimed: Date
        package var ended: Date?
        /// The first sentence of the result, or the failure.
        package var note: String
        package var conversation: String?
        /// The digest of the result.
        package var digest: String?
        /// Millionths of a dollar.
        package var cost: Int
        /// The calls that were held back, as a JSON array; nil without any.
        package var held: String?
    }

    /// Days.
    private static let kept = 400.0

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Claims a scheduled time: of any number of callers in any processes one gets true, and never
    /// a second one for the same time.
    package func claim(
        _ routine: String, due: Date, isScheduled: Bool = true, owner: String, now: Date
    ) throws(SQLiteError) -> Bool {
        try connection.write(
            Self.insert,
            [
                .text(routine), .date(due), .text(State.running.rawValue), .flag(isScheduled),
                .integer(1), .text(owner), .date(now),
            ]) > 0
    }

    /// Claims a waiting run again; true for one caller.
    package func retry(
        _ routine: String, due: Date, owner: String
    ) throws(SQLiteError) -> Bool {
        try connection.write(Self.take, [.text(routine), .date(due), .text(owner)]) > 0
    }

    /// - Returns: false if it was closed by another process.
    @discardableResult
    package func end(
        _ run: Run, _ state: State, note: String, conversation: String? = nil,
        digest: String? = nil, cost: Int = 0, held: String? = nil, now: Date
    ) throws(SQLiteError) -> Bool {
        try connection.write(
            Self.finish,
            [
                .text(run.routine), .date(run.due), .text(run.owner), .text(state.rawValue),
                .date(now), .text(note), .optional(conversation), .optional(digest),
                .integer(Int64(cost)), .optional(held), .text(run.state.rawValue),
            ]) > 0
    }

    /// Records times that passed while no process ran, in one row for the last of them.
    package func miss(
        _ routine: String, last due: Date, times: Int, now: Date
    ) throws(SQLiteError) -> Bool {
        try connection.write(
            Self.insert,
            [
                .text(routine), .date(due), .text(State.missed.rawValue), .flag(true),
                .integer(Int64(times)), .text(""), .date(now),
            ]) > 0
    }

    /// Marks the runs whose process is gone as interrupted.
    package func interrupt(
        now: Date, isGone: (String) -> Bool
    ) throws(SQLiteError) -> [Run] {
        let found = try connection.rows(Self.running, [], Self.run)
        var closed: [Run] = []
        for var run in found where isGone(run.owner) {
            let note = "its process ended before it was done"
            if try end(run, .interrupted, note: note, now: now) {
                (run.state, run.note) = (.interrupted, note)
                closed.append(run)
            }
        }
        return closed
    }

    /// Sets aside rows that were written while the clock was ahead: the times they recorded as
    /// missed are still to come, and those that ran must not hide the ones in between.
    package func setFutureApart(now: Date) throws(SQLiteError) {
        try connection.run(Self.unmiss, [.date(now)])
        try connection.run(Self.setApart, [.date(now.addingTimeInterval(60))])
    }

    /// Includes again the rows set aside whose time has come.
    package func rejoin(_ routine: String, now: Date) throws(SQLiteError) {
        try connection.run(Self.join, [.text(routine), .date(now)])
    }

    /// The newest first; of one routine, or of all.
    package func runs(of routine: String? = nil, limit: Int) throws(SQLiteError) -> [Run] {
        try connection.rows(
            Self.list, [.optional(routine), .integer(Int64(limit))], Self.run)
    }

    package func run(_ routine: String, due: Date) throws(SQLiteError) -> Run? {
        try connection.first(Self.one, [.text(routine), .date(due)], Self.run)
    }

    /// The latest scheduled run up to now, missed ones included.
    package func last(of routine: String, now: Date) throws(SQLiteError) -> Run? {
        try connection.first(Self.latest, [.text(routine), .date(now)], Self.run)
    }

    /// The latest run with a result.
    package func lastResult(of routine: String) throws(SQLiteError) -> Run? {
        try connection.first(Self.result, [.text(routine)], Self.run)
    }

    package func cost(of routine: String, since: Date) throws(SQLiteError) -> Int {
        try connection.first(Self.sum, [.text(routine), .date(since)]) { Int($0.integer(0)) } ?? 0
    }

    /// Runs that have ended and were not reported, the oldest first; marks them as reported.
    package func takeNews() throws(SQLiteError) -> [Run] {
        try connection.transaction { () throws(SQLiteError) in
            let news = try connection.rows(Self.news, [], Self.run)
            if !news.isEmpty { try connection.run(Self.tell) }
            return news
        }
    }

    /// Whether it has run since the last call; marks it as reviewed.
    package func takeReview(of routine: String) throws(SQLiteError) -> Bool {
        try connection.write(Self.review, [.text(routine)]) > 0
    }

    /// Runs with calls that were held back.
    package func held() throws(SQLiteError) -> [Run] {
        try connection.rows(Self.heldBack, [], Self.run)
    }

    package func setHeld(_ held: String?, of run: Run) throws(SQLiteError) {
        try connection.write(
            Self.keepHeld, [.text(run.routine), .date(run.due), .optional(held)])
    }

    package func prune(now: Date) throws(SQLiteError) {
        try connection.write(
            Self.drop, [.date(now.addingTimeInterval(-Self.kept * 86_400))], .normal)
    }

    private static func run(_ row: Statement) throws(SQLiteError) -> Run {
        Run(
            routine: row.text("routine"), due: row.date("due"),
            // A state of a later version.
            state: State(rawValue: row.text("state")) ?? .failed,
            isScheduled: row.integer("is_scheduled") == 1,
            times: Int(row.integer("times")), owner: row.text("owner"),
            claimed: row.date("claimed"),
            ended: row.optionalDate("ended"), note: row.text("note"),
            conversation: row.optionalText("conversation"),
            digest: row.optionalText("digest"), cost: Int(row.integer("cost")),
            held: row.optionalText("held"))
    }

    private static let rows = """
        SELECT routine, due, state, is_scheduled, times, owner, claimed, ended, note,
            conversation, digest, cost, held FROM routine_runs
        """
    private static let insert: SQL = """
        INSERT INTO routine_runs(routine, due, state, is_scheduled, times, owner, claimed)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """
    private static let take: SQL = """
        UPDATE routine_runs SET state = 'running', owner = ?3
        WHERE routine = ?1 AND due = ?2 AND state = 'waiting'
        """
    private static let finish: SQL = """
        UPDATE routine_runs SET state = ?4, ended = ?5, note = ?6, conversation = ?7, digest = ?8,
            cost = cost + ?9, held = ?10
        WHERE routine = ?1 AND due = ?2 AND owner = ?3 AND state = ?11
        """
    private static let running: SQL = "\(rows) WHERE state = 'running'"
    private static let unmiss: SQL =
        "DELETE FROM routine_runs WHERE state = 'missed' AND due > ?1"
    private static let setApart: SQL = """
        UPDATE routine_runs SET is_scheduled = 2
        WHERE is_scheduled = 1 AND state != 'missed' AND claimed > ?1
        """
    private static let join: SQL = """
        UPDATE routine_runs SET is_scheduled = 1
        WHERE routine = ?1 AND is_scheduled = 2 AND due <= ?2
        """
    private static let list: SQL =
        "\(rows) WHERE ?1 IS NULL OR routine = ?1 ORDER BY due DESC LIMIT ?2"
    private static let one: SQL = "\(rows) WHERE routine = ?1 AND due = ?2"
    private static let latest: SQL = """
        \(rows) WHERE routine = ?1 AND due <= ?2 AND is_scheduled = 1
        ORDER BY due DESC LIMIT 1
        """
    private static let result: SQL = """
        \(rows) WHERE routine = ?1 AND state IN ('done', 'same') ORDER BY due DESC LIMIT 1
        """
    private static let sum: SQL =
        "SELECT coalesce(sum(cost), 0) FROM routine_runs WHERE routine = ?1 AND claimed >= ?2"
    /// In `is_told`, 1 stands for a report and 2 for a review.
    private static let unsaid =
        "is_told & 1 = 0 AND state NOT IN ('running', 'waiting', 'shut', 'same')"
    private static let news: SQL = "\(rows) WHERE \(unsaid) ORDER BY due"
    private static let tell: SQL = "UPDATE routine_runs SET is_told = is_told | 1 WHERE \(unsaid)"
    private static let review: SQL = """
        UPDATE routine_runs SET is_told = is_told | 2
        WHERE routine = ?1 AND state IN ('done', 'same') AND is_told & 2 = 0
        """
    private static let heldBack: SQL = "\(rows) WHERE held IS NOT NULL ORDER BY due"
    private static let keepHeld: SQL =
        "UPDATE routine_runs SET held = ?3 WHERE routine = ?1 AND due = ?2"
    private static let drop: SQL = "DELETE FROM routine_runs WHERE due < ?1"
}
