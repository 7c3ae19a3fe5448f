import Base
import Glibc

/// What tells a file from every other one, whatever it is called: the device and the
/// number on it.
struct FileID: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// What `chat` itself keeps: its folders, and the files that lie in them, which a
    /// hard link could bring elsewhere. Looked up again for each call, for a database has
    /// companions that come and go.
    static func own(_ folders: [String]) -> Set<FileID> {
        var ids: Set<FileID> = []
        for folder in folders {
            var status = stat()
            guard stat(folder, &status) == 0 else { continue }
            ids.insert(FileID(status))
            guard let stream = opendir(folder) else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                guard let name = FileCall.name(of: entry), name != ".", name != ".." else {
                    continue
                }
                if fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
                    ids.insert(FileID(status))
                }
            }
        }
        return ids
    }
}
