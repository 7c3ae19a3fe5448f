import AgentCore

/// What is being written: the external editor.
extension Repl {
    func edit(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }
}
