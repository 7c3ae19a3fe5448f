import Glibc
import Synchronization

/// The files of `chat` itself, under any name: its folders, and the files in them, which a hard
/// link could also make accessible elsewhere. A snapshot, made once for each call, because a
/// database's companion files appear and disappear.
///
/// A file can only be elsewhere if it has more than one name. The subfolders (reminders,
/// recordings, the trash) are searched only for such files.
final class OwnFiles: Sendable {
    private let folders: [String]
    private let near: Set<FileID>
    private let all = Mutex<Set<FileID>?>(nil)

    /// Maximum depth of subfolders; calendars have three levels.
    private static let depth = 8

    init(_ folders: [String]) {
        self.folders = folders
        near = Self.files(in: folders, depth: 1)
    }

    func hold(_ status: stat) -> Bool {
        let id = FileID(status)
        if near.contains(id) { return true }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1 else { return false }
        return all.withLock { all in
            let known = all ?? Self.files(in: folders, depth: Self.depth)
            all = known
            return known.contains(id)
        }
    }

    private static func files(in folders: [String], depth: Int) -> Set<FileID> {
        var ids: Set<FileID> = []
        for folder in folders {
            let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else { continue }
            var status = stat()
            if fstat(number, &status) == 0 { ids.insert(FileID(status)) }
            add(number, depth, to: &ids)
        }
        return ids
    }

    /// - Parameter folder: a descriptor, which is closed.
    private static func add(_ folder: Int32, _ depth: Int, to ids: inout Set<FileID>) {
        guard let stream = fdopendir(folder) else {
            close(folder)
            return
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            // Names need not be UTF-8. `d_name` is 256 bytes with a zero (readdir(3)).
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    var status = stat()
                    guard strcmp(name, ".") != 0, strcmp(name, "..") != 0,
                        fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
                    else { return }
                    ids.insert(FileID(status))
                    guard status.st_mode & S_IFMT == S_IFDIR, depth > 1 else { return }
                    let inner = openat(
                        folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                    if inner >= 0 { add(inner, depth - 1, to: &ids) }
                }
            }
        }
    }
}

/// The identity of a file under any name: the device and its inode number.
struct FileID: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
