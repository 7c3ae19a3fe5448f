import Glibc

/// A regular file opened once for reading: the bytes that are sent are those of the checked file,
/// whatever happens to its name in the meantime.
///
/// Opening never waits: a pipe, a device or a folder is refused.
package final class OpenFile: Sendable {
    package struct Failure: Error, Sendable, Equatable {
        package enum Reason: Sendable, Equatable {
            /// Opening or reading failed, with the `errno`.
            case system(Int32)
            case isFolder
            /// A pipe, a socket or a device.
            case notRegular
            /// Truncated or written to after it was opened.
            case changed
        }

        package var reason: Reason
        package var path: String

        package init(reason: Reason, path: String) {
            self.reason = reason
            self.path = path
        }
    }

    package let path: String
    /// Size in bytes at opening.
    package let size: Int
    /// Seconds and nanoseconds of the last change at opening.
    package let changed: (seconds: Int, nanoseconds: Int)
    private let descriptor: Int32

    package init(_ path: String) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(reason: .system(errno), path: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(reason: .system(code), path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw Failure(reason: isFolder ? .isFolder : .notRegular, path: path)
        }
        self.path = path
        self.descriptor = descriptor
        size = Int(status.st_size)
        changed = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    deinit { close(descriptor) }

    /// Bytes at the offset, fewer only at the end of the file.
    package func read(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
        var code: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            do throws(Failure) {
                filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                if case .system(let number) = error.reason { code = number }
            }
        }
        if let code { throw Failure(reason: .system(code), path: path) }
        return bytes
    }

    /// Fills the buffer from the offset; fewer bytes only at the end of the file.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        var filled = 0
        while filled < buffer.count {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let got = pread(descriptor, part.baseAddress, part.count, offset + filled)
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw Failure(reason: .system(errno), path: path) }
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    /// - Throws: `changed` if the file has changed since it was opened.
    package func checkUnchanged() throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw Failure(reason: .system(errno), path: path)
        }
        guard Int(status.st_size) == size, status.st_mtim.tv_sec == changed.seconds,
            status.st_mtim.tv_nsec == changed.nanoseconds
        else { throw Failure(reason: .changed, path: path) }
    }
}
