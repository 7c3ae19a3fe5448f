import Base
import Glibc

/// The lock file by which programs of one user share the sound: it is locked during
/// playback and contains the process and a description of the sound. The kernel drops the
/// lock of a killed program.
///
/// A program that has an alert while another has the sound locks a second file, which the
/// holder checks now and then:
///
///     asks ──→ the holder pauses and releases ──→ rings ──→ withdraws ──→ it goes on
///
/// Used from one queue. An unwritable folder does not prevent playback.
final class SoundLock {
    struct Holder: Equatable {
        var process: Int32?
        /// Untrusted text.
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

    /// Takes the lock, or updates the description.
    /// - Returns: the other holder, if any.
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
        // If writing fails, others see no description; the lock still works.
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

    /// Asks the holder to make room; call it repeatedly, because a simultaneous check by
    /// the holder may interfere.
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

    /// Whether another program waits to play an alert.
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
        // The holder may be about to write it.
        guard lines.count == 2 else { return Holder(process: nil, what: "something") }
        return Holder(process: Int32(lines[0]), what: String(lines[1]).oneLine)
    }
}
