import Glibc

/// Creates folders of mode 0700, when they are first written to.
package enum PrivateFolder {
    /// Creates an empty folder in TMPDIR, or in /tmp; blocking.
    ///
    /// - Parameter name: the beginning of its name.
    /// - Returns: nil with `errno` set.
    package static func makeTemporary(_ name: String, _ variables: [String: String]) -> String? {
        let base = variables["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var path = Array("\(base)/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { return nil }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes a folder with its content; links are removed, not followed.
    package static func remove(_ path: String) {
        for name in FilePath.names(in: path) ?? [] {
            let inner = "\(path)/\(name)"
            if unlink(inner) != 0 { remove(inner) }
        }
        rmdir(path)
    }

    /// Creates the folder and its missing parents. Existing folders keep their modes.
    /// - Parameter onMade: called with each created folder.
    /// - Returns: 0 or the `errno`.
    package static func make(_ path: String, onMade: (String) -> Void = { _ in }) -> Int32 {
        if mkdir(path, 0o700) == 0 {
            onMade(path)
            return 0
        }
        switch errno {
        case EEXIST:
            var status = stat()
            guard stat(path, &status) == 0 else { return errno }
            return status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
        case ENOENT:
            let folder = FilePath.folder(of: path)
            guard folder != "/", folder != "." else { return ENOENT }
            let code = make(folder, onMade: onMade)
            if code != 0 { return code }
            // Retry only once: nothing can be created below /proc, which is also ENOENT. Another
            // instance may have created it in between.
            guard mkdir(path, 0o700) == 0 else { return errno == EEXIST ? 0 : errno }
            onMade(path)
            return 0
        case let code: return code
        }
    }

    /// Makes the folder and locks it (flock(2)), so that one process at a time reads, changes
    /// and writes a small file in it; blocking, for the microseconds that this takes.
    ///
    /// - Returns: the descriptor, closed by the caller to unlock; or the negated `errno`.
    package static func lock(_ path: String) -> Int32 {
        let code = make(path)
        if code != 0 { return -code }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return -errno }
        while flock(folder, LOCK_EX) != 0 {
            if errno == EINTR { continue }
            let code = errno
            close(folder)
            return -code
        }
        return folder
    }
}
