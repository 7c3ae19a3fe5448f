import Base
import FoundationEssentials
import Glibc

/// The files of a database on disk: made private before SQLite sees them, and checked before they
/// are opened.
///
/// Independent of their contents.
package enum DatabaseFile {
    /// Suffixes of the files SQLite keeps beside a database.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Creates the file (0600) and its folders (0700) if they do not exist, and
    /// refuses files we must not write to.
    ///
    /// `mknod` rather than `open`: closing a descriptor of a file drops every
    /// POSIX lock that this process has on it, including those of another
    /// connection (POSIX.1-2017, fcntl).
    ///
    /// - Returns: the path with its folder resolved.
    /// - Throws: `cannotOpen` for a link, a device, a second hard link or
    ///   another owner; `corrupt` if a log has lost its database.
    package static func prepare(_ path: String) throws(SQLiteError) -> String {
        let (folder, name) = (FilePath.folder(of: path), FilePath.name(path))
        try makeFolder(folder)
        guard let base = FilePath.real(folder) else {
            throw SQLiteError.system("realpath", path: folder)
        }
        let file = (base == "/" ? "" : base) + "/" + name

        var logSize: Int64 = 0
        for suffix in companions {
            if let status = try plainFile(file + suffix), suffix == "-wal" {
                logSize = Int64(status.st_size)
            }
        }
        let existing = try plainFile(file)
        // SQLite deletes the log of an empty database. If there is one, the database itself was
        // lost.
        if logSize > 0, existing.map({ $0.st_size == 0 }) ?? true {
            throw SQLiteError(.corrupt, path: file, detail: "the log has no database")
        }
        // SQLite treats a file of one byte as empty (`unixFileSize`) and would
        // overwrite it.
        if existing?.st_size == 1 {
            throw SQLiteError(.notADatabase, path: file, detail: "one byte long")
        }
        if existing == nil {
            guard try create(file) else {
                // Another instance was faster.
                _ = try plainFile(file)
                return file
            }
        }
        return file
    }

    /// Creates an empty private file; false if the name exists.
    static func create(_ path: String) throws(SQLiteError) -> Bool {
        if mknod(path, S_IFREG | 0o600, 0) == 0 { return true }
        if errno == EEXIST { return false }
        throw SQLiteError.system("create", path: path)
    }

    /// The status of a plain file of this user with a single link; nil for any
    /// other.
    private static func plainFile(_ path: String) throws(SQLiteError) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw SQLiteError.system("lstat", path: path)
        }
        let problem: String? =
            if status.st_mode & S_IFMT != S_IFREG {
                "not a plain file"
            } else if status.st_nlink != 1 {
                "has \(status.st_nlink) hard links"
            } else if status.st_uid != geteuid() {
                "belongs to another user"
            } else {
                nil
            }
        if let problem { throw SQLiteError(.cannotOpen, path: path, detail: problem) }
        return status
    }

    /// Creates a folder and its parents, each 0700, and flushes their names to
    /// disk. An existing one is left unchanged.
    package static func makeFolder(_ path: String) throws(SQLiteError) {
        switch PrivateFolder.make(path, onMade: { synchroniseFolder(FilePath.folder(of: $0)) }) {
        case 0: break
        case ENOTDIR:
            throw SQLiteError(.cannotOpen, systemError: ENOTDIR, path: path, detail: "not a folder")
        case let code: throw SQLiteError.system("mkdir", path: path, error: code)
        }
    }

    /// `base`, or `base-2`, `base-3`, … if it or a companion exists.
    static func freeName(_ base: String) -> String {
        var candidate = base
        var number = 1
        var status = stat()
        while ([""] + companions).contains(where: { lstat(candidate + $0, &status) == 0 }) {
            number += 1
            candidate = "\(base)-\(number)"
        }
        return candidate
    }

    /// Flushes the names in a folder to disk. A failure is not reported: some file systems cannot
    /// do it, and no acknowledged row depends on it (SQLite does the same for its log, and reports
    /// it).
    static func synchroniseFolder(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }

    /// `YYYYMMDD-HHMMSS` in UTC.
    static func stamp(_ date: Date) -> String {
        let clock = CivilDateTime(secondsAsUTC: Int(date.timeIntervalSince1970))
        return clock.isoText.filter { $0 != "-" && $0 != ":" }.replacing("T", with: "-")
    }
}
