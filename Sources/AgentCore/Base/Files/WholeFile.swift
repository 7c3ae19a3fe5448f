import Glibc

/// Reads and writes whole files; by default only the user can read a written file. Errors are an
/// `errno`; a file that could not be written completely is removed.
package enum WholeFile {
    /// 0600.
    package static let privateMode: mode_t = 0o600

    package enum Failure: Error, Sendable, Equatable {
        /// The `errno`.
        case system(Int32)
        /// A folder, a pipe or a device.
        case notRegular
        case tooLarge

        /// The nearest `errno`.
        package var code: Int32 {
            switch self {
            case .system(let code): code
            case .notRegular: EINVAL
            case .tooLarge: EFBIG
            }
        }

        /// The reason, as it follows the path in a sentence.
        package func why(limit: Int) -> String {
            switch self {
            case .system(let code): Diagnostic.system(code)
            case .notRegular: "it is not a file"
            case .tooLarge: "it is larger than \(Quantities.bytes(limit))"
            }
        }
    }

    // MARK: - Reading

    /// Reads a regular file; others are refused without waiting.
    package static func read(_ path: String, limit: Int = .max) throws(Failure) -> [UInt8] {
        // NONBLOCK: a FIFO would block until it is written to.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        // Before memory is allocated.
        if status.st_size > limit { throw .tooLarge }
        return try read(descriptor, limit: limit)
    }

    /// Reads from the current position to the end, also from a pipe.
    package static func read(_ descriptor: Int32, limit: Int = .max) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .system(errno) }
            if bytes.count + count > limit { throw .tooLarge }
            bytes += buffer[..<count]
        }
    }

    // MARK: - Writing

    /// Writes all bytes; waits even if the descriptor is non-blocking.
    /// - Parameter offset: from the start of the file; nil is the current position.
    /// - Returns: 0 or the `errno`.
    package static func write(
        _ bytes: some Sequence<UInt8>, to descriptor: Int32, at offset: Int? = nil
    ) -> Int32 {
        var place = offset
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                place.map { pwrite(descriptor, buffer.baseAddress, buffer.count, off_t($0)) }
                    ?? Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                place = place.map { $0 + count }
            } else if count == 0 {
                return EIO
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// - Parameters:
    ///   - mode: permissions from the start, less the umask.
    ///   - syncs: whether the content is on the disk when this returns.
    /// - Returns: 0 or the `errno`; EEXIST if the file exists.
    package static func create(
        _ bytes: some Sequence<UInt8>, at path: String, mode: mode_t = privateMode,
        syncs: Bool = true
    ) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return fill(descriptor, at: path, with: bytes, syncs: syncs)
    }

    /// Appends to a file of the user's, which is created if it is missing. A link is followed, unlike
    /// for files of ours (`PrivateFile`); a pipe or a device is refused without waiting.
    ///
    /// - Returns: 0 or the `errno`.
    package static func append(_ bytes: some Sequence<UInt8>, to path: String) -> Int32 {
        let descriptor = open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, privateMode)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return errno }
        guard status.st_mode & S_IFMT == S_IFREG else { return EINVAL }
        return write(bytes, to: descriptor)
    }

    /// - Returns: 0 or the `errno`; then the file is removed.
    private static func fill(
        _ descriptor: Int32, at path: String, with bytes: some Sequence<UInt8>, syncs: Bool
    ) -> Int32 {
        var code = write(bytes, to: descriptor)
        if code == 0, syncs, fsync(descriptor) != 0 { code = errno }
        if code != 0 { unlink(path) }
        return code
    }

    /// Replaces a file atomically: readers see the old file or the new one.
    ///
    /// - Parameter temporary: an unused name in the same folder.
    package static func replace(
        _ bytes: some Sequence<UInt8>, at path: String, temporary: String,
        mode: mode_t = privateMode, syncs: Bool = true
    ) -> Int32 {
        let file = TemporaryFile.make(temporary, mode: mode)
        guard file >= 0 else { return errno }
        // Unlock only after the rename.
        defer { close(file) }
        let code = fill(file, at: temporary, with: bytes, syncs: syncs)
        if code != 0 { return code }
        if rename(temporary, path) == 0 { return 0 }
        let failed = errno
        unlink(temporary)
        return failed
    }
}
