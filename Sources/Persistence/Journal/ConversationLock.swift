import Base
import Glibc

/// The right to continue a conversation: owned by the one instance that has it open, and released
/// when the value is destroyed or its process ends in any way.
///
/// A `FileLock` on `<folder>/<id>.lock`. The store decides what the owner may do.
package final class ConversationLock: Sendable {
    package let conversation: String
    private let path: String
    private let descriptor: Int32

    private init(conversation: String, path: String, descriptor: Int32) {
        self.conversation = conversation
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        // While the lock is still held, so that we never remove a file that another instance has
        // locked.
        _ = unlink(path)
        _ = close(descriptor)
    }

    /// Takes the lock at once or not at all.
    ///
    /// - Returns: nil if another instance has the conversation open.
    /// - Throws: `cannotOpen` if the file cannot be created or is not a plain
    ///   file; `readOnly`, `full`.
    package static func acquire(
        folder: String, id: String
    ) throws(SQLiteError) -> ConversationLock? {
        // The id may come from a damaged file, and becomes part of a path.
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(isSafe) else {
            throw SQLiteError(.cannotOpen, path: folder, detail: "not an id of a conversation")
        }
        try DatabaseFile.makeFolder(folder)
        let path = "\(folder)/\(id).lock"
        while true {
            // NONBLOCK: a FIFO with this name must not block us.
            let descriptor = open(
                path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw SQLiteError.system("open", path: path) }
            let answer = FileLock.take(descriptor, at: path)
            if answer == .ours {
                return ConversationLock(conversation: id, path: path, descriptor: descriptor)
            }
            _ = close(descriptor)
            switch answer {
            case .ours, .stale: continue
            case .held: return nil
            case .notRegular:
                throw SQLiteError(.cannotOpen, path: path, detail: "not a plain file")
            case .failed(let code): throw SQLiteError.system("flock", path: path, error: code)
            }
        }
    }

    private static func isSafe(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-")
    }
}
