/// Arguments that a command cannot use: the message says which, and what would work.
package struct UsageError: Error, Sendable, Equatable {
    package var problem: String
    /// The line that would have worked, or the nearest word.
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
