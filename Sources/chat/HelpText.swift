import AgentCore
import TerminalKit

/// The help pages, made from the tables that parsing uses. Pure.
struct HelpText {
    var commands: [Command]
    /// What lines may take; more than this reads badly.
    var columns = 80

    static let version = "0.1.0"

    /// As typed, and what it does.
    static let options: [(String, String)] = [
        ("-n, --new", "start a new conversation"),
        ("-r, --resume [TITLE|ID]", "open that conversation; alone: pick from a list"),
        ("-p, --prompt TEXT", "one answer to stdout; piped input goes with it"),
        ("-c, --continue", "one answer, in the latest conversation"),
        ("-m, --model MODEL", "a model's name, or provider/name"),
        ("--provider NAME", "openai, claude, local or offline"),
        ("--output FORMAT", "text, json or stream-json"),
        ("--system TEXT", "instead of the built-in system text"),
        ("--role NAME", "a named system text, from config.json or roles/NAME.md"),
        ("--effort LEVEL", "how much the model thinks: none … max"),
        ("--thinking HOW", "what is shown of it: off, summary or full"),
        ("--attach FILE…", "files that go with the message"),
        ("--allow TOOL,…", "tools that may run without a question"),
        ("--over-budget", "answer although the budget is spent"),
        ("--no-tools", "offer the model no tools"),
        ("--verbose", "what happens, on stderr"),
    ]

    private static let keys = [
        "Esc or Ctrl-C stops an answer", "Ctrl-C clears the line", "Ctrl-D leaves",
        "Ctrl-R searches",
        "Ctrl-J, Alt-Enter or \\ + Enter break the line", "Ctrl-X Ctrl-E opens your editor",
        "Alt-s puts the text aside", "Alt-r speaks", "Ctrl-_ takes a change back", "↑ ↓ history",
        "Tab completes", "a line that starts with a space is not kept in the history",
    ]

    func overview() -> [StyledLine] {
        var lines: [StyledLine] = [
            StyledLine("chat \(Self.version) · the assistant in your terminal", .bold),
            StyledLine(""),
            StyledLine("  chat                       open the latest conversation"),
            StyledLine("  chat -p \"TEXT\"             one answer, then exit"),
            StyledLine("  chat \"WORDS WITH SPACES\"   the same"),
            StyledLine("  … | chat [TEXT]            the same, with what is piped in"),
            StyledLine("  chat COMMAND …             one of the commands below"),
            StyledLine(""), StyledLine("Options", .bold),
        ]
        lines += table(Self.options)
        lines += [StyledLine(""), StyledLine("Commands", .bold)]
        lines += table(commands.map { ($0.name, $0.summary) })
        lines += [
            StyledLine(""),
            StyledLine(
                "chat help COMMAND tells more. Everything is also a /command in the chat.", .dim),
        ]
        return lines
    }

    /// For the REPL: its own commands, then those of the capabilities.
    func slashCommands() -> [StyledLine] {
        var lines = [StyledLine("Here", .bold)]
        lines += table(
            SlashCommand.allCases.map { (Self.words("/\($0.rawValue)", $0.usage), $0.summary) })
        lines += [StyledLine("Everywhere (in the shell: chat NAME …)", .bold)]
        lines += table(commands.map { ("/\($0.name)", $0.summary) })
        lines.append(StyledLine("Keys", .bold))
        lines += WindowWidth.lines(Self.keys, joinedBy: " · ", width: columns - 2)
            .flatMap { indented($0, by: 2) }
        return lines
    }

    func page(_ command: Command, prefix: String) -> [StyledLine] {
        var lines = [StyledLine("\(prefix)\(command.name): \(command.summary)", .bold)]
        lines += table(
            command.verbs.enumerated().map { index, verb in
                let isUnspoken = index == 0 && command.takesWordsWithoutVerb
                let name = prefix + command.name + (isUnspoken ? "" : " \(verb.name)")
                return (Self.words(name, verb.usage), verb.summary)
            })
        return lines
    }

    private static func words(_ name: String, _ usage: String) -> String {
        usage.isEmpty ? name : "\(name) \(usage)"
    }

    func table(_ rows: [(String, String)]) -> [StyledLine] {
        let width = min(36, columns / 2, rows.map(\.0.count).max() ?? 0)
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
