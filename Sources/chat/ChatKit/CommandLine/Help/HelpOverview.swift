import AgentCore
import Base
import TerminalKit

/// The overview of `/help` and `chat --help`: everyday commands on one screen, and with
/// `more` all commands by purpose. Pure. The arguments of a command are on its own page.
///
/// A command without a place here appears at the end, so that none is missing.
struct HelpOverview {
    /// Examples in plain words.
    private static let sayings = [
        ("remind me to call mom at 5pm", "a reminder that rings"),
        ("dentist next friday 2-3:30pm", "an event in your calendar"),
        ("what's on this week?", "events, and what is due"),
    ]

    /// The commands of the first screen at the prompt.
    static let everyday = [
        "new", "resume", "search", "reminders", "calendar", "today", "undo", "retry", "copy",
        "attach", "model", "write",
    ]

    /// The first screen in the shell.
    static let everydayInShell = [
        ("chat", "open the latest conversation, at a prompt"),
        ("chat -n", "start a new one; -r picks another"),
        ("chat \"what is a monad?\"", "one answer, then exit; also -p TEXT"),
        ("git diff | chat summarize", "the same, with what is piped in"),
        ("chat -c \"and in French?\"", "one answer, in the latest conversation"),
        ("chat --attach FILE -p \"sum it up\"", "a file goes with the question"),
        ("chat reminders add call mom at 5pm", "a reminder that rings"),
        ("chat calendar add dentist fri 2-3pm", "an event in your calendar"),
        ("chat today", "the events of the day, and what is due"),
        ("chat undo", "take the last change back"),
        ("chat write proofread FILE", "also rewrite, concise, friendly"),
        ("chat transcribe FILE", "a recording as text"),
        ("chat keys set claude", "connect a provider; also openai"),
        ("chat models", "the models you can use; -m picks one"),
        ("chat doctor", "what works here, and what is missing"),
    ]

    static let groups: [(title: String, names: String)] = [
        (
            "Conversation",
            "new resume search conversations rename fork export delete compact usage sent"
        ),
        ("Reminders and calendar", "reminders calendar today alerts routine undo"),
        (
            "Message and answer",
            "retry amend edit attach open close record say speak copy raw keep prompt"
        ),
        ("Model", "model models keys thinking effort role redact tools mcp memory"),
        ("Texts and stories", "write idea letter profile library transcribe story"),
        ("The program", "config doctor backup restore completion man help quit"),
    ]

    private static let keys = [
        "Esc or Ctrl-C stops an answer", "Ctrl-C clears the line", "Ctrl-R searches",
        "Ctrl-J, Alt-Enter or \\ + Enter break the line", "Ctrl-X Ctrl-E opens your editor",
        "Alt-s puts the text aside", "Alt-r speaks", "Alt-w rewrites", "Ctrl-_ takes a change back",
        "↑ ↓ history", "Tab completes", "a space in front keeps a line out of the history",
    ]

    /// The everyday ones first, then by purpose.
    static func sorted<Word>(_ words: [Word], by name: (Word) -> String) -> [Word] {
        let order = everyday + groups.flatMap { $0.names.split(separator: " ").map(String.init) }
        return words.enumerated().sorted {
            let (first, second) = (
                order.firstIndex(of: name($0.element)), order.firstIndex(of: name($1.element))
            )
            return (first ?? order.count, $0.offset) < (second ?? order.count, $1.offset)
        }.map(\.element)
    }

    /// The text typed before a command: `/` or `chat `.
    let prefix: String
    /// The available commands and their summaries.
    private let commands: [(name: String, summary: String)]

    init(_ commands: [Command], isShell: Bool) {
        prefix = isShell ? "chat " : "/"
        let others = commands.filter { isShell || !$0.isHiddenAtPrompt }
        self.commands =
            (isShell ? [] : SlashCommand.listed.map { ($0.rawValue, $0.verb.summary) })
            + others.map { ($0.name, $0.summary) }
    }

    /// The first screen of the prompt.
    func everyday(_ help: HelpText) -> [StyledLine] {
        let rows = rows(Self.everyday)
        let width = help.width(Self.sayings + rows)
        return [StyledLine("Ask anything, or say what you want", .bold)]
            + help.table(Self.sayings, width: width)
            + [StyledLine("Or type a command", .bold)] + help.table(rows, width: width)
            + WindowWidth.lines(
                [
                    "Esc stops an answer", "Ctrl-J breaks the line", "Tab completes",
                    "Ctrl-D leaves",
                ], joinedBy: " · ", width: help.columns - 2
            ).map { StyledLine("  " + $0, .dim) } + pointer(help)
    }

    /// The first screen of the shell.
    func everydayInShell(_ help: HelpText) -> [StyledLine] {
        [StyledLine("chat \(HelpText.version) · the assistant in your terminal", .bold)]
            + help.table(Self.everydayInShell) + pointer(help)
    }

    /// All commands; at the prompt those not on the first screen.
    func more(_ help: HelpText) -> [StyledLine] {
        let shown = prefix == "/" ? Self.everyday : []
        var groups = Self.groups.map { group in
            let names = group.names.split(separator: " ").map(String.init)
            return (title: group.title, rows: rows(names.filter { !shown.contains($0) }))
        }
        let placed = Set(groups.flatMap(\.rows).map(\.0) + shown.map { prefix + $0 })
        let others = rows(commands.map(\.name)).filter { !placed.contains($0.0) }
        if !others.isEmpty { groups.append((title: "More", rows: others)) }
        let width = help.width(groups.flatMap(\.rows))
        var lines = groups.filter { !$0.rows.isEmpty }.flatMap {
            [StyledLine($0.title, .bold)] + help.table($0.rows, width: width)
        }
        if prefix == "/" {
            lines.append(StyledLine("Keys", .bold))
            lines += WindowWidth.lines(Self.keys, joinedBy: " · ", width: help.columns - 2)
                .flatMap { help.indented($0, by: 2) }
        }
        return lines + pointer(help, isMore: true)
    }

    private func rows(_ names: [String]) -> [(String, String)] {
        names.compactMap { name in
            commands.first { $0.name == name }.map { (prefix + name, $0.summary) }
        }
    }

    private func pointer(_ help: HelpText, isMore: Bool = false) -> [StyledLine] {
        let start = prefix == "/" ? "/help" : "chat help"
        var parts = isMore ? [] : ["\(start) more has all commands"]
        parts += prefix == "/" ? [] : ["\(start) options the options"]
        parts += ["\(start) COMMAND shows one", "\(start) WORD finds"]
        return WindowWidth.lines(parts, joinedBy: " · ", width: help.columns)
            .map { StyledLine($0, .dim) }
    }
}
