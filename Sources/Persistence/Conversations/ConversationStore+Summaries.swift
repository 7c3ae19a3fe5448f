import AgentCore
import FoundationEssentials

/// Summaries of the earlier part of a conversation, and the history read for
/// requests.
extension ConversationStore {
    /// - Throws: `notFound` if the conversation or the turn does not exist;
    ///   errors of writing.
    package func addSummary(_ summary: StoredSummary, to id: String) throws(SQLiteError) {
        let count = try connection.write(
            Self.insertSummary,
            [
                .text(id), .integer(summary.throughTurn.rawValue), .text(summary.text),
                .flag(summary.hasUntrustedText), .text(summary.provider.rawValue),
                .text(summary.model),
                .date(summary.created),
            ])
        if count == 0 { throw notFound(id) }
    }

    /// The newest summary, and the newest turns after it whose total stored size stays below a
    /// limit; the last turn is always included.
    package func history(of id: String, withinBytes bytes: Int) async throws -> StoredHistory {
        try await connection.interruptible { () throws(SQLiteError) in
            let summary = try newestSummary(of: id)
            let turns = try newestTurns(
                of: id, after: summary?.throughTurn, withinBytes: bytes)
            return StoredHistory(summary: summary, turns: turns)
        }
    }

    private func newestSummary(of id: String) throws(SQLiteError) -> StoredSummary? {
        try connection.first(Self.latestSummary, [.text(id)]) { row in
            StoredSummary(
                throughTurn: TurnID(row.integer("through_turn")), text: row.text("text"),
                hasUntrustedText: row.flag("has_foreign_text"),
                provider: Self.provider(row.text("provider")),
                model: row.text("model"), created: row.date("created"))
        }
    }

    /// Inserts only for an existing turn of that conversation.
    static let insertSummary: SQL = """
        INSERT INTO summaries(conversation, through_turn, text, has_foreign_text, provider, model,
            created)
        SELECT t.conversation, t.id, ?3, ?4, ?5, ?6, ?7
        FROM turns t JOIN conversations c ON c.seq = t.conversation
        WHERE t.id = ?2 AND c.id = ?1
        """
    static let latestSummary: SQL = """
        SELECT through_turn, text, has_foreign_text, provider, model, created
        FROM summaries
        WHERE conversation = (SELECT seq FROM conversations WHERE id = ?1)
            AND replaced IS NULL
        ORDER BY id DESC LIMIT 1
        """
}

/// The text that replaces the turns up to a given one in requests. The turns themselves stay for
/// the user to read.
package struct StoredSummary: Sendable, Equatable {
    /// The last turn it covers.
    package var throughTurn: TurnID
    package var text: String
    /// Whether the summarised turns contained untrusted text, so that the summary may too.
    package var hasUntrustedText: Bool
    package var provider: ProviderName
    package var model: String
    package var created: Date

    package init(
        throughTurn: TurnID, text: String, hasUntrustedText: Bool = true,
        provider: ProviderName, model: String, created: Date
    ) {
        self.throughTurn = throughTurn
        self.text = text
        self.hasUntrustedText = hasUntrustedText
        self.provider = provider
        self.model = model
        self.created = created
    }
}

/// The part of a conversation used in requests: the newest summary and the
/// turns it does not cover, oldest first.
package struct StoredHistory: Sendable, Equatable {
    package var summary: StoredSummary?
    package var turns: [StoredTurn]
}
