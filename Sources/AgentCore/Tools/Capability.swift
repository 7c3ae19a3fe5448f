/// One thing that the program can do, as one value: `App` lists them, and the
/// prompt, the shell, help, completion and `doctor` take from each what they
/// need. The sentences of its errors stand beside the errors
/// (`DescribedError`), its settings in the configuration.
package struct Capability: Sendable {
    /// Tools for the model, commands, and the judgement of messages.
    package var server: (any ToolServer)?
    /// What Tab offers for words of a kind; nothing where it cannot be read.
    package var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]]
    /// What `doctor` says of it. Reads only.
    package var check: @Sendable () async -> [Finding] = { [] }
    /// What a file can be used for that was dropped on the prompt; nil for one
    /// that it does not know. One look, no waiting.
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
    /// What is said after a no.
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
    /// What stands after it: `[MODEL]`.
    package var usage: String

    package init(_ text: String, _ detail: String = "", usage: String = "") {
        self.text = text
        self.detail = detail
        self.usage = usage
    }
}
