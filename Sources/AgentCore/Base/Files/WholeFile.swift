import Glibc

/// Reads and writes whole files; by default only the user can read what it writes. What goes wrong
/// is an `errno`; nothing remains of a file that could not be written.
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
    }

    // MARK: - Reading

    /// A regular file; others are neither waited for nor read.
    package static func read(_ path: String, limit: Int = .max) throws(Failure) -> [UInt8] {
        // NONBLOCK: a FIFO would hold us until it is written to.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        // Before memory is taken for it.
        if status.st_size > limit { throw .tooLarge }
        return try read(descriptor, limit: limit)
    }

    /// From where it stands to the end, of a pipe too.
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

    /// All of the bytes; where the descriptor does not block, it is waited for.
    /// - Parameter offset: from the start of the file; nil where it stands.
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
    ///   - mode: from the start, less what the umask takes.
    ///   - syncs: the content is on the disk when this returns.
    /// - Returns: 0 or the `errno`; EEXIST where there is one already.
    package static func create(
        _ bytes: some Sequence<UInt8>, at path: String, mode: mode_t = privateMode,
        syncs: Bool = true
    ) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return errno }
        var code = write(bytes, to: descriptor)
        if code == 0, syncs, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code != 0 { unlink(path) }
        return code
    }

    /// Readers see the old file or the new one.
    ///
    /// - Parameter temporary: a name in the same folder that nothing else uses.
    package static func replace(
        _ bytes: some Sequence<UInt8>, at path: String, temporary: String,
        mode: mode_t = privateMode, syncs: Bool = true
    ) -> Int32 {
        let code = create(bytes, at: temporary, mode: mode, syncs: syncs)
        if code != 0 { return code }
        if rename(temporary, path) == 0 { return 0 }
        let failed = errno
        unlink(temporary)
        return failed
    }
}
