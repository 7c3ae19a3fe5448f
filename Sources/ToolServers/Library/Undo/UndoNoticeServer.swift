import AgentCore
import Base
import CalendarFiles
import Persistence

/// Wraps a server and adds a notice if one of its changes could not be recorded for undo.
/// The action itself was done.
package struct UndoNoticeServer: ToolServer {
    private let server: any ToolServer
    private let store: CalendarStore

    package init(_ server: any ToolServer, store: CalendarStore) {
        self.server = server
        self.store = store
    }

    package var name: String { server.name }
    package var description: String { server.description }
    package var topic: String { server.topic }
    package var toolsInUse: [String] { server.toolsInUse }

    package var commands: [Command] {
        server.commands.map { command in
            command.around { noticed(try await $0.run($1), await failure()) }
        }
    }

    package func initialize() async throws { try await server.initialize() }
    package func listTools() -> [Tool] { server.listTools() }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        var output = try await server.callTool(name, arguments: arguments, emit: emit)
        if let failure = await failure() {
            output.text += "\n" + failure
            output.summary = output.summary.map { "\($0) · \(failure)" } ?? failure
        }
        return output
    }

    package func effects(of name: String, arguments: JSONObject) async -> [CallEffect]? {
        await server.effects(of: name, arguments: arguments)
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        await server.preview(of: name, arguments: arguments)
    }

    package func canHandle(message: PlainMessage) -> IntentMatch {
        server.canHandle(message: message)
    }

    package func command(for message: PlainMessage) -> [String]? { server.command(for: message) }
    package func endQuestion() { server.endQuestion() }

    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        let output = try await server.handle(message: message, mayAsk: mayAsk, emit: emit)
        guard let output else { return nil }
        return noticed(output, await failure())
    }

    private func failure() async -> String? {
        await store.takeUndoFailure().map { "This cannot be undone. \($0.diagnostic.what)" }
    }

    private func noticed(_ output: CommandOutput, _ failure: String?) -> CommandOutput {
        guard let failure else { return output }
        var output = output
        output.notices.append(failure)
        if output.outcome == .ok { output.outcome = .degraded }
        return output
    }
}
