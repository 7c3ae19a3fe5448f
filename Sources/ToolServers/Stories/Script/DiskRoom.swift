import Base
import Glibc

/// Whether what will be written has room on its disk.
enum DiskRoom {
    struct Free: Sendable, Equatable {
        var bytes: Int
        /// The same for folders of one disk.
        var disk: UInt64
    }

    /// For this user; nil where that is not known, as in a folder that is not there yet:
    /// its parent is asked.
    static func free(_ folder: String) -> Free? {
        var (room, status) = (statvfs(), stat())
        var folder = folder
        while stat(folder, &status) != 0 {
            guard folder.count > 1 else { return nil }
            folder = FilePath.folder(of: folder)
        }
        guard statvfs(folder, &room) == 0 else { return nil }
        return Free(
            bytes: Int(
                clamping: UInt64(room.f_bavail).multipliedReportingOverflow(
                    by: UInt64(room.f_frsize)
                ).partialValue), disk: UInt64(status.st_dev))
    }

    /// The first disk that has too little; nil where all have enough.
    /// - Parameter needs: bytes for each folder.
    static func shortage(
        _ needs: [(folder: String, bytes: Int)], free: (String) -> Free?
    ) -> (folder: String, needed: Int, free: Int)? {
        var sums: [UInt64: (folder: String, needed: Int, free: Int)] = [:]
        for (folder, bytes) in needs {
            guard let room = free(folder) else { continue }
            sums[room.disk, default: (folder, 0, room.bytes)].needed += bytes
        }
        return sums.sorted { $0.key < $1.key }.map(\.value).first { $0.needed > $0.free }
    }
}
