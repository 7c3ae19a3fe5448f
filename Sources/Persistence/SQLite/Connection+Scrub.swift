import Base
import CSQLite
import Glibc

/// Where traces of what was deleted for good may still be.
package struct ErasedTraces: Sendable, Equatable {
    /// Another program was reading the database: its log may hold what was deleted
    /// until the last one closes it.
    package var isLogInUse = false
    /// Backups of the database, made before a migration, that could not be cleaned.
    package var backups: [String] = []

    package var isEmpty: Bool { self == ErasedTraces() }

    /// Where they are and when they go, a sentence each.
    package var notices: [String] {
        (isLogInUse
            ? ["Another chat is reading the database: traces stay in its log until that one ends."]
            : [])
            + backups.map { "A backup from before an update could not be cleaned: rm \($0)" }
    }
}

/// Takes what was deleted out of the file itself: its pages, its free space and its
/// log.
extension Connection {
    /// A larger file is not rewritten in memory.
    private static let memoryLimit = 256 << 20

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

    /// Rewrites the file without what was deleted, and folds its log in. An index
    /// of words has to be merged before.
    ///
    /// - Parameter memory: bytes of a file that is rewritten in memory. For a larger
    ///   one a file is made in its own folder, which has no name there from the start,
    ///   so that nothing of it stays whatever happens.
    /// - Returns: false where another program was reading, so that the log stays
    ///   until the last one closes the file.
    package func scrub(inMemory memory: Int = memoryLimit) throws(SQLiteError) -> Bool {
        var status = stat()
        let isLarge = stat(path, &status) == 0 && status.st_size > memory
        if isLarge {
            // Without the first one SQLite takes /var/tmp or /tmp.
            let folder = FilePath.folder(of: path).replacing("'", with: "''")
            try script(
                "temporary files",
                "PRAGMA temp_store_directory='\(folder)'; PRAGMA temp_store=FILE;")
        }
        defer {
            if isLarge {
                // As `configure` had it; what sorts next is at worst in that folder.
                try? script(
                    "memory", "PRAGMA temp_store_directory=''; PRAGMA temp_store=MEMORY;")
            }
        }
        try script("rewrite", "VACUUM;")
        // busy, frames in the log, frames that were folded in.
        return try first(Self.foldLog) { $0.integer(0) } == 0
    }

    /// An older schema has fewer.
    func hasTable(_ name: String) throws(SQLiteError) -> Bool {
        try first(Self.table, [.text(name)]) { $0.integer(0) } ?? 0 > 0
    }

    /// Pages that hold nothing, or what was deleted.
    package func freePages() throws(SQLiteError) -> Int {
        try first(Self.freeList) { Int($0.integer(0)) } ?? 0
    }

    private static let foldLog = SQL("fold log", "PRAGMA wal_checkpoint(TRUNCATE)")
    private static let table = SQL(
        "table there", "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1")
    private static let freeList = SQL("free pages", "PRAGMA freelist_count")
}
