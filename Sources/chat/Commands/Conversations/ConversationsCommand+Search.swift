import AgentCore
import Base
import ChatKit
import Library
import Persistence

/// `chat conversations search`.
extension ConversationsCommand {
    func search(_ arguments: CommandArguments) async throws -> CommandOutput {
        let limit = min(try arguments.number("--limit") ?? 20, 1_000)
        // An argument that contains a space is a phrase.
        let text = arguments.plain.map {
            $0.contains(" ") && !$0.contains("\"") ? "\"\($0)\"" : $0
        }.joined(separator: " ")
        let query = SearchQuery(text)
        if query.isEmpty {
            throw UsageError(
                "search needs words to look for.", hint: "chat conversations search WORDS")
        }
        if let progress {
            try await SearchIndexing(services: services).finish { share in
                progress("Indexing what was said before: \(Int(share * 100)) %")
            }
            progress("")
        }
        // Matching whole words takes a third of the time, and here the query is complete.
        var results = try await services.store().search(SearchQuery(text + " "), limit: limit)
        if results.hits.isEmpty {
            results = try await services.store().search(query, limit: limit)
        }
        let items = try await LibrarySearch.hits(text, in: services.library, limit: limit)
        return CommandOutput(
            lines: SearchLines.lines(
                results, items, words: text, now: services.environment.now()),
            json: SearchLines.json(results, items))
    }
}
