import AgentCore
import Base
import ChatKit
import Library
import Persistence

/// Searches conversations for MCP hosts. Our own model has no such tool: its user would not expect
/// it to read other conversations.
struct ConversationSearchServer: ToolServer {
    let services: Services

    var name: String { "conversations" }
    var description: String { "Finds what was said before." }

    func listTools() -> [Tool] {
        [
            Tool(
                name: "search_conversations", title: "Search conversations",
                description:
                    "Finds what was said in the user's earlier conversations with chat: one place "
                    + "of each, the newest first. All words have to occur.",
                inputSchema: .object([
                    .init(
                        "query",
                        .string(
                            description: "Words, or a phrase in quotation marks"),
                        isRequired: true),
                    .init(
                        "limit",
                        .integer(
                            description: "Conversations at most; 10 if left out", range: 1...50)),
                ]), toolClass: .read)
        ]
    }

    func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        let words = arguments["query"]?.stringValue ?? ""
        let limit = arguments["limit"]?.integerValue ?? 10
        if SearchQuery(words).isEmpty { throw ToolError.failed("The query has no words.") }
        try await SearchIndexing(services: services).finish { share in
            var progress = ToolProgress(activity: "Indexing what was said before", title: "")
            progress.fraction = share
            emit(progress)
        }
        // Whole words first, as at the prompt.
        let store = try services.store()
        var hits = try await store.search(SearchQuery(words + " "), limit: limit).hits
        if hits.isEmpty { hits = try await store.search(SearchQuery(words), limit: limit).hits }
        if hits.isEmpty { return ToolOutput(text: "Nothing was found.") }
        let zone = LocalTime()
        let places = hits.map { hit in
            "\(hit.conversation.id.prefix(8)) \(zone.isoText(hit.time)) \(hit.conversation.title)\n"
                + "  \(hit.role.rawValue): \(hit.snippet.text)"
        }
        // A conversation may be about a letter that contains the user's name.
        let text = try await services.disclosure.text(places.joined(separator: "\n"))
        return ToolOutput(text: text, summary: "\(hits.count) conversations", isUntrusted: true)
    }
}
