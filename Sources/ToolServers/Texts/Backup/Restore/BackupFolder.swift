import Base
import Glibc

/// The folder in which a backup or a restore prepares its files, and the order
/// in which a restore becomes final:
///
///     restore-<id>/   files of the archive, being written      a kill: removed later
///     restore/        all of them, on the disk                 a kill: done again
///
/// Restoring a backup twice changes nothing more, so a restore that was
/// interrupted after the second line is simply repeated at the next start. One
/// process at a time uses the folder (`FileLock`).
final class BackupFolder {
    static let ready = "restore"

    let path: String
    private let state: String
    private let lock: Int32

    /// - Throws: `busy`; `system` if it cannot be created.
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

    /// The folder left by an interrupted restore; nil without one, or
    /// while another process is restoring.
    init?(interruptedIn state: String) {
        path = "\(state)/\(Self.ready)"
        self.state = state
        guard access(path, F_OK) == 0,
            // Without the lock another process is restoring, and reports any error.
            let lock = try? Self.takeLock(state, for: path)
        else { return nil }
        self.lock = lock
    }

    /// Whether a restore was interrupted; costs one system call.
    static func isInterrupted(in state: String) -> Bool {
        access("\(state)/\(ready)", F_OK) == 0
    }

    /// Removes unfinished folders and releases the lock. Called once, at the end.
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

    /// Marks the restore as ready: after this, a kill no longer prevents it.
    func makeReady() throws(BackupError) -> String {
        let target = "\(state)/\(Self.ready)"
        flush(path)
        guard rename(path, target) == 0 else { throw BackupError(.system(errno), path: target) }
        flush(state)
        return target
    }

    /// Removes the ready folder after the restore is done or reverted.
    func removeReady() { Self.remove("\(state)/\(Self.ready)") }

    /// Removes the files of this process, and leftovers of a kill.
    private func removeLeftovers() {
        for name in FilePath.names(in: state) ?? [] where name.hasPrefix("restore-") {
            Self.remove("\(state)/\(name)")
        }
    }

    /// Removes a folder of files; those that cannot be removed stay for the
    /// next time.
    private static func remove(_ folder: String) {
        // Renamed first: half a folder must not be mistaken for a whole one.
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
