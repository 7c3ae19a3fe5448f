import Base
import Glibc

/// Reads and writes `profile.json` in the data folder, which only the user can
/// read. It is replaced whole, so that concurrent programs see one state or the
/// other; simultaneous changes are serialised by a lock.
///
/// Nothing else in the program stores its values: no backup includes it unless
/// requested, and no tool reaches it.
package actor ProfileFile: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "profile")

    package static let name = "profile.json"
    package nonisolated let path: String

    /// Maximum bytes of the file. Larger ones are ignored; we never write them.
    private static let limit = 1 << 20

    package init(path: String) { self.path = path }

    /// Empty if there is no file.
    /// - Throws: `ProfileError` if it cannot be read; it is left unchanged.
    package func read() throws(ProfileError) -> Profile { try Self.read(path) }

    /// Reads on the caller's thread: a file of a few hundred bytes.
    package static func read(_ path: String) throws(ProfileError) -> Profile {
        let bytes: [UInt8]
        do throws(WholeFile.Failure) {
            bytes = try WholeFile.read(path, limit: limit)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return Profile() }
            throw ProfileError(.unreadable(path, error.why(limit: limit)))
        }
        return try Profile(json: bytes, path: path)
    }

    /// Whether other users may read it.
    package func isReadableByOthers() -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Reads, changes and writes, with no other program in between. If no value is
    /// left, the file is removed.
    ///
    /// - Returns: the profile before and after.
    @discardableResult
    package func change<Result: Sendable>(
        _ body: @Sendable (inout Profile) throws(ProfileError) -> Result
    ) throws(ProfileError) -> (before: Profile, after: Profile, Result) {
        let lock = PrivateFolder.lock(FilePath.folder(of: path))
        guard lock >= 0 else { throw ProfileError(.unwritable(path, Diagnostic.system(-lock))) }
        defer { close(lock) }
        let before = try Self.read(path)
        var profile = before
        let result = try body(&profile)
        if profile != before { try write(profile) }
        fsync(lock)
        return (before, profile, result)
    }

    /// A fixed name for the temporary file, so that at most one is left after a crash.
    private func write(_ profile: Profile) throws(ProfileError) {
        // A link, for example into a synchronised folder, is kept.
        let path = FilePath.real(path) ?? path
        let temporary = path + ".new"
        unlink(temporary)
        let code: Int32
        if profile.isBlank {
            code = unlink(path) == 0 || errno == ENOENT ? 0 : errno
        } else {
            code = WholeFile.replace(profile.json, at: path, temporary: temporary)
        }
        guard code == 0 else { throw ProfileError(.unwritable(path, Diagnostic.system(code))) }
    }
}
