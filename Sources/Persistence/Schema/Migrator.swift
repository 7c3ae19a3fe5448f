import FoundationEssentials

/// Brings a database to the current schema, or refuses it untouched.
///
///     user_version   application_id   tables   what happens
///     current        ours             –        nothing is read or written
///     0              0                none     every migration (a new file)
///     older          ours             –        a backup, then what is missing
///     newer          ours             –        refused: `newerSchema`
///     anything else                            refused: `otherDatabase`
///
/// Each migration is one transaction together with its version number, so a
/// file is always of one version or the next. Each kind of database has a list
/// of its migrations and an application id, so that none is mistaken for
/// another.
struct Migrator {
    var migrations = Migrations.all
    var applicationID = Migrations.applicationID

    /// Opens the file, creating it and its folder if they do not exist.
    /// - Throws: errors of opening.
    func open(
        _ path: String, busyTimeoutInMilliseconds: Int32, now: Date
    ) throws(SQLiteError) -> Connection {
        let connection = try Connection(
            path: try DatabaseFile.prepare(path),
            busyTimeoutInMilliseconds: busyTimeoutInMilliseconds)
        do {
            try prepare(connection, now: now)
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// - Returns: the path of the backup, if an older database was migrated.
    /// - Throws: errors of opening; the file is then unchanged, or at a working version in between.
    @discardableResult
    func prepare(_ connection: Connection, now: Date) throws(SQLiteError) -> String? {
        let found = try check(connection)
        if found == migrations.count {
            try connection.configure()
            return nil
        }
        let backup = found > 0 ? try backUp(connection, version: found, now: now) : nil
        try connection.configure()
        for index in migrations.indices.dropFirst(found) {
            try connection.transaction { () throws(SQLiteError) in
                // Another instance may have been faster.
                guard try version(connection) == index else { return }
                try connection.script(migrations[index].name, migrations[index].sql)
                try connection.script(
                    "version",
                    "PRAGMA application_id=\(applicationID); "
                        + "PRAGMA user_version=\(index + 1);")
            }
        }
        return backup
    }

    /// The version of a file, if we may use it.
    private func check(_ connection: Connection) throws(SQLiteError) -> Int {
        // One snapshot: otherwise another instance might create the tables between two statements,
        // which would look like another program's file.
        try connection.script("check", "BEGIN")
        defer {
            // A failed rollback of a read transaction loses nothing.
            try? connection.script("check", "ROLLBACK")
        }
        let found = try version(connection)
        let application = try connection.first(Self.applicationIDPragma) { $0.integer(0) } ?? 0
        if application == applicationID, found > 0 {
            guard found <= migrations.count else {
                throw SQLiteError(
                    .newerSchema(found: found, supported: migrations.count),
                    path: connection.path, detail: "schema \(found)")
            }
            return found
        }
        let tables = try connection.first(Self.tables) { $0.integer(0) } ?? 0
        guard application == 0, found == 0, tables == 0 else {
            throw SQLiteError(
                .otherDatabase, path: connection.path,
                detail: "application_id \(application), user_version \(found)")
        }
        return 0
    }

    private func version(_ connection: Connection) throws(SQLiteError) -> Int {
        try connection.first(Self.userVersion) { Int($0.integer(0)) } ?? 0
    }

    private static let userVersion: SQL = "PRAGMA user_version"
    private static let applicationIDPragma: SQL = "PRAGMA application_id"
    private static let tables: SQL = "SELECT count(*) FROM sqlite_schema"

    /// Suffix of the backup's name, before the version number.
    static let backupMark = ".backup-v"

    /// Copies the unmigrated database, pages and log, beside itself.
    private func backUp(
        _ connection: Connection, version: Int, now: Date
    ) throws(SQLiteError) -> String {
        let base = "\(connection.path)\(Self.backupMark)\(version)-\(DatabaseFile.stamp(now))"
        var target = DatabaseFile.freeName(base)
        while try !DatabaseFile.create(target) { target = DatabaseFile.freeName(base) }
        try connection.copy(to: target)
        return target
    }
}

/// One step of a schema's history: SQL that runs once, in a transaction.
///
/// The list of a database names its steps (`Migrations`,
/// `CalendarMigrations`).
struct Migration: Sendable {
    let name: String
    let sql: String
}
