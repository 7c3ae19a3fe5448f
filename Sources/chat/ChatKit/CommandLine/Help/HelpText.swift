import AgentCore
import Base
import CWords
import TerminalKit

/// The help pages, made from the tables that parsing uses. Pure.
package struct HelpText {
    package var commands: [Command]
    /// Columns for lines; longer ones are hard to read.
    package var columns = 80

    package init(commands: [Command], columns: Int = 80) {
        self.commands = commands
        self.columns = columns
    }

    package static let version = "0.1.0"

    /// The version and, if this program was installed, the commit it was built from: `0.1.0
    /// (955bde036aab)`.
    package static var fullVersion: String { stamp.map { "\(version) (\($0.commit))" } ?? version }

    /// The commit and its date, which scripts/stage writes into the program.
    static var stamp: (commit: Substring, date: Substring)? {
        // Shorter than its buffer, so it ends with a zero.
        stamp(in: String(cString: WordFile.commit.bytes))
    }

    static func stamp(in text: String) -> (commit: Substring, date: Substring)? {
        let words = text.split(separator: " ")
        return words.count == 2 ? (words[0], words[1]) : nil
    }

    /// Columns for usage; the description is beside it.
    private static let left = 36

    /// The topic after `help` for the page of all options.
    package static let optionsTopic = "options"

    package static let moreTopic = "more"

    /// The first page of the shell.
    package func overview() -> [StyledLine] {
        HelpOverview(commands, isShell: true).everydayInShell(self)
    }

    /// The first page of the prompt.
    package func everyday() -> [StyledLine] {
        HelpOverview(commands, isShell: false).everyday(self)
    }

    /// Every command once, by purpose.
    package func more(_ grammar: CommandGrammar) -> [StyledLine] {
        HelpOverview(commands, isShell: grammar == .shell).more(self)
    }

    /// All options of `chat` itself.
    package func options() -> [StyledLine] {
        [StyledLine("chat: options for the prompt and for one answer", .bold)]
            + table(OptionParser.table.options.map { ($0.head, $0.summary) })
    }

    /// The page of a command, or of its verb if the second word is one; nil if there is no
    /// such command.
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

    /// The page of one verb with all its arguments.
    func page(_ verb: Verb, of command: Command, prefix: String) -> [StyledLine] {
        let line = prefix + command.line(verb)
        let usage = Self.words(line, verb.arguments.map(\.head).joined(separator: " "))
        var lines = [StyledLine(usage, .accent)] + indented(verb.summary, by: 2)
        if let example = verb.example {
            lines.append(StyledLine("  for example: \(line) \(example)", .dim))
        }
        return lines + table(verb.allOptions.map { ($0.head, $0.summary) })
    }

    /// The page of a prompt command with all its arguments.
    package func page(_ command: SlashCommand) -> [StyledLine] {
        table([command]) + table(command.verb.allOptions.map { ($0.head, $0.summary) })
    }

    private func table(_ commands: [SlashCommand]) -> [StyledLine] {
        table(commands.map { (Self.usage($0), $0.verb.summary) })
    }

    /// `/record [list] [--for 5m] …`: dots if its options do not fit on the left.
    static func usage(_ command: SlashCommand) -> String {
        let name = "/\(command.rawValue)"
        return words(name, command.verb.usage(columns: Self.left - 1 - name.count))
    }

    private static func words(_ name: String, _ usage: String) -> String {
        usage.isEmpty ? name : "\(name) \(usage)"
    }

    /// Width of the usage column.
    func width(_ rows: [(String, String)]) -> Int {
        min(Self.left, columns / 2, rows.map(\.0.count).max() ?? 0)
    }

    func table(_ rows: [(String, String)], width: Int? = nil) -> [StyledLine] {
        let width = width ?? self.width(rows)
        return rows.flatMap { left, right -> [StyledLine] in
            let start = StyledLine.Span("  \(left)", .accent)
            let below = indented(right, by: width + 4)
            // Too long for the column: put the description below.
            if left.count > width { return [StyledLine([start])] + below }
            let gap = String(repeating: " ", count: width - left.count + 2)
            let first = (below.first?.text ?? "").trimmingSpace()
            return [StyledLine([start, StyledLine.Span(gap + first, .plain)])] + below.dropFirst()
        }
    }

    /// The text, wrapped between words.
    func indented(_ text: String, by margin: Int) -> [StyledLine] {
        WindowWidth.lines(text.split(separator: " "), width: columns - margin)
            .map { StyledLine(String(repeating: " ", count: margin) + $0) }
    }
}
