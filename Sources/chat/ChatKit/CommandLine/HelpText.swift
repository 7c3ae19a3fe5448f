import AgentCore
import Base
import TerminalKit

/// The help pages, made from the tables that parsing uses. Pure.
package struct HelpText {
    package var commands: [Command]
    /// What lines may take; more than this reads badly.
    package var columns = 80

    package init(commands: [Command], columns: Int = 80) {
        self.commands = commands
        self.columns = columns
    }

    package static let version = "0.1.0"

    /// The options of the first page, which must fit on a screen with the commands;
    /// `options` has all of them.
    private static let common: Set = [
        "--new", "--resume", "--prompt", "--saved-prompt", "--continue", "--model", "--output",
        "--attach", "--help",
    ]

    /// Columns of what is typed; what it does stands beside it.
    private static let left = 36

    /// After `chat help`: the page of all options.
    package static let optionsTopic = "options"

    package func overview() -> [StyledLine] {
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
        lines += table(listed)
        lines += [
            StyledLine(""),
            StyledLine(
                "Details: chat help COMMAND, chat help options. In the chat, type /COMMAND.",
                .dim),
        ]
        return lines
    }

    /// The commands of the first page; two that belong together stand on one line.
    private var listed: [(String, String)] {
        let pairs = ["completion": "man", "backup": "restore"]
        return commands.filter { !pairs.values.contains($0.name) }.map { command in
            guard let other = pairs[command.name],
                let second = commands.first(where: { $0.name == other })
            else { return (command.name, command.summary) }
            let summary =
                command.name == "backup"
                ? "everything you keep in one file, and back"
                : "Tab in your shell, and the manual page"
            return ("\(command.name), \(second.name)", summary)
        }
    }

    /// What goes with `chat` itself, all of it.
    package func options() -> [StyledLine] {
        [StyledLine("chat: options for the prompt and for one answer", .bold)]
            + options { _ in true }
    }

    private func options(where isWanted: (Verb.Option) -> Bool) -> [StyledLine] {
        table(OptionParser.table.options.filter(isWanted).map { ($0.head, $0.summary) })
    }

    /// For the REPL: every command once, by what it is for.
    package func slashCommands() -> [StyledLine] { HelpOverview(commands: commands).lines(self) }

    /// The page of a command, or of its verb where the second word is one; nil
    /// where there is no such command.
    package func page(_ topic: [String], prefix: String) -> [StyledLine]? {
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
                StyledLine("\(prefix)help \(command.name) VERB shows the details of one.", .dim)
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
    package func page(_ command: SlashCommand) -> [StyledLine] {
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

    /// The column of what is typed.
    func width(_ rows: [(String, String)]) -> Int {
        min(Self.left, columns / 2, rows.map(\.0.count).max() ?? 0)
    }

    func table(_ rows: [(String, String)], width: Int? = nil) -> [StyledLine] {
        let width = width ?? self.width(rows)
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
    func indented(_ text: String, by margin: Int) -> [StyledLine] {
        WindowWidth.lines(text.split(separator: " "), width: columns - margin)
            .map { StyledLine(String(repeating: " ", count: margin) + $0) }
    }
}
