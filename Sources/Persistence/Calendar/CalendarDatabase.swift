import Base

/// The program's records about the calendar files, in one SQLite file (`calendar.db` in the state
/// folder): steps that can be undone, and alerts that were given.
///
/// It is separate from the conversations, so that damage to one does not affect the other. It is
/// opened on first use: most commands do not need it. Not thread-safe: each owner (an actor) has
/// its own value, and SQLite coordinates them, as it does with other processes. `UndoLog` and
/// others define the meaning of the tables.
package final class CalendarDatabase {
    package let path: String
    private let environment: Environment
    private var opened: Connection?

    /// Time to wait for a lock, shorter than for a conversation, since reminders can be written
    /// even while the database is locked.
    private static let busyTimeoutInMilliseconds: Int32 = 2_000

    /// - Parameters:
    ///   - folder: created with the database, at the first use.
    /// - name: file name; another log of steps with the same tables has its own file.
    package init(folder: String, name: String = "calendar.db", environment: Environment) {
        path = "\(folder)/\(name)"
        self.environment = environment
    }

    /// Creates the file (0600) and its folder (0700) if they do not exist. A
    /// failure is not remembered: the next call tries again.
    /// - Throws: errors of opening (`corrupt`, `newerSchema`, `readOnly`, …);
    ///   the file is then unchanged.
    package func connection() throws(SQLiteError) -> Connection {
        if let opened { return opened }
        let connection = try Migrator(
            migrations: CalendarMigrations.all, applicationID: CalendarMigrations.applicationID
        ).open(
            path, busyTimeoutInMilliseconds: Self.busyTimeoutInMilliseconds, now: environment.now())
        opened = connection
        return connection
    }

    /// Checkpoints the log into the file. A later use opens it again.
    package func close() {
        opened?.close()
        opened = nil
    }
}
