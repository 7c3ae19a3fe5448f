import Base
import Glibc

/// The file by which programs of one user know who has the sound: a lock on it while
/// something is heard, and in it the process and what is heard. The kernel drops the
/// lock of a program that was killed.
///
/// A program that has to ring while another has the sound locks a second file, at which
/// the holder looks now and then:
///
///     asks ──→ the holder pauses and releases ──→ rings ──→ withdraws ──→ it goes on
///
/// Used from one queue. A folder that cannot be written does not prevent listening.
final class SoundLock {
    struct Holder: Equatable {
        var process: Int32?
        /// Foreign text.
        var what: String
    }

    private static let limit = 300
    private let path: String
    private var descriptor: Int32 = -1
    private var asking: Int32 = -1

    init(path: String) { self.path = path }

    deinit {
        release()
        withdraw()
    }

    var isOurs: Bool { descriptor >= 0 }

    /// Takes it, or says again for what it is held.
    /// - Returns: who else has it.
    func take(_ what: String) -> Holder? {
        if descriptor < 0 {
            _ = PrivateFolder.make(FilePath.folder(of: path))
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard opened >= 0 else { return nil }
            switch FileLock.take(opened, at: path) {
            case .ours: descriptor = opened
            case .held:
                defer { close(opened) }
                return Self.holder(opened)
            case .stale, .notRegular, .failed:
                close(opened)
                return nil
            }
        }
        let text = Array("\(getpid())\n\(what.prefix(200))\n".utf8.prefix(Self.limit))
        // What cannot be written is not said to others; the lock holds all the same.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
        return nil
    }

    func release() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    // MARK: - Asking for it

    private var askingPath: String { path + ".asked" }

    /// Asks its holder to make room; to be called again, for a look at the file from
    /// there may be in the way.
    func ask() {
        guard asking < 0 else { return }
        let opened = open(askingPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { return }
        if FileLock.take(opened, at: askingPath) == .ours { asking = opened } else { close(opened) }
    }

    func withdraw() {
        if asking >= 0 { close(asking) }
        asking = -1
    }

    /// Whether another program waits to ring.
    var isAskedFor: Bool {
        let opened = open(askingPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return FileLock.take(opened, at: askingPath) == .held
    }

    private static func holder(_ descriptor: Int32) -> Holder {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .split(separator: "\n", maxSplits: 1)
        // It may be about to write it.
        guard lines.count == 2 else { return Holder(process: nil, what: "something") }
        return Holder(process: Int32(lines[0]), what: String(lines[1]).oneLine)
    }
}
