import Base

/// The reason why a recording failed or is incomplete.
package struct RecordingError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// None of these programs is installed.
        case needsProgram([String])
        /// The recorder exited; its error message, bounded.
        case programFailed(String, status: Int32, message: String)
        /// The program runs but delivers no sound.
        case programSilent(String)
        /// The file cannot be written; the `errno`.
        case file(Int32)
        /// Stopped before there was any sound.
        case nothingRecorded
    }

    package typealias Attempt = ProgramAttempt

    package var reason: Reason
    /// The file with the sound recorded so far; nil without any.
    package var file: String?
    /// All failed attempts, best program first, if every one failed at once; the reason is
    /// the first one's.
    package var attempts: [Attempt] = []
}

extension RecordingError: DescribedError {
    package var diagnostic: Diagnostic {
        let kept = file.map { "What was recorded is kept: \($0)" }
        let ask = "Is there a microphone? CHAT_RECORDER names another program."
        switch reason {
        case .needsProgram(let programs):
            return Diagnostic(needs: programs, "Recording needs")
        case .programFailed(let program, let status, let message):
            let tried =
                attempts.isEmpty && kept == nil
                ? [ProgramAttempt(program: program, status: status, message: message)]
                : attempts
            let failure = AudioProgramFailure(tried)
            let why = failure?.sentence(tried, device: "no microphone")
            return Diagnostic(
                why ?? AudioProgramFailure.attempts(tried, "No recorder works here")
                    ?? "\(program) ended (status \(status))\(Diagnostic.said(message)).",
                todo: kept ?? failure?.remedy ?? ask)
        case .programSilent(let program):
            return Diagnostic("\(program) delivers no sound.", todo: kept ?? ask)
        case .file(let code):
            return Diagnostic(
                "The recording cannot be written: \(Diagnostic.system(code)).", todo: kept)
        case .nothingRecorded: return Diagnostic("Nothing was recorded.", todo: kept)
        }
    }
}
