import Glibc

/// Small files of ours, read and replaced whole. What goes wrong is an `errno`:
/// the callers can do without the file.
enum SmallFile {
    /// Nil for what is no regular file, cannot be read or is larger.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        // NONBLOCK: a FIFO would hold us until somebody writes.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit
        else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += buffer.prefix(count) } else if errno != EINTR { return nil }
        }
        return nil
    }

    /// Readable by the user alone; readers see the old file or the new one.
    /// - Returns: 0 or the `errno`.
    static func write(_ bytes: [UInt8], to path: String, folder: String, uuid: String) -> Int32 {
        let made = PrivateFolder.make(folder)
        if made != 0 { return made }
        let temporary = "\(path).\(uuid).tmp"
        let descriptor = open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        var code: Int32 = 0
        var rest = bytes[...]
        while code == 0, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { code = errno }
        }
        close(descriptor)
        if code == 0, rename(temporary, path) != 0 { code = errno }
        if code != 0 { unlink(temporary) }
        return code
    }
}
