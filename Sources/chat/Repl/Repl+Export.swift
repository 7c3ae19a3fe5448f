import AgentCore
import Persistence

/// The open conversation as a file.
extension Repl {
    /// `/export [md|json|html] [FILE] [--yes]`, by default into the folder the
    /// program was started in, named after the title.
    func export(_ words: CommandArguments) async throws {
        guard let record = await session.record, record.order > 0 else {
            throw UsageError("There is nothing to export yet: say something first.")
        }
        var rest = words.plain
        var format: ExportFormat?
        if let first = rest.first, let named = ExportFormat(rawValue: first) {
            format = named
            rest.removeFirst()
        }
        guard rest.count <= 1 else {
            throw UsageError("One file is enough.", hint: "/export [md|json|html] [FILE]")
        }
        let file = rest.first
        let chosen = format ?? file.flatMap(ExportFormat.init(ofFile:)) ?? .md
        let (command, isForced) = (ExportCommand(services: services), words.isConfirmed)
        let output = try await stoppable {
            try await command.export(record, as: chosen, to: file, replaces: isForced)
        }
        await show(output.lines)
    }
}
