/// The refusal to keep a text with an API key in it.
package struct KeyNotKept: Error, Sendable, Equatable {
    package init() {}
}

extension KeyNotKept: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            "Not kept: the text holds an API key, or what looks like one.",
            todo: "Take it out and try again.", exit: .refused)
    }
}
