import Glibc

/// Files written under a hidden name before they are renamed, and the leftovers of killed
/// writers.
///
///     make     created and locked   → filled, renamed by its writer, then unlocked
///     sweep    not locked           → its writer has ended; the caller decides about it
///
/// The lock (flock(2)) belongs to the descriptor, and the kernel drops it however its
/// holder ends. On a file system without locks nothing is swept.
package enum TemporaryFile {
    /// `.UUID` or `.UUID.tmp`: hidden, and not mistaken for anything else.
    package static func isName(_ name: some StringProtocol) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.first == UInt8(ascii: "."), bytes.count == 37 || name.hasSuffix(".tmp"),
            bytes.count == 37 || bytes.count == 41
        else { return false }
        return bytes[1..<37].enumerated().allSatisfy { place, byte in
            [8, 13, 18, 23].contains(place)
                ? byte == UInt8(ascii: "-") : Unicode.Scalar(byte).properties.isASCIIHexDigit
        }
    }

    /// Creates a file that no sweep removes while the descriptor is open.
    ///
    /// - Parameter folder: a descriptor; `name` is relative to it.
    /// - Returns: -1 with `errno` set if it cannot be created.
    package static func make(
        _ name: String, in folder: Int32 = AT_FDCWD, mode: mode_t = WholeFile.privateMode
    ) -> Int32 {
        while true {
            let file = openat(
                folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            guard file >= 0 else { return file }
            while flock(file, LOCK_EX) != 0, errno == EINTR {}
            var status = stat()
            // A sweep was faster than the lock: try again.
            if fstat(file, &status) != 0 || status.st_nlink > 0 { return file }
            close(file)
        }
    }

    /// Calls `body` for each file left by a killed writer, while it is locked.
    package static func sweep(
        _ name: String, in folder: Int32 = AT_FDCWD, _ body: () -> Void
    ) {
        let file = openat(
            folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            flock(file, LOCK_EX | LOCK_NB) == 0
        else { return }
        body()
    }
}
