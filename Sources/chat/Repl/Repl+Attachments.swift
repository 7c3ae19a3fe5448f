import AgentCore

/// Files that go with the next message.
extension Repl {
    func attach(_ words: [String]) async throws {
        throw UsageError("This command is being built.")
    }
}
