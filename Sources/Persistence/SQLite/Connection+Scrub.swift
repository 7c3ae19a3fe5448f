import AgentCore
import CSQLite
import Glibc

/// Takes what was deleted out of the file itself: its pages, its free space and its
/// log.
extension Connection {
    /// A larger file is not written anew, which needs its size of memory: there the
    /// places of what was deleted are overwritten, and copies that SQLite made while
    /// it moved rows between pages may remain in the free space.
    private static let rewritten = 256 << 20

    /// Deletes such that what is deleted is overwritten.
    package func deletingSecurely<Value>(
        _ body: () throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        try script("secure delete", "PRAGMA secure_delete=ON;")
        defer {
            // It costs time and harms nothing where it stays on.
            try? script("secure delete", "PRAGMA secure_delete=OFF;")
        }
        return try transaction(.full, body)
    }

    /// Writes the file anew without what was deleted, and folds its log in. An index
    /// of words has to be merged before.
    ///
    /// - Returns: false where another program was reading, so that the log stays
    ///   until the last one closes the file.
    package func scrub() throws(SQLiteError) -> Bool {
        var status = stat()
        if stat(path, &status) == 0, status.st_size <= Self.rewritten {
            // In memory: `temp_store` (see `configure`).
            try script("write anew", "VACUUM;")
        }
        // busy, frames in the log, frames that were folded in.
        return try first(Self.foldLog) { $0.integer(0) } == 0
    }

    /// Pages that hold nothing, or what was deleted.
    package func freePages() throws(SQLiteError) -> Int {
        try first(Self.freeList) { Int($0.integer(0)) } ?? 0
    }

    private static let foldLog = SQL("fold log", "PRAGMA wal_checkpoint(TRUNCATE)")
    private static let freeList = SQL("free pages", "PRAGMA freelist_count")
}
