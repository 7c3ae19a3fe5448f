import AgentCore
import Base
import Texts

/// The commands of the REPL itself: one table for running, help and
/// completion. Commands of capabilities (`/reminders …`) come from their
/// servers and the program's nouns.
package enum SlashCommand: String, CaseIterable {
    case new, resume, rename, fork, search, delete, export
    case retry, amend, edit, record, say, speak, play, pause, stop, attach, paste, open, close, raw,
        copy, keep
    case model, models, thinking, effort, role, redact, p, remember, usage, compact
    case proofread, rewrite, friendly, professional, concise
    case ideas, letters, done, snooze, help, quit

    /// Its words and what it does, for help and completion.
    package var verb: Verb {
        switch self {
        case .new: row("start a new conversation")
        case .resume:
            row("go back to another conversation", [.phrase("[TITLE|ID]", "", .conversation)])
        case .rename:
            row("give this conversation another title", [.phrase("TITLE", "the new title")])
        case .fork:
            row("continue from an earlier message, in a copy", [.init("[N]")])
        case .search:
            row("find words in all conversations", [.phrase("WORDS", "words to look for")])
        case .delete:
            row("move a conversation to the trash", [.phrase("[TITLE|ID]", "", .conversation)])
        case .export:
            row(
                "write this conversation as a file",
                [
                    .init(
                        "[md|json|html]", "", .oneOf(ExportFormat.allCases.map(\.rawValue)), .file),
                    .init("[FILE]", "", .file),
                ], options: [.init("--yes", "replace an existing file")])
        case .retry:
            row("get another answer to the last message", [.init("[MODEL]", "", .model)])
        case .amend: row("edit the last message and send it again")
        case .edit:
            row("write the message in your editor", [.phrase("[TEXT]")])
        case .record:
            row(
                "speak the message (also Alt-r)", [.oneOf(["list"], isOptional: true)],
                options: RecordOptions.table.options)
        case .say:
            row(
                "read the last answer aloud, or TEXT",
                [.phrase("[TEXT|voices]", "", .examples(["voices"]))],
                options: SayOptions.spoken)
        case .speak:
            row("read answers aloud as they arrive", [.oneOf(["on", "off"], isOptional: true)])
        case .play:
            row(
                "listen to a story, continue it, or show the one that is playing",
                [.phrase("[STORY]", "", .story)],
                options: [
                    .init("--from N", "begin with segment N"),
                    .init("--chapter K", "begin with chapter K"),
                ])
        case .pause: row("pause the story until /play")
        case .stop: row("stop the story that is playing; its place is kept")
        case .attach:
            row(
                "attach files to the next message",
                [.init("[FILE…|DIR|ITEM|clear]", "", .examples(["clear"]), .file, .item)])
        case .paste: row("attach the clipboard's image (also Ctrl-V)")
        case .open:
            row("let the model read folders, or list them", [.init("[DIR…]", "", .file)])
        case .close: row("close one of them, or all", [.init("[NAME…]")])
        case .raw: row("the last answer as Markdown")
        case .copy:
            row("copy the last answer, or its Nth code block, to the clipboard", [.init("[N]")])
        case .keep:
            row(
                "keep the last answer, or its Nth code block, in the library",
                [
                    .init("[N]"), .init("[as idea|draft]", "", .examples(["as"])),
                    .phrase("[TITLE]"),
                ])
        case .model:
            row("pick the model, or use NAME or provider/NAME", [.init("[MODEL]", "", .model)])
        case .models: row("the models you can use")
        case .thinking:
            row(
                "how much of the model's thinking is shown",
                [.oneOf(ThinkingDisplay.allCases.map(\.rawValue), isOptional: true)])
        case .effort:
            row(
                "how much the model thinks",
                [.init("[LEVEL|auto]", "", .examples(Effort.allCases.map(\.rawValue) + ["auto"]))])
        case .role:
            row(
                "a named system text for this conversation",
                [.init("[NAME|none]", "", .examples(["none"]), .role)])
        case .redact:
            row(
                "keep personal data out of what is sent",
                [.oneOf(["on", "off"], isOptional: true)])
        case .p:
            row(
                "send a saved prompt",
                [
                    .init("[NAME]", "", .prompt),
                    .phrase("[TEXT]", "", .file), .init("[name=value…]"),
                ])
        case .remember:
            row(
                "keep a note about you, for all conversations",
                [.phrase("TEXT", "something to remember")])
        case .usage: row("tokens and money of this conversation")
        case .compact:
            row("sum up the earlier part for the model", [.phrase("[WHAT-MATTERS]")])
        case .proofread: writing("proofread the last answer, a file or an item")
        case .rewrite: writing("rewrite it more clearly")
        case .friendly: writing("rewrite it in a friendly tone")
        case .professional: writing("rewrite it in a professional tone")
        case .concise: writing("rewrite it in fewer words")
        case .done: row("complete what has just rung")
        case .ideas: row("the ideas you kept, as a list to work on")
        case .letters: row("your letters, as a list to work on")
        case .snooze:
            row(
                "let it ring again later",
                [.phrase("[10m|2h|1d|all]", "", .examples(["10m", "2h", "1d", "all"]))])
        case .help:
            row(
                "the commands, the details of one, or what relates to a word",
                [.phrase("[COMMAND|WORD]")])
        case .quit: row("leave (also Ctrl-D)")
        }
    }

    /// Whether it changes or sends more than the open conversation's own settings.
    package var changes: Bool {
        switch self {
        case .new, .resume, .search, .edit, .pause, .stop, .attach, .paste, .open, .close, .raw,
            .copy, .model, .models, .thinking, .effort, .role, .redact, .usage, .ideas, .letters,
            .help, .quit:
            false
        case .rename, .fork, .delete, .export, .retry, .amend, .record, .say, .speak, .play,
            .keep, .p, .remember, .compact, .proofread, .rewrite, .friendly, .professional,
            .concise, .done, .snooze:
            true
        }
    }

    /// Reads the words after the command by its table. Where that has no options,
    /// each word stands for itself: `/edit --x is what?` is a text.
    package func read(_ words: [String]) throws(UsageError) -> CommandArguments {
        let verb = verb
        return try CommandArguments(
            verb.allOptions.isEmpty ? ["--"] + words : words, of: verb, name: "/\(rawValue)")
    }

    /// What `/write` does, with the options it has there.
    private func writing(_ summary: String) -> Verb {
        var verb = row(
            summary, [.phrase("[last|ITEM|FILE]", "", .examples(["last"]), .item, .file)],
            options: WritingCommand.options)
        verb.json = WritingCommand.json
        return verb
    }

    private func row(
        _ summary: String, _ arguments: [Verb.Argument] = [], options: [Verb.Option] = []
    ) -> Verb {
        Verb(rawValue, summary, arguments, options: options)
    }

    /// Other words people type for the same.
    package static func named(_ name: String) -> SlashCommand? {
        switch name {
        case "exit", "q", "bye": .quit
        case "?", "h": .help
        default: SlashCommand(rawValue: name)
        }
    }
}
