import AgentCore

/// What was answered: as Markdown, and on the clipboard.
extension Repl {
    func raw(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }

    func copy(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }
}
