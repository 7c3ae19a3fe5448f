import Base
import CalendarFiles
import FoundationEssentials
import Glibc
import Persistence

/// Writes the archive of a backup: the copy of the database, calendar and
/// configuration files byte for byte, and the manifest.
///
/// A new file of mode 0600 appears complete or not at all.
struct BackupWriter {
    /// A file to add.
    struct Source: Sendable {
        /// The file's name in the archive.
        var name: String
        var path: String
    }

    let target: String
    let replaces: Bool
    let uuid: String
    /// Reports the number of source bytes written so far.
    let onBytes: (Int) -> Void

    struct Result {
        var manifest: BackupManifest
        /// Size of the archive.
        var size: Int
        /// Unreadable sources, with the reason.
        var skipped: [(name: String, reason: String)]
    }

    /// - Parameter configuration: files whose contents were filtered before.
    /// - Throws: `BackupError`, `CancellationError`; then there is no file, or
    ///   the old one.
    func write(
        database: String?, _ contents: BackupDatabase.Contents?, files: [Source],
        configuration: [(name: String, bytes: [UInt8], modified: Date)],
        ownEvents: [String] = [], app: String, now: Date
    ) throws -> Result {
        var status = stat()
        if stat(target, &status) == 0 {
            if status.st_mode & S_IFMT != S_IFREG { throw fail(.isFolder) }
            if !replaces { throw fail(.exists) }
        }
        let temporary = "\(FilePath.folder(of: target))/.\(FilePath.name(target)).\(uuid).tmp"
        let descriptor = open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fail(.system(errno)) }
        var isDone = false
        defer {
            close(descriptor)
            if !isDone { unlink(temporary) }
        }
        var size = 0
        var writer = ZipWriter { bytes in
            let code = WholeFile.write(bytes, to: descriptor)
            if code != 0 { throw fail(.system(code)) }
            size += bytes.count
        }
        var manifest = BackupManifest(
            app: app, created: LocalTime().isoText(now), contents: contents, files: [])
        manifest.ownEvents = ownEvents
        var skipped: [(name: String, reason: String)] = []
        var total = 0
        func note(_ name: String, bytes: Int, digest: [UInt8], modified: Date) throws {
            manifest.files.append(
                .init(name: name, size: bytes, sha256: SHA256.hex(digest), modified: modified))
            total += bytes
            onBytes(total)
            try Task.checkCancellation()
        }
        func note(_ name: String, _ bytes: [UInt8], modified: Date) throws {
            try note(name, bytes: bytes.count, digest: SHA256.digest(bytes), modified: modified)
        }
        if let database {
            let file = try OpenFile(database)
            var (sum, place) = (SHA256(), 0)
            try writer.add(BackupManifest.database, modified: now) {
                let piece = try file.read(at: place, count: 256 << 10)
                place += piece.count
                sum.add(piece)
                onBytes(total + place)
                try Task.checkCancellation()
                return piece
            }
            try note(BackupManifest.database, bytes: place, digest: sum.digest(), modified: now)
        }
        for source in files {
            let bytes: [UInt8]
            do {
                bytes = try WholeFile.read(source.path, limit: VDirectory.byteLimit)
            } catch {
                // Deleted since it was listed, so it is not part of the calendar any longer.
                if error != .system(ENOENT) { skipped.append((source.path, Self.reason(error))) }
                continue
            }
            let modified = Self.modified(source.path) ?? now
            try writer.add(source.name, bytes, modified: modified)
            try note(source.name, bytes, modified: modified)
        }
        for file in configuration {
            try writer.add(file.name, file.bytes, modified: file.modified)
            try note(file.name, file.bytes, modified: file.modified)
        }
        try writer.add(
            BackupManifest.name, Array((JSONWriter.pretty(manifest.json) + "\n").utf8),
            modified: now)
        try writer.finish()
        guard fsync(descriptor) == 0 else { throw fail(.system(errno)) }
        try publish(temporary)
        isDone = true
        return Result(manifest: manifest, size: size, skipped: skipped)
    }

    /// Renames the archive to its final name, overwriting only on request.
    private func publish(_ temporary: String) throws {
        if replaces {
            guard rename(temporary, target) == 0 else { throw fail(.system(errno)) }
            return
        }
        if link(temporary, target) == 0 {
            unlink(temporary)
            return
        }
        if errno == EEXIST { throw fail(.exists) }
        // A file system without links, such as on a USB stick.
        guard access(target, F_OK) != 0 else { throw fail(.exists) }
        guard rename(temporary, target) == 0 else { throw fail(.system(errno)) }
    }

    private func fail(_ reason: BackupError.Reason) -> BackupError {
        BackupError(reason, path: target)
    }

    private static func reason(_ failure: WholeFile.Failure) -> String {
        switch failure {
        case .system(let code): Diagnostic.system(code)
        case .notRegular: "not a file"
        case .tooLarge: "too large"
        }
    }

    static func modified(_ path: String) -> Date? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Date(
            timeIntervalSince1970: Double(status.st_mtim.tv_sec)
                + Double(status.st_mtim.tv_nsec) / 1e9)
    }
}
