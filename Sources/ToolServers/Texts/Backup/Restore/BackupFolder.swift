import Base
import Glibc

/// The folder in which a backup or a restore prepares its files, and the order
/// in which a restore becomes final:
///
///     restore-<id>/   files of the archive, being written      a kill: removed later
///     restore/        all of them, on the disk                 a kill: done again
///
/// Taking a backup in twice changes nothing, so a restore that was cut after
/// the second line is simply done again at the next start. One process at a
/// time has it (`FileLock`).
final class BackupFolder {
    static let ready = "restore"

    let path: String
    private let state: String
    private let lock: Int32

    /// - Throws: `busy`; `system` where it cannot be made.
    init(state: String, id: String, for file: String) throws(BackupError) {
        let code = PrivateFolder.make(state)
        if code != 0 { throw BackupError(.system(code), path: state) }
        lock = try Self.takeLock(state, for: file)
        self.state = state
        path = "\(state)/restore-\(id)"
        removeLeftovers()
        guard mkdir(path, 0o700) == 0 else {
            let code = errno
            Glibc.close(lock)
            throw BackupError(.system(code), path: path)
        }
    }

    /// The one that a restore which was cut has left; nil without one, or while
    /// another process is at it.
    init?(interruptedIn state: String) {
        path = "\(state)/\(Self.ready)"
        self.state = state
        // Without the lock another process is at it, and says what goes wrong.
        guard access(path, F_OK) == 0,
            let lock = try? Self.takeLock(state, for: path)
        else { return nil }
        self.lock = lock
    }

    /// Whether a restore was cut; costs one system call.
    static func isInterrupted(in state: String) -> Bool {
        access("\(state)/\(ready)", F_OK) == 0
    }

    /// Removes what is not ready and lets others in. Called once, at the end.
    func close() {
        removeLeftovers()
        Glibc.close(lock)
    }

    private static func takeLock(_ state: String, for file: String) throws(BackupError) -> Int32 {
        let name = state + "/backup.lock"
        let descriptor = open(
            name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BackupError(.system(errno), path: name) }
        switch FileLock.take(descriptor, at: name) {
        case .ours: return descriptor
        case .failed(let code):
            Glibc.close(descriptor)
            throw BackupError(.system(code), path: name)
        case .held, .stale, .notRegular:
            Glibc.close(descriptor)
            throw BackupError(.busy, path: file)
        }
    }

    /// From here on a kill does not prevent it.
    func makeReady() throws(BackupError) -> String {
        let target = "\(state)/\(Self.ready)"
        flush(path)
        guard rename(path, target) == 0 else { throw BackupError(.system(errno), path: target) }
        flush(state)
        return target
    }

    /// It is done, or taken back.
    func removeReady() { Self.remove("\(state)/\(Self.ready)") }

    /// What this process has written, and what a kill has left.
    private func removeLeftovers() {
        for name in FilePath.names(in: state) ?? [] where name.hasPrefix("restore-") {
            Self.remove("\(state)/\(name)")
        }
    }

    /// A folder of files; what cannot be removed is left for the next time.
    private static func remove(_ folder: String) {
        // First out of the way: half a folder is not taken for a whole one.
        let doomed = folder.hasSuffix("/" + ready) ? "\(folder)-done" : folder
        if doomed != folder, rename(folder, doomed) != 0 { return }
        for name in FilePath.names(in: doomed) ?? [] { unlink("\(doomed)/\(name)") }
        rmdir(doomed)
    }

    private func flush(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        Glibc.close(descriptor)
    }
}
