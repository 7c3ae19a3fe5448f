import Glibc

/// Files written whole or not at all, by default such that only the user can
/// read them. What goes wrong is an `errno`; nothing remains of a file that
/// failed.
package enum WholeFile {
    /// 0600.
    package static let privateMode: mode_t = 0o600

    /// - Parameters:
    ///   - mode: from the start, less what the umask takes.
    ///   - syncs: the content is on the disk when this returns.
    /// - Returns: 0 or the `errno`; EEXIST where there is one already.
    package static func create(
        _ bytes: some Sequence<UInt8>, at path: String, mode: mode_t = privateMode,
        syncs: Bool = true
    ) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return errno }
        var code: Int32 = 0
        var rest = Array(bytes)[...]
        while code == 0, !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 {
                code = EIO
            } else if errno != EINTR {
                code = errno
            }
        }
        if code == 0, syncs, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code != 0 { unlink(path) }
        return code
    }

    /// Readers see the old file or the new one.
    ///
    /// - Parameter temporary: a name in the same folder that nobody else uses.
    package static func replace(
        _ bytes: some Sequence<UInt8>, at path: String, temporary: String,
        mode: mode_t = privateMode, syncs: Bool = true
    ) -> Int32 {
        let code = create(bytes, at: temporary, mode: mode, syncs: syncs)
        if code != 0 { return code }
        if rename(temporary, path) == 0 { return 0 }
        let failed = errno
        unlink(temporary)
        return failed
    }
}
