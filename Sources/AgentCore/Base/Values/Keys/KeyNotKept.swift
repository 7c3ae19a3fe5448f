/// The refusal to store a text with an API key in it.
package struct KeyNotKept: Error, Sendable, Equatable {
    /// The file in which the text was saved instead; nil if the caller still has it.
    package var path: String?

    package init(path: String? = nil) { self.path = path }
}

extension KeyNotKept: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            "Not kept: the text contains what looks like an API key.",
            todo: path.map { "Your text is in \($0)." } ?? "Remove it and try again.",
            exit: .refused)
    }
}
