import AgentCore

/// The commands of the REPL itself: one table for running, help and
/// completion. Commands of capabilities (`/reminders …`) come from their
/// servers and the program's nouns.
enum SlashCommand: String, CaseIterable {
    case new, resume, model, models, usage, tools, done, snooze, help, quit

    var usage: String {
        switch self {
        case .resume: "[TITLE|ID]"
        case .model: "[MODEL]"
        case .snooze: "[10m|2h|1d|all]"
        case .help: "[COMMAND]"
        case .new, .models, .usage, .tools, .done, .quit: ""
        }
    }

    var summary: String {
        switch self {
        case .new: "start a new conversation"
        case .resume: "go back to another conversation"
        case .model: "show or change the model: NAME or provider/NAME"
        case .models: "the models you can use"
        case .usage: "tokens of this conversation"
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
