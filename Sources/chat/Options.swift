import AgentCore

/// What the words after `chat` ask for. Pure: parsing only, no file, no
/// terminal.
enum Invocation: Equatable {
    case version
    /// `--help`, or `help COMMAND`.
    case help(topic: String?)
    case repl(ReplOptions)
    case oneShot(OneShotOptions)
    /// A known first word, with everything after it.
    case command(name: String, words: [String], GlobalOptions)
}

extension Invocation {
    /// Whether the conversations will be read or written.
    var needsStore: Bool {
        switch self {
        case .version, .help: false
        case .repl, .oneShot: true
        case .command(let name, _, _): name == "conversations" || name == "usage"
        }
    }
}

/// Options that mean the same everywhere.
struct GlobalOptions: Equatable {
    var model: String?
    var provider: ProviderName?
    var verbose = false
    var effort: Effort?
    var thinking: ThinkingDisplay?
    /// The name of a role.
    var role: String?
}

struct ReplOptions: Equatable {
    enum Start: Equatable {
        case latest
        case new
        /// `--resume` without a word: pick from a list.
        case pick
        case named(String)
    }

    var start = Start.latest
    var global = GlobalOptions()
    var system: String?
    var usesTools = true
}

struct OneShotOptions: Equatable {
    enum Output: String, CaseIterable {
        case text, json
        case streamJSON = "stream-json"
    }

    /// Nil where the text comes from stdin.
    var prompt: String?
    /// The text begins like a command with a typing error.
    var misspelt: MisspeltCommand?
    var continues = false
    var output = Output.text
    var system: String?
    var attachments: [String] = []
    var allowedTools: Set<String> = []
    var usesTools = true
    /// The budget of the configuration may be passed.
    var mayExceedBudget = false
    var global = GlobalOptions()
}

/// `… | chat reminder add milk`: a command was meant where the word behind it is
/// one of its verbs, which is known when the commands are put together.
struct MisspeltCommand: Equatable {
    var word: String
    var command: String
    var verb: String

    /// Short words are a typing error away from too many others.
    init?(_ word: String, _ next: String?, among commands: [String]) {
        let letters = Array(word.lowercased())
        let near = commands.first {
            $0.count >= 6 && EditDistance.between(letters, Array($0)) <= 1
        }
        guard let near, let next else { return nil }
        (self.word, command, verb) = (word, near, next)
    }

    func error(among commands: [Command]) -> UsageError? {
        guard let known = commands.first(where: { $0.name == command }),
            known.verbs.contains(where: { $0.name == verb })
        else { return nil }
        return UsageError(
            "There is no command \"\(KeyText.shown(word))\".",
            hint: "Did you mean chat \(command) \(verb)? To send it as a message: chat -p \"…\"")
    }
}

/// Reads `Invocation` from the words after the program's name.
///
/// A known first word is always a command; free text holds a space in one
/// argument, or needs `-p`, `--`, or a piped stdin. Everything else is a
/// `UsageError` that names the nearest word.
struct OptionParser {
    /// Names of commands, the ones `help` lists.
    var commands: [String]
    var stdinIsTerminal: Bool

    private static let flags = [
        "-n", "--new", "-r", "--resume", "-p", "--prompt", "-c", "--continue", "-m", "--model",
        "--provider", "--output", "--system", "--attach", "--allow", "--no-tools", "--verbose",
        "--effort", "--thinking", "--role", "--over-budget",
        "--version", "-h", "--help", "--json",
    ]

