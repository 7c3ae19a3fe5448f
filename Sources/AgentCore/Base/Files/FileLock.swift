import Glibc

/// A lock on an open file that its holder may remove (flock(2)): it belongs to the
/// descriptor, also excludes others in the same process, and the kernel drops it on `kill
/// -9`.
package enum FileLock {
    package enum Answer: Equatable {
        case ours
        /// Another descriptor holds it.
        case held
        /// The previous holder has removed or replaced the opened file, so that no other process
        /// can find it.
        case stale
        /// A pipe, a device or a folder.
        case notRegular
        /// The `errno`.
        case failed(Int32)
    }

    /// Tries to lock without waiting; the descriptor stays open in every case.
    package static func take(_ descriptor: Int32, at path: String) -> Answer {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            return errno == EWOULDBLOCK ? .held : .failed(errno)
        }
        var (ours, named) = (stat(), stat())
        guard fstat(descriptor, &ours) == 0 else { return .failed(errno) }
        guard ours.st_mode & S_IFMT == S_IFREG else { return .notRegular }
        guard lstat(path, &named) == 0 else { return .stale }
        return named.st_ino == ours.st_ino && named.st_dev == ours.st_dev ? .ours : .stale
    }
}
