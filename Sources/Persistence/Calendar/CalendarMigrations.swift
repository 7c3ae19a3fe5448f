/// The history of the schema of `calendar.db`: append-only, as `Migrations` is
/// for the conversations. Meaning and guarantees of every column are in
/// docs/formats.md.
enum CalendarMigrations {
    /// `chcl` in ASCII.
    static let applicationID: Int64 = 0x6368_636C

    static let all: [Migration] = [undo]

    /// A step's number is not given out again (AUTOINCREMENT): the order of
    /// the steps is the order of the numbers, whatever the clock does.
    private static let undo = Migration(
        name: "undo",
        sql: """
            CREATE TABLE steps(
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                verb TEXT NOT NULL,
                title TEXT NOT NULL,
                uid TEXT NOT NULL,
                made INTEGER NOT NULL,
                undone INTEGER
            ) STRICT;

            CREATE TABLE changes(
                id INTEGER PRIMARY KEY,
                step INTEGER NOT NULL REFERENCES steps(seq) ON DELETE CASCADE,
                path TEXT NOT NULL,
                is_done INTEGER NOT NULL DEFAULT 0,
                before BLOB,
                after BLOB,
                trash TEXT
            ) STRICT;
            CREATE INDEX changes_by_step ON changes(step);
            """)
}
