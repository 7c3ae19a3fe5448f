import Base

/// Deletes erased data also from the backups that migrations made.
extension Migrator {
    /// Deletes data so that no trace of it stays in the backups.
    ///
    /// - Parameter delete: returns whether it deleted something. It runs in a transaction.
    /// - Returns: the backups that could not be opened or changed.
    static func delete(
        inBackupsOf path: String, _ delete: (Connection) throws(SQLiteError) -> Bool
    ) -> [String] {
        let folder = FilePath.folder(of: path)
        let start = FilePath.name(path) + backupMark
        let companions = ["-wal", "-shm", "-journal"]
        let names = (FilePath.names(in: folder) ?? []).filter { name in
            name.hasPrefix(start) && !companions.contains { name.hasSuffix($0) }
        }
        return names.sorted().map { "\(folder)/\($0)" }.filter { backup in
            do throws(SQLiteError) {
                let connection = try Connection(path: backup)
                defer { connection.close() }
                try connection.configure()
                let isChanged = try connection.deletingSecurely { () throws(SQLiteError) in
                    try delete(connection)
                }
                if isChanged { _ = try connection.scrub() }
                return false
            } catch {
                return true
            }
        }
    }
}
