import AgentCore

/// Why a file of sound cannot be used.
package struct AudioError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// It cannot be opened or read.
        case file(OpenFile.Failure.Reason)
        case empty
        /// Its bytes are of no format of sound; "text", "PDF" … where known.
        case notAudio(looksLike: String?)
        /// A format that services do not take and nothing here can convert.
        case notAccepted(AudioKind)
        /// Its header contradicts itself or is cut.
        case damaged(AudioKind)
        /// Above the limit, and splitting or converting needs a program that is
        /// not installed: one of these.
        case needsProgram([String], bytes: Int, limit: Int)
        /// The program that was to convert it failed; its own words, bounded.
        case conversionFailed(program: String, message: String)
        /// Longer than we cut up; seconds.
        case tooLong(Double)
    }

    package var reason: Reason
    package var path: String

    package init(reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }
}
