import Base
import Glibc

/// The user's instructions for every conversation: `instructions.md` beside `config.json`, as read
/// at one moment. Part of the system text. Nothing is read from the working folder.
package struct UserInstructions: Sendable, Equatable {
    /// Maximum bytes: about 8,000 tokens, sent with every request.
    static let limitInBytes = 32 << 10

    /// Empty if the file is missing, blank or unusable.
    package var text = ""
    /// The reason why the file is not used.
    package var problem: String?

    /// - Parameter path: the path as shown to the user.
    init(_ read: Result<[UInt8], WholeFile.Failure>, path: String) {
        switch read {
        case .failure(.system(ENOENT)), .failure(.system(ENOTDIR)): break
        case .failure(let failure):
            problem = "\(path) is not used: \(failure.why(limit: Self.limitInBytes))."
        case .success(let bytes):
            if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) {
                self.text = text.replacing("\r\n", with: "\n").trimmingSpace()
            } else {
                problem = "\(path) is not used: it is not text in UTF-8."
            }
        }
    }

    /// The line in `chat config` and `doctor`.
    package func line(_ paths: Paths) -> StyledLine {
        let path = paths.shortened(paths.instructions)
        if let problem { return StyledLine("! \(problem)", .warning) }
        return StyledLine(
            text.isEmpty
                ? "\(path): none; its text would be added to every conversation"
                : "\(path): \(Quantities.bytes(text.utf8.count)), in every conversation", .dim)
    }

    /// The system text followed by the instructions.
    package func added(to system: String) -> String {
        if text.isEmpty { return system }
        return "\(system)\n\nThe user's own instructions, for every conversation:\n\n\(text)"
    }
}

/// Reads `instructions.md`, on a thread of its own.
package actor InstructionsFile: QueuedActor {
    private let paths: Paths
    package nonisolated let executor = QueueExecutor(label: "chat.instructions")

    package init(_ paths: Paths) { self.paths = paths }

    package func read() -> UserInstructions {
        let read = Result { () throws(WholeFile.Failure) in
            try WholeFile.read(paths.instructions, limit: UserInstructions.limitInBytes)
        }
        return UserInstructions(read, path: paths.shortened(paths.instructions))
    }
}
