import AgentCore
import Persistence

/// `chat conversations search`.
extension ConversationsCommand {
    func search(_ invocation: CommandInvocation) async throws -> CommandOutput {
        var limit = 20
        var words: [String] = []
        var reader = WordReader(invocation.arguments)
        while let word = reader.next() {
            switch word {
            case "--limit":
                guard let number = Int(try reader.value(of: word)), number > 0 else {
                    throw UsageError("--limit needs a number above 0.")
                }
                limit = min(number, 1_000)
            case "--": continue
            // A word that holds a space was given as one: a phrase.
            default: words.append(word.contains(" ") && !word.contains("\"") ? "\"\(word)\"" : word)
            }
        }
        let text = words.joined(separator: " ")
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
        // Whole words are a third of the work; here nobody is still typing.
        var results = try await services.store().search(SearchQuery(text + " "), limit: limit)
        if results.hits.isEmpty {
            results = try await services.store().search(query, limit: limit)
        }
        return CommandOutput(
            lines: SearchLines.lines(
                results, words: text, now: services.environment.now()),
            json: SearchLines.json(results))
    }
}
