import Base
import FoundationEssentials

/// The result of emptying the trash.
package struct EmptiedTrash: Sendable, Equatable {
    package var count = 0
    /// The texts of deleted letters, résumés and job adverts, in all their revisions: copies
    /// elsewhere have to be deleted as well.
    package var privateTexts: [String] = []
    package var left = ErasedTraces()
}

/// Permanent deletion: no trace of the trash remains in the database, its index, its free space or
/// its log, nor in the backups made by migrations.
extension LibraryStore {
    /// The UIDs of all items of a kind, including those in the trash.
    package func uids(of kind: ItemKind) throws -> [String] {
        try connection().rows(LibrarySQL.uidsOfKind, [.text(kind.rawValue)]) { $0.text(0) }
    }

    /// Permanently deletes the items in the trash, with all of their revisions. Their numbers are
    /// not reused. Also removes traces that an earlier deletion could not remove.
    package func emptyTrash() throws -> EmptiedTrash {
        let connection = try connection()
        // Which items the bodies sent for no conversation were about is not known.
        try SentBodies(beside: path).forget(sentFor: nil, connection)
        var emptied = EmptiedTrash()
        var uids: [String] = []
        try connection.deletingSecurely { () throws(SQLiteError) in
            uids = try connection.rows(LibrarySQL.trashedUIDs) { $0.text(0) }
            let kinds = JSONValue.array(ItemKind.disclosedRedacted.map { .string($0.rawValue) })
            emptied.privateTexts = try connection.rows(
                LibrarySQL.trashedTexts, [.text(JSONWriter.string(kinds))]
            ) { $0.text(0) }
            try connection.run(LibrarySQL.emptyTrash)
            emptied.count = connection.changedRows
            try connection.run(LibrarySQL.pruneSteps)
        }
        if emptied.count == 0, try connection.freePages() == 0 { return emptied }
        try connection.deletingSecurely { () throws(SQLiteError) in
            for index in LibrarySQL.indexes { try connection.run(LibrarySQL.optimize(index)) }
        }
        emptied.left.isLogInUse = try !connection.scrub()
        let list = JSONWriter.string(.array(uids.map { .string($0) }))
        emptied.left.backups = Migrator.delete(inBackupsOf: connection.path) {
            (backup) throws(SQLiteError) in
            guard try backup.hasTable("items") else { return false }
            var indexes: [String] = []
            for index in LibrarySQL.indexes where try backup.hasTable(index) {
                indexes.append(index)
                try backup.run(LibrarySQL.unindexUIDs(index), [.text(list)])
            }
            try backup.run(LibrarySQL.eraseUIDs, [.text(list)])
            guard backup.changedRows > 0 else { return false }
            for index in indexes { try backup.run(LibrarySQL.optimize(index)) }
            return true
        }
        return emptied
    }
}
