/// The sums of what was used. Each reads the index by time or by conversation
/// and the rows of turns, summaries and generations it names, never messages.
enum UsageSQL {
    private static let sums = """
        provider, model, sum(turns), sum(input_tokens), sum(cached_input_tokens),
            sum(cache_write_tokens), sum(output_tokens), sum(reasoning_tokens)
        """
    private static let tokens = """
        provider, model, input_tokens, cached_input_tokens, cache_write_tokens,
                output_tokens, reasoning_tokens
        """
    /// Turns that have asked a model here, and what was asked besides.
    ///
    /// - Parameters: given the column of its time, what limits each of them and
    ///   what else of it is wanted.
    private static func used(
        where limit: (_ time: String) -> String, and more: (_ time: String) -> String = { _ in "" }
    ) -> String {
        func of(_ table: String, _ turns: Int, _ time: String, _ and: String = "") -> String {
            "SELECT \(turns) AS turns, \(tokens)\(more(time)) FROM \(table) "
                + "WHERE \(limit(time))\(and)"
        }
        return [
            of("turns", 1, "started", " AND is_local = 0 AND is_copy = 0"),
            of("summaries", 0, "created"), of("generations", 0, "created"),
        ].joined(separator: " UNION ALL ")
    }

    static let insert = SQL(
        "insert generation",
        """
        INSERT INTO generations(conversation, purpose, provider, model, created, input_tokens,
            cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens)
        VALUES ((SELECT seq FROM conversations WHERE id = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        """)

    static let ofConversation = SQL(
        "usage of a conversation",
        """
        SELECT \(sums)
        FROM (\(used { _ in "conversation = (SELECT seq FROM conversations WHERE id = ?1)" }))
        GROUP BY provider, model ORDER BY provider, model
        """)
    static let since = SQL(
        "usage",
        """
        SELECT \(sums) FROM (\(used { "\($0) >= ?1" }))
        GROUP BY provider, model ORDER BY provider, model
        """)
    /// By quarters of an hour, of which the days of every zone are made.
    static let byQuarter = SQL(
        "usage by time",
        """
        SELECT \(sums), quarter
        FROM (\(used(where: { "\($0) >= ?1" }, and: { ", \($0) / 900000 AS quarter" })))
        GROUP BY quarter, provider, model ORDER BY quarter, provider, model
        """)
    /// The plus keeps it to the index by time.
    static let byConversation = SQL(
        "usage by conversation",
        """
        SELECT \(sums), conversation,
            (SELECT id FROM conversations WHERE seq = conversation),
            (SELECT title FROM conversations WHERE seq = conversation)
        FROM (\(used(where: { "\($0) >= ?1 AND +conversation IS NOT NULL" }, and: { _ in ", conversation" })))
        GROUP BY conversation, provider, model ORDER BY conversation, provider, model
        """)
}
