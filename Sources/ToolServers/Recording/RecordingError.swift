import AgentCore

/// Why nothing, or not all, was recorded.
package struct RecordingError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// None of these programs is installed.
        case needsProgram([String])
        /// The recorder ended by itself; its own words, bounded.
        case programFailed(String, status: Int32, message: String)
        /// It runs and gives no sound.
        case programSilent(String)
        /// The file cannot be written; the `errno`.
        case file(Int32)
        /// Stopped before there was any sound.
        case nothingRecorded
    }

    package var reason: Reason
    /// Where what was recorded until then is; nil where there is nothing.
    package var file: String?

    package init(reason: Reason, file: String? = nil) {
        self.reason = reason
        self.file = file
    }
}
