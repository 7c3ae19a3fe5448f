import FoundationEssentials

/// Opens `index.db`, the disposable index of the calendar files, with its
/// schema. Its owner defines its contents.
package enum CalendarIndexSchema {
    /// `chix` in ASCII.
    static let applicationID: Int64 = 0x6368_6978

    /// A change of this schema needs no migration, only a new file name: the index can be made
    /// again.
    static let migrations = [
        Migration(
            name: "index",
            sql: """
                CREATE TABLE folders(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE) STRICT;
                CREATE TABLE files(
                    folder INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    inode INTEGER NOT NULL,
                    size INTEGER NOT NULL,
                    modified INTEGER NOT NULL,
                    changed INTEGER NOT NULL,
                    kinds INTEGER NOT NULL,
                    earliest INTEGER NOT NULL,
                    latest INTEGER NOT NULL,
                    checksum INTEGER NOT NULL,
                    text TEXT NOT NULL,
                    PRIMARY KEY(folder, name)
                ) STRICT, WITHOUT ROWID;
                """)
    ]

    package static func open(
        _ path: String, busyTimeoutInMilliseconds: Int32, now: Date
    ) throws(SQLiteError) -> Connection {
        try Migrator(migrations: migrations, applicationID: applicationID)
            .open(path, busyTimeoutInMilliseconds: busyTimeoutInMilliseconds, now: now)
    }
}
