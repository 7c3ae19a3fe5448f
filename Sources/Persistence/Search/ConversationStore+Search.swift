import AgentCore
import FoundationEssentials

/// Full-text search in the conversations. A cancelled task ends it at once,
/// with `CancellationError`.
extension ConversationStore {
    /// The conversations that contain the words, the newest match first; without the trash and
    /// replaced turns.
    ///
    /// The work is bounded for any word: it stops at `limit` conversations, or when a word is in
    /// very many messages of few conversations.
    package func search(_ query: SearchQuery, limit: Int = 20) async throws -> SearchResults {
        try await connection.interruptible { () throws(SQLiteError) in
            let share = try unindexedShare()
            guard !query.isEmpty, limit > 0 else {
                return SearchResults(hits: [], hasMore: false, unindexedShare: share)
            }
            let words = try query.beginning.flatMap { (text) throws(SQLiteError) in
                try self.words(beginning: text)
            }
            let expression = query.expression(completions: words)
            var walk = SearchWalk(
                limit: limit, reseeks: query.isPrefix && words == nil ? 1 : 16)
            while let start = walk.nextStart() {
                try connection.each(
                    SearchSQL.matches, [.text(expression), .integer(start)]
                ) { (row) throws(SQLiteError) in
                    try visit(row.integer(0), in: &walk)
                }
            }
            var hits: [SearchHit] = []
            for found in walk.found {
                guard
                    let record = try connection.first(
                        SearchSQL.conversation, [.integer(found.conversation)], Self.row
                    )?.record
                else { continue }
                let text = try textOnly(found.message, role: found.role).text
                hits.append(
                    SearchHit(
                        conversation: record, turn: TurnID(found.turn), role: found.role,
                        time: found.time, snippet: SearchSnippet(text, finding: query)))
            }
            return SearchResults(hits: hits, hasMore: walk.hasMore, unindexedShare: share)
        }
    }

    /// Every word of the index with that beginning; nil if there are too many. Before the newest
    /// match of a beginning, FTS5 merges the lists of all its words, while of alternatives it
    /// reads what is needed.
    private func words(beginning text: String) throws(SQLiteError) -> [String]? {
        try connection.run(SearchSQL.makeVocabulary)
        var words: [String] = []
        var next = text
        while let word = try connection.first(SearchSQL.nextWord, [.text(next)], { $0.text(0) }),
            word.utf8.starts(with: text.utf8)
        {
            if words.count == Self.completionLimit { return nil }
            words.append(word)
            // The least text above the word; no word contains control characters.
            next = word + "\u{1}"
        }
        return words
    }

    /// Looking up a word takes about 20 µs.
    private static let completionLimit = 100

    /// - Returns: false when this pass is over.
    private func visit(_ message: Int64, in walk: inout SearchWalk) throws(SQLiteError) -> Bool {
        guard walk.wants(message) else { return walk.mayGoOn }
        let place = try connection.first(SearchSQL.place, [.integer(message)]) { row in
            (
                SearchWalk.Match(
                    conversation: row.integer("conversation"), turn: row.integer("turn"),
                    message: message,
                    role: Role(rawValue: row.text("role")) ?? .user,
                    time: row.date("created")),
                row.flag("is_hidden")
            )
        }
        // An index row without a message: another program has changed the file.
        guard let (found, isHidden) = place else { return walk.mayGoOn }
        guard walk.take(found, isHidden: isHidden) else { return walk.mayGoOn }
        let elsewhere = try connection.first(
            SearchSQL.elsewhere, [.integer(found.turn), .integer(found.conversation)]
        ) { $0.optionalInteger(0) }
        return walk.skip(from: message, to: elsewhere ?? nil)
    }
}

/// A conversation that matches, with its newest matching message.
package struct SearchHit: Sendable, Equatable {
    package var conversation: ConversationRecord
    package var turn: TurnID
    package var role: Role
    package var time: Date
    package var snippet: SearchSnippet
}

package struct SearchResults: Sendable, Equatable {
    /// One per conversation, the newest match first.
    package var hits: [SearchHit]
    /// Whether there may be more conversations than these.
    package var hasMore: Bool
    /// The share of messages, from 0 to 1 and the oldest ones, that is not
    /// indexed yet.
    package var unindexedShare: Double
}
