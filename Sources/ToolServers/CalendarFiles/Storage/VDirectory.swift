import Base
import Glibc
import ICalendar

/// One collection of a vdir: a folder with one `.ics` file for each item,
/// shared with other programs (khal, todoman, vdirsyncer) while we run.
///
///     create   temp file, fsync      → rename, never onto a file → fsync folder
///     update   temp file, fsync, lock → exchange, look at what came out
///                                        the state we read:  drop it
///                                        anything else:      put it back, conflict
///     delete   lock, check the state → rename into the trash, look again
///     a kill   leaves the temp file  → removed when the names are read again; what may
///                                        be an item goes to the trash
///
/// It does not interpret the files. Everything blocks: it is called from an
/// actor with a queue of its own.
package struct VDirectory: Sendable {
    /// The state of an item's file when it was read. It includes the bytes, because an edit in
    /// place within one tick of the clock may leave everything else the same.
    package struct ETag: Sendable, Equatable {
        let identity: FileCall.Identity
        let bytes: [UInt8]
    }

    package struct Item: Sendable {
        package var name: String
        package var bytes: [UInt8]
        package var etag: ETag
    }

    /// Maximum size of an item.
    package static let byteLimit = CalendarParser.byteLimit

    package let path: String
    private let trash: Trash
    private let uuid: @Sendable () -> String

    package init(path: String, trash: Trash, uuid: @escaping @Sendable () -> String) {
        self.path = path
        self.trash = trash
        self.uuid = uuid
    }

    /// The names of the items, sorted by their bytes. A folder that does not exist has
    /// none.
    package func names() throws(FileCallError) -> [String] {
        guard let stream = opendir(path) else {
            if errno == ENOENT { return [] }
            throw FileCall.failure(path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        var leftovers: [String] = []
        while let entry = readdir(stream) {
            guard let name = FileCall.name(of: entry) else { continue }
            if Self.isItemName(name) {
                names.append(name)
            } else if TemporaryFile.isName(name) {
                leftovers.append(name)
            }
        }
        if !leftovers.isEmpty { sweep(leftovers) }
        // By their first eight bytes, which differ nearly always.
        let keyed = names.map { name in
            let key = name.utf8.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (key: key << UInt64(8 * max(0, 8 - name.utf8.count)), name: name)
        }
        return keyed.sorted {
            $0.key == $1.key ? Self.precedes($0.name, $1.name) : $0.key < $1.key
        }.map(\.name)
    }

    /// After a kill during an exchange, the temp file may contain another program's version.
    /// `try?`: files that cannot be moved stay for the next time.
    private func sweep(_ leftovers: [String]) {
        // While we hold the lock, no exchange is in progress.
        guard let folder = try? FileCall.openFolder(path),
            flock(folder.number, LOCK_EX | LOCK_NB) == 0
        else { return }
        for name in leftovers {
            TemporaryFile.sweep(name, in: folder.number) {
                // Unreadable: leave it for the next time.
                guard let item = try? read(name, in: folder) else { return }
                // Half a file is a write that a kill cut off: it is deleted.
                if let content = try? CalendarParser.parse(item.bytes), content.isTerminated,
                    !content.itemIDs.isEmpty
                {
                    // If it cannot be moved, the next sweep tries again.
                    _ = try? trash.take(
                        name, from: folder, path: full(name), identity: item.etag.identity,
                        id: uuid())
                } else {
                    unlinkat(folder.number, name, 0)
                }
            }
        }
    }

    /// The order of names: the same as SQLite's, and one that distinguishes
    /// names Swift treats as equal ("é" written in two ways).
    static func precedes(_ name: String, _ other: String) -> Bool {
        let order: Bool?? = name.utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else {
                    return left.count < right.count
                }
                let order = memcmp(leftStart, rightStart, min(left.count, right.count))
                return order == 0 ? left.count < right.count : order < 0
            }
        }
        // Names from the system and from SQLite are always contiguous.
        if case let order?? = order { return order }
        return name.utf8.lexicographicallyPrecedes(other.utf8)
    }

    package func item(_ name: String) throws(FileCallError) -> Item {
        try check(name)
        return try read(name, in: try FileCall.openFolder(path))
    }

    /// Adds an item under a new name, creating the folder if it is missing.
    /// - Returns: the name, `<uid>.ics`.
    package func create(_ bytes: [UInt8], uid: String) throws(FileCallError) -> String {
        let name = uid + ".ics"
        try check(name)
        try FileCall.makeFolder(path)
        let folder = try FileCall.openFolder(path)
        let temporary = temporaryName()
        let written = try FileCall.write(bytes, new: temporary, in: folder, path: full(name))
        defer { withExtendedLifetime(written.file) {} }
        do throws(FileCallError) {
            try FileCall.renameNew(temporary, in: folder, to: name, in: folder, path: full(name))
        } catch {
            unlinkat(folder.number, temporary, 0)
            throw error
        }
        FileCall.flush(folder)
        return name
    }

    /// Replaces the bytes of an item if it has not changed since it was read;
    /// its name stays.
    /// - Throws: `conflict` if it has; nothing has changed then, and the caller
    ///   reads and applies its change again.
    package func update(
        _ name: String, to bytes: [UInt8], expecting etag: ETag
    ) throws(FileCallError) {
        let replacement = try prepare(name, bytes, expecting: etag)
        defer {
            withExtendedLifetime(replacement.file) {
                _ = unlinkat(replacement.folder.number, replacement.temporary, 0)
            }
        }
        try commit(replacement)
    }

    /// An update up to its rename: the new bytes are on disk, the folder is
    /// locked for as long as the value lives, and the item was as expected.
    struct Replacement {
        let name: String
        let temporary: String
        let folder: FileCall.Descriptor
        let ours: FileCall.Identity
        let file: FileCall.Descriptor
        let etag: ETag
    }

    func prepare(
        _ name: String, _ bytes: [UInt8], expecting etag: ETag
    ) throws(FileCallError) -> Replacement {
        try check(name)
        let folder = try FileCall.openFolder(path)
        let temporary = temporaryName()
        let (ours, file) = try FileCall.write(
            bytes, new: temporary, in: folder, path: full(name))
        do throws(FileCallError) {
            try lock(folder)
            try expect(etag, of: name, in: folder)
        } catch {
            unlinkat(folder.number, temporary, 0)
            throw error
        }
        return Replacement(
            name: name, temporary: temporary, folder: folder, ours: ours, file: file, etag: etag)
    }

    func commit(_ replacement: Replacement) throws(FileCallError) {
        let (name, temporary) = (replacement.name, replacement.temporary)
        let folder = replacement.folder
        guard try FileCall.exchange(temporary, name, in: folder, path: full(name)) else {
            // No exchange on this file system: the check just made must suffice.
            guard renameat(folder.number, temporary, folder.number, name) == 0 else {
                throw FileCall.failure(full(name))
            }
            FileCall.flush(folder)
            return
        }
        // A program that does not use our lock may have replaced the file after the check. The file
        // that the exchange returns shows it; if it is unreadable now, it is different from the one
        // read, whatever the cause.
        let isAsRead = try? isState(temporary, in: folder, replacement.etag)
        if isAsRead != true {
            try putBack(temporary, name, in: folder, ours: replacement.ours)
            throw FileCallError(.conflict, path: full(name))
        }
        FileCall.flush(folder)
    }

    /// Moves an item to the trash if it has not changed since it was read.
    /// - Parameter id: its id in the trash; nil creates one.
    /// - Throws: `conflict` as `update`.
    package func delete(
        _ name: String, expecting etag: ETag, id: String? = nil
    ) throws(FileCallError) -> Trash.Entry {
        try check(name)
        let folder = try FileCall.openFolder(path)
        try lock(folder)
        try expect(etag, of: name, in: folder)
        return try trash.take(
            name, from: folder, path: full(name), identity: etag.identity, id: id ?? uuid())
    }

    /// Whether vdir counts a file of that name as an item.
    package static func isItemName(_ name: String) -> Bool {
        name.hasSuffix(".ics") && name.utf8.count > 4 && name.utf8.count <= 255
            && !name.hasPrefix(".") && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    package func full(_ name: String) -> String { path + "/" + name }

    private func check(_ name: String) throws(FileCallError) {
        guard Self.isItemName(name) else { throw FileCallError(.invalidName, path: full(name)) }
    }

    /// Hidden and `.tmp`: no program mistakes it for an item.
    private func temporaryName() -> String { ".\(uuid()).tmp" }

    func read(_ name: String, in folder: FileCall.Descriptor) throws(FileCallError)
        -> Item
    {
        let (bytes, identity) = try FileCall.read(
            name, in: folder, path: full(name), limit: Self.byteLimit)
        return Item(name: name, bytes: bytes, etag: ETag(identity: identity, bytes: bytes))
    }

    private func state(
        _ name: String, in folder: FileCall.Descriptor
    ) throws(FileCallError) -> FileCall.Identity {
        FileCall.Identity(try FileCall.status(name, in: folder, path: full(name)))
    }

    private func expect(
        _ etag: ETag, of name: String, in folder: FileCall.Descriptor
    ) throws(FileCallError) {
        let status = try FileCall.status(name, in: folder, path: full(name))
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw FileCallError(.symbolicLink, path: full(name))
        default: throw FileCallError(.notRegular, path: full(name))
        }
        guard FileCall.Identity(status) == etag.identity,
            try isState(name, in: folder, etag)
        else { throw FileCallError(.conflict, path: full(name)) }
    }

    private func isState(
        _ name: String, in folder: FileCall.Descriptor, _ etag: ETag
    ) throws(FileCallError) -> Bool {
        do throws(FileCallError) {
            let (bytes, identity) = try FileCall.read(
                name, in: folder, path: full(name), limit: Self.byteLimit)
            return identity == etag.identity && bytes == etag.bytes
        } catch {
            // No longer readable as a file, so not the file that was read.
            switch error.reason {
            case .tooLarge, .notRegular, .symbolicLink: return false
            default: throw error
            }
        }
    }

    /// Exchanges again. If even our file was replaced in the meantime, the
    /// newest one has come out, and is put back.
    private func putBack(
        _ temporary: String, _ name: String, in folder: FileCall.Descriptor,
        ours: FileCall.Identity
    ) throws(FileCallError) {
        do throws(FileCallError) {
            _ = try FileCall.exchange(temporary, name, in: folder, path: full(name))
        } catch {
            // Our file was deleted meanwhile. The one we took out is not ours
            // to lose, so it is put back by renaming.
            try FileCall.renameNew(temporary, in: folder, to: name, in: folder, path: full(name))
            return
        }
        if try state(temporary, in: folder).inode != ours.inode {
            _ = try FileCall.exchange(temporary, name, in: folder, path: full(name))
        }
        FileCall.flush(folder)
    }

    /// Excludes other processes of ours while a file is replaced. The lock is on the folder itself
    /// and ends with the descriptor. It lasts for microseconds, so a long wait means that a process
    /// was stopped.
    private func lock(_ folder: FileCall.Descriptor) throws(FileCallError) {
        for _ in 0..<1000 {
            if flock(folder.number, LOCK_EX | LOCK_NB) == 0 { return }
            // No locks on this file system: the checks remain.
            guard errno == EWOULDBLOCK || errno == EINTR else { return }
            usleep(2000)
        }
        throw FileCallError(.busy, path: path)
    }
}
