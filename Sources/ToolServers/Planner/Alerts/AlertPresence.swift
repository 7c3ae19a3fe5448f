import Glibc
import Persistence

/// Tracks the processes that deliver alerts on this machine: one daemon, and any number of
/// open chats, each identified by a lock that ends with its process.
package struct AlertPresence: Sendable {
    /// A lock that lasts as long as the value.
    package final class Held: Sendable {
        private let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }

    private let folder: String

    /// `folder` is the state folder.
    package init(folder: String) { self.folder = folder }

    private var daemonPath: String { folder + "/alerts.lock" }
    private var replPath: String { folder + "/alerts.chats" }

    /// Claims the role of the daemon, until the result is released; nil if another daemon
    /// runs.
    /// - Throws: if the folder cannot be used.
    package func becomeDaemon() throws(SQLiteError) -> Held? {
        try DatabaseFile.makeFolder(folder)
        return try Self.lock(daemonPath, LOCK_EX)
    }

    /// Announces that a chat is open; nil if that is not possible.
    package func enterChat() -> Held? {
        do throws(SQLiteError) {
            try DatabaseFile.makeFolder(folder)
            // Only a process that is checking can have it, and only for a moment.
            for _ in 0..<50 {
                if let held = try Self.lock(replPath, LOCK_SH) { return held }
                usleep(1_000)
            }
            return nil
        } catch {
            return nil
        }
    }

    package var isDaemonRunning: Bool { Self.isHeld(daemonPath) }
    package var isChatOpen: Bool { Self.isHeld(replPath) }

    private static func lock(_ path: String, _ kind: Int32) throws(SQLiteError) -> Held? {
        let descriptor = open(
            path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SQLiteError(.cannotOpen, systemError: errno, path: path, detail: "a lock")
        }
        if flock(descriptor, kind | LOCK_NB) == 0 { return Held(descriptor) }
        close(descriptor)
        return nil
    }

    private static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return false }
        return errno == EWOULDBLOCK
    }
}
