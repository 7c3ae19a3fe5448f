/// A capability of the program as one value: `App` lists them, and the prompt, the shell,
/// help, completion and `doctor` take from each what they need. Its errors define their own
/// sentences (`DescribedError`), the configuration its settings.
package struct Capability: Sendable {
    /// Tools for the model, commands, and the judgement of messages.
    package var server: (any ToolServer)?
    /// Suggestions of Tab for a kind of argument; empty if they cannot be read.
    package var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]]
    /// The findings of `doctor`. Reads only.
    package var check: @Sendable () async -> [Finding] = { [] }
    /// Possible uses of a file that was dropped on the prompt; nil if it is not supported.
    /// One look, no waiting.
    package var offer: @Sendable (_ path: String) -> FileOffer? = { _ in nil }

    package init(
        _ server: (any ToolServer)? = nil,
        completions: [Verb.Kind: @Sendable () async -> [CompletionWord]] = [:]
    ) {
        self.server = server
        self.completions = completions
    }
}

/// A question about a file that was dropped, and the command that a yes runs.
package struct FileOffer: Sendable, Equatable {
    package var question: String
    /// The message after a no.
    package var declined: String
    /// Noun, verb, arguments.
    package var command: [String]

    package init(question: String, declined: String, command: [String]) {
        self.question = question
        self.declined = declined
        self.command = command
    }
}

/// A word that may come next, and what it means.
package struct CompletionWord: Sendable, Equatable {
    package var text: String
    package var detail: String
    /// Its arguments: `[MODEL]`.
    package var usage: String

    package init(_ text: String, _ detail: String = "", usage: String = "") {
        self.text = text
        self.detail = detail
        self.usage = usage
    }
}
