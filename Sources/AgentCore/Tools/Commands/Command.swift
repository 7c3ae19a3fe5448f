import Base

/// A capability as called by the user: `chat NOUN VERB …` in the shell and `/NOUN VERB …` in the
/// REPL are the same function.
package struct Command: Sendable {
    /// The noun: "reminders".
    package var name: String
    package var summary: String
    /// The first one is the default.
    package var verbs: [Verb]
    /// Words that are not a verb are arguments of the first one: `chat undo buy milk`.
    package var takesWordsWithoutVerb: Bool
    /// Whether it repairs an unusable configuration, or needs none: then it runs with the defaults.
    package var worksWithoutConfiguration = false
    /// Whether it reads or writes the conversations, which are opened before it runs.
    package var usesConversations = false
    /// Whether it is of no use at the prompt.
    package var isShellOnly = false
    /// Verbs of no use at the prompt.
    package var shellVerbs: Set<String> = []
    /// Whether its answers hold times that users act on.
    package var answersInLocalTime = false

    package init(
        name: String, summary: String, takesWordsWithoutVerb: Bool = false, verbs: [Verb]
    ) {
        self.name = name
        self.summary = summary
        self.takesWordsWithoutVerb = takesWordsWithoutVerb
        self.verbs = verbs
    }

    /// The named verb, and the arguments after it; nil if they do not begin with a
    /// verb.
    package func named(in typed: some Collection<String>) -> (verb: Verb, rest: [String])? {
        guard let verb = verbs.first(where: { $0.name == typed.first }) else { return nil }
        return (verb, Array(typed.dropFirst()))
    }

    /// The start of a line with this verb: "reminders add", "undo".
    package func line(_ verb: Verb) -> String {
        let isUnspoken =
            verbs.count == 1 || takesWordsWithoutVerb && verb.name == verbs.first?.name
        return isUnspoken ? name : "\(name) \(verb.name)"
    }

    /// Parses the arguments of the command.
    ///
    /// - Throws: `UsageError` naming the nearest verb or option.
    package func read(
        _ arguments: [String]
    ) throws(UsageError) -> (verb: Verb, arguments: CommandArguments) {
        if let (verb, rest) = named(in: arguments) {
            return (verb, try CommandArguments(rest, of: verb, name: line(verb)))
        }
        if let word = arguments.first, !takesWordsWithoutVerb, !word.hasPrefix("-") {
            throw UsageError(
                "\(name) has no \"\(KeyShape.shown(word))\".",
                hint: meant(by: word).map { "Did you mean chat \($0)?" }
                    ?? "It has \(verbs.map(\.name).joined(separator: ", ")).")
        }
        // A command always has a verb; see `verbs`.
        let verb = verbs[0]
        return (verb, try CommandArguments(arguments, of: verb, name: line(verb)))
    }

    /// Verbs of the same meaning in other programs and commands.
    private static let synonyms: [Set<String>] = [
        ["list", "show", "ls", "get", "all"], ["delete", "remove", "rm", "del"],
        ["add", "new", "create"], ["edit", "change", "update", "set"],
        ["done", "complete", "finish", "check"], ["search", "find", "grep"],
    ]

    /// The probable meaning of a line with an unknown verb; nil if nothing is similar.
    private func meant(by word: String) -> String? {
        if word == "help" { return "help \(name)" }
        let names = verbs.map(\.name)
        if let near = NearestWord.find(word, among: names) { return "\(name) \(near)" }
        let same = Self.synonyms.first { $0.contains(word) } ?? []
        if let verb = names.first(where: same.contains) { return "\(name) \(verb)" }
        // A word of one verb: `calendar week` is `calendar agenda week`.
        return verbs.first { verb in
            verb.arguments.first?.kinds.contains {
                switch $0 {
                case .examples(let known), .oneOf(let known): known.contains(word)
                default: false
                }
            } ?? false
        }.map { "\(name) \($0.name) \(word)" }
    }

    package func run(
        _ typed: [String], _ interaction: Interaction = Interaction()
    ) async throws -> CommandOutput {
        var (verb, arguments) = try read(typed)
        arguments.interaction = interaction
        return try await verb.run(arguments)
    }

    /// A copy with one of these set: `command.with(\.answersInLocalTime)`.
    package func with(_ trait: WritableKeyPath<Command, Bool>) -> Command {
        var command = self
        command[keyPath: trait] = true
        return command
    }

    /// The command as the prompt offers it; nil if it does not exist there.
    package var atPrompt: Command? {
        if isShellOnly { return nil }
        var command = self
        command.verbs.removeAll { shellVerbs.contains($0.name) }
        return command
    }

    /// A copy with a wrapper around each verb.
    package func around(
        _ body: @escaping @Sendable (Verb, CommandArguments) async throws -> CommandOutput
    ) -> Command {
        var command = self
        command.verbs = verbs.map { verb in
            var changed = verb
            changed.run = { try await body(verb, $0) }
            return changed
        }
        return command
    }
}

