/// A capability of the program as one value: `App` lists them, and the prompt, the shell, help,
/// completion and `doctor` each use a part of them. Its errors define their own sentences
/// (`DescribedError`), the configuration its settings.
package struct Capability: Sendable {
    /// Tools for the model, commands, and the judgement of messages.
    package var server: (any ToolServer)?
    /// Suggestions of Tab for a kind of argument; empty if they cannot be read.
    package var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]]
    /// The findings of `doctor`. Reads only.
    package var check: @Sendable () async -> [Finding] = { [] }
    /// Possible uses of a file dropped on the prompt; nil if the file is not supported. Must return
    /// at once.
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
    /// The message shown after the user has declined.
    package var declined: String
    /// Noun, verb, arguments.
    package var command: [String]

    package init(question: String, declined: String, command: [String]) {
        self.question = question
        self.declined = declined
        self.command = command
    }
}

/// A possible next word, and its meaning.
package struct CompletionWord: Sendable, Equatable {
    package var text: String
    package var detail: String
    /// The arguments: `[MODEL]`.
    package var usage: String

    package init(_ text: String, _ detail: String = "", usage: String = "") {
        self.text = text
        self.detail = detail
        self.usage = usage
    }
}
