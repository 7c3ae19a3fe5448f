/// The statements of `ConversationStore`, in one place so that their query plans can be tested: no
/// query that the user waits for may scan a table.
enum ConversationSQL {
    static let columns =
        """
        id, title, kind, provider, model, created, updated, messages, last_turn,
        role, system, effort, thinking, forked_from, deleted, redacts
        """

    /// The columns for tokens, in the order of every table; see `Usage`.
    static let tokens =
        "input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens"

    static let find: SQL = "SELECT seq, \(columns) FROM conversations WHERE id = ?1"
    /// Excludes the conversations of routines, in which the user did not take part.
    static let latest: SQL = """
        SELECT seq, \(columns) FROM conversations WHERE deleted IS NULL
            AND NOT EXISTS (SELECT 1 FROM sent
                WHERE sent.conversation = conversations.id AND sent.routine IS NOT NULL)
        ORDER BY last_turn DESC LIMIT 1
        """
    static let latestOfKind: SQL = """
        SELECT seq, \(columns) FROM conversations WHERE deleted IS NULL AND kind = ?1
        ORDER BY last_turn DESC LIMIT 1
        """
    static let list: SQL = """
        SELECT seq, \(columns) FROM conversations WHERE deleted IS NULL AND last_turn < ?1
        ORDER BY last_turn DESC LIMIT ?2
        """
    /// A range instead of LIKE, so that the index on `id` is used.
    static let withIDPrefix: SQL = """
        SELECT seq, \(columns) FROM conversations
        WHERE id >= ?1 AND id < ?2 AND deleted IS NULL ORDER BY id LIMIT ?3
        """
    /// Reads every title: title search runs on request, not at launch.
    static let withTitle: SQL = """
        SELECT seq, \(columns) FROM conversations
        WHERE (title LIKE ?1 ESCAPE '\\' OR first_words LIKE ?1 ESCAPE '\\')
            AND deleted IS NULL
        ORDER BY last_turn DESC LIMIT ?2
        """
    static let titles: SQL = """
        SELECT seq, \(columns), first_words FROM conversations WHERE deleted IS NULL
        ORDER BY last_turn DESC
        """

    static let insertConversation: SQL = """
        INSERT INTO conversations(id, title, kind, provider, model, created, updated,
            role, system, effort, thinking, forked_from, redacts)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        """
    /// A conversation continued in a REPL stays one that a REPL resumes.
    static let touch: SQL = """
        UPDATE conversations SET updated = ?2, messages = messages + 1, last_turn = ?3,
            kind = CASE ?4 WHEN 'repl' THEN 'repl' ELSE kind END
        WHERE seq = ?1
        """
    static let countMessage: SQL = """
        UPDATE conversations SET updated = ?2, messages = messages + 1
        WHERE seq = (SELECT conversation FROM turns WHERE id = ?1)
        """
    static let rename: SQL = """
        UPDATE conversations SET title = ?2, first_words = coalesce(first_words, title)
        WHERE id = ?1
        """
    /// Matches only while the title is still made of the first words.
    static let entitle: SQL = """
        UPDATE conversations SET title = ?2, first_words = title
        WHERE id = ?1 AND title = ?3 AND first_words IS NULL
        """
    static let setModel: SQL = "UPDATE conversations SET provider = ?2, model = ?3 WHERE id = ?1"

    static let setPreferences: SQL = """
        UPDATE conversations SET role = ?2, system = ?3, effort = ?4, thinking = ?5, redacts = ?6
        WHERE id = ?1
        """

    static let insertTurn: SQL = """
        INSERT INTO turns(conversation, status, is_local, provider, model, started,
            carries_foreign_text)
        SELECT seq, 'open', ?2, provider, model, ?3, ?4 FROM conversations WHERE seq = ?1
        """
    static let setTurnModel: SQL = "UPDATE turns SET provider = ?2, model = ?3 WHERE id = ?1"
    static let closeTurn: SQL = """
        UPDATE turns SET status = ?2, ended = ?3, input_tokens = ?4, cached_input_tokens = ?5,
            cache_write_tokens = ?6, output_tokens = ?7, reasoning_tokens = ?8, note = ?9
        WHERE id = ?1
        """
    static let interruptTurn: SQL =
        "UPDATE turns SET status = 'interrupted', ended = ?2 WHERE id = ?1 AND status = 'open'"
    static let openTurns: SQL = """
        SELECT t.id FROM turns t JOIN conversations c ON c.seq = t.conversation
        WHERE c.id = ?1 AND t.status = 'open' ORDER BY t.id
        """
    /// Reads one row per turn and no messages; counts turns after `?2`.
    static let turnCount: SQL = """
        SELECT count(*) FROM turns
        WHERE conversation = (SELECT seq FROM conversations WHERE id = ?1) AND id > ?2
            AND replaced IS NULL
        """
    private static let turnColumns = """
        id, status, is_local, provider, model, started, ended, \(tokens), note, replaced,
            carries_foreign_text
        """
    /// `?4` is 1 to include replaced turns; `?5` is the turn before the oldest
    /// one wanted.
    static let turns: SQL = """
        SELECT \(turnColumns) FROM turns
        WHERE conversation = ?1 AND id < ?2 AND id > ?5 AND (replaced IS NULL OR ?4 = 1)
        ORDER BY id DESC LIMIT ?3
        """

    /// The first turn after `?2`; `?3` is 1 to include replaced turns.
    static let turnAfter: SQL = """
        SELECT \(turnColumns) FROM turns
        WHERE conversation = ?1 AND id > ?2 AND (replaced IS NULL OR ?3 = 1)
        ORDER BY id LIMIT 1
        """

    static let insertMessage: SQL = """
        INSERT INTO messages(turn, seq, role, provider, format, model, created, is_partial)
        SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7
        FROM messages WHERE turn = ?1
        """
    static let lastMessage: SQL =
        "SELECT id, role FROM messages WHERE turn = ?1 ORDER BY seq DESC LIMIT 1"
    static let insertPart: SQL = """
        INSERT INTO parts(message, seq, kind, body, bytes)
        SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4 FROM parts WHERE message = ?1
        """
    static let messages: SQL = """
        SELECT m.id, m.role, m.provider, m.format, m.model, m.is_partial, p.kind, p.body, p.bytes,
            m.created
        FROM messages m LEFT JOIN parts p ON p.message = m.id
        WHERE m.turn = ?1 ORDER BY m.seq, p.seq
        """

    static let insertChunk: SQL = """
        INSERT INTO chunks(turn, seq, kind, text)
        SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3 FROM chunks WHERE turn = ?1
        """
    static let chunks: SQL = "SELECT kind, text FROM chunks WHERE turn = ?1 ORDER BY seq"
    static let deleteChunks: SQL = "DELETE FROM chunks WHERE turn = ?1"
}
