import AgentCore

/// Some of the tools of stories, and what runs them; `StoryServer` puts the groups
/// together.
protocol StoryToolGroup: Sendable {
    var tools: [Tool] { get }

    /// - Parameter name: one of `tools`.
    /// - Throws: as `ToolServer.callTool`.
    func call(_ name: String, _ arguments: JSONObject, emit: Emitter) async throws -> ToolOutput
}
