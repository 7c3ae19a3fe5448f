import Glibc

/// The few system calls for storing files in an open folder, each in one place and with typed
/// errors. The callers decide their order and purpose.
///
/// `WholeFile` writes files that only one program knows. These are for calendar files, which others
/// change as well: a file is swapped only if it is still the one that was read (`Identity`), and
/// never replaced by accident.
package struct FileCall {
    /// An open descriptor that is closed with its owner.
    package final class Descriptor: Sendable {
        package let number: Int32
        package init(_ number: Int32) { self.number = number }
        deinit { close(number) }
    }

    /// The values that tell one state of a file from another. vdirsyncer uses the first
    /// two; the size catches a change within one tick of a coarse clock.
    package struct Identity: Sendable, Equatable {
        package var modified: Int64
        package var inode: UInt64
        package var size: Int64

        package init(modified: Int64, inode: UInt64, size: Int64) {
            self.modified = modified
            self.inode = inode
            self.size = size
        }

        package init(_ status: stat) {
            modified =
                Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
        }
    }

    // `<linux/fs.h>`: values of the kernel's interface.
    private static let renameNoReplace: UInt32 = 1
    private static let renameExchange: UInt32 = 2

    package static func failure(_ path: String, _ code: Int32 = errno) -> FileCallError {
        switch code {
        case ENOENT, ENOTDIR: FileCallError(.notFound, path: path, code: code)
        case EEXIST: FileCallError(.exists, path: path, code: code)
        case ELOOP: FileCallError(.symbolicLink, path: path, code: code)
        default: FileCallError(.system, path: path, code: code)
        }
    }

    package static func openFolder(_ path: String) throws(FileCallError) -> Descriptor {
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw failure(path) }
        return Descriptor(number)
    }

    /// Creates the folder and its parents, private from the start.
    package static func makeFolder(_ path: String) throws(FileCallError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw failure(path)
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
    }

    /// The name of a folder's entry; nil if it is not UTF-8, so that a `String` could not be passed
    /// back to the system.
    package static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            // `d_name` is 256 bytes with a terminating zero (readdir(3)).
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                String(validatingCString: $0)
            }
        }
    }

    package static func status(
        _ name: String, in folder: Descriptor, path: String
    ) throws(FileCallError) -> stat {
        var status = stat()
        guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw failure(path)
        }
        return status
    }

    /// Reads a whole regular file. A FIFO or a device is refused without waiting.
    package static func read(
        _ name: String, in folder: Descriptor, path: String, limit: Int
    ) throws(FileCallError) -> (bytes: [UInt8], identity: Identity) {
        let number = openat(
            folder.number, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw failure(path) }
        let file = Descriptor(number)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileCallError(.notRegular, path: path)
        }
        guard status.st_size <= limit else { throw FileCallError(.tooLarge, path: path) }
        // Taken before the bytes are read: a change while reading makes it outdated, which the next
        // write notices.
        let size = Int(status.st_size)
        var problem: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                // `size` is above 0 here, so the buffer has an address.
                let got = Glibc.read(file.number, buffer.baseAddress! + count, size - count)
                if got > 0 {
                    count += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    problem = errno
                    return
                }
            }
        }
        guard problem == 0 else { throw failure(path, problem) }
        return (bytes, Identity(status))
    }

    /// Creates a private file with those bytes, on disk when it returns.
    ///
    /// - Returns: also the open file; it is kept until it has been renamed (see
    ///   `TemporaryFile`).
    @discardableResult
    package static func write(
        _ bytes: [UInt8], new name: String, in folder: Descriptor, path: String
    ) throws(FileCallError) -> (identity: Identity, file: Descriptor) {
        let number = TemporaryFile.make(name, in: folder.number)
        guard number >= 0 else { throw failure(path) }
        let file = Descriptor(number)
        var problem = WholeFile.write(bytes, to: file.number)
        if problem == 0, fsync(file.number) != 0 { problem = errno }
        var status = stat()
        if problem == 0, fstat(file.number, &status) != 0 { problem = errno }
        if problem != 0 {
            unlinkat(folder.number, name, 0)
            throw failure(path, problem)
        }
        return (Identity(status), file)
    }

    /// Renames without ever replacing a file.
    package static func renameNew(
        _ name: String, in folder: Descriptor, to newName: String, in newFolder: Descriptor,
        path: String
    ) throws(FileCallError) {
        if glibcRenameat2(folder.number, name, newFolder.number, newName, renameNoReplace) == 0 {
            return
        }
        guard errno == EINVAL || errno == ENOSYS else { throw failure(path) }
        // The file system does not support the flag: a link also fails if the file exists.
        guard linkat(folder.number, name, newFolder.number, newName, 0) == 0 else {
            throw failure(path)
        }
        unlinkat(folder.number, name, 0)
    }

    /// Swaps two files of a folder atomically.
    /// - Returns: false if the file system cannot.
    package static func exchange(
        _ name: String, _ other: String, in folder: Descriptor, path: String
    ) throws(FileCallError) -> Bool {
        if glibcRenameat2(folder.number, name, folder.number, other, renameExchange) == 0 {
            return true
        }
        guard errno == EINVAL || errno == ENOSYS else { throw failure(path) }
        return false
    }

    /// Makes renames in the folder durable. Some network file systems cannot; the rename has
    /// happened even so.
    package static func flush(_ folder: Descriptor) { fsync(folder.number) }
}

// glibc has it since 2.28, but its header shows it only with _GNU_SOURCE, which the Glibc module is
// built without, and ToolServers has no C module of its own. On both machines we build for (x86-64,
// arm64), a Swift function of this shape gets its integers and pointers as the C function does.
@_silgen_name("renameat2")
private func glibcRenameat2(
    _ folder: Int32, _ name: UnsafePointer<CChar>, _ newFolder: Int32,
    _ newName: UnsafePointer<CChar>, _ flags: UInt32
) -> Int32
