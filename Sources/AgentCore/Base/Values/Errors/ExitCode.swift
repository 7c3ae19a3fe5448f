/// The program's exit codes; the only table of them.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case ok = 0
    case failure = 1
    /// The arguments after `chat` are invalid.
    case usage = 2
    /// The act was not allowed: an approval denied, a tool not permitted.
    case refused = 3
    /// A key or the network is missing.
    case needsKeyOrNetwork = 4
    /// A required program is not installed.
    case missingProgram = 5
    /// Done, but less than requested: the answer was cut or the model declined.
    case degraded = 6
    /// Stopped by Ctrl-C; the work is saved.
    case interrupted = 130

    /// The meaning in one line, for the manual.
    package var meaning: String {
        switch self {
        case .ok: "done"
        case .failure: "it failed; the message says why"
        case .usage: "the command line was not understood"
        case .refused: "refused: an approval was denied, or a tool was not allowed"
        case .needsKeyOrNetwork: "a key or the network is missing"
        case .missingProgram: "a helper program is missing; the line that installs it is printed"
        case .degraded: "done with less than asked: the answer was cut, or the model declined"
        case .interrupted: "stopped by Ctrl-C; what was there is saved"
        }
    }
}
