import Glibc

/// The reason why a call on a file failed. Facts only.
package struct FileCallError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// The name is not valid for an item: hidden, no `.ics`, or not in the folder.
        case invalidName
        case notFound
        case exists
        /// Another program changed or replaced the item since it was read.
        case conflict
        /// A link, which is never written through.
        case symbolicLink
        /// A folder, FIFO or device that is named like an item.
        case notRegular
        case tooLarge
        /// Another process holds the folder's lock.
        case busy
        /// Permissions, a full disk and the like; see `code`.
        case system
    }

    package var reason: Reason
    package var path: String
    /// The `errno`, or 0.
    package var code: Int32

    package init(_ reason: Reason, path: String, code: Int32 = 0) {
        self.reason = reason
        self.path = path
        self.code = code
    }
}

extension FileCallError: DescribedError {
    package var diagnostic: Diagnostic {
        let code = code == 0 ? "" : ": \(Diagnostic.system(code))"
        switch reason {
        case .conflict:
            return Diagnostic(
                "\(path) was changed by another program in the meantime.",
                todo: "Nothing was overwritten. Try again.")
        case .symbolicLink:
            return Diagnostic("\(path) is a symbolic link, and chat does not write through links.")
        case .busy: return Diagnostic("\(path) is in use by another program.", todo: "Try again.")
        case .notFound: return Diagnostic("\(path) does not exist.")
        case .exists: return Diagnostic("\(path) already exists.")
        case .invalidName, .notRegular, .tooLarge:
            return Diagnostic("\(path) cannot be used (\(Diagnostic.words(reason.rawValue))).")
        case .system: return Diagnostic("\(path) cannot be read or written\(code).")
        }
    }
}
