import AgentCore
import Base

/// Possible next words of a command line, from one table for the chat and for shells. Pure; words
/// that have to be looked up are named only by kind.
struct CommandCompleter: Sendable {
    var commands: [Command]

    /// The possible next words.
    struct Offer: Equatable {
        var words: [CompletionWord] = []
        var kinds: [Verb.Kind] = []

        init(words: [CompletionWord] = []) { self.words = words }

        init(_ kinds: [Verb.Kind]) {
            words = kinds.flatMap(\.words).map { CompletionWord($0) }
            self.kinds = kinds.filter { $0 != .text && $0.words.isEmpty }
        }
    }

    // MARK: The shell

    /// The offer after `chat WORDS…`.
    func shell(_ arguments: [String], current: String) -> Offer {
        var rest = arguments[...]
        var isText = false
        while let word = rest.popFirst() {
            if word == "--" { return Offer() }
            if let option = OptionParser.table.option(word) {
                isText = isText || word == "-p" || word == "--prompt"
                if let offer = Self.value(of: option, &rest, current) { return offer }
            } else if word.hasPrefix("-") || isText {
                continue
            } else if word == "help" {
                guard let noun = rest.first else { return Offer(words: nouns) }
                let command = rest.count == 1 ? commands.first { $0.name == noun } : nil
                return Offer(words: command.map(Self.verbs) ?? [])
            } else if let command = commands.first(where: { $0.name == word }) {
                return self.command(command, Array(rest), current, isShell: true)
            } else {
                isText = true
            }
        }
        if current.hasPrefix("-") {
            return Offer(
                words: OptionParser.table.options.flatMap { option in
                    option.names.map { CompletionWord($0, option.summary) }
                })
        }
        return isText
            ? Offer([.file])
            : Offer(words: nouns + [CompletionWord("help", "the details of a command")])
    }

    // MARK: The chat

    /// The offer after `/NAME WORDS…`.
    func chat(_ name: String, _ arguments: [String], current: String) -> Offer {
        let typed = SlashCommand.words(of: name) + arguments
        if let (slash, rest) = SlashCommand.named(in: typed) {
            let offer = self.words(of: slash.verb, rest, current)
            return slash == .help && rest.isEmpty
                ? Offer(words: offer.words + slashNames) : offer
        }
        guard let command = commands.first(where: { $0.name == typed[0] }) else { return Offer() }
        return self.command(command, Array(typed.dropFirst()), current, isShell: false)
    }

    /// The words that can follow the slash, in the order of the help.
    var slashNames: [CompletionWord] {
        let all =
            SlashCommand.listed.map { slash in
                let verb = slash.verb
                return CompletionWord(
                    slash.rawValue, verb.summary, usage: verb.usage(columns: Self.usageColumns))
            }
            + commands.filter { !$0.isHiddenAtPrompt && SlashCommand(rawValue: $0.name) == nil }
            .map(Self.noun)
        return HelpOverview.sorted(all, by: \.text)
    }

    /// The verbs of commands that begin with `start`, as `story pause`.
    func verbs(beginning start: String) -> [CompletionWord] {
        commands.flatMap { command in
            command.verbs.filter { $0.name.hasPrefix(start) }.map {
                CompletionWord(command.line($0), $0.summary)
            }
        }
    }

    // MARK: Both

    private var nouns: [CompletionWord] { commands.map(Self.noun) }

    private static func noun(_ command: Command) -> CompletionWord {
        CompletionWord(command.name, command.summary, usage: usage(command))
    }

    /// The short usage shown after a command's name: its verbs, or the arguments of its only verb.
    private static func usage(_ command: Command) -> String {
        if command.verbs.count == 1 { return command.verbs[0].usage(columns: usageColumns) }
        var usage = ""
        for verb in command.verbs where !verb.name.isEmpty {
            let more = (usage.isEmpty ? "" : "|") + verb.name
            if usage.count + more.count + 2 > usageColumns { return usage + "|…" }
            usage += more
        }
        return usage
    }

    private static let usageColumns = 28

    /// Whether the word is a command or an alias of one.
    func isCommand(_ name: String) -> Bool {
        let words = SlashCommand.words(of: name)
        return SlashCommand.named(in: words) != nil || commands.contains { $0.name == words[0] }
    }

    private static func verbs(_ command: Command) -> [CompletionWord] {
        command.verbs.map { CompletionWord($0.name, $0.summary) }
    }

    private func command(
        _ command: Command, _ arguments: [String], _ current: String, isShell: Bool
    ) -> Offer {
        let (verb, rest) = command.named(in: arguments) ?? (command.verbs[0], arguments)
        var offer = self.words(of: verb, rest, current)
        if arguments.isEmpty, !current.hasPrefix("-") {
            let verbs = Self.verbs(command)
            if !command.takesWordsWithoutVerb { return Offer(words: verbs) }
            offer.words = verbs + offer.words
        }
        if isShell, current.hasPrefix("-"), !offer.words.isEmpty || arguments.isEmpty {
            offer.words.append(CompletionWord("--help", "the details of \(command.name)"))
        }
        return offer
    }

    private func words(of verb: Verb, _ arguments: [String], _ current: String) -> Offer {
        if verb.arguments.last?.kinds == [.settingValue], let name = arguments.first {
            let setting = Settings.table.names.first { $0.text == name }
            return Offer(
                words: arguments.count > 1
                    ? [] : (setting?.words ?? []).map { CompletionWord($0) })
        }
        var position = 0
        var given: Set<String> = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                position += rest.count
                break
            }
            let (name, value) = ShellTokenizer.option(word) ?? (word, nil)
            guard let option = verb.option(name) else {
                position += 1
                continue
            }
            given.formUnion(option.repeats ? [] : option.names)
            if value != nil { continue }
            if let offer = Self.value(of: option, &rest, current) { return offer }
        }
        if current.hasPrefix("-") {
            return Offer(
                words: verb.allOptions.flatMap { option in
                    option.names.filter { !given.contains($0) }
                        .map { CompletionWord($0, option.summary) }
                })
        }
        if verb.arguments.indices.contains(position) {
            return Offer(verb.arguments[position].kinds)
        }
        return Offer(verb.arguments.last.flatMap { $0.repeats ? $0.kinds : nil } ?? [])
    }

    /// Skips an option's value; offers values if it is the word being typed.
    private static func value(
        of option: Verb.Option, _ rest: inout ArraySlice<String>, _ current: String
    ) -> Offer? {
        guard option.value != nil else { return nil }
        let mayEnd = option.mayLackValue || option.takesSeveral
        if rest.isEmpty { return mayEnd && current.hasPrefix("-") ? nil : Offer([option.kind]) }
        repeat {
            rest.removeFirst()
        } while option.takesSeveral && rest.first?.hasPrefix("-") == false
        return option.takesSeveral && rest.isEmpty && !current.hasPrefix("-")
            ? Offer([option.kind]) : nil
    }
}
