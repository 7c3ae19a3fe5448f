import AgentCore

/// The commands of the REPL itself: one table for running, help and
/// completion. Commands of capabilities (`/reminders …`) come from their
/// servers and the program's nouns.
enum SlashCommand: String, CaseIterable {
    case new, resume, rename, fork, search, delete, export
    case retry, amend, edit, record, transcribe, say, speak, attach, raw, copy
    case model, models, thinking, effort, role, usage, compact, tools
    case done, snooze, help, quit

    var usage: String {
        switch self {
        case .resume: "[TITLE|ID]"
        case .model: "[MODEL]"
        case .snooze: "[10m|2h|1d|all]"
        case .help: "[COMMAND]"
        case .rename: "TITLE"
        case .fork: "[N]"
        case .search: "WORDS"
        case .delete: "[TITLE|ID]"
        case .export: "[md|json|html] [FILE]"
        case .retry: "[MODEL]"
        case .edit: "[TEXT]"
        case .say: "[TEXT|voices]"
        case .speak: "[on|off]"
        case .record: "[list]"
        case .attach: "[FILE…|clear]"
        case .transcribe: "FILE [--send]"
        case .copy: "[N]"
        case .thinking: "[off|summary|full]"
        case .effort: "[LEVEL|auto]"
        case .role: "[NAME|none]"
        case .compact: "[WHAT-MATTERS]"
        case .amend, .raw: ""
        case .new, .models, .usage, .tools, .done, .quit: ""
        }
    }

    var summary: String {
        switch self {
        case .new: "start a new conversation"
        case .resume: "go back to another conversation"
        case .rename: "give this conversation another title"
        case .fork: "go on from an earlier message, in a copy"
        case .search: "find words in all conversations"
        case .export: "write this conversation as a file"
        case .delete: "move a conversation to the trash"
        case .retry: "have the last message answered again"
        case .amend: "edit the last message and send it again"
        case .edit: "write the message in your editor"
        case .say: "read the last answer aloud, or TEXT"
        case .speak: "answers are read aloud as they come"
        case .record: "speak the message (also Alt-r)"
        case .attach: "files that go with the next message"
        case .transcribe: "the words of a recording, into the line"
        case .raw: "the last answer as Markdown"
        case .copy: "copy the last answer, or its Nth code block"
        case .thinking: "how much of the model's thinking is shown"
        case .effort: "how much the model thinks"
        case .role: "a named system text for this conversation"
        case .compact: "sum up the earlier part for the model"
        case .model: "pick the model, or take NAME or provider/NAME"
        case .models: "the models you can use"
        case .usage: "tokens and money of this conversation"
        case .tools: "what the model can do here"
        case .done: "complete what has just rung"
        case .snooze: "let it ring again later"
        case .help: "this list"
        case .quit: "leave (also Ctrl-D)"
        }
    }

    /// Other words people type for the same.
    static func named(_ name: String) -> SlashCommand? {
        switch name {
        case "exit", "q", "bye": .quit
        case "?", "h": .help
        default: SlashCommand(rawValue: name)
        }
    }
}
