import AgentCore
import Base

/// A program the user configured (`pass`, `op`, …) that prints the key on
/// stdout. Run without a shell, for at most 30 seconds.
package struct KeyCommand: Sendable, Equatable {
    enum Failure: Error, Sendable, Equatable {
        case programNotFound(String)
        case couldNotRun(String)
        case timedOut(String)
        case failed(String, Subprocess.Result.Status)
        /// The command printed something that is not a key.
        case noKey(String, KeyText.Problem)

        var sentence: String {
            switch self {
            case .programNotFound(let program): "key_command: there is no program “\(program)”."
            case .couldNotRun(let program): "key_command: “\(program)” could not be run."
            case .timedOut(let program):
                "key_command: “\(program)” gave no key within 30 seconds."
            case .failed(let program, .exited(let status)):
                "key_command: “\(program)” failed with exit status \(status)."
            case .failed(let program, .signalled(let signal)):
                "key_command: “\(program)” was ended by signal \(signal)."
            case .noKey(let program, let problem):
                "key_command: “\(program)” did not print a key. \(problem.sentence)"
            }
        }
    }

    /// Never empty: `init` refuses that.
    let words: [String]
    /// The origin the key may be sent to, from the same configuration file.
    let origin: KeyOrigin

    init?(words: [String], origin: KeyOrigin) {
        guard let first = words.first, !first.isEmpty else { return nil }
        self.words = words
        self.origin = origin
    }

    /// Variables password managers need to find their store, agent and terminal.
    static let extraVariables: Set<String> = [
        "GNUPGHOME", "GPG_TTY", "PASSWORD_STORE_DIR", "SSH_AUTH_SOCK", "TERM",
        "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    ]

    /// - Throws: `Failure`, `CancellationError`.
    func key(
        variables: [String: String], limits: Subprocess.Limits = .init(time: .seconds(30))
    ) async throws -> Secret {
        let name = words[0]  // `init` has checked that there is one.
        do {
            var limits = limits
            limits.outputBytes = KeyText.limit * 2
            let result = try await Subprocess(
                program: try Subprocess.find(name, in: variables),
                arguments: Array(words.dropFirst()),
                environment: Subprocess.baseEnvironment(
                    from: variables, adding: Self.extraVariables),
                limits: limits
            ).run()
            guard result.isSuccess else { throw Failure.failed(name, result.status) }
            // `pass show` prints notes after the first line, which is the key.
            let text = String(decoding: result.output, as: UTF8.self)
            let line = text.split(whereSeparator: \.isNewline).first ?? ""
            do { return Secret(try KeyText.clean(String(line))) } catch {
                throw Failure.noKey(name, error)
            }
        } catch let error as SubprocessError {
            switch error.reason {
            case .notFound: throw Failure.programNotFound(name)
            case .timedOut: throw Failure.timedOut(name)
            case .notExecutable, .couldNotStart: throw Failure.couldNotRun(name)
            }
        }
    }
}

extension KeyCommand.Failure: DescribedError {
    var diagnostic: Diagnostic { Diagnostic(sentence, exit: .needsKeyOrNetwork) }
}