    func parse(_ words: [String]) throws(UsageError) -> Invocation {
        var reader = WordReader(words)
        var repl = ReplOptions()
        var shot = OneShotOptions()
        var isOneShot = false
        var replFlag: String?
        var text: [String] = []

        while let word = reader.next() {
            switch word {
            case "--version": return .version
            case "-h", "--help": return .help(topic: nil)
            case "-n", "--new":
                replFlag = word
                repl.start = .new
            case "-r", "--resume":
                replFlag = word
                repl.start = reader.nextUnlessFlag().map(ReplOptions.Start.named) ?? .pick
            case "-p", "--prompt":
                isOneShot = true
                // "-5 + 3?" is a text; only an option of ours is not.
                if let prompt = reader.next(unless: Self.flags) { text.append(prompt) }
            case "-c", "--continue":
                isOneShot = true
                shot.continues = true
            case "-m", "--model": shot.global.model = try reader.value(of: word)
            case "--provider":
                let name = try reader.value(of: word)
                guard let provider = ProviderName(rawValue: name) else {
                    throw UsageError(
                        "There is no provider \"\(name)\".",
                        hint: "Use openai, claude, local or offline.")
                }
                shot.global.provider = provider
            case "--output":
                isOneShot = true
                let name = try reader.value(of: word)
                guard let output = OneShotOptions.Output(rawValue: name) else {
                    throw UsageError(
                        "There is no output format \"\(name)\".",
                        hint: "Use text, json or stream-json.")
                }
                shot.output = output
            case "--json":
                isOneShot = true
                shot.output = .json
            case "--system": shot.system = try reader.value(of: word)
            case "--attach":
                isOneShot = true
                shot.attachments.append(try reader.value(of: word))
                while let path = reader.nextUnlessFlag() { shot.attachments.append(path) }
            case "--allow":
                isOneShot = true
                let names = try reader.value(of: word)
                shot.allowedTools.formUnion(names.split(separator: ",").map(String.init))
            case "--no-tools": shot.usesTools = false
            case "--verbose": shot.global.verbose = true
            case "--effort": shot.global.effort = try reader.word(of: word)
            case "--thinking": shot.global.thinking = try reader.word(of: word)
            case "--role": shot.global.role = try reader.value(of: word)
            case "--over-budget":
                isOneShot = true
                shot.mayExceedBudget = true
            case "--":
                isOneShot = true
                text.append(contentsOf: reader.rest())
            case let flag where flag.hasPrefix("-") && flag.count > 1:
                throw unknown(flag, among: Self.flags, kind: "option")
            default:
                // Quoted: no name holds a space.
                if text.isEmpty, !isOneShot, !word.contains(where: \.isWhitespace) {
                    if word == "help" {
                        let topic = reader.nextUnlessFlag()
                        return .help(topic: topic == "help" ? nil : topic)
                    }
                    if commands.contains(word) {
                        return .command(name: word, words: reader.rest(), shot.global)
                    }
                    if stdinIsTerminal {
                        throw unknown(word, among: commands + ["help"], kind: "command")
                    }
                    shot.misspelt = MisspeltCommand(word, reader.upcoming, among: commands)
                }
                isOneShot = true
                text.append(word)
            }
        }
        if !text.isEmpty { shot.prompt = text.joined(separator: " ") }
        return try resolve(shot, repl, isOneShot: isOneShot, replFlag: replFlag)
    }

    private func resolve(
        _ shot: OneShotOptions, _ repl: ReplOptions, isOneShot: Bool, replFlag: String?
    ) throws(UsageError) -> Invocation {
        if isOneShot || (!stdinIsTerminal && replFlag == nil) {
            if let replFlag {
                throw UsageError(
                    "\(replFlag) opens the chat and cannot be used for one answer.",
                    hint: "Use -c to go on in the latest conversation.")
            }
            if shot.prompt == nil, stdinIsTerminal {
                throw UsageError("There is no text to answer.", hint: "chat -p \"TEXT\"")
            }
            return .oneShot(shot)
        }
        var repl = repl
        repl.global = shot.global
        repl.system = shot.system
        repl.usesTools = shot.usesTools
        return .repl(repl)
    }

    private func unknown(_ word: String, among known: [String], kind: String) -> UsageError {
        let nearest =
            kind == "command"
            ? CommandGrammar.shell.meant(by: word, among: known)
            : NearestWord.find(word, among: known)
        let free = kind == "command" ? "To send it as a message: chat -p \"…\"" : nil
        return UsageError(
            "There is no \(kind) \"\(KeyText.shown(word))\".",
            hint: nearest.map { "Did you mean \($0)?" } ?? free ?? "chat --help lists them.")
    }
}

/// Walks over the words of a command line.
struct WordReader {
    private var words: ArraySlice<String>

    init(_ words: [String]) { self.words = words[...] }

    mutating func next() -> String? { words.popFirst() }

    /// The next word, which stays.
    var upcoming: String? { words.first }

    /// The next word if it is not an option. A lone `-` is a word.
    mutating func nextUnlessFlag() -> String? {
        guard let word = words.first, !word.hasPrefix("-") || word == "-" else { return nil }
        return words.popFirst()
    }

    /// The next word if it is none of those, nor `--`.
    mutating func next(unless flags: [String]) -> String? {
        guard let word = words.first, word != "--", !flags.contains(word) else { return nil }
        return words.popFirst()
    }

    mutating func value(of flag: String) throws(UsageError) -> String {
        guard let word = words.popFirst() else {
            throw UsageError("\(flag) needs a value.")
        }
        return word
    }

    /// One of a few words.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        of flag: String
    ) throws(UsageError) -> Word {
        let text = try value(of: flag)
        guard let word = Word(rawValue: text) else {
            let all = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("\(flag) cannot be \"\(KeyText.shown(text))\".", hint: "Use \(all).")
        }
        return word
    }

    mutating func rest() -> [String] {
        defer { words = [] }
        return Array(words)
    }
}
