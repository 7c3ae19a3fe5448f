import AgentCore

/// What was answered: on the screen, as Markdown, and on the clipboard.
extension Repl {
    /// How answers are shown here.
    var turnScreenOptions: TurnScreen.Options {
        let settings = services.settings
        return TurnScreen.Options(
            style: style, canErase: canErase, formats: settings.markdown.value == .on,
            thinking: settings.thinking.value, size: { [terminal] in terminal.size })
    }

    func raw(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func copy(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }
}
