import AgentCore
import Glibc
import ToolServers

/// Small files of ours, read and replaced whole. What goes wrong is an `errno`:
/// the callers can do without the file.
enum SmallFile {
    /// Nil for what is no regular file, cannot be read or is larger.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        // The callers can do without it.
        try? WholeFile.read(path, limit: limit)
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
