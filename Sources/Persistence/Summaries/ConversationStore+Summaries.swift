import AgentCore
import FoundationEssentials

/// Summaries of the earlier part of a conversation, and what is read for
/// requests because of them.
extension ConversationStore {
    /// - Throws: `notFound` where the conversation or the turn is not there;
    ///   what writing meets.
    package func addSummary(_ summary: StoredSummary, to id: String) throws(SQLiteError) {
        try connection.transaction { () throws(SQLiteError) in
            try connection.run(
                Self.insertSummary,
                [
                    .text(id), .integer(summary.throughTurn.rawValue), .text(summary.text),
                    .flag(summary.hasForeignText), .text(summary.provider.rawValue),
                    .text(summary.model),
                    .integer(Self.milliseconds(summary.created)),
                ])
            if connection.changedRows == 0 { throw notFound(id) }
        }
    }

    package func latestSummary(of id: String) async throws -> StoredSummary? {
        try await interruptible { () throws(SQLiteError) in try newestSummary(of: id) }
    }

    /// The newest summary, and of the turns behind it the newest ones whose
    /// stored size together stays within a bound; always the newest one.
    package func history(of id: String, withinBytes bytes: Int) async throws -> StoredHistory {
        try await interruptible { () throws(SQLiteError) in
            let summary = try newestSummary(of: id)
            let turns = try newestTurns(
                of: id, after: summary?.throughTurn, withinBytes: bytes)
            return StoredHistory(summary: summary, turns: turns)
        }
    }

    private func newestSummary(of id: String) throws(SQLiteError) -> StoredSummary? {
        try connection.first(Self.latestSummary, [.text(id)]) { row in
            StoredSummary(
                throughTurn: TurnID(row.integer(0)), text: row.text(1),
                hasForeignText: row.integer(2) != 0, provider: Self.provider(row.text(3)),
                model: row.text(4), created: Self.date(row.integer(5)))
        }
    }

    /// Only for a turn that is there, of that conversation.
    static let insertSummary = SQL(
        "insert summary",
        """
        INSERT INTO summaries(conversation, through_turn, text, has_foreign_text, provider, model,
            created)
        SELECT t.conversation, t.id, ?3, ?4, ?5, ?6, ?7
        FROM turns t JOIN conversations c ON c.seq = t.conversation
        WHERE t.id = ?2 AND c.id = ?1
        """)
    static let latestSummary = SQL(
        "latest summary",
        """
        SELECT through_turn, text, has_foreign_text, provider, model, created
        FROM summaries
        WHERE conversation = (SELECT seq FROM conversations WHERE id = ?1)
            AND replaced IS NULL
        ORDER BY id DESC LIMIT 1
        """)
}
