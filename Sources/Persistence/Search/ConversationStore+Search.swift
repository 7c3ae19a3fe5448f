import AgentCore
import FoundationEssentials

/// Search in everything that was said. A cancelled task ends it at once, with
/// `CancellationError`.
extension ConversationStore {
    /// The conversations in which the words stand, the newest place first; not
    /// those in the trash, nor turns that were replaced.
    ///
    /// Bounded work, whatever the word: it stops at `limit` conversations, or
    /// where one word fills a great many messages of few conversations.
    package func search(_ query: SearchQuery, limit: Int = 20) async throws -> SearchResults {
        try await connection.interruptible { () throws(SQLiteError) in
            let share = try unindexedShare()
            guard !query.isEmpty, limit > 0 else {
                return SearchResults(hits: [], hasMore: false, unindexedShare: share)
            }
            var walk = SearchWalk(limit: limit, reseeks: query.isPrefix ? 1 : 16)
            while let start = walk.nextStart() {
                try connection.each(
                    SearchSQL.matches, [.text(query.expression), .integer(start)]
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

    /// - Returns: false where this pass is over.
    private func visit(_ message: Int64, in walk: inout SearchWalk) throws(SQLiteError) -> Bool {
        guard walk.wants(message) else { return walk.mayGoOn }
        let place = try connection.first(SearchSQL.place, [.integer(message)]) { row in
            (
                SearchWalk.Place(
                    conversation: row.integer(0), turn: row.integer(1), message: message,
                    role: Role(rawValue: row.text(2)) ?? .user,
                    time: row.date(3)),
                row.flag(4)
            )
        }
        // A row of the index without its message: a file that others changed.
        guard let (found, isHidden) = place else { return walk.mayGoOn }
        guard walk.take(found, isHidden: isHidden) else { return walk.mayGoOn }
        let elsewhere = try connection.first(
            SearchSQL.elsewhere, [.integer(found.turn), .integer(found.conversation)]
        ) { $0.optionalInteger(0) }
        return walk.skip(from: message, to: elsewhere ?? nil)
    }
}

/// A conversation in which the words were found, and the newest place.
package struct SearchHit: Sendable, Equatable {
    package var conversation: ConversationRecord
    package var turn: TurnID
    package var role: Role
    package var time: Date
    package var snippet: SearchSnippet
}

package struct SearchResults: Sendable, Equatable {
    /// One for each conversation, the newest place first.
    package var hits: [SearchHit]
    /// There may be more conversations than these.
    package var hasMore: Bool
    /// The older part, from 0 to 1, that is not indexed yet.
    package var unindexedShare: Double
}
