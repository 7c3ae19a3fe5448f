import Base
import Glibc

/// A file of ours at a path where another program may have put something: it is opened
/// without following a link and without waiting, and used only if it is a regular file with
/// this single name.
package enum PrivateFile {
    package struct Refusal: Error, Sendable, Equatable {
        package enum Reason: Sendable, Equatable {
            case link
            /// A pipe, a device or a folder.
            case notRegular
            /// A hard link: writing would also change another file.
            case otherNames
            case system(Int32)
        }

        package var reason: Reason
        package var path: String

        package init(reason: Reason, path: String) {
            self.reason = reason
            self.path = path
        }
    }

    /// Opens the file, and creates it with mode 0600 if `flags` ask for it.
    /// - Returns: the descriptor, owned by the caller.
    package static func open(_ path: String, _ flags: Int32) throws(Refusal) -> Int32 {
        let descriptor = Glibc.open(
            path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
        var status = stat()
        if descriptor >= 0, fstat(descriptor, &status) == 0 {
            guard let reason = reason(status) else { return descriptor }
            close(descriptor)
            throw Refusal(reason: reason, path: path)
        }
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        // Without a descriptor there is only the code.
        throw refusal(path) ?? Refusal(reason: .system(code), path: path)
    }

    /// The reason why an existing file would not be used; nil if it is usable or missing.
    package static func refusal(_ path: String) -> Refusal? {
        var status = stat()
        guard lstat(path, &status) == 0, let reason = reason(status) else { return nil }
        return Refusal(reason: reason, path: path)
    }

    /// Replaces a file, readable by the user alone, and creates the folders above it;
    /// readers see the old file or the new one.
    /// - Returns: 0 or the `errno`.
    @discardableResult
    package static func replace(_ bytes: some Sequence<UInt8>, at path: String, uuid: String)
        -> Int32
    {
        let made = PrivateFolder.make(FilePath.folder(of: path))
        if made != 0 { return made }
        return WholeFile.replace(
            bytes, at: path, temporary: "\(path).\(uuid).tmp", syncs: false)
    }

    private static func reason(_ status: stat) -> Refusal.Reason? {
        switch status.st_mode & S_IFMT {
        case S_IFLNK: .link
        // A link count of 0 is a file removed since: its new text is lost.
        case S_IFREG: status.st_nlink > 1 ? .otherNames : nil
        default: .notRegular
        }
    }
}

extension PrivateFile.Refusal: DescribedError {
    package var diagnostic: Diagnostic {
        let why =
            switch reason {
            case .link: "it is a symbolic link"
            case .notRegular: "it is not a regular file"
            case .otherNames: "it has another name (a hard link)"
            case .system(let code): Diagnostic.system(code)
            }
        return Diagnostic("\(path) is not used: \(why).")
    }
}
