import AgentCore
import Base

/// The commands of the REPL itself: one table for running, help and completion. Commands of
/// capabilities (`/reminders …`) come from their servers and the program's nouns; a verb
/// with extra behaviour at the prompt is a case of two words.
package enum SlashCommand: String, CaseIterable {
    case new, resume, rename, fork, search, delete, export
    case retry, amend, edit, record, say, speak, attach, open, close, raw, copy, keep
    case model, thinking, effort, role, redact, usage, sent, compact, help, quit
    case use = "prompt use"
    case pause = "story pause"
    case stop = "story stop"
    case sleep = "story sleep"
    case done = "alerts done"
    case snooze = "alerts snooze"

    /// Aliases of commands and verbs. They work and are not listed.
    private static let aliases = [
        "exit": "quit", "q": "quit", "bye": "quit", "?": "help", "h": "help",
        "models": "model list", "paste": "attach clipboard", "p": "prompt use",
        "remember": "memory add", "ideas": "idea list", "letters": "letter list",
        "proofread": "write proofread", "rewrite": "write rewrite", "friendly": "write friendly",
        "professional": "write professional", "concise": "write concise",
        "play": "story play", "pause": "story pause", "stop": "story stop",
        "sleep": "story sleep",
        "done": "alerts done", "snooze": "alerts snooze",
    ]

    /// The command words for a name after the slash: `["story", "pause"]` for `pause`.
    package static func words(of name: String) -> [String] {
        aliases[name]?.split(separator: " ").map(String.init) ?? [name]
    }

    /// The named command, and its arguments.
    package static func named(
        in words: some Sequence<String>
    ) -> (command: SlashCommand, rest: [String])? {
        let words = Array(words)
        for count in [2, 1] {
            if let command = Self(rawValue: words.prefix(count).joined(separator: " ")) {
                return (command, Array(words.dropFirst(count)))
            }
        }
        return nil
    }

    /// The commands that are not a verb of another command.
    package static var listed: [SlashCommand] { allCases.filter { !$0.rawValue.contains(" ") } }

    /// The commands available at the prompt.
    package static func atPrompt(_ commands: [Command]) -> [Command] {
        commands.compactMap(\.atPrompt).map { command in
            var command = command
            command.verbs += allCases.filter { $0.rawValue.hasPrefix(command.name + " ") }
                .map(\.verb)
            return command
        }
    }

    /// The command's usage and description, for help and completion.
    package var verb: Verb {
        switch self {
        case .new: row("start a new conversation")
        case .resume:
            row(
                "go back to another conversation",
                [.phrase("TITLE|ID", "", .conversation, isOptional: true)])
        case .rename:
            row("give this conversation another title", [.phrase("TITLE", "the new title")])
        case .fork:
            row("continue from an earlier message, in a copy", [.init("N", isOptional: true)])
        case .search:
            row("find words in all conversations", [.phrase("WORDS", "words to look for")])
        case .delete:
            row(
                "move a conversation to the trash",
                [.phrase("TITLE|ID", "", .conversation, isOptional: true)])
        case .export:
            row(
                "write this conversation as a file",
                [
                    .init(
                        "md|json", "", .oneOf(ExportFormat.allCases.map(\.rawValue)), .file,
                        isOptional: true),
                    .init("FILE", "", .file, isOptional: true),
                ], options: [.init("--yes", "replace an existing file")])
        case .retry:
            row(
                "get another answer to the last message",
                [.init("MODEL", "", .model, isOptional: true)])
        case .amend: row("edit the last message and send it again")
        case .edit:
            row("write the message in your editor", [.phrase("TEXT", isOptional: true)])
        case .record:
            row(
                "speak the message (also Alt-r)", [.oneOf(["list"], isOptional: true)],
                options: RecordOptions.table.options)
        case .say:
            row(
                "read the last answer aloud, or TEXT",
                [.phrase("TEXT|voices", "", .examples(["voices"]), isOptional: true)],
                options: SayOptions.spoken)
        case .speak:
            row("read answers aloud as they arrive", [.oneOf(["on", "off"], isOptional: true)])
        case .pause: row("pause what is read aloud, until play")
        case .stop: row("stop it; its place is kept")
        case .sleep:
            row(
                "stop it by itself after a time",
                [.phrase("TIME|off", "", .examples(["20m", "1h", "off"]), isOptional: true)])
        case .attach:
            row(
                "attach files to the next message",
                [
                    .init(
                        "FILE…|DIR|ITEM|clipboard|clear", "", .examples(["clipboard", "clear"]),
                        .file, .item, isOptional: true, repeats: true)
                ])
        case .open:
            row(
                "let the model read folders, or list them",
                [.init("DIR", "", .file, isOptional: true, repeats: true)])
        case .close:
            row("close one of them, or all", [.init("NAME", isOptional: true, repeats: true)])
        case .raw: row("the last answer as Markdown")
        case .copy:
            row("copy the last answer, or its Nth code block", [.init("N", isOptional: true)])
        case .keep:
            row(
                "keep the last answer, or its Nth code block, in the library",
                [
                    .init("N", isOptional: true),
                    .init("as idea|draft", "", .examples(["as"]), isOptional: true),
                    .phrase("TITLE", isOptional: true),
                ])
        case .model:
            row(
                "pick the model, or use NAME or provider/NAME",
                [.init("MODEL|list", "", .examples(["list"]), .model, isOptional: true)])
        case .thinking:
            row(
                "how much of the model's thinking is shown",
                [.oneOf(ThinkingDisplay.allCases.map(\.rawValue), isOptional: true)])
        case .effort:
            row(
                "how much the model thinks",
                [
                    .init(
                        "LEVEL|auto", "", .examples(Effort.allCases.map(\.rawValue) + ["auto"]),
                        isOptional: true)
                ])
        case .role:
            row(
                "a named system text for this conversation",
                [.init("NAME|none", "", .examples(["none"]), .role, isOptional: true)])
        case .redact:
            row(
                "keep personal data out of what is sent",
                [.oneOf(["on", "off"], isOptional: true)])
        case .use:
            row(
                "send a saved prompt",
                [
                    .init("NAME", "", .prompt, isOptional: true),
                    .phrase("TEXT", "", .file, isOptional: true),
                    .init("name=value", isOptional: true, repeats: true),
                ])
        case .usage: row("tokens and money of this conversation")
        case .sent:
            row(
                "what left this machine for the last turn, or all of it",
                [.phrase("list|show N", "", .examples(["list", "show"]), isOptional: true)])
        case .compact:
            row(
                "sum up the earlier part for the model", [.phrase("WHAT-MATTERS", isOptional: true)]
            )
        case .done: row("complete what has just rung")
        case .snooze:
            row(
                "let it ring again later",
                [
                    .phrase(
                        "10m|2h|1d|all", "", .examples(["10m", "2h", "1d", "all"]), isOptional: true
                    )
                ])
        case .help:
            row(
                "what one does every day, all commands, one of them, or a word",
                [.phrase("more|COMMAND|WORD", "", .examples(["more"]), isOptional: true)])
        case .quit: row("leave (also Ctrl-D)")
        }
    }

    /// Whether it changes or sends more than the open conversation's own settings.
    package var changes: Bool {
        switch self {
        case .new, .resume, .search, .edit, .pause, .stop, .sleep, .attach, .open, .close, .raw,
            .copy, .model, .thinking, .effort, .role, .redact, .usage, .sent, .help, .quit:
            false
        case .rename, .fork, .delete, .export, .retry, .amend, .record, .say, .speak, .keep,
            .use, .compact, .done, .snooze:
            true
        }
    }

    /// Parses the arguments by the command's table. Without options in the table, each word
    /// stands for itself: `/edit --x is what?` is a text.
    package func read(_ arguments: [String]) throws(UsageError) -> CommandArguments {
        let verb = verb
        return try CommandArguments(
            verb.allOptions.isEmpty ? ["--"] + arguments : arguments, of: verb, name: "/\(rawValue)"
        )
    }

    private func row(
        _ summary: String, _ arguments: [Verb.Argument] = [], options: [Verb.Option] = []
    ) -> Verb {
        let name = rawValue.split(separator: " ").last.map(String.init) ?? rawValue
        return Verb(name, summary, arguments, options: options)
    }
}

extension Command {
    /// Whether the prompt has this name as a separate command, or as a verb of another.
    var isHiddenAtPrompt: Bool {
        SlashCommand(rawValue: name) != nil || SlashCommand.words(of: name) != [name]
    }
}
