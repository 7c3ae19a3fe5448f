import AgentCore
import Glibc

/// Why a job of several uploads cannot be kept on disk.
package struct TranscriptionJobError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// Another process is at work on the same recording.
        case busy
        /// The folder for unfinished jobs cannot be written; the `errno`.
        case storage(Int32)
    }

    package var reason: Reason
    /// The recording for `busy`, else the folder.
    package var path: String

    package init(reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }
}

extension TranscriptionJobError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .busy:
            return Diagnostic(
                "\(path) is being transcribed by another chat.",
                todo: "Wait until that has finished; its pieces are kept.")
        case .storage(let code):
            return Diagnostic(
                "Pieces cannot be saved in \(path): \(String(cString: strerror(code))).",
                todo: [ENOSPC, EDQUOT].contains(code)
                    ? "Make room there, then run it again."
                    : "You need permission to write in that folder.")
        }
    }
}
