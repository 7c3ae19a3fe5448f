/// The sums of what was used. Each reads the index by time or by conversation
/// and the rows of turns and summaries it names, never messages.
enum UsageSQL {
    private static let sums = """
        provider, model, sum(turns), sum(input_tokens), sum(cached_input_tokens),
            sum(cache_write_tokens), sum(output_tokens), sum(reasoning_tokens)
        """
    private static let tokens = """
        provider, model, input_tokens, cached_input_tokens, cache_write_tokens,
                output_tokens, reasoning_tokens
        """
    /// Those that have asked a model here.
    private static let asked = "is_local = 0 AND is_copy = 0"

    static let ofConversation = SQL(
        "usage of a conversation",
        """
        SELECT \(sums) FROM (
            SELECT 1 AS turns, \(tokens) FROM turns
            WHERE conversation = (SELECT seq FROM conversations WHERE id = ?1) AND \(asked)
            UNION ALL
            SELECT 0, \(tokens) FROM summaries
            WHERE conversation = (SELECT seq FROM conversations WHERE id = ?1))
        GROUP BY provider, model ORDER BY provider, model
        """)
    static let since = SQL(
        "usage",
        """
        SELECT \(sums) FROM (
            SELECT 1 AS turns, \(tokens) FROM turns WHERE started >= ?1 AND \(asked)
            UNION ALL
            SELECT 0, \(tokens) FROM summaries WHERE created >= ?1)
        GROUP BY provider, model ORDER BY provider, model
        """)
    /// By quarters of an hour, of which the days of every zone are made.
    static let byQuarter = SQL(
        "usage by time",
        """
        SELECT \(sums), quarter FROM (
            SELECT 1 AS turns, \(tokens), started / 900000 AS quarter
            FROM turns WHERE started >= ?1 AND \(asked)
            UNION ALL
            SELECT 0, \(tokens), created / 900000 FROM summaries WHERE created >= ?1)
        GROUP BY quarter, provider, model ORDER BY quarter, provider, model
        """)
    static let byConversation = SQL(
        "usage by conversation",
        """
        SELECT \(sums), conversation,
            (SELECT id FROM conversations WHERE seq = conversation),
            (SELECT title FROM conversations WHERE seq = conversation) FROM (
            SELECT 1 AS turns, \(tokens), conversation
            FROM turns WHERE started >= ?1 AND \(asked)
            UNION ALL
            SELECT 0, \(tokens), conversation FROM summaries WHERE created >= ?1)
        GROUP BY conversation, provider, model ORDER BY conversation, provider, model
        """)
}
