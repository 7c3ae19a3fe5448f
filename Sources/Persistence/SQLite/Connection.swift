import Base
import CSQLite
import Glibc
import Synchronization

/// One open SQLite database, with our settings: write-ahead log, full synchronisation,
/// foreign keys, no trust in the schema.
///
/// Not thread-safe: it belongs to one actor. `DatabaseFile` creates and checks the file, `Migrator`
/// the schema.
package final class Connection {
    /// The durability that a commit must have.
    package enum Durability {
        /// The commit is on disk when it returns (fsync of the log).
        case full
        /// Written to the log and passed to the kernel: survives a crash of the program but not a
        /// power failure. The log is written in order, so the next full commit includes everything
        /// before it.
        case normal
    }

    package let path: String
    /// Nil after `close`.
    private(set) var handle: OpaquePointer?
    private var cache: [SQL: Statement] = [:]
    private var durability = Durability.full
    private let busyTimeoutInMilliseconds: Int32
    /// Ends the wait for another connection's lock.
    var waitInterruption: Interruption?
    /// Ends a running statement; set only around reads, so that a cancelled task never interrupts a
    /// write.
    var workInterruption: Interruption?

    /// - Parameter path: absolute and without symbolic links, as
    ///   `DatabaseFile.prepare` returns it.
    /// - Throws: `cannotOpen`. A damaged file fails at the first statement.
    package init(
        path: String, busyTimeoutInMilliseconds: Int32 = 5_000
    ) throws(SQLiteError) {
        self.path = path
        self.busyTimeoutInMilliseconds = busyTimeoutInMilliseconds
        // No CREATE: the file was created with its mode. NOMUTEX: one owner.
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
            | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, handle != nil else {
            let failure = error(code, statement: nil)
            close()
            throw failure
        }
        // A file from elsewhere may have triggers, views and functions in its schema; we use none,
        // so none of them may run.
        set(SQLITE_DBCONFIG_DEFENSIVE, true)
        set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        set(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        set(SQLITE_DBCONFIG_ENABLE_VIEW, false)
        set(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        // The log of a refused file stays as it is; `configure` turns this off
        // again once the file is accepted.
        set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        // Unretained is enough: `close`, also called by deinit, removes the
        // callbacks with the handle.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(handle, Self.onBusy, context)
        sqlite3_progress_handler(handle, 4_000, Self.onProgress, context)
    }

    deinit { close() }

    private func set(_ option: Int32, _ isOn: Bool) {
        // Fails only if this SQLite does not know the option; then the file is read with its
        // default.
        _ = chat_sqlite3_set_option(handle, option, isOn ? 1 : 0)
    }

    /// Finalises every statement and closes the file. Safe to call twice.
    package func close() {
        cache.removeAll()
        guard let open = handle else { return }
        // `close_v2` would keep the file open for a forgotten statement;
        // `close` fails instead, and we report it.
        let code = sqlite3_close(open)
        precondition(code == SQLITE_OK, "a statement was not finalised")
        handle = nil
    }

    /// Settings that touch the file; called once the file is known to be ours.
    package func configure() throws(SQLiteError) {
        set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
        try enableWriteAheadLog()
        // Sorting must not put messages into files under /tmp.
        try script(
            "settings",
            "PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;")
        durability = .full
    }

    /// Does nothing if the file is already in this mode. Two programs that create the file at once
    /// compete here, and SQLite does not call the busy handler for this lock.
    private func enableWriteAheadLog() throws(SQLiteError) {
        var waited: Int32 = 0
        while true {
            do {
                try script("journal mode", "PRAGMA journal_mode=WAL;")
                return
            } catch {
                guard error.reason == .locked, waited < busyTimeoutInMilliseconds else {
                    throw error
                }
                waited += 5
                usleep(5_000)
            }
        }
    }

    // MARK: - Statements

    /// Runs our own SQL without values: settings and migrations.
    package func script(_ name: String, _ text: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, text, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, statement: name) }
    }

    /// Runs a statement that returns no row, or whose rows do not matter.
    package func run(_ sql: SQL, _ values: consuming [SQLiteValue] = []) throws(SQLiteError) {
        try each(sql, values) { _ in false }
    }

    /// Calls `body` for each row until it returns false.
    ///
    /// The values are let go of once SQLite has its copies, so that a long text is not held
    /// twice while the statement runs.
    package func each(
        _ sql: SQL, _ values: consuming [SQLiteValue] = [],
        _ body: (Statement) throws(SQLiteError) -> Bool
    ) throws(SQLiteError) {
        if let flag = workInterruption, flag.isRaised {
            throw SQLiteError(
                .interrupted, extendedCode: SQLITE_INTERRUPT, statement: sql.beginning, path: path,
                detail: "interrupted")
        }
        let statement = try borrow(sql)
        defer {
            statement.reset()
            statement.isInUse = false
        }
        try statement.bind(values)
        while try statement.step() {
            if try !body(statement) { return }
        }
    }

    /// Runs one statement in its own write transaction.
    /// - Returns: the number of rows changed.
    @discardableResult
    package func write(
        _ sql: SQL, _ values: [SQLiteValue], _ durability: Durability = .full
    ) throws(SQLiteError) -> Int {
        try transaction(durability) { () throws(SQLiteError) in
            try run(sql, values)
            return changedRows
        }
    }

    package func rows<Value>(
        _ sql: SQL, _ values: [SQLiteValue] = [],
        _ body: (Statement) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        var result: [Value] = []
        try each(sql, values) { (row) throws(SQLiteError) in
            result.append(try body(row))
            return true
        }
        return result
    }

    package func first<Value>(
        _ sql: SQL, _ values: [SQLiteValue] = [],
        _ body: (Statement) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value? {
        var result: Value?
        try each(sql, values) { (row) throws(SQLiteError) in
            result = try body(row)
            return false
        }
        return result
    }

    private func borrow(_ sql: SQL) throws(SQLiteError) -> Statement {
        if let cached = cache[sql], !cached.isInUse {
            cached.isInUse = true
            return cached
        }
        let fresh = try Statement(sql, on: self)
        fresh.isInUse = true
        if cache[sql] == nil { cache[sql] = fresh }
        return fresh
    }

    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
    package var changedRows: Int { Int(sqlite3_changes64(handle)) }
    package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Number of statements that exist; 0 once the cache is cleared, unless there is a leak.
    var statementCount: Int {
        var count = 0
        var statement = sqlite3_next_stmt(handle, nil)
        while statement != nil {
            count += 1
            statement = sqlite3_next_stmt(handle, statement)
        }
        return count
    }

    /// Pages that were not in the cache and had to be read from the file.
    var pagesRead: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
        return Int(current)
    }

    func dropCachedStatements() { cache.removeAll() }

    // MARK: - Transactions

    /// Runs `body` in one write transaction.
    ///
    /// IMMEDIATE acquires the write lock first: a transaction that reads and then wants to write
    /// cannot wait for the lock (SQLITE_BUSY_SNAPSHOT).
    package func transaction<Value>(
        _ wanted: Durability = .full, _ body: () throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        if wanted != durability {
            // This PRAGMA takes effect when it is compiled, so it cannot be a
            // cached statement; it costs microseconds.
            try script(
                "synchronous",
                wanted == .full ? "PRAGMA synchronous=FULL;" : "PRAGMA synchronous=NORMAL;")
            durability = wanted
        }
        try run(Self.begin)
        do {
            let value = try body()
            try run(Self.commit)
            return value
        } catch {
            // Some failures (a full disk) have already rolled back; and if the rollback fails too,
            // the first error is the one to report.
            if sqlite3_get_autocommit(handle) == 0 { try? run(Self.rollback) }
            throw error
        }
    }

    private static let begin: SQL = "BEGIN IMMEDIATE"
    private static let commit: SQL = "COMMIT"
    private static let rollback: SQL = "ROLLBACK"

    // MARK: - Errors and callbacks

    func error(_ code: Int32, statement: String?) -> SQLiteError {
        let systemError = handle.map { sqlite3_system_errno($0) } ?? 0
        let detail = String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
        return SQLiteError(
            SQLiteError.reason(extendedCode: code, systemError: systemError), extendedCode: code,
            systemError: systemError, statement: statement, path: path, detail: detail)
    }

    /// Milliseconds to wait before the n-th new attempt.
    private static let busyDelays: [Int32] = [1, 2, 5, 10, 15, 20, 25]

    /// Waits in short steps, so that the prompt does not have to wait for the whole timeout after a
    /// cancellation (SQLite's own handler cannot be interrupted).
    private static let onBusy: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = {
        context, attempt in
        guard let context else { return 0 }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        if connection.waitInterruption?.isRaised == true { return 0 }
        let last = Connection.busyDelays.count - 1
        let known = min(Int(attempt), last)
        let spent =
            Connection.busyDelays[..<known].reduce(0, +)
            + (attempt - Int32(known)) * Connection.busyDelays[last]
        let delay = min(
            Connection.busyDelays[known], connection.busyTimeoutInMilliseconds - spent)
        if delay <= 0 { return 0 }
        usleep(UInt32(delay) * 1_000)
        return 1
    }

    private static let onProgress: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let context else { return 0 }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        return connection.workInterruption?.isRaised == true ? 1 : 0
    }
}

