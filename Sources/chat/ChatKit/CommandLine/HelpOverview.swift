import AgentCore
import Base
import TerminalKit

/// What `/help` shows: every command of the prompt once, grouped by purpose, on one screen. Pure.
/// What a command takes is on its own page.
///
/// A command that has no place here yet stands at the end, so that none is missing.
package struct HelpOverview {
    /// Commands that belong together, with what they do in their order.
    struct Row {
        var names: [String]
        var text: String

        init(_ names: String, _ text: String) {
            self.names = names.split(separator: " ").map(String.init)
            self.text = text
        }
    }

    static let groups: [(title: String, rows: [Row])] = [
        (
            "Conversation",
            [
                Row("new resume conversations", "start one, go back to another, see all"),
                Row("rename fork export delete", "its title, a copy, a file, the trash"),
                Row("search compact usage", "find words, sum up, tokens and money"),
            ]
        ),
        (
            "Message and answer",
            [
                Row("attach paste open close", "files, an image; folders the model may read"),
                Row("record edit p", "your voice, your editor, a saved prompt"),
                Row("retry amend", "ask again, change the last message"),
                Row("copy raw keep", "to the clipboard, as Markdown, to keep"),
                Row("say speak", "read an answer aloud, read all of them"),
                Row("proofread rewrite concise", "check, clarify or shorten an answer or file"),
                Row("friendly professional", "put it in a friendly or professional tone"),
            ]
        ),
        (
            "Model",
            [
                Row("model models keys", "pick one, see all, connect a provider"),
                Row("thinking effort role", "its thinking, its effort, its role"),
                Row("redact tools mcp", "what it may know, do, and get from others"),
                Row("remember memory profile", "notes about you; who you are, for letters"),
            ]
        ),
        (
            "Reminders and calendar",
            [
                Row("reminders calendar today", "see, add and change; the day"),
                Row("alerts done snooze", "what rings, and what has just rung"),
            ]
        ),
        (
            "What you keep",
            [
                Row("library prompt ideas letters", "to look through and work on"),
                Row("idea letter write", "a new idea, a cover letter, texts rewritten"),
                Row("story play pause stop", "import stories, and listen to them"),
                Row("transcribe", "recordings as text"),
            ]
        ),
        (
            "The program",
            [
                Row("config doctor backup", "settings, what is missing, all in one file"),
                Row("undo help quit", "take a change back, this, leave"),
            ]
        ),
    ]

    private static let keys = [
        "Esc or Ctrl-C stops an answer", "Ctrl-C clears the line", "Ctrl-R searches",
        "Ctrl-J, Alt-Enter or \\ + Enter break the line", "Ctrl-X Ctrl-E opens your editor",
        "Alt-s puts the text aside", "Alt-r speaks", "Alt-w rewrites", "Ctrl-_ takes a change back",
        "↑ ↓ history", "Tab completes", "a space in front keeps a line out of the history",
    ]

    /// The commands that are there, with those of the prompt.
    var names: [String]

    init(commands: [Command]) {
        names = SlashCommand.allCases.map(\.rawValue)
        names += commands.map(\.name).filter { SlashCommand(rawValue: $0) == nil }
    }

    func lines(_ help: HelpText) -> [StyledLine] {
        var lines: [StyledLine] = []
        var placed: Set<String> = []
        let groups = Self.groups.map { group in
            (
                title: group.title,
                rows: group.rows.compactMap { row -> (String, String)? in
                    let there = row.names.filter(names.contains)
                    placed.formUnion(there)
                    return there.isEmpty ? nil : (Self.typed(there), row.text)
                }
            )
        }
        // One column for all of them.
        let width = help.width(groups.flatMap(\.rows))
        for group in groups {
            lines.append(StyledLine(group.title, .bold))
            lines += help.table(group.rows, width: width)
        }
        let others = names.filter { !placed.contains($0) }
        if !others.isEmpty {
            lines += WindowWidth.lines(
                others.map { "/" + $0 }, joinedBy: " ", width: help.columns - 2
            ).map { StyledLine("  \($0)", .accent) }
        }
        lines.append(StyledLine("Keys", .bold))
        lines += WindowWidth.lines(Self.keys, joinedBy: " · ", width: help.columns - 2)
            .flatMap { help.indented($0, by: 2) }
        return lines
            + help.indented(
                "/help COMMAND shows the details of one; /help WORD finds commands and settings.",
                by: 0
            ).map { StyledLine($0.text, .dim) }
    }

    private static func typed(_ names: [String]) -> String {
        names.map { "/" + $0 }.joined(separator: " ")
    }
}