/// The output of a command. Nothing in it has passed the allow-list: the terminal's only writer
/// applies it.
package struct CommandOutput: Sendable, Equatable {
    /// The lines for stdout.
    package var lines: [StyledLine]
    /// The output of `--json`, instead of `lines`.
    package var json: JSONValue?
    /// Short confirmations, for stderr.
    package var remarks: [StyledLine] = []
    /// Warnings, for stderr.
    package var notices: [String]
    package var outcome: ExitCode
    /// The possible interpretations if the words are ambiguous: then nothing was done, `lines`
    /// asks, and each choice carries out one of them. Otherwise empty.
    package var choices: [Choice] = []
    /// A file for stdout, written unchanged if that is not a terminal; the terminal gets it
    /// through the allow-list.
    package var document: [UInt8]?

    /// Text for the input line of the prompt, to be checked and sent.
    package var draft: Draft?

    /// The untrusted part of the output, stored with the message in the conversation and not sent.
    /// The turn then counts as one with untrusted text.
    package var kept: [Attachment] = []

    /// The calendar files whose text is shown, if `json` does not name all of them; see
    /// `quotedFiles`.
    package var sources: [String]?
    /// Whether it shows untrusted text that is in no such file.
    package var quotesOthers = false

    /// The files (absolute paths) whose text is shown; nil if unknown, which has to count as
    /// untrusted text.
    package var quotedFiles: [String]? {
        if !choices.isEmpty || !kept.isEmpty || quotesOthers { return nil }
        return sources ?? json.map(Self.paths)
    }

    /// The `path` members, as the listings have them.
    private static func paths(in value: JSONValue) -> [String] {
        (value["path"]?.stringValue).map { [$0] } ?? (value.arrayValue ?? []).flatMap(paths)
    }

    /// Untrusted text on its way into a message of the user, such as a transcript.
    package struct Draft: Sendable, Equatable {
        package var text: String
        /// The name of the file it comes from; untrusted text.
        package var source: String
        /// Whether it is sent at once, without being checked.
        package var sends: Bool
        /// Whether it begins a new conversation; a model wrote it, at this prompt.
        package var opensConversation = false

        package init(text: String, source: String, sends: Bool = false) {
            self.text = text
            self.source = source
            self.sends = sends
        }
    }

    /// One interpretation of an ambiguous message, as the command that carries it out.
    package struct Choice: Sendable, Equatable {
        /// `call mom · Fri 13 Mar`.
        package var label: String
        /// Noun, verb, arguments: `["reminders", "add", "--due", …]`.
        package var command: [String]

        package init(_ label: String, command: [String]) {
            self.label = label
            self.command = command
        }
    }

    package init(
        lines: [StyledLine] = [], json: JSONValue? = nil, notices: [String] = [],
        outcome: ExitCode = .ok, sources: [String]? = nil
    ) {
        self.sources = sources
        self.lines = lines
        self.json = json
        self.notices = notices
        self.outcome = outcome
    }
}
