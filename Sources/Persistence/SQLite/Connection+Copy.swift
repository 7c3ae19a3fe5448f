import CSQLite

/// Copies of a database that is in use: one consistent state, with what is in
/// the log. Where copies go and when they are made is decided by the caller.
extension Connection {
    /// Copies every page into the empty database at `target` and waits until
    /// it is on the disk, with its name.
    ///
    /// - Throws: what reading this file and writing that one can meet.
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
        DatabaseFile.synchroniseFolder(DatabaseFile.split(target).folder)
    }
}
