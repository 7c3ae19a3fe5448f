import AgentCore
import Base
import Documents
import Glibc
import Sound

/// A file that takes a while to make: it is written next to its final path and renamed when
/// it is complete. Leftovers of a killed process are found by name and removed.
///
/// Only one process makes a file at a time.
actor RenderedFile: QueuedActor {
    nonisolated let executor = QueueExecutor(label: "chat.rendering")

    nonisolated let path: String
    /// Temporary paths in the same folder that nothing else uses.
    nonisolated let partial: String
    nonisolated let second: String
    nonisolated let picture: String
    private nonisolated let lockPath: String
    private var lock: Int32 = -1

    /// - Parameters:
    ///   - path: absolute.
    ///   - replaces: an existing file may be replaced; for a link, its target.
    /// - Throws: `UsageError`, `StoryRenderError`, `SpeechError`.
    init(claiming path: String, replaces: Bool) async throws {
        var target = path
        var status = stat()
        if lstat(path, &status) == 0 {
            if !replaces {
                throw UsageError(
                    "\(path) already exists.", hint: "Give another name, or --force to replace it.")
            }
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw UsageError("\(path) is not a file that can be replaced.")
            }
            target = FilePath.real(path) ?? path
        }
        // Short, so that it fits next to the longest file name.
        Self.sweep(FilePath.folder(of: target))
        let mark = SHA256.hex(SHA256.digest(Array(target.utf8))).prefix(16)
        let stem = "\(FilePath.folder(of: target))/.chat-\(mark)"
        self.path = target
        partial = stem + ".part"
        second = stem + ".new"
        picture = stem + ".cover"
        lockPath = stem + ".lock"
        try takeLock()
        for name in [partial, second, picture] { unlink(name) }
    }

    deinit {
        if lock >= 0 { close(lock) }
    }

    /// Removes leftovers of killed processes in a folder: locks without an owner, and the
    /// files made under them.
    private static func sweep(_ folder: String) {
        for name in FilePath.names(in: folder) ?? []
        where name.hasPrefix(".chat-") && name.hasSuffix(".lock") && name.utf8.count == 27 {
            let stem = "\(folder)/\(name.dropLast(5))"
            let descriptor = open(stem + ".lock", O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard FileLock.take(descriptor, at: stem + ".lock") == .ours else { continue }
            for ending in [".part", ".new", ".cover", ".lock"] { unlink(stem + ending) }
        }
    }

    private func takeLock() throws {
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SpeechError(reason: .file(errno)) }
        guard FileLock.take(descriptor, at: lockPath) == .ours else {
            close(descriptor)
            throw StoryRenderError(.busy(path))
        }
        lock = descriptor
    }

    /// Moves one of the temporary files into place, private and synced to disk.
    func place(_ name: String) throws {
        let descriptor = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SpeechError(reason: .file(errno)) }
        defer { close(descriptor) }
        guard fchmod(descriptor, WholeFile.privateMode) == 0, fsync(descriptor) == 0,
            rename(name, path) == 0
        else { throw SpeechError(reason: .file(errno)) }
    }

    func write(_ bytes: [UInt8]) throws {
        let code = WholeFile.replace(bytes, at: path, temporary: partial)
        if code != 0 { throw SpeechError(reason: .file(code)) }
    }

    /// Writes the picture for ffmpeg.
    func write(_ cover: CoverPicture) throws {
        let code = WholeFile.replace(cover.bytes, at: picture, temporary: second)
        if code != 0 { throw SpeechError(reason: .file(code)) }
    }

    var bytes: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Removes everything except the finished file.
    func end() {
        for name in [partial, second, picture] { unlink(name) }
        guard lock >= 0 else { return }
        unlink(lockPath)
        close(lock)
        lock = -1
    }
}

/// The reason why a story cannot be rendered to a sound file. Facts only.
struct StoryRenderError: Error, Sendable, Equatable {
    enum Reason: Sendable, Equatable {
        /// Files with this ending need ffmpeg.
        case needsEncoder(String)
        /// Another process is making this file.
        case busy(String)
        /// Bytes needed and free in a folder.
        case noRoom(String, needed: Int, free: Int)
    }

    var reason: Reason

    init(_ reason: Reason) { self.reason = reason }
}

extension StoryRenderError: DescribedError {
    var diagnostic: Diagnostic {
        switch reason {
        case .needsEncoder(let ending):
            Diagnostic(
                "Making a .\(ending) file needs ffmpeg, which is not installed; a .wav does not.",
                exit: .missingProgram, programs: [EncodedSoundFile.program])
        case .busy(let path):
            Diagnostic(
                "\(path) is being made by another chat.",
                todo: "Wait for it, or give another name.")
        case .noRoom(let folder, let needed, let free):
            Diagnostic(
                "It needs about \(Quantities.bytes(needed)) in \(folder), where "
                    + "\(Quantities.bytes(free)) are free.",
                todo:
                    "Make room, or render a chapter at a time with --chapter; nothing was written."
            )
        }
    }
}
