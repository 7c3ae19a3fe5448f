import Base
import FoundationEssentials
import Glibc
import Persistence

/// Caches facts about the files of large collections, so that they need not be
/// read: rows of `index.db`, by folder and name.
///
/// Disposable, and never authoritative. A row counts while its file has the
/// same inode, size and times, and only if the file was not changed at about
/// the time it was read (git's "racily clean" rule: a clock may be too coarse
/// to tell two writes apart). Failures are not reported: without an index every
/// file is read.
final class CalendarIndex {
    /// File system facts, to recognise an unchanged file.
    struct Stamp: Equatable {
        var identity: FileCall.Identity
        /// ctime: also changes when a program sets the other time back.
        var changed: Int64

        init(_ status: stat) {
            identity = FileCall.Identity(status)
            changed =
                Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
        }

        init(identity: FileCall.Identity, changed: Int64) {
            self.identity = identity
            self.changed = changed
        }
    }

    struct Entry {
        var name: String
        var stamp: Stamp
        var facts: FileFacts
        /// Whether the text contains the searched words.
        var hasWords: Bool
    }

    struct Update {
        var name: String
        var stamp: Stamp
        var facts: FileFacts
        var text: String
    }

    /// Distance from the reading within which file times cannot be told apart: FAT has a resolution
    /// of two seconds.
    private static let racyNanoseconds: Int64 = 3_000_000_000
    private static let busyTimeoutInMilliseconds: Int32 = 100

    private let path: String
    private let now: @Sendable () -> Date
    private var opened: Connection?
    private var isUnusable = false

    init(folder: String, now: @escaping @Sendable () -> Date) {
        path = folder + "/index.db"
        self.now = now
    }

    /// The cached and still valid facts about a folder's files, ordered by the bytes of
    /// their names; nil without an index.
    func entries(of folder: String, words: [String]) -> [Entry]? {
        // An empty word matches every text; further words are left to the
        // reader of the files.
        let asked = (0..<3).map { SQLiteValue.text(words.count > $0 ? words[$0] : "") }
        return attempt { connection throws(SQLiteError) in
            var entries: [Entry] = []
            let (sql, values) = words.isEmpty ? (Self.select, []) : (Self.selectWords, asked)
            try connection.each(sql, [.text(folder)] + values) { (row) throws(SQLiteError) in
                if let entry = Self.entry(row) { entries.append(entry) }
                return true
            }
            return entries
        }
    }

    /// Updates the rows of a folder. `read` is when the reading of the files began.
    func update(_ folder: String, _ updates: [Update], gone: [String], read: Date) {
        if updates.isEmpty, gone.isEmpty { return }
        let nanoseconds = Int64(LocalTime.seconds(of: read)) * 1_000_000_000
        _ = attempt { connection throws(SQLiteError) in
            try connection.transaction(.normal) { () throws(SQLiteError) in
                try connection.run(Self.addFolder, [.text(folder)])
                let id = try connection.first(Self.findFolder, [.text(folder)]) { $0.integer(0) }
                guard let id else { return }
                for name in gone { try connection.run(Self.remove, [.integer(id), .text(name)]) }
                for update in updates {
                    let stamp = update.stamp
                    // Too recent to be distinguished from the next change.
                    let newest = max(stamp.identity.modified, stamp.changed)
                    if newest > nanoseconds - Self.racyNanoseconds {
                        try connection.run(Self.remove, [.integer(id), .text(update.name)])
                        continue
                    }
                    try connection.run(
                        Self.insert,
                        [
                            .integer(id), .text(update.name),
                            .integer(Int64(bitPattern: stamp.identity.inode)),
                            .integer(stamp.identity.size), .integer(stamp.identity.modified),
                            .integer(stamp.changed), .integer(update.facts.kinds.rawValue),
                            .integer(update.facts.earliest), .integer(update.facts.latest),
                            .integer(Self.check(update.name, stamp, update.facts)),
                            .text(update.text),
                        ])
                }
            }
        }
    }

    // MARK: - The file

    private func attempt<Value>(
        _ body: (Connection) throws(SQLiteError) -> Value
    ) -> Value? {
        if isUnusable { return nil }
        do throws(SQLiteError) {
            return try body(try connection())
        } catch {
            opened?.close()
            opened = nil
            switch error.reason {
            case .corrupt, .notADatabase:
                // It contains nothing that is not in the files.
                for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            case .locked: break
            default: isUnusable = true
            }
            return nil
        }
    }

    private func connection() throws(SQLiteError) -> Connection {
        if let opened { return opened }
        let connection = try CalendarIndexSchema.open(
            path, busyTimeoutInMilliseconds: Self.busyTimeoutInMilliseconds, now: now())
        opened = connection
        return connection
    }

    private static func entry(_ row: Statement) -> Entry? {
        let name = row.text("name")
        let stamp = Stamp(
            identity: FileCall.Identity(
                modified: row.integer("modified"),
                inode: UInt64(bitPattern: row.integer("inode")),
                size: row.integer("size")), changed: row.integer("changed"))
        let facts = FileFacts(
            kinds: FileFacts.Kinds(rawValue: row.integer("kinds")),
            earliest: row.integer("earliest"),
            latest: row.integer("latest"))
        // SQLite has no checksums; a flipped bit must not hide an item.
        guard row.integer("checksum") == check(name, stamp, facts) else { return nil }
        return Entry(name: name, stamp: stamp, facts: facts, hasWords: row.flag("has_words"))
    }

    /// Version of the facts. Increase it when `FileFacts` changes its results for the same file:
    /// older rows are then read again.
    private static let factsVersion: UInt64 = 3

    /// FNV-1a over the numbers and the name.
    private static func check(_ name: String, _ stamp: Stamp, _ facts: FileFacts) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01B3 }
        func mix(_ value: Int64) {
            mix(UInt64(bitPattern: value))
            // The product carries upwards only.
            hash ^= hash >> 29
        }
        mix(factsVersion)
        mix(stamp.identity.modified)
        mix(stamp.identity.size)
        mix(stamp.changed)
        mix(facts.kinds.rawValue)
        mix(facts.earliest)
        mix(facts.latest)
        mix(Int64(bitPattern: stamp.identity.inode))
        for byte in name.utf8 { mix(UInt64(byte)) }
        return Int64(bitPattern: hash)
    }

    private static let columns =
        "name, inode, size, modified, changed, kinds, earliest, latest, checksum"
    private static let source =
        "FROM files WHERE folder = (SELECT id FROM folders WHERE path = ?) ORDER BY name"
    private static let select: SQL = "SELECT \(columns), 1 AS has_words \(source)"
    private static let selectWords: SQL = """
        SELECT \(columns), instr(text, ?2) AND instr(text, ?3) AND instr(text, ?4)
            AS has_words
        FROM files WHERE folder = (SELECT id FROM folders WHERE path = ?1) ORDER BY name
        """
    private static let addFolder: SQL =
        "INSERT INTO folders(path) VALUES (?) ON CONFLICT DO NOTHING"
    private static let findFolder: SQL = "SELECT id FROM folders WHERE path = ?"
    private static let remove: SQL = "DELETE FROM files WHERE folder = ? AND name = ?"
    private static let insert: SQL = "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,?,?,?,?)"
}
