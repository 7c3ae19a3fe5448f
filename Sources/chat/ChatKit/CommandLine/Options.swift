import AgentCore
import Base

/// The parsed arguments of `chat`. Pure: parsing only, no file, no terminal.
package enum Invocation: Equatable {
    case version
    /// `--help`, or `help COMMAND [VERB]`.
    case help(topic: [String])
    case repl(ReplOptions)
    case oneShot(OneShotOptions)
    /// A known first word, with all arguments after it.
    case command(name: String, arguments: [String], GlobalOptions)
}

/// Options with the same meaning everywhere.
package struct GlobalOptions: Equatable {
    package var model: String?
    package var provider: ProviderName?
    package var verbose = false
    package var effort: Effort?
    package var thinking: ThinkingDisplay?
    /// The name of a role.
    package var role: String?
    /// `--redact`.
    package var redacts = false

    package init(
        model: String? = nil, provider: ProviderName? = nil, verbose: Bool = false,
        effort: Effort? = nil, thinking: ThinkingDisplay? = nil, role: String? = nil,
        redacts: Bool = false
    ) {
        self.model = model
        self.provider = provider
        self.verbose = verbose
        self.effort = effort
        self.thinking = thinking
        self.role = role
        self.redacts = redacts
    }
}

package struct ReplOptions: Equatable {
    package enum Start: Equatable {
        case latest
        case new
        /// `--resume` without an argument: pick from a list.
        case pick
        case named(String)
    }

    package var start = Start.latest
    package var global = GlobalOptions()
    package var system: String?
    package var usesTools = true
    /// Folders that the model may read.
    package var open: [String] = []
}

package struct OneShotOptions: Equatable {
    package enum Output: String, CaseIterable {
        case text, json
        case streamJSON = "stream-json"
    }

    /// Nil if the text comes from stdin.
    package var prompt: String?
    /// A saved prompt and its arguments.
    package var saved: SavedPrompt?
    /// The first word, if it may be a mistyped command.
    package var unknown: UnknownWord?
    package var continues = false
    package var output = Output.text
    package var system: String?
    package var attachments: [String] = []
    /// Whether all files of a folder or a pattern are attached.
    package var attachesAll = false
    /// Folders that the model may read.
    package var open: [String] = []
    package var allowedTools: Set<String> = []
    package var usesTools = true
    /// Whether the model's vendor may search the web.
    package var usesWeb = false
    /// Whether the model gets the notes about the user.
    package var usesMemory = false
    /// Whether the configured budget may be exceeded without asking.
    package var mayExceedBudget = false
    package var global = GlobalOptions()
}

/// `chat -P translate lang=German "Good morning"`
package struct SavedPrompt: Equatable {
    package var name: String
    /// The text and the values, in the given order.
    package var arguments: [String] = []
}

/// A first word that is neither a command nor marked as text. With piped input it counts as
/// text, unless it is one typo away from a command.
package struct UnknownWord: Equatable {
    let word: String
    /// The word after it; nil if it is the only one.
    let next: String?
    let commands: [String]

    init(_ word: String, _ next: String?, among commands: [String]) {
        (self.word, self.next, self.commands) = (word, next, commands)
    }

    /// The error that the word is not a command; nil if it may be sent as a message.
    ///
    /// - Parameter hasInput: whether there is piped input that the word may refer to.
    package func error(hasInput: Bool, among commands: () -> [Command]) -> UsageError? {
        guard hasInput else { return error }
        guard let near = nearest else { return nil }
        var meant = CommandGrammar.shell.meant(by: word, among: [near]) ?? "chat \(near)"
        // "reminder about milk" is a text, "reminder add milk" a command.
        if let next {
            guard let known = commands().first(where: { $0.name == near }),
                known.verbs.contains(where: { $0.name == next })
            else { return nil }
            meant = "chat \(near) \(next)"
        }
        return UsageError(
            problem, hint: "Did you mean \(meant)? To send it as a message: chat -p \"…\"")
    }

    /// The error without piped input.
    var error: UsageError {
        UsageError(
            problem,
            hint: CommandGrammar.shell.meant(by: word, among: commands + ["help"])
                .map { "Did you mean \($0)?" } ?? "To send it as a message: chat -p \"…\"")
    }

    private var problem: String { "There is no command \"\(KeyShape.shown(word))\"." }

    /// The nearest command, within a smaller distance than for a suggestion: "rewrite" and
    /// "explain" are instructions for a model. Short words are too close to many others.
    private var nearest: String? {
        let letters = Array(word.lowercased())
        return commands.first {
            let name = Array($0)
            let longer = max(letters.count, name.count)
            return min(letters.count, name.count) >= 4
                && EditDistance.between(letters, name) <= (longer > 8 ? 2 : 1)
        }
    }
}

