import Base
import Glibc

/// Writes a transcript beside its recording, and never overwrites a file. Blocking.
enum TranscriptFile {
    enum Outcome: Equatable {
        case written(String)
        /// A file with exactly these contents already exists.
        case sameAs(String)
        /// The `errno`.
        case failed(Int32)
    }

    /// The reason why a file named by the user cannot be written.
    enum Obstacle: Equatable {
        /// The recording itself, perhaps by another name.
        case recording
        /// A folder, a pipe, a device.
        case noFile
        /// An existing file, which may be replaced.
        case file
        /// The folder is not writable; the `errno`.
        case folder(Int32)
    }

    private static let mostNumbers = 99

    static func obstacle(_ path: String, of recording: String) -> Obstacle? {
        var status = stat()
        var own = stat()
        if stat(path, &status) == 0 {
            if stat(recording, &own) == 0, own.st_dev == status.st_dev,
                own.st_ino == status.st_ino
            {
                return .recording
            }
            return status.st_mode & S_IFMT == S_IFREG ? .file : .noFile
        }
        // A dangling link.
        if lstat(path, &status) == 0 { return .file }
        let folder = split(path).folder
        return access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0 ? nil : .folder(errno)
    }

    /// `meeting.txt` for `meeting.m4a`; `meeting (2).txt` if another file has
    /// that name. It is readable by no more users than the recording.
    static func save(
        _ bytes: [UInt8], beside recording: String, extension ending: String, temporary: String
    ) -> Outcome {
        let (folder, name) = split(recording)
        let stem = FilePath.stem(name)
        for number in 1...mostNumbers {
            let name = number == 1 ? "\(stem).\(ending)" : "\(stem) (\(number)).\(ending)"
            let path = folder + name
            switch create(bytes, at: path, in: folder, temporary: temporary, like: recording) {
            case 0: return .written(path)
            case EEXIST: if holds(path, bytes) { return .sameAs(path) }
            case let code: return .failed(code)
            }
        }
        return .failed(EEXIST)
    }

    /// Writes a file named by the user.
    /// - Returns: 0 or the `errno`; EEXIST if there is one and it is kept.
    static func write(
        _ bytes: [UInt8], to path: String, replaces: Bool, temporary: String, like recording: String
    ) -> Int32 {
        let folder = split(path).folder
        let code = create(bytes, at: path, in: folder, temporary: temporary, like: recording)
        guard code == EEXIST, replaces else { return code }
        return WholeFile.replace(
            bytes, at: path, temporary: folder + temporary, mode: mode(like: recording))
    }

    /// Writes all or nothing: never half of a file under its name.
    private static func create(
        _ bytes: [UInt8], at path: String, in folder: String, temporary: String,
        like recording: String
    ) -> Int32 {
        // Before writing in vain; a dangling link counts, too.
        var status = stat()
        if lstat(path, &status) == 0 { return EEXIST }
        let fresh = folder + temporary
        let code = WholeFile.create(bytes, at: fresh, mode: mode(like: recording))
        if code != 0 { return code }
        do {
            let folder = try FileCall.openFolder(folder.isEmpty ? "." : folder)
            try FileCall.renameNew(
                temporary, in: folder, to: split(path).name, in: folder, path: path)
            return 0
        } catch {
            unlink(fresh)
            return error.reason == .exists ? EEXIST : error.code
        }
    }

    private static func mode(like recording: String) -> mode_t {
        var status = stat()
        return stat(recording, &status) == 0
            ? status.st_mode & 0o666 | WholeFile.privateMode : WholeFile.privateMode
    }

    private static func holds(_ path: String, _ bytes: [UInt8]) -> Bool {
        guard let file = try? OpenFile(path), file.size == bytes.count,  // Unreadable: not ours.
            let content = try? file.read(at: 0, count: bytes.count)
        else { return false }
        return content == bytes
    }

    /// The folder with its `/`, or empty.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
