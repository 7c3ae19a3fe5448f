/// Why the disk did not do what a collection was asked. Facts only.
package struct VDirectoryError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        /// Not a name an item may have: hidden, no `.ics`, or not in the folder.
        case invalidName
        case notFound
        case exists
        /// Somebody else changed or replaced the item since it was read.
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
    /// `errno`, or 0.
    package var code: Int32

    package init(_ reason: Reason, path: String, code: Int32 = 0) {
        self.reason = reason
        self.path = path
        self.code = code
    }
}
