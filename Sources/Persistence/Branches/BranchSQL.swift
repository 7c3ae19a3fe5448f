/// The statements that copy conversations, replace parts of them, and move them to the
/// trash and back.
enum BranchSQL {
    // MARK: - Replacing

    /// Replaces a closed turn of the given conversation, at most once.
    static let replaceTurn: SQL = """
        UPDATE turns SET replaced = ?3
        WHERE id = ?1 AND conversation = ?2 AND replaced IS NULL AND status <> 'open'
        """
    /// A summary that covers the replaced turn is outdated too.
    static let replaceSummaries: SQL = """
        UPDATE summaries SET replaced = ?3
        WHERE conversation = ?2 AND through_turn >= ?1 AND replaced IS NULL
        """
    static let uncountMessages: SQL = """
        UPDATE conversations
        SET messages = messages - (SELECT count(*) FROM messages WHERE turn = ?1)
        WHERE seq = ?2
        """

    // MARK: - Forking

    /// The turns to copy: shown and finished.
    private static let shown = """
        FROM turns WHERE conversation = ?1 AND id < ?3 AND replaced IS NULL
            AND status <> 'open'
        """
    /// Pairs each old turn with its copy, by their position in the two conversations.
    private static let pairs = """
        WITH
            old AS (SELECT id, row_number() OVER (ORDER BY id) AS place \(shown)),
            new AS (SELECT id, row_number() OVER (ORDER BY id) AS place
                FROM turns WHERE conversation = ?2),
            pair AS (SELECT old.id AS old, new.id AS new
                FROM old JOIN new ON new.place = old.place)
        """

    static let copyTurns: SQL = """
        INSERT INTO turns(conversation, status, is_local, provider, model, started, ended,
            \(ConversationSQL.tokens), note, is_copy, carries_foreign_text)
        SELECT ?2, status, is_local, provider, model, started, ended,
            \(ConversationSQL.tokens), note, 1, carries_foreign_text
        \(shown) ORDER BY id
        """
    static let copyMessages: SQL = """
        \(pairs)
        INSERT INTO messages(turn, seq, role, provider, format, model, created, is_partial)
        SELECT pair.new, m.seq, m.role, m.provider, m.format, m.model, m.created, m.is_partial
        FROM pair JOIN messages m ON m.turn = pair.old ORDER BY pair.new, m.seq
        """
    static let copyParts: SQL = """
        \(pairs)
        INSERT INTO parts(message, seq, kind, body, bytes)
        SELECT n.id, p.seq, p.kind, p.body, p.bytes
        FROM pair JOIN messages m ON m.turn = pair.old
        JOIN messages n ON n.turn = pair.new AND n.seq = m.seq
        JOIN parts p ON p.message = m.id ORDER BY n.id, p.seq
        """
    /// Copies the newest summary that covers only copied turns, so that it need not be made again.
    static let copySummary: SQL = """
        \(pairs)
        INSERT INTO summaries(conversation, through_turn, text, has_foreign_text, provider, model,
            created)
        SELECT ?2, pair.new, s.text, s.has_foreign_text, s.provider, s.model, s.created
        FROM summaries s JOIN pair ON pair.old = s.through_turn
        WHERE s.conversation = ?1 AND s.replaced IS NULL ORDER BY s.id DESC LIMIT 1
        """
    static let countAll: SQL = """
        UPDATE conversations SET
            messages = (SELECT count(*) FROM turns t JOIN messages m ON m.turn = t.id
                WHERE t.conversation = ?1 AND t.replaced IS NULL),
            last_turn = (SELECT coalesce(max(id), 0) FROM turns
                WHERE conversation = ?1)
        WHERE seq = ?1
        """

    // MARK: - Importing

    static let lowestTurn: SQL = "SELECT min(id) FROM turns"
    static let lowestMessage: SQL = "SELECT min(id) FROM messages"
    static let insertTurn: SQL = """
        INSERT INTO turns(id, conversation, status, is_local, provider, model, started, ended,
            \(ConversationSQL.tokens), note, replaced, is_copy, carries_foreign_text)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 1, 1)
        """
    static let insertMessage: SQL = """
        INSERT INTO messages(id, turn, seq, role, provider, format, model, created, is_partial)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """

    // MARK: - The trash

    static let delete: SQL =
        "UPDATE conversations SET deleted = ?2 WHERE id = ?1 AND deleted IS NULL"
    static let restore: SQL =
        "UPDATE conversations SET deleted = NULL WHERE id = ?1 AND deleted IS NOT NULL"
    static let deleted: SQL = """
        SELECT seq, \(ConversationSQL.columns) FROM conversations WHERE deleted IS NOT NULL
        ORDER BY deleted DESC, seq DESC LIMIT ?1
        """
    static let erase: SQL = "DELETE FROM conversations WHERE id = ?1 AND deleted IS NOT NULL"
    /// In a backup the conversation may not be in the trash yet.
    static let eraseCopy: SQL = "DELETE FROM conversations WHERE id = ?1"
}
