import AgentCore
import TerminalKit

/// The help pages, made from the tables that parsing uses. Pure.
struct HelpText {
    var commands: [Command]
    /// What lines may take; more than this reads badly.
    var columns = 80

    static let version = "0.1.0"

    private static let keys = [
        "Esc or Ctrl-C stops an answer", "Ctrl-C clears the line", "Ctrl-D leaves",
        "Ctrl-R searches",
        "Ctrl-J, Alt-Enter or \\ + Enter break the line", "Ctrl-X Ctrl-E opens your editor",
        "Alt-s puts the text aside", "Alt-r speaks", "Alt-w rewrites", "Ctrl-_ takes a change back",
        "↑ ↓ history",
        "Tab completes", "a line that starts with a space is not kept in the history",
    ]

    /// The options of the first page, which must fit on a screen with the commands;
    /// `options` has all of them.
    private static let common: Set = [
        "--new", "--resume", "--prompt", "--saved-prompt", "--continue", "--model", "--output",
        "--attach", "--help",
    ]

    /// Columns of what is typed; what it does stands beside it.
    private static let left = 36

    /// After `chat help`: the page of all options.
    static let optionsTopic = "options"

    func overview() -> [StyledLine] {
        var lines: [StyledLine] = [
            StyledLine("chat \(Self.version) · the assistant in your terminal", .bold),
            StyledLine(""),
            StyledLine("  chat                       open the latest conversation"),
            StyledLine("  chat -p \"TEXT\"             one answer, then exit"),
            StyledLine("  … | chat [TEXT]            the same, with what is piped in"),
            StyledLine(""), StyledLine("Options", .bold),
        ]
        lines += options { !Self.common.isDisjoint(with: $0.names) }
        lines += [StyledLine(""), StyledLine("Commands", .bold)]
        lines += table(commands.map { ($0.name, $0.summary) })
        lines += [
            StyledLine(""),
            StyledLine(
                "Details: chat help COMMAND, chat help options. In the chat, type /COMMAND.",
                .dim),
        ]
        return lines
    }

    /// What goes with `chat` itself, all of it.
    func options() -> [StyledLine] {
        [StyledLine("chat: options for the prompt and for one answer", .bold)]
            + options { _ in true }
    }

    private func options(where isWanted: (Verb.Option) -> Bool) -> [StyledLine] {
        table(OptionParser.table.options.filter(isWanted).map { ($0.head, $0.summary) })
    }

    /// For the REPL: its own commands, then those of the capabilities.
    func slashCommands() -> [StyledLine] {
        var lines = [StyledLine("Here", .bold)]
        lines += table(SlashCommand.allCases)
        lines += [StyledLine("Everywhere (in the shell: chat NAME …)", .bold)]
        lines += table(commands.map { ("/\($0.name)", $0.summary) })
        lines.append(StyledLine("Keys", .bold))
        lines += WindowWidth.lines(Self.keys, joinedBy: " · ", width: columns - 2)
            .flatMap { indented($0, by: 2) }
        return lines
    }

    /// The page of a command, or of its verb where the second word is one; nil
    /// where there is no such command.
    func page(_ topic: [String], prefix: String) -> [StyledLine]? {
        guard let command = commands.first(where: { $0.name == topic.first }) else { return nil }
        guard let (verb, _) = command.named(in: topic.dropFirst()) else {
            return page(command, prefix: prefix)
        }
        return page(verb, of: command, prefix: prefix)
    }

    func page(_ command: Command, prefix: String) -> [StyledLine] {
        var lines = [StyledLine("\(prefix)\(command.name): \(command.summary)", .bold)]
        if command.verbs.count == 1 {
            return lines + page(command.verbs[0], of: command, prefix: prefix)
        }
        lines += table(
            command.verbs.map { verb in
                let line = prefix + command.line(verb)
                return (
                    Self.words(line, verb.usage(columns: columns - line.count - 3)), verb.summary
                )
            })
        if command.verbs.contains(where: { !$0.allOptions.isEmpty }) {
            lines.append(
                StyledLine("\(prefix)help \(command.name) VERB has the details of one.", .dim)
            )
        }
        return lines
    }

    /// What one verb does, with everything that it takes.
    func page(_ verb: Verb, of command: Command, prefix: String) -> [StyledLine] {
        let line = prefix + command.line(verb)
        let usage = Self.words(line, verb.arguments.map(\.head).joined(separator: " "))
        var lines = [StyledLine(usage, .accent)] + indented(verb.summary, by: 2)
        if let example = verb.example {
            lines.append(StyledLine("  for example: \(line) \(example)", .dim))
        }
        return lines + table(verb.allOptions.map { ($0.head, $0.summary) })
    }

    /// What a command of the prompt does, with everything that it takes.
    func page(_ command: SlashCommand) -> [StyledLine] {
        table([command]) + table(command.verb.allOptions.map { ($0.head, $0.summary) })
    }

    private func table(_ commands: [SlashCommand]) -> [StyledLine] {
        table(commands.map { (Self.usage($0), $0.verb.summary) })
    }

    /// `/export [md|json|html] [FILE] …`: dots where its options do not fit on the left.
    static func usage(_ command: SlashCommand) -> String {
        let name = "/\(command.rawValue)"
        return words(name, command.verb.usage(columns: Self.left - 1 - name.count))
    }

    private static func words(_ name: String, _ usage: String) -> String {
        usage.isEmpty ? name : "\(name) \(usage)"
    }

    func table(_ rows: [(String, String)]) -> [StyledLine] {
        let width = min(Self.left, columns / 2, rows.map(\.0.count).max() ?? 0)
        return rows.flatMap { left, right -> [StyledLine] in
            let start = StyledLine.Span("  \(left)", .accent)
            let below = indented(right, by: width + 4)
            // What is too long for the column has its words below.
            if left.count > width { return [StyledLine([start])] + below }
            let gap = String(repeating: " ", count: width - left.count + 2)
            let first = (below.first?.text ?? "").trimmingSpace()
            return [StyledLine([start, StyledLine.Span(gap + first, .plain)])] + below.dropFirst()
        }
    }

    /// Broken between words.
    private func indented(_ text: String, by margin: Int) -> [StyledLine] {
        WindowWidth.lines(text.split(separator: " "), width: columns - margin)
            .map { StyledLine(String(repeating: " ", count: margin) + $0) }
    }
}
