import AgentCore
import FoundationEssentials
import Glibc

/// What became of the trash.
package struct EmptiedTrash: Sendable, Equatable {
    package var count = 0
    /// The words of letters, résumés and job adverts that are gone, of all their
    /// revisions: copies of them elsewhere have to go as well.
    package var privateTexts: [String] = []
    /// Another program was reading the database: its log may hold what was deleted
    /// until the last one closes it.
    package var isLogInUse = false
    /// Backups of the database, made before a migration, that could not be cleaned.
    package var backupsLeft: [String] = []
}

/// Deleting for good: nothing of what was in the trash remains in the database, its
/// index, its free space or its log, nor in the copies that migrations have made.
extension LibraryStore {
    /// Deletes for ever what is in the trash, with all of its revisions. The numbers
    /// are not given out again. It also takes along what an earlier deletion could
    /// not.
    package func emptyTrash() throws -> EmptiedTrash {
        let connection = try connection()
        var emptied = EmptiedTrash()
        var uids: [String] = []
        try connection.deletingSecurely { () throws(SQLiteError) in
            uids = try connection.rows(LibrarySQL.trashedUIDs) { $0.text(0) }
            let kinds = JSONValue.array(ItemKind.disclosedRedacted.map { .string($0.rawValue) })
            emptied.privateTexts = try connection.rows(
                LibrarySQL.trashedTexts, [.text(JSONWriter.string(kinds))]
            ) { "\($0.text(0))\n\($0.text(1))\n\($0.text(2))" }
            try connection.run(LibrarySQL.emptyTrash)
            emptied.count = connection.changedRows
            try connection.run(LibrarySQL.pruneSteps)
        }
        if emptied.count == 0, try connection.freePages() == 0 { return emptied }
        try connection.deletingSecurely { () throws(SQLiteError) in
            try connection.run(LibrarySQL.optimize)
        }
        emptied.isLogInUse = try !connection.scrub()
        emptied.backupsLeft = Self.erase(uids, inBackupsOf: connection.path)
        return emptied
    }

    /// Migrations copy the whole file before they begin; see `Migrator`.
    /// - Returns: those that could not be opened or changed.
    private static func erase(_ uids: [String], inBackupsOf path: String) -> [String] {
        let folder = FilePath.folder(of: path)
        let start = FilePath.name(path) + Migrator.backupMark
        let companions = ["-wal", "-shm", "-journal"]
        let names = (FilePath.names(in: folder) ?? []).filter { name in
            name.hasPrefix(start) && !companions.contains { name.hasSuffix($0) }
        }
        return names.sorted().compactMap { name in
            do throws(SQLiteError) {
                try erase(uids, in: "\(folder)/\(name)")
                return nil
            } catch {
                return "\(folder)/\(name)"
            }
        }
    }

    private static func erase(_ uids: [String], in backup: String) throws(SQLiteError) {
        let connection = try Connection(path: backup)
        defer { connection.close() }
        guard try connection.first(LibrarySQL.hasItems, [], { $0.integer(0) }) ?? 0 > 0 else {
            return
        }
        try connection.configure()
        let list = JSONWriter.string(.array(uids.map { .string($0) }))
        let isChanged = try connection.deletingSecurely { () throws(SQLiteError) in
            try connection.run(LibrarySQL.unindexUIDs, [.text(list)])
            try connection.run(LibrarySQL.eraseUIDs, [.text(list)])
            guard connection.changedRows > 0 else { return false }
            try connection.run(LibrarySQL.optimize)
            return true
        }
        if isChanged { _ = try connection.scrub() }
    }
}
