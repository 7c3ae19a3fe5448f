import Base
import FoundationEssentials

/// The user's approvals of routines, and the steps that changed them. A routine's own file is in
/// the data folder, where other programs can write it: it is valid only while it has the digest
/// stored here.
package struct RoutinePins {
    package struct Pin: Sendable, Equatable {
        package var digest: String
        /// No time before this is due.
        package var since: Date
        /// The reason why it is paused; nil if it runs.
        package var pause: String?
        /// A command that decides whether it runs. Stored only here, so that no file can supply
        /// one.
        package var command: String?
        /// The state that its gates found last.
        package var seen: String

        package init(
            digest: String, since: Date, pause: String? = nil, command: String? = nil,
            seen: String = ""
        ) {
            (self.digest, self.since, self.pause) = (digest, since, pause)
            (self.command, self.seen) = (command, seen)
        }
    }

    /// A change of a routine: its file and its command before and after; nil if it did not exist.
    package struct Step: Sendable, Equatable {
        package var id: String
        package var routine: String
        package var verb: String
        package var title: String
        package var made: Date
        package var undone: Date?
        package var before: String?
        package var after: String?
        /// The command before and after.
        package var commands: (before: String?, after: String?)

        package init(
            id: String, routine: String, verb: String, title: String, made: Date,
            undone: Date? = nil, before: String?, after: String?,
            commands: (before: String?, after: String?)
        ) {
            (self.id, self.routine, self.verb, self.title) = (id, routine, verb, title)
            (self.made, self.undone, self.before, self.after) = (made, undone, before, after)
            self.commands = commands
        }

        package static func == (one: Step, other: Step) -> Bool { one.id == other.id }
    }

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    package func all() throws(SQLiteError) -> [String: Pin] {
        var pins: [String: Pin] = [:]
        try connection.each(Self.list) { (row) throws(SQLiteError) in
            pins[row.text("id")] = Pin(
                digest: row.text("digest"), since: row.date("since"),
                pause: row.optionalText("pause"),
                command: row.optionalText("command"), seen: row.text("seen"))
            return true
        }
        return pins
    }

    /// - Parameter pin: nil removes it.
    package func set(_ pin: Pin?, of routine: String) throws(SQLiteError) {
        guard let pin else {
            try connection.write(Self.remove, [.text(routine)])
            return
        }
        try connection.write(
            Self.replace,
            [
                .text(routine), .text(pin.digest), .date(pin.since), .optional(pin.pause),
                .optional(pin.command), .text(pin.seen),
            ])
    }

    // MARK: - Steps

    package func note(_ step: Step) throws(SQLiteError) {
        try connection.write(
            Self.insertStep,
            [
                .text(step.id), .text(step.routine), .text(step.verb), .text(step.title),
                .date(step.made), .optional(step.before), .optional(step.after),
                .optional(step.commands.before), .optional(step.commands.after),
            ])
    }

    package func steps(undone: Bool, limit: Int) throws(SQLiteError) -> [Step] {
        try connection.rows(
            Self.listSteps, [.flag(undone), .integer(Int64(limit))], Self.step)
    }

    package func step(_ id: String) throws(SQLiteError) -> Step? {
        try connection.first(Self.oneStep, [.text(id)], Self.step)
    }

    package func setUndone(_ date: Date?, of id: String) throws(SQLiteError) {
        try connection.write(Self.undoStep, [.text(id), .date(date)])
    }

    private static func step(_ row: Statement) throws(SQLiteError) -> Step {
        Step(
            id: row.text("id"), routine: row.text("routine"), verb: row.text("verb"),
            title: row.text("title"),
            made: row.date("made"), undone: row.optionalDate("undone"),
            before: row.optionalText("before"),
            after: row.optionalText("after"),
            commands: (row.optionalText("command_before"), row.optionalText("command_after")))
    }

    private static let list: SQL = "SELECT id, digest, since, pause, command, seen FROM routines"
    private static let replace: SQL = """
        INSERT OR REPLACE INTO routines(id, digest, since, pause, command, seen)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    private static let remove: SQL = "DELETE FROM routines WHERE id = ?"
    private static let insertStep: SQL = """
        INSERT INTO routine_steps(id, routine, verb, title, made, before, after, command_before,
            command_after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    private static let stepRows = """
        SELECT id, routine, verb, title, made, undone, before, after, command_before, command_after
        FROM routine_steps
        """
    private static let listSteps: SQL = """
        \(stepRows) WHERE (undone IS NOT NULL) = ?1
        ORDER BY coalesce(undone, made) DESC, seq DESC LIMIT ?2
        """
    private static let oneStep: SQL = "\(stepRows) WHERE id = ?"
    private static let undoStep: SQL = "UPDATE routine_steps SET undone = ?2 WHERE id = ?1"
}
