import AgentCore

/// Which words may come next in a command line: one table for the chat and for
/// the shells. Pure; words that somebody has to look up are named by kind.
struct CommandCompleter: Sendable {
    var commands: [Command]

    /// What may come next.
    struct Offer: Equatable {
        var words: [CompletionWord] = []
        var kinds: [WordKind] = []
    }

    // MARK: The shell

    /// After `chat WORDS…`.
    func shell(_ words: [String], current: String) -> Offer {
        let global = UsageWords("", flags: HelpText.options.map(\.0))
        var rest = words[...]
        var isText = false
        while let word = rest.popFirst() {
            if word == "--" { return Offer() }
            if let flag = global.flags.first(where: { $0.name == word }) {
                isText = isText || ["-p", "--prompt"].contains(word)
                guard let value = flag.value else { continue }
                let isMany = word == "--attach"
                if rest.isEmpty, !current.hasPrefix("-") || current.isEmpty {
                    return offer(value)
                }
                repeat { _ = rest.popFirst() } while isMany && rest.first?.hasPrefix("-") == false
                if isMany, rest.isEmpty, !current.hasPrefix("-") { return offer(value) }
                continue
            }
            if word.hasPrefix("-") || isText { continue }
            if word == "help" { return rest.isEmpty ? topics(slash: false) : Offer() }
            guard let command = commands.first(where: { $0.name == word }) else {
                isText = true
                continue
            }
            return self.command(command, Array(rest), current, isShell: true)
        }
        if current.hasPrefix("-") {
            var options = HelpText.options.flatMap { usage, summary in
                UsageWords("", flags: [usage]).flags.map { CompletionWord($0.name, summary) }
            }
            options.append(CompletionWord("--help", "all of this"))
            options.append(CompletionWord("--version", "which version this is"))
            return Offer(words: options)
        }
        return isText ? Offer(kinds: [.file]) : topics(slash: false, andHelp: true)
    }

    // MARK: The chat

    /// After `/NAME WORDS…`.
    func chat(_ name: String, _ words: [String], current: String) -> Offer {
        if let slash = SlashCommand.named(name) {
            if slash == .help { return words.isEmpty ? topics(slash: true) : Offer() }
            let usage = UsageWords(slash.usage, owner: slash.rawValue)
            return arguments(usage, words, current)
        }
        guard let command = commands.first(where: { $0.name == name }) else { return Offer() }
        return self.command(command, words, current, isShell: false)
    }

    /// The words that can stand behind the slash.
    var slashNames: [CompletionWord] {
        SlashCommand.allCases.map { CompletionWord($0.rawValue, $0.summary) }
            + commands.filter { SlashCommand.named($0.name) == nil }
            .map { CompletionWord($0.name, $0.summary) }
    }

    // MARK: Both

    private func topics(slash: Bool, andHelp: Bool = false) -> Offer {
        if slash { return Offer(words: slashNames) }
        var words = commands.map { CompletionWord($0.name, $0.summary) }
        if andHelp { words.append(CompletionWord("help", "tells more about a command")) }
        return Offer(words: words)
    }

    private func command(
        _ command: Command, _ words: [String], _ current: String, isShell: Bool
    ) -> Offer {
        let named = words.first.flatMap { word in command.verbs.first { $0.name == word } }
        guard let verb = named ?? command.verbs.first else { return Offer() }
        let usage = UsageWords(verb.usage, flags: verb.flags, owner: command.name)
        var offer = arguments(
            usage, Array(named == nil ? words : Array(words.dropFirst())), current)
        if words.isEmpty, !current.hasPrefix("-") {
            let verbs = command.verbs.map { CompletionWord($0.name, $0.summary) }
            offer.words = verbs + (command.takesWordsWithoutVerb ? offer.words : [])
            if !command.takesWordsWithoutVerb { offer.kinds = [] }
        }
        if isShell, current.hasPrefix("-"), !offer.words.isEmpty || words.isEmpty {
            offer.words.append(CompletionWord("--help", "tells more about \(command.name)"))
        }
        return offer
    }

    private func arguments(_ usage: UsageWords, _ words: [String], _ current: String) -> Offer {
        var position = 0
        var given: Set<String> = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                position += rest.count
                break
            }
            guard let flag = usage.flags.first(where: { $0.name == word }) else {
                position += 1
                continue
            }
            given.insert(word)
            guard let value = flag.value else { continue }
            if rest.popFirst() == nil { return offer(value) }
        }
        if current.hasPrefix("-") {
            return Offer(
                words: usage.flags.filter { !given.contains($0.name) }
                    .map { CompletionWord($0.name, Self.hint($0)) })
        }
        if usage.arguments.indices.contains(position) {
            return offer(usage.arguments[position])
        }
        return usage.repeats ? offer(usage.arguments.last ?? []) : Offer()
    }

    private static func hint(_ flag: UsageWords.Flag) -> String {
        let words = (flag.value ?? []).compactMap { expected in
            if case .word(let word) = expected { word } else { nil }
        }
        return words.joined(separator: ", ")
    }

    private func offer(_ expected: [UsageWords.Expected]) -> Offer {
        var offer = Offer()
        for one in expected {
            switch one {
            case .word(let word): offer.words.append(CompletionWord(word))
            case .kind(let kind): offer.kinds.append(kind)
            }
        }
        return offer
    }
}
