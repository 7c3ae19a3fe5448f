/// Unusable arguments of a command: the message names them, and the accepted form.
package struct UsageError: Error, Sendable, Equatable {
    package var problem: String
    /// The correct form of the line, or the nearest word.
    package var hint: String?

    package init(_ problem: String, hint: String? = nil) {
        self.problem = problem
        self.hint = hint
    }
}

extension UsageError: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(problem, todo: hint, exit: .usage, namesCommands: true)
    }
}
