import Base
import Glibc
import Sound

/// The folders of recordings: those without a transcript in a separate folder, the kept
/// ones next to it. Recordings left behind by a killed program are found at the next
/// launch.
///
/// It never replaces a file, and removes only files it was asked to.
actor DictationFiles: QueuedActor {
    nonisolated let executor = QueueExecutor(label: "chat.recordings")

    /// Folder of the kept recordings.
    nonisolated let folder: String
    /// Folder of recordings in progress and without a transcript.
    nonisolated var unfinished: String { folder + "/unfinished" }

    init(_ folder: String) { self.folder = folder }

    // MARK: - Recording

    /// A folder for one dictation. Its lock shows that a process is working there, for as
    /// long as the value or the program lives.
    final class RecordingFolder: Sendable {
        let folder: String
        private let descriptor: Int32

        fileprivate init?(_ folder: String) {
            descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            self.folder = folder
            guard descriptor >= 0 else { return nil }
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                close(descriptor)
                return nil
            }
        }

        deinit { close(descriptor) }
    }

    /// - Parameter name: a unique name.
    func begin(_ name: String) throws(FileFailure) -> RecordingFolder {
        let path = "\(unfinished)/\(name)"
        let code = PrivateFolder.make(path)
        guard code == 0 else { throw FileFailure(path: path, code: code) }
        guard let place = RecordingFolder(path) else { throw FileFailure(path: path, code: errno) }
        return place
    }

    /// Ends the dictation: keeps remaining recordings, and removes its folder.
    /// - Returns: their new paths.
    @discardableResult
    func end(_ place: RecordingFolder) -> [String] {
        // An unreadable folder has nothing to report.
        let items = (try? RecordingsFolder(place.folder).list()) ?? []
        let kept = items.reversed().compactMap { item -> String? in
            // A header without samples.
            if item.bytes <= 44 {
                unlink(item.path)
                return nil
            }
            // If it cannot be moved, the message contains its path.
            return (try? keep(item.path)) ?? item.path
        }
        rmdir(place.folder)
        return kept
    }

    // MARK: - Kept recordings

    /// Moves a recording to the kept ones, or to `wanted`.
    /// - Returns: its new path.
    func keep(_ path: String, as wanted: String? = nil) throws(FileFailure) -> String {
        if let wanted {
            try move(path, to: wanted)
            return wanted
        }
        let name = FilePath.name(path)
        let stem = name.hasSuffix(".wav") ? String(name.dropLast(4)) : name
        let code = PrivateFolder.make(folder)
        guard code == 0 else { throw FileFailure(path: path, code: code) }
        for number in 1..<1_000 {
            let target = "\(folder)/\(stem)\(number == 1 ? "" : " (\(number))").wav"
            do {
                try move(path, to: target)
                return target
            } catch  where error.code == EEXIST {
                continue
            }
        }
        throw FileFailure(path: path, code: EEXIST)
    }

    /// The kept recordings, the newest first.
    func list() throws(RecordingError) -> [RecordingsFolder.Item] {
        try RecordingsFolder(folder).list()
    }

    /// Deletes a recording whose transcript has arrived.
    func remove(_ path: String) { unlink(path) }

    /// Checks before the start whether a recording could be saved there.
    func check(_ wanted: String) throws(FileFailure) {
        var status = stat()
        if lstat(wanted, &status) == 0 { throw FileFailure(path: wanted, code: EEXIST) }
        if errno != ENOENT { throw FileFailure(path: wanted, code: errno) }
        if access(FilePath.folder(of: wanted), W_OK) != 0 {
            throw FileFailure(path: wanted, code: errno)
        }
    }

    /// Moves recordings of killed programs to the kept ones.
    func rescue() -> [String] {
        let names = (FilePath.names(in: unfinished) ?? []).filter { !$0.hasPrefix(".") }
        return names.sorted().flatMap { name in
            RecordingFolder("\(unfinished)/\(name)").map { end($0) } ?? []
        }
    }

    // MARK: - Moving

    /// Never over an existing file; across file systems by a copy.
    private func move(_ path: String, to target: String) throws(FileFailure) {
        if link(path, target) == 0 {
            unlink(path)
            return
        }
        if errno == EEXIST { throw FileFailure(path: target, code: EEXIST) }
        try copy(path, to: target)
        unlink(path)
    }

    /// Piece by piece, unlike `WholeFile`: a recording may be hours long.
    private func copy(_ path: String, to target: String) throws(FileFailure) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw FileFailure(path: path, code: errno) }
        defer { close(source) }
        let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw FileFailure(path: target, code: errno) }
        defer { close(copy) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            let code = WholeFile.write(buffer.prefix(max(0, count)), to: copy)
            if code != 0 { return try abandon(target, code) }
            if count < 0 { return try abandon(target) }
            if count == 0 { break }
        }
        if fsync(copy) != 0 { return try abandon(target) }
    }

    private func abandon(_ target: String, _ code: Int32 = errno) throws(FileFailure) {
        unlink(target)
        throw FileFailure(path: target, code: code)
    }
}
