import Base

/// The reason why there is no idea, or why none was saved.
package struct IdeaError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// No idea prompt is set, and the user cannot be asked for one.
        case noPrompt
        /// The prompt is empty.
        case emptyPrompt
        /// The prompt is too long; its length in characters.
        case promptTooLong(Int)
        /// The prompt contains an API key.
        case holdsKey
        case toneTooLong(Int)
        /// No model is available.
        case noModel
        case unreadable(String, String)
        case unwritable(String, String)
        /// The key needs a terminal that can do this, and no pipe.
        case needsTerminal(Character)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}

extension IdeaError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .noPrompt:
            Diagnostic(
                "No idea prompt is set: what kind of ideas do you want?",
                todo: "chat idea prompt set \"One app idea, one sentence\"", exit: .usage)
        case .emptyPrompt:
            Diagnostic(
                "An idea prompt needs some words.",
                todo: "chat idea prompt set \"One app idea, one sentence\"", exit: .usage)
        case .promptTooLong(let count):
            Diagnostic(
                "That prompt has \(Quantities.grouped(count)) characters; an idea prompt takes "
                    + "\(Quantities.grouped(IdeaMemory.promptLimit)).", exit: .usage)
        case .holdsKey:
            Diagnostic(
                "Not kept: the prompt contains what looks like an API key.", exit: .refused)
        case .toneTooLong(let count):
            Diagnostic(
                "A tone is a word or two, not \(count) characters.",
                todo: "chat idea --tone playful", exit: .usage)
        case .noModel:
            Diagnostic(
                "No model is connected, and an idea needs one.",
                todo: "chat keys set openai (or claude), or start Ollama.",
                exit: .needsKeyOrNetwork)
        case .unreadable(let path, let why):
            Diagnostic(
                "\(path) cannot be read: \(why).",
                todo: "It was not changed; move it out of the way.")
        case .unwritable(let path, let why):
            Diagnostic("\(path) could not be written: \(why).")
        case .needsTerminal(let key):
            Diagnostic(
                "\(key) needs a terminal.", todo: "Without one, s, d, u and q work.", exit: .usage)
        }
    }
}
