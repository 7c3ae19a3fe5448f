import Glibc

/// What the user typed at the prompt, across launches and instances: a file of
/// one line per entry, only ever appended to, under a lock. It does not know the
/// editor; a history that cannot be read or written is not an error worth
/// stopping for.
///
/// A line break inside an entry is written `\n`, a backslash `\\`. An entry that
/// starts with a space is private and is not kept; neither is a repetition of
/// the one before.
struct InputHistory {
    private let path: String?
    private var last: String?

    /// Entries offered for recall; more would only slow the start.
    static let loadLimit = 2_000
    /// Read at most this much from the end of the file.
    static let loadBytes = 1 << 20
    /// Above this the file is cut to what a start reads.
    static let compactionBytes = 10 << 20

    /// A nil path keeps nothing.
    init(path: String?) { self.path = path }

    /// The newest entries, oldest first.
    mutating func load() -> [String] {
        guard let path else { return [] }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        let entries = Self.entries(inLast: Self.loadBytes, of: file).suffix(Self.loadLimit)
        last = entries.last
        return Array(entries)
    }

    /// Keeps an entry; false when it is private, empty or a repetition.
    @discardableResult
    mutating func append(_ entry: String) -> Bool {
        guard !entry.isEmpty, !entry.hasPrefix(" "), entry != last else { return false }
        last = entry
        guard let path else { return true }
        var bytes: [UInt8] = []
        for byte in entry.utf8 {
            switch byte {
            case 0x0A: bytes += [0x5C, 0x6E]
            case 0x5C: bytes += [0x5C, 0x5C]
            default: bytes.append(byte)
            }
        }
        bytes.append(0x0A)
        guard let file = Self.openLocked(path) else { return true }
        defer { close(file) }
        // One write to a file opened for appending: whole even without the lock.
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        var info = stat()
        if fstat(file, &info) == 0, info.st_size > Self.compactionBytes {
            Self.compact(path, from: file)
        }
        return true
    }

    /// Opens, locks, and makes sure that the file is still the one at `path`:
    /// another instance may have replaced it while this one waited.
    private static func openLocked(_ path: String) -> Int32? {
        for _ in 0..<8 {
            var file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            if file < 0, errno == ENOENT, makeFolder(of: path) {
                file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            }
            guard file >= 0 else { return nil }
            while flock(file, LOCK_EX) != 0, errno == EINTR {}
            var here = stat()
            var there = stat()
            if fstat(file, &here) == 0, stat(path, &there) == 0, here.st_ino == there.st_ino {
                return file
            }
            close(file)
        }
        return nil
    }

    private static func makeFolder(of path: String) -> Bool {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return false }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return PrivateFolder.make(folder) == 0 && access(folder, W_OK) == 0
    }

    /// Bytes of the newest entries; called with the lock held.
    private static func compact(_ path: String, from file: Int32) {
        let kept = tail(loadBytes, of: file)
        let fresh = path + ".new"
        unlink(fresh)
        let output = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { return }
        let written = kept.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
        let isWhole = written == kept.count && fsync(output) == 0
        close(output)
        // A cut file is worse than a long one.
        if !isWhole || rename(fresh, path) != 0 { unlink(fresh) }
    }

    private static func entries(inLast limit: Int, of file: Int32) -> [String] {
        tail(limit, of: file).split(separator: 0x0A).map(decode)
    }

    /// The last whole lines of a file, at most `limit` bytes.
    private static func tail(_ limit: Int, of file: Int32) -> ArraySlice<UInt8> {
        let size = Int(lseek(file, 0, SEEK_END))
        let start = max(0, size - limit)
        guard size > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: size - start) { buffer, count in
            while count < buffer.count, let base = buffer.baseAddress {
                let got = pread(
                    file, base + count, buffer.count - count, off_t(start + count))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                count += got
            }
        }
        guard start > 0 else { return bytes[...] }
        // The first line is probably cut.
        let firstEnd = bytes.firstIndex(of: 0x0A) ?? bytes.count
        return bytes[min(firstEnd + 1, bytes.count)...]
    }

    private static func decode(_ line: ArraySlice<UInt8>) -> String {
        guard line.contains(0x5C) else { return String(decoding: line, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count)
        var isEscaped = false
        for byte in line {
            if isEscaped {
                bytes.append(byte == 0x6E ? 0x0A : byte)
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
