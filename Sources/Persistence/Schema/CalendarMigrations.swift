/// The history of the schema of `calendar.db`: append-only, as `Migrations` is
/// for the conversations. Meaning and guarantees of every column are in
/// docs/formats.md.
enum CalendarMigrations {
    /// `chcl` in ASCII.
    static let applicationID: Int64 = 0x6368_636C

    static let all: [Migration] = [undo, alerts, ownFiles, ownEvents, routines]

    /// A step's number is never reused (AUTOINCREMENT): the order of the steps
    /// is the order of the numbers, whatever the clock does.
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

    /// A row is an alert claimed by a process; times are seconds since 1970
    /// (`fires`) or milliseconds. `alert_facts` holds single numbers.
    private static let alerts = Migration(
        name: "alerts",
        sql: """
            CREATE TABLE alerts(
                uid TEXT NOT NULL,
                occurrence TEXT NOT NULL,
                fires INTEGER NOT NULL,
                title TEXT NOT NULL,
                is_event INTEGER NOT NULL,
                state INTEGER NOT NULL,
                owner TEXT NOT NULL,
                claimed INTEGER NOT NULL,
                delivered INTEGER,
                channels TEXT NOT NULL DEFAULT '',
                snoozed INTEGER,
                PRIMARY KEY(uid, occurrence, fires)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX alerts_by_time ON alerts(fires);

            CREATE TABLE alert_facts(
                name TEXT PRIMARY KEY,
                value INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)

    /// SHA-256 of all content written here from the user's text; see `UndoLog.isOwn`.
    private static let ownFiles = Migration(
        name: "own files",
        sql: """
            CREATE TABLE own_files(digest BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
            """)

    /// The UIDs of the events created here, by which they are recognised even if other
    /// programs change their files; see `UndoLog.isOwnEvent`. Earlier events are recognised
    /// by the undo steps still kept, and by their content; alerts they would have given
    /// before the upgrade do not count as missed.
    private static let ownEvents = Migration(
        name: "own events",
        sql: """
            CREATE TABLE own_events(uid TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
            INSERT OR IGNORE INTO own_events(uid)
            SELECT steps.uid FROM steps JOIN changes ON changes.step = steps.seq
            WHERE steps.verb = 'created' AND changes.before IS NULL
                AND instr(changes.after, CAST('BEGIN:VEVENT' AS BLOB)) > 0;
            INSERT INTO alert_facts(name, value)
            SELECT 'events ring since', CAST(strftime('%s', 'now') AS INTEGER) * 1000
            WHERE EXISTS (SELECT 1 FROM alert_facts WHERE name = 'first use');
            """)

    /// `routines` holds the approvals (`RoutinePins`), `routine_runs` one row for each time that
    /// a process has taken on (`RoutineLog`). Times are milliseconds, costs millionths of a
    /// dollar.
    private static let routines = Migration(
        name: "routines",
        sql: """
            CREATE TABLE routines(
                id TEXT PRIMARY KEY,
                digest TEXT NOT NULL,
                since INTEGER NOT NULL,
                pause TEXT,
                command TEXT,
                seen TEXT NOT NULL DEFAULT ''
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE routine_runs(
                routine TEXT NOT NULL,
                due INTEGER NOT NULL,
                state TEXT NOT NULL,
                is_scheduled INTEGER NOT NULL,
                times INTEGER NOT NULL,
                owner TEXT NOT NULL,
                claimed INTEGER NOT NULL,
                ended INTEGER,
                note TEXT NOT NULL DEFAULT '',
                conversation TEXT,
                digest TEXT,
                cost INTEGER NOT NULL DEFAULT 0,
                held TEXT,
                is_told INTEGER NOT NULL DEFAULT 0,
                PRIMARY KEY(routine, due)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE routine_steps(
                seq INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                routine TEXT NOT NULL,
                verb TEXT NOT NULL,
                title TEXT NOT NULL,
                made INTEGER NOT NULL,
                undone INTEGER,
                before TEXT,
                after TEXT,
                command_before TEXT,
                command_after TEXT
            ) STRICT;
            """)
}
