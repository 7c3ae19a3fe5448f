import FoundationEssentials

/// The trash: its conversations are not listed, found or resumed until they are restored or
/// permanently deleted. Whether another instance has a conversation open is shown by its lock,
/// which the caller holds.
extension ConversationStore {
    /// - Returns: false if it was there already.
    /// - Throws: `notFound`, and errors of writing.
    @discardableResult
    package func moveToTrash(_ id: String) throws(SQLiteError) -> Bool {
        if try row(of: id) == nil {
            guard drafts.removeValue(forKey: id) != nil else { throw notFound(id) }
            return false
        }
        try SentBodies(beside: connection.path).forget(sentFor: id, connection)
        let now = milliseconds()
        return try connection.write(BranchSQL.delete, [.text(id), .integer(now)]) > 0
    }

    /// - Returns: false if it was not in the trash.
    /// - Throws: errors of writing.
    @discardableResult
    package func restore(_ id: String) throws(SQLiteError) -> Bool {
        return try connection.write(BranchSQL.restore, [.text(id)]) > 0
    }

    /// The conversations in the trash, the latest deletion first.
    package func deleted(limit: Int = .max) async throws -> [ConversationRecord] {
        try await connection.interruptible { () throws(SQLiteError) in
            try connection.rows(BranchSQL.deleted, [.integer(Int64(limit))], Self.row).map(\.record)
        }
    }

    /// Permanently deletes conversations from the trash: no trace remains in the file, its index,
    /// its free space or its log, nor in the backups made by migrations. Blocks other writers
    /// meanwhile.
    ///
    /// - Returns: the deleted conversations; one restored in the meantime stays.
    @discardableResult
    package func erase(
        _ ids: [String]
    ) throws(SQLiteError) -> (ids: [String], left: ErasedTraces) {
        let gone = try connection.deletingSecurely { () throws(SQLiteError) in
            var gone: [String] = []
            for id in ids {
                guard let row = try row(of: id), row.record.deleted != nil else { continue }
                try connection.run(SearchSQL.erase, [.text(id)])
                try connection.run(BranchSQL.erase, [.text(id)])
                try SentBodies(beside: connection.path).forget(sentFor: id, connection)
                try connection.run(SentSQL.forget, [.text(id)])
                gone.append(id)
            }
            if !gone.isEmpty { try connection.run(SearchSQL.optimize) }
            return gone
        }
        var left = ErasedTraces()
        if gone.isEmpty { return (gone, left) }
        // Another instance that is reading keeps the log; the next one that closes the file
        // checkpoints it.
        left.isLogInUse = try !connection.scrub()
        left.backups = Migrator.delete(inBackupsOf: connection.path) {
            (backup) throws(SQLiteError) in
            var isChanged = false
            let hasIndex = try backup.hasTable("search")
            let hasLedger = try backup.hasTable("sent")
            for id in gone {
                if hasIndex { try backup.run(SearchSQL.erase, [.text(id)]) }
                try backup.run(BranchSQL.eraseCopy, [.text(id)])
                isChanged = isChanged || backup.changedRows > 0
                if hasLedger { try backup.run(SentSQL.forget, [.text(id)]) }
            }
            if isChanged, hasIndex { try backup.run(SearchSQL.optimize) }
            return isChanged
        }
        return (gone, left)
    }
}
