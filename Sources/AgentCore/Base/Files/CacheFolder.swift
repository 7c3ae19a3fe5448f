import Glibc

/// A folder of private files that can be made again, bounded in bytes: those that were
/// not used for the longest time are removed first. Its calls block; an actor on a queue
/// of its own has one.
///
/// What cannot be read or written just counts as missing, so none of it is an error.
package struct CacheFolder {
    private let folder: String
    /// Of the names of its files: ".pcm".
    private let ending: String
    private var limit: Int
    private let uuid: @Sendable () -> String
    /// Bytes of all files; nil before they were counted.
    private var size: Int?
    private var hasFolder = false

    /// - Parameter folder: made with the first file.
    package init(
        _ folder: String, ending: String, limit: Int, uuid: @escaping @Sendable () -> String
    ) {
        self.folder = folder
        self.ending = ending
        self.limit = limit
        self.uuid = uuid
    }

    /// By what tells one file from another.
    package static func key(_ parts: [String]) -> String {
        var sum = SHA256()
        // What a part ends with is not what the next begins with.
        for part in parts { sum.add(Array("\(part.utf8.count):\(part)".utf8)) }
        return SHA256.hex(sum.digest())
    }

    /// So much has to stay, for work that comes back to it; less again with the next limit.
    package mutating func keep(_ bytes: Int) {
        limit = bytes
        if let size, size > limit { prune() }
    }

    package func read(_ key: String, limit: Int) -> [UInt8]? {
        // Not there is the usual reason.
        guard let file = try? WholeFile.read(path(key), limit: limit) else { return nil }
        // It was used now.
        utimensat(AT_FDCWD, path(key), nil, 0)
        return file
    }

    /// Removes every file that belongs to none of these: its name begins with its owner and
    /// a ".".
    package mutating func removeAll(butOf owners: Set<String>) {
        for name in FilePath.names(in: folder) ?? [] where name.hasSuffix(ending) {
            let owner = name.prefix { $0 != "." }
            if !owners.contains(String(owner)) { unlink("\(folder)/\(name)") }
        }
        size = nil
    }

    package func has(_ key: String) -> Bool { access(path(key), R_OK) == 0 }

    package mutating func add(_ file: [UInt8], _ key: String) {
        guard file.count <= limit else { return }
        if !hasFolder {
            guard PrivateFolder.make(folder) == 0 else { return }
            hasFolder = true
        }
        let known = count()
        let temporary = "\(folder)/.\(uuid())"
        // Not on the disk yet is good enough: a damaged file is found when it is read.
        let code = WholeFile.replace(file, at: path(key), temporary: temporary, syncs: false)
        guard code == 0 else { return }
        size = known + file.count
        if known + file.count > limit { prune() }
    }

    private func path(_ key: String) -> String { "\(folder)/\(key)\(ending)" }

    /// Counted once; other processes that add to it are seen by the next one.
    private mutating func count() -> Int {
        if let size { return size }
        let counted = files().reduce(0) { $0 + $1.bytes }
        size = counted
        return counted
    }

    private struct File {
        var path: String
        var bytes: Int
        /// When it was last used, in nanoseconds.
        var used: Int
    }

    private func files() -> [File] {
        (FilePath.names(in: folder) ?? []).compactMap { name in
            let path = "\(folder)/\(name)"
            var status = stat()
            guard name.hasSuffix(ending) || Self.isLeftOver(name), lstat(path, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return File(
                path: path, bytes: Int(status.st_size),
                used: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
    }

    /// Left by a process that was killed while writing; removed with the oldest.
    private static func isLeftOver(_ name: String) -> Bool {
        name.hasPrefix(".") && name.utf8.count == 37
    }

    /// Down to nine tenths, so that not every file triggers it.
    private mutating func prune() {
        let files = files().sorted { ($0.used, $0.path) < ($1.used, $1.path) }
        var total = files.reduce(0) { $0 + $1.bytes }
        for file in files where total > limit / 10 * 9 {
            if unlink(file.path) == 0 { total -= file.bytes }
        }
        size = total
    }
}
