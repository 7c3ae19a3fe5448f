import AgentCore
import Base

/// The question before the first search of a conversation, as a tool: a model that wants to
/// search calls it, the user is asked as before every call that sends something, and after
/// a yes the vendor's own search is offered (`Agent` takes it from the result).
///
/// So a conversation without a search asks no question.
package struct WebSearchPermission: ToolServer {
    package let name = "web search"
    package let description = "Asks for the vendor's search of the web."

    /// The searching host: "api.openai.com".
    private let host: String

    package init(host: String) { self.host = host }

    /// Any message may need it, whatever its wording.
    package var toolsInUse: [String] { [WebSearch.permission] }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: WebSearch.permission, title: "Search the web",
                description: """
                    Asks the user whether you may search the web; afterwards web_search can be \
                    used. Call it when the answer needs a search.
                    """,
                inputSchema: .object([
                    .init(
                        "query", .string(description: "What you would search for first"),
                        isRequired: true)
                ]), toolClass: .outward, onlyLooksUp: true)
        ]
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        .touches("searches of this conversation, by \(host)")
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard name == WebSearch.permission else { throw ToolError.toolNotFound(name: name) }
        return ToolOutput(
            text: "The user agreed. Search with web_search now.",
            summary: "✓ web search is on in this conversation")
    }
}
