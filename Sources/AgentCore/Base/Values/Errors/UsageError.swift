/// Unusable arguments of a command: the message names them, and the accepted form.
package struct UsageError: Error, Sendable, Equatable {
    package var problem: String
    /// The correct form of the line, or the nearest word.
    package var hint: String?
    /// `failure` for a valid line with a name that nothing has.
    package var exit: ExitCode

    package init(_ problem: String, hint: String? = nil, exit: ExitCode = .usage) {
        self.problem = problem
        self.hint = hint
        self.exit = exit
    }
}

extension UsageError: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(problem, todo: hint, exit: exit, namesCommands: true)
    }
}
