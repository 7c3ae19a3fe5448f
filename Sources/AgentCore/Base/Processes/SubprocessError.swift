import Glibc

/// The reason why a program gave no result. An exit status other than zero is a result, not an
/// error. Never contains arguments, input or output.
package struct SubprocessError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case notFound
        case notExecutable
        /// The system could not start it, with the `errno`.
        case couldNotStart(Int32)
        /// The time limit passed; the program and its children were ended.
        case timedOut
    }

    package var reason: Reason
    /// The program's name or path, as requested.
    package var program: String

    package init(reason: Reason, program: String) {
        self.reason = reason
        self.program = program
    }

    /// The reason why `posix_spawn` failed.
    init(code: Int32, program: String) {
        switch code {
        case ENOENT, ENOTDIR: reason = .notFound
        case EACCES: reason = .notExecutable
        default: reason = .couldNotStart(code)
        }
        self.program = program
    }

    /// The equivalent `errno`.
    package var code: Int32 {
        switch reason {
        case .notFound: ENOENT
        case .notExecutable: EACCES
        case .couldNotStart(let code): code
        case .timedOut: ETIMEDOUT
        }
    }
}

extension SubprocessError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .notFound:
            return Diagnostic("The program \(program) is not installed.", exit: .missingProgram)
        case .notExecutable, .couldNotStart:
            return Diagnostic("The program \(program) could not be started.", exit: .missingProgram)
        case .timedOut: return Diagnostic("The program \(program) did not finish in time.")
        }
    }
}
