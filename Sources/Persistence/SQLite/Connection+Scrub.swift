import Base
import CSQLite
import Glibc

/// Places where traces of permanently deleted data may remain.
package struct ErasedTraces: Sendable, Equatable {
    /// Another program was reading the database: its log may contain deleted data until the last
    /// one closes it.
    package var isLogInUse = false
    /// Backups of the database, made before a migration, that could not be cleaned.
    package var backups: [String] = []

    package var isEmpty: Bool { self == ErasedTraces() }

    /// One sentence for each place and when its traces go.
    package var notices: [String] {
        (isLogInUse
            ? ["Another chat is reading the database: traces stay in its log until that one ends."]
            : [])
            + backups.map { "A backup from before an update could not be cleaned: rm \($0)" }
    }
}

/// Removes deleted data from the file itself: its pages, its free space and its log.
extension Connection {
    /// Maximum size of a file that is rewritten in memory.
    private static let memoryLimit = 256 << 20

    /// Runs `body` so that deleted data is overwritten.
    package func deletingSecurely<Value>(
        _ body: () throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        try script("secure delete", "PRAGMA secure_delete=ON;")
        defer {
            // If this fails, the setting costs time but does no harm.
            try? script("secure delete", "PRAGMA secure_delete=OFF;")
        }
        return try transaction(.full, body)
    }

    /// Rewrites the file without deleted data, and checkpoints its log. Full-text indexes have to
    /// be merged before.
    ///
    /// - Parameter memory: files up to this many bytes are rewritten in memory. A larger one is
    ///   rewritten through a file in its own folder, which is unlinked from the start, so that no
    ///   trace remains whatever happens.
    /// - Returns: false if another program was reading, so that the log stays until the last one
    ///   closes the file.
    package func scrub(inMemory memory: Int = memoryLimit) throws(SQLiteError) -> Bool {
        var status = stat()
        let isLarge = stat(path, &status) == 0 && status.st_size > memory
        if isLarge {
            // Without the first variable, SQLite uses /var/tmp or /tmp.
            let folder = FilePath.folder(of: path).replacing("'", with: "''")
            try script(
                "temporary files",
                "PRAGMA temp_store_directory='\(folder)'; PRAGMA temp_store=FILE;")
        }
        defer {
            if isLarge {
                // Restores the setting of `configure`; the next sort is at worst in that
                // folder.
                try? script(
                    "memory", "PRAGMA temp_store_directory=''; PRAGMA temp_store=MEMORY;")
            }
        }
        try script("rewrite", "VACUUM;")
        // busy, frames in the log, frames that were folded in.
        return try first(Self.foldLog) { $0.integer(0) } == 0
    }

    /// An older schema has fewer tables.
    func hasTable(_ name: String) throws(SQLiteError) -> Bool {
        try first(Self.table, [.text(name)]) { $0.integer(0) } ?? 0 > 0
    }

    /// The number of pages that are free or contain deleted data.
    package func freePages() throws(SQLiteError) -> Int {
        try first(Self.freeList) { Int($0.integer(0)) } ?? 0
    }

    private static let foldLog: SQL = "PRAGMA wal_checkpoint(TRUNCATE)"
    private static let table: SQL =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1"
    private static let freeList: SQL = "PRAGMA freelist_count"
}
