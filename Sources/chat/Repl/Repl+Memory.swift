import AgentCore
import Persistence
import TerminalKit
import ToolServers

/// `/remember TEXT`: a note about the user, kept at once and as it was said.
extension Repl {
    func remember(_ text: String) async throws {
        let conversation = await session.record?.id
        let output = try await MemoryParts.command(services).add(text, in: conversation)
        await show(
            CommandGrammar.prompt.lines(output.lines, columns: terminal.size.columns))
        await showAsides(of: output)
    }
}