/// Copies of a database in use: one consistent state, including the log. The
/// caller decides where and when copies are made.
extension Connection {
    /// Copies every page into the empty database at `target` and waits until
    /// the file and its name are on disk.
    ///
    /// - Throws: errors of reading this file and writing that one.
    package func copy(to target: String) throws(SQLiteError) {
        let copy = try Connection(path: target)
        defer { copy.close() }
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw copy.error(sqlite3_extended_errcode(copy.handle), statement: "copy")
        }
        let step = sqlite3_backup_step(backup, -1)
        let finish = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, finish == SQLITE_OK else {
            throw copy.error(step == SQLITE_DONE ? finish : step, statement: "copy")
        }
        DatabaseFile.synchroniseFolder(FilePath.folder(of: target))
    }
}

/// Signals that the work on a connection is no longer wanted. Set by any thread (a cancelled task),
/// checked by the connection's own callbacks.
///
/// A flag per operation instead of `sqlite3_interrupt`: that call ends whichever statement happens
/// to run, including another task's write, and has no effect if none runs yet.
final class Interruption: Sendable {
    private let raised = Atomic<Bool>(false)

    var isRaised: Bool { raised.load(ordering: .relaxed) }

    func raise() { raised.store(true, ordering: .relaxed) }
}

extension Connection {
    /// Runs a read that ends with `CancellationError` when the task is
    /// cancelled. Runs on the actor that owns the connection.
    func interruptible<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () throws(SQLiteError) -> Value
    ) async throws -> Value {
        let interruption = Interruption()
        return try await withTaskCancellationHandler {
            // SE-0420: a closure runs on the actor of an isolated parameter
            // only if it captures it. Without this the read would run beside
            // the actor's other calls.
            _ = isolation
            // Set and cleared without a suspension in between, so that no other call on the actor
            // sees it.
            workInterruption = interruption
            waitInterruption = interruption
            defer {
                workInterruption = nil
                waitInterruption = nil
            }
            do {
                return try body()
            } catch let error as SQLiteError
                where interruption.isRaised
                && (error.reason == .interrupted || error.reason == .locked)
            {
                throw CancellationError()
            }
        } onCancel: {
            interruption.raise()
        }
    }
}
