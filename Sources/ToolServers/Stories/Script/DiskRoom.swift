import Base
import Glibc

/// Checks for free disk space before writing.
enum DiskRoom {
    struct Free: Sendable, Equatable {
        var bytes: Int
        /// Identifies the disk: equal for folders on the same disk.
        var disk: UInt64
    }

    /// Free space for this user; nil if unknown. For a missing folder, that of its parent.
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

    /// The first disk with too little room; nil if all have enough.
    /// - Parameter needs: bytes needed in each folder.
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
