import AgentCore
import Glibc
import ToolServers

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
        return WholeFile.replace(
            bytes, at: path, temporary: "\(path).\(uuid).tmp", syncs: false)
    }
}
