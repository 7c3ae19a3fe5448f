import Base
import FoundationEssentials
import Glibc

/// The bodies of requests and responses kept for `ledger.bodies`: one compressed file for each in a
/// private folder beside the database, named by its ledger row. They are not part of backups.
package struct SentBodies: Sendable {
    package enum Part: String, Sendable, CaseIterable { case request, response }

    package let folder: String

    /// - Parameter database: the path of `chat.db`.
    package init(beside database: String) { folder = FilePath.folder(of: database) + "/sent" }

    private func path(_ row: Int64, _ part: Part) -> String { "\(folder)/\(row).\(part.rawValue)" }

    /// A response is stored only beside its request, which may have been deleted.
    ///
    /// - Throws: `SQLiteError`, as for the row.
    package func keep(_ text: String, as part: Part, of row: Int64) throws(SQLiteError) {
        if part == .response, access(path(row, .request), F_OK) != 0 { return }
        try DatabaseFile.makeFolder(folder)
        let path = path(row, part)
        let code = WholeFile.replace(
            Deflate.bytes(Array(text.utf8)), at: path, temporary: path + ".tmp")
        if code != 0 { throw SQLiteError.system("write", path: path, error: code) }
    }

    /// Nil if it was not stored, or is damaged.
    package func text(_ part: Part, of row: Int64) -> String? {
        guard let bytes = try? WholeFile.read(path(row, part)),  // Absent or damaged: nil.
            let text = try? Inflate.bytes(bytes, limit: 64 << 20)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Deletes the bodies of what was sent for a conversation, or for none.
    func forget(sentFor conversation: String?, _ connection: Connection) throws(SQLiteError) {
        let names = FilePath.names(in: folder) ?? []
        if names.isEmpty { return }
        let gone = Set(
            try connection.rows(SentSQL.rowsOf, [.optional(conversation)]) { $0.integer(0) })
        for name in names {
            if let row = Int64(name.prefix { $0 != "." }), gone.contains(row) {
                unlink("\(folder)/\(name)")
            }
        }
    }

    /// Deletes the bodies written before that time.
    package func prune(before time: Date) {
        for name in FilePath.names(in: folder) ?? [] {
            var status = stat()
            let path = "\(folder)/\(name)"
            if lstat(path, &status) == 0, Double(status.st_mtim.tv_sec) < time.timeIntervalSince1970
            {
                unlink(path)
            }
        }
    }
}
