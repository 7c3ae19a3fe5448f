import AgentCore

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