/// Parses the program's arguments into an `Invocation`.
///
/// A known first word is always a command; free text contains a space in one argument, or
/// needs `-p`, `--`, or piped input (`UnknownWord`). Everything else is a `UsageError` that
/// names the nearest word.
package struct OptionParser {
    /// Names of the commands listed by `help`.
    package var commands: [String]
    package var stdinIsTerminal: Bool

    package init(commands: [String], stdinIsTerminal: Bool) {
        self.commands = commands
        self.stdinIsTerminal = stdinIsTerminal
    }

    /// The program's own options.
    static let table = Verb(
        "", "", [.phrase("TEXT", "a text", .file, isOptional: true)],
        options: [
            .init("-n, --new", "start a new conversation"),
            .init(
                "-r, --resume TITLE|ID", "open that conversation; alone: pick from a list",
                .conversation, mayLackValue: true),
            .init(
                "-p, --prompt TEXT", "one answer to stdout; piped input is added", .file,
                mayLackValue: true),
            .init(
                "-P, --saved-prompt NAME", "one answer to a saved prompt: [TEXT] [name=value…]",
                .prompt),
            .init("-c, --continue", "one answer, in the latest conversation"),
            .init("-m, --model MODEL", "a model's name, or provider/name", .model),
            .init(
                "--provider NAME",
                CommandArguments.alternatives(
                    ProviderName.builtIn.map(\.rawValue) + ["one of yours"]), .provider),
            .init(
                "--output FORMAT", "text, json or stream-json",
                .oneOf(OneShotOptions.Output.allCases.map(\.rawValue))),
            .init("--json", "the same as --output json"),
            .init("--system TEXT", "instead of the built-in system text"),
            .init(
                "--role NAME", "a named system text, from config.json or roles/NAME.md", .role),
            .init(
                "--effort LEVEL", "how much the model thinks: none … max",
                .oneOf(Effort.allCases.map(\.rawValue))),
            .init(
                "--thinking HOW", "how much of it is shown: off, summary or full",
                .oneOf(ThinkingDisplay.allCases.map(\.rawValue))),
            .init("--redact", "keep names, addresses and numbers on this machine"),
            .init("--attach FILE", "files, folders or items to attach", .file, takesSeveral: true),
            .init("--yes", "attach more than 20 files or 1 MB from a folder"),
            .init("--open DIR", "let the model read a folder", .file, repeats: true),
            .init(
                "--allow TOOL,TOOL", "tools that may run without asking", .tool,
                repeats: true),
            .init("--over-budget", "answer even if the budget is spent"),
            .init("--web", "one answer that may search the web"),
            .init("--no-tools", "offer the model no tools"),
            .init("--memory", "tell one answer what chat remembers about you"),
            .init("--verbose", "show what happens, on stderr"),
            .init("-h, --help", "what one does every day"),
            .init("-V, --version", "the version of the program"),
        ])

    /// Options that ask for one answer.
    private static let oneShot: Set = [
        "--prompt", "--saved-prompt", "--continue", "--output", "--json", "--attach", "--allow",
        "--over-budget", "--web", "--memory", "--",
    ]

    /// The options after which a word is always text.
    private static let asText = oneShot.subtracting(["--output", "--json"])

    package func parse(_ typed: [String]) throws(UsageError) -> Invocation {
        // The first word, if not marked as text.
        var first: String?
        let given = try CommandArguments(typed, of: Self.table, name: "") { word, before in
            // Quoted: no command name contains a space.
            guard Self.oneShot.isDisjoint(with: before.order), !word.contains(where: \.isWhitespace)
            else { return false }
            first = word
            return stdinIsTerminal || word == "help" || commands.contains(word)
        }
        if given.has("--version") { return .version }
        if given.has("--help") { return .help(topic: []) }
        let global = try global(given)
        if let word = given.rest.first {
            let arguments = Array(given.rest.dropFirst())
            if word == "help" {
                return .help(topic: arguments.filter { !$0.hasPrefix("-") && $0 != "help" })
            }
            if commands.contains(word) { return .command(name: word, arguments: arguments, global) }
            throw UnknownWord(word, arguments.first, among: commands).error
        }
        try checkTools(given)
        let text = given.values("--prompt") + given.plain
        let replFlag = given.order.last { $0 == "--new" || $0 == "--resume" }
        // Alone at a terminal, -c opens what it continues.
        let opens = text.isEmpty && stdinIsTerminal && replFlag == nil ? ["--continue"] : []
        if !text.isEmpty || !Self.oneShot.subtracting(opens).isDisjoint(with: given.order)
            || (!stdinIsTerminal && replFlag == nil)
        {
            if let replFlag {
                throw UsageError(
                    "\(replFlag) opens the chat and cannot be used for one answer.",
                    hint: "Use -c to go on in the latest conversation.")
            }
            if text.isEmpty, stdinIsTerminal, !given.has("--saved-prompt") {
                throw UsageError("There is no text to answer.", hint: "chat -p \"TEXT\"")
            }
            var shot = OneShotOptions(global: global)
            if let name = given["--saved-prompt"] {
                shot.saved = SavedPrompt(name: name, arguments: text)
            } else {
                shot.prompt = text.isEmpty ? nil : text.joined(separator: " ")
            }
            if let first, Self.asText.isDisjoint(with: given.order) {
                shot.unknown = UnknownWord(
                    first, given.plain.dropFirst().first, among: commands)
            }
            shot.continues = given.has("--continue")
            shot.output = given.has("--json") ? .json : try given.choice("--output") ?? .text
            shot.system = given["--system"]
            shot.attachments = given.values("--attach")
            (shot.attachesAll, shot.open) = (given.has("--yes"), given.values("--open"))
            shot.allowedTools = Set(
                given.values("--allow").flatMap { $0.split(separator: ",").map(String.init) })
            shot.usesTools = !given.has("--no-tools")
            shot.usesWeb = given.has("--web")
            shot.usesMemory = given.has("--memory")
            shot.mayExceedBudget = given.has("--over-budget")
            return .oneShot(shot)
        }
        let start: ReplOptions.Start =
            replFlag == "--new"
            ? .new
            : replFlag == nil ? .latest : given["--resume"].map { .named($0) } ?? .pick
        return .repl(
            ReplOptions(
                start: start, global: global, system: given["--system"],
                usesTools: !given.has("--no-tools"), open: given.values("--open")))
    }

    /// Refuses a combination in which one option has no effect.
    private func checkTools(_ given: CommandArguments) throws(UsageError) {
        guard given.has("--open"), given.has("--no-tools") else { return }
        throw UsageError(
            "--open lets the model read with tools, and --no-tools offers none.",
            hint: "--attach sends files without tools.")
    }

    /// The configuration checks whether such a provider exists.
    private func provider(_ given: CommandArguments) throws(UsageError) -> ProviderName? {
        guard let word = given["--provider"] else { return nil }
        if let name = ProviderName(rawValue: word) { return name }
        throw UsageError("--provider takes the name of a provider.", hint: "chat models lists them")
    }

    private func global(_ given: CommandArguments) throws(UsageError) -> GlobalOptions {
        GlobalOptions(
            model: given["--model"], provider: try provider(given),
            verbose: given.has("--verbose"), effort: try given.choice("--effort"),
            thinking: try given.choice("--thinking"), role: given["--role"],
            redacts: given.has("--redact"))
    }
}
