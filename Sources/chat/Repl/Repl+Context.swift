import AgentCore

/// What the model is told of a long conversation.
extension Repl {
    func compact(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }
}
