import AgentCore

/// Why nothing is heard. Facts only; never the text.
package struct SpeechError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// None of these programs is installed.
        case needsProgram([String])
        /// It ended with this status and these words, bounded.
        case programFailed(String, status: Int32, message: String)
        /// It said and did nothing for too long.
        case programHangs(String)
        case unknownVoice(String, nearest: String?)
        /// A speech server's answer.
        case transport(TransportError)
        case server(status: Int, message: ServerText?)
        case noKey
        case badAddress(String)
        /// The answer is no sound we can play.
        case malformed
        /// The file cannot be written; the `errno`.
        case file(Int32)
        case nothingToSay
    }

    package var reason: Reason
    /// Host of a server, or empty.
    package var host: String
    /// The players that could not begin to play, the best first, where every
    /// one of them failed; the reason is the last one's.
    package var attempts: [ProgramAttempt]

    package init(reason: Reason, host: String = "", attempts: [ProgramAttempt] = []) {
        self.reason = reason
        self.host = host
        self.attempts = attempts
    }
}
