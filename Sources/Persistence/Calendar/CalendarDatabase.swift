import Base

/// What the program remembers about the calendar files, in one SQLite file
/// (`calendar.db` in the state folder): what can be undone, and which alerts
/// were given.
///
/// It is apart from the conversations, so that damage to one leaves the other
/// alone. Opened at the first use and not before: most commands need none of
/// it. Not thread-safe: each owner (an actor) has a value of its own, and
/// SQLite keeps them apart, also those of other processes. What the tables
/// mean is the business of `UndoLog` and the like.
package final class CalendarDatabase {
    package let path: String
    private let environment: Environment
    private var opened: Connection?

    /// A reminder is written also while the database is locked, so the wait
    /// is shorter than for a conversation.
    private static let busyTimeoutInMilliseconds: Int32 = 2_000

    /// - Parameters:
    ///   - folder: made with the database, at the first use.
    ///   - name: another log of steps, with the same tables, has a file of its own.
    package init(folder: String, name: String = "calendar.db", environment: Environment) {
        path = "\(folder)/\(name)"
        self.environment = environment
    }

    /// Creates the file (0600) and its folder (0700) where they do not exist.
    /// A failure is not remembered: the next call tries again.
    /// - Throws: what opening meets (`corrupt`, `newerSchema`, `readOnly`, …);
    ///   the file is then as it was.
    package func connection() throws(SQLiteError) -> Connection {
        if let opened { return opened }
        let connection = try Migrator(
            migrations: CalendarMigrations.all, applicationID: CalendarMigrations.applicationID
        ).open(
            path, busyTimeoutInMilliseconds: Self.busyTimeoutInMilliseconds, now: environment.now())
        opened = connection
        return connection
    }

    /// Folds the log into the file. A later use opens it again.
    package func close() {
        opened?.close()
        opened = nil
    }
}
