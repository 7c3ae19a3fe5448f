import AgentCore
import Base
import ToolServers

/// The names of commands in hints: `/undo` at the prompt is `chat undo` in the shell. Hints
/// are written in either form and rendered here, in one place. Pure.
package enum CommandGrammar: Sendable {
    case shell, prompt

    /// Words used by other programs, or by the other grammar.
    private static let elsewhere: [Substring: String] = {
        let words = [
            "/new": "clear reset restart", "/usage": "cost context tokens stats",
            "/doctor": "status version health", "/config": "settings preferences options set",
            "/config set theme": "theme themes color colors",
            "/config set keys": "vim emacs keybindings", "/config set temperature": "temperature",
            "/resume": "history continue sessions chats load", "/rename": "title",
            "/fork": "branch rewind checkpoint", "/retry": "regenerate regen redo",
            "/compact": "summarize summarise compress", "/export": "save share transcript",
            "/search": "find grep", "/role": "system persona agent agents",
            "/model": "provider", "chat models": "model", "/attach": "file image upload",
            "/raw": "markdown source", "/speak": "voice tts", "/edit": "editor multiline",
            "/tools": "permissions approvals functions plugins", "/memory add": "note",
            "/reminders": "todo todos task tasks remind", "/calendar": "events agenda",
            "/keys set claude": "login auth", "/keys remove": "logout", "/help": "commands",
            "chat completion": "completion", "chat man": "man",
        ]
        return Dictionary(
            words.flatMap { command, said in said.split(separator: " ").map { ($0, command) } },
            uniquingKeysWith: { first, _ in first })
    }()

    /// Commands that `/help WORD` finds for words that are in no command's name.
    private static let related: [String: [String]] = [
        "alarm": ["alerts", "snooze", "done"], "ring": ["alerts", "snooze"],
        "notification": ["alerts"], "wake": ["alerts"], "event": ["calendar", "today"],
        "appointment": ["calendar"], "meeting": ["calendar", "transcribe"],
        "microphone": ["record"], "dictate": ["record"], "voice": ["say", "speak", "record"],
        "price": ["usage"], "money": ["usage"], "token": ["usage"], "password": ["keys"],
        "cv": ["letter"], "resume": ["letter"], "pdf": ["attach"],
        "photo": ["attach", "paste"],
        "anonymous": ["redact"], "privacy": ["redact", "profile"], "book": ["story"],
        "grammar": ["proofread", "write"], "spelling": ["proofread", "write"],
        "trash": ["undo", "library"], "clipboard": ["copy", "paste"],
    ]

    /// The commands that a user's word is about, as typed here.
    func commands(about word: String) -> [String] {
        let stem = word.hasSuffix("s") ? String(word.dropLast()) : word
        let named = (Self.related[word] ?? Self.related[stem] ?? []).map { name in
            let listed = SlashCommand.words(of: name).joined(separator: " ")
            return "/" + (self == .prompt ? listed : name)
        }
        return (named + [Self.elsewhere[word[...]]].compactMap(\.self)).map(text)
    }

    /// The existing command that an unknown word probably means; nil if no name is close.
    package func meant(by word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        if let known = Self.elsewhere[word[...]].map(text), self == .prompt || !known.hasPrefix("/")
        {
            return known
        }
        // In the shell, the prompt's own commands count as such words.
        if self == .shell, let command = Self.inShell(word[...]) {
            return command.hasPrefix("-") ? "chat \(command)" : command
        }
        return NearestWord.find(word, among: names)
            .map { self == .shell ? "chat \($0)" : "/\($0)" }
    }

    // MARK: - Hints

    /// Changes hints only: a title may contain a slash of its own.
    package func lines(_ lines: [StyledLine]) -> [StyledLine] {
        lines.map { line in
            var named = line
            for index in line.spans.indices where line.spans[index].style == .hint {
                named.spans[index].text = text(line.spans[index].text)
            }
            return named
        }
    }

    /// A command's output at the prompt: results are indented, like a local answer.
    package func answer(_ lines: [StyledLine]) -> [StyledLine] {
        let outcomes: [StyledLine.Style] = [.success, .warning, .failure]
        let isOutcome = lines.first?.spans.first.map {
            outcomes.contains($0.style) && !$0.text.hasPrefix(" ")
        }
        return self.lines(isOutcome ?? false ? lines.map(\.indented) : lines)
    }

    /// The lines beside the output: remarks, then notices.
    package func asides(_ output: CommandOutput) -> [StyledLine] {
        lines(output.remarks) + output.notices.map { StyledLine(text($0), .warning) }
    }

    /// Changes the advice only, which is our text; the problem may quote untrusted text.
    package func diagnostic(_ diagnostic: Diagnostic) -> Diagnostic {
        var diagnostic = diagnostic
        diagnostic.todo = diagnostic.todo.map(text)
        if diagnostic.namesCommands { diagnostic.what = text(diagnostic.what) }
        diagnostic.namesCommands = false
        return diagnostic
    }

    func text(_ text: String) -> String {
        self == .shell
            ? Self.replacing("/", in: text, by: Self.inShell)
            : Self.isForShell(text) ? text : Self.replacing("chat ", in: text, by: Self.atPrompt)
    }

    /// Whether the line is only for a shell, or says where it is typed.
    private static func isForShell(_ text: String) -> Bool {
        [" < ", " > ", " | ", " &", "in the shell"].contains { text.contains($0) }
    }

    private static func inShell(_ word: Substring) -> String? {
        if nouns.contains(String(word)) { return "chat \(word)" }
        let words = SlashCommand.words(of: String(word))
        let line = words.joined(separator: " ")
        return switch SlashCommand(rawValue: line) {
        case .new: "chat -n"
        case .resume: "chat -r"
        case .help: "chat --help"
        case .rename, .fork, .search, .delete, .export: "chat conversations \(word)"
        case .done, .snooze: "chat reminders \(word)"
        case .use: "chat -P"
        case .model, .effort, .thinking, .role, .redact, .attach, .open: "--\(word)"
        case nil where nouns.contains(words[0]): "chat \(line)"
        default: nil
        }
    }

    private static func atPrompt(_ word: Substring) -> String? {
        switch word {
        case "-n", "--new": "/new"
        case "-r", "--resume": "/resume"
        case "help", "--help": "/help"
        default: nouns.contains(String(word)) ? "/\(word)" : nil
        }
    }

    /// Replaces the mark and the word after it if both stand alone.
    private static func replacing(
        _ mark: String, in text: String, by replacement: (Substring) -> String?
    ) -> String {
        var result = ""
        var rest = text[...]
        while let found = rest.firstRange(of: mark) {
            let word = rest[found.upperBound...].prefix { $0.isLetter || $0 == "-" }
            let before =
                found.lowerBound == text.startIndex
                ? " " : text[text.index(before: found.lowerBound)]
            let after = rest[word.endIndex...]
            // "/undo/x", "/undo.md" and "/undo_1" are paths.
            let isPath =
                after.first.map { "/_".contains($0) || $0.isNumber } ?? false
                || (after.first == "." && after.dropFirst().first.map { !$0.isWhitespace } ?? false)
            let isFree = " (\"".contains(before) && !isPath
            result += rest[..<found.lowerBound]
            if isFree, let name = replacement(word) {
                result += name
                rest = after
            } else {
                result += mark
                rest = rest[found.upperBound...]
            }
        }
        return result + rest
    }
}

extension CommandGrammar {
    /// The commands available in both places.
    package static let nouns =
        ServerNouns.all + [RecordOptions.noun, SayOptions.noun, KeysCommand.noun]
        + ProgramNoun.allCases.map(\.rawValue)
}

/// Nouns of the program's own commands, which are made above this target.
package enum ProgramNoun: String, CaseIterable {
    case conversations, mcp, models, usage, sent, tools, config, doctor
}
