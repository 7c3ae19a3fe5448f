import AgentCore
import Base

/// A group of story tools with their implementation; `StoryServer` combines the groups.
protocol StoryToolGroup: Sendable {
    var tools: [Tool] { get }

    /// - Parameter name: one of `tools`.
    /// - Throws: any described error.
    func call(_ name: String, _ arguments: JSONObject, emit: Emitter) async throws -> ToolOutput
}

extension StoryToolGroup {
    /// - Throws: as `ToolServer.callTool`.
    func answer(_ name: String, _ arguments: JSONObject, emit: Emitter) async throws -> ToolOutput {
        do {
            return try await call(name, arguments, emit: emit)
        } catch let error as any DescribedError where !(error is ToolError) {
            let diagnostic = error.diagnostic
            throw ToolError.failed(
                [diagnostic.what, diagnostic.todo].compactMap(\.self).joined(separator: " "))
        }
    }
}
