import AgentCore

/// The verbs of `conversations` that write and read files.
enum ConversationFiles {
    static func added(to command: Command, _ services: Services) -> Command {
        var command = command
        let run = command.run
        command.verbs += [ExportCommand.verb, ImportCommand.verb]
        command.run = { invocation in
            switch invocation.verb {
            case "export": try await ExportCommand(services: services).run(invocation)
            case "import": try await ImportCommand(services: services).run(invocation)
            default: try await run(invocation)
            }
        }
        return command
    }
}
