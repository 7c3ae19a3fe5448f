import Glibc

/// A bounded folder of private files that can be created again: the least recently used ones are
/// removed first. Its calls block; it belongs to an actor with a queue of its own.
///
/// Files that cannot be read or written count as missing, so there are no errors.
package struct CacheFolder {
    private let folder: String
    /// Suffix of its file names: ".pcm".
    private let ending: String
    private var limit: Int
    private let uuid: @Sendable () -> String
    /// Total size of the files; nil until they have been counted.
    private var size: Int?
    private var hasFolder = false
    private var hasSwept = false

    /// - Parameter folder: created with the first file.
    package init(
        _ folder: String, ending: String, limit: Int, uuid: @escaping @Sendable () -> String
    ) {
        self.folder = folder
        self.ending = ending
        self.limit = limit
        self.uuid = uuid
    }

    /// A file's key, made from everything that distinguishes it.
    package static func key(_ parts: [String]) -> String {
        var sum = SHA256()
        // With its length, so that parts cannot be confused.
        for part in parts { sum.add(Array("\(part.utf8.count):\(part)".utf8)) }
        return SHA256.hex(sum.digest())
    }

    /// Reserves this many bytes for work that reads them again; the next limit may lower it.
    package mutating func keep(_ bytes: Int) {
        limit = bytes
        if let size, size > limit { prune() }
    }

    package mutating func read(_ key: String, limit: Int) -> [UInt8]? {
        sweep()
        // Usually the file does not exist.
        guard let file = try? WholeFile.read(path(key), limit: limit) else { return nil }
        // Record its use.
        utimensat(AT_FDCWD, path(key), nil, 0)
        return file
    }

    /// Removes every file that belongs to none of these owners: a file's name begins with
    /// its owner and a ".".
    package mutating func removeAll(butOf owners: Set<String>) {
        sweep()
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
        sweep()
        let known = count()
        let temporary = "\(folder)/.\(uuid())"
        // Not synced to the disk: a damaged file is detected when it is read.
        let code = WholeFile.replace(file, at: path(key), temporary: temporary, syncs: false)
        guard code == 0 else { return }
        size = known + file.count
        if known + file.count > limit { prune() }
    }

    private func path(_ key: String) -> String { "\(folder)/\(key)\(ending)" }

    /// Counted once; files added by other processes are counted in the next run.
    private mutating func count() -> Int {
        if let size { return size }
        let counted = files().reduce(0) { $0 + $1.bytes }
        size = counted
        return counted
    }

    private struct File {
        var path: String
        var bytes: Int
        /// Time of its last use, in nanoseconds.
        var used: Int
    }

    private func files() -> [File] {
        (FilePath.names(in: folder) ?? []).compactMap { name in
            let path = "\(folder)/\(name)"
            var status = stat()
            guard name.hasSuffix(ending), lstat(path, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return File(
                path: path, bytes: Int(status.st_size),
                used: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
    }

    /// Removes temporary files of killed processes; once.
    private mutating func sweep() {
        if hasSwept { return }
        hasSwept = true
        for name in FilePath.names(in: folder) ?? [] where TemporaryFile.isName(name) {
            TemporaryFile.sweep("\(folder)/\(name)") { unlink("\(folder)/\(name)") }
        }
    }

    /// Shrinks to nine tenths, so that not every new file triggers it.
    private mutating func prune() {
        let files = files().sorted { ($0.used, $0.path) < ($1.used, $1.path) }
        var total = files.reduce(0) { $0 + $1.bytes }
        for file in files where total > limit / 10 * 9 {
            if unlink(file.path) == 0 { total -= file.bytes }
        }
        size = total
    }
}
