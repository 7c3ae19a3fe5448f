/// The statements of the full-text index.
enum SearchSQL {
    /// A message whose number was used before replaces the old text.
    static let insert: SQL = "INSERT OR REPLACE INTO search(rowid, text) VALUES (?1, ?2)"
    static let insertIfMissing: SQL = """
        INSERT INTO search(rowid, text)
        SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM search WHERE rowid = ?1)
        """
    static let erase: SQL = """
        DELETE FROM search WHERE rowid IN (
            SELECT m.id FROM conversations c JOIN turns t ON t.conversation = c.seq
            JOIN messages m ON m.turn = t.id WHERE c.id = ?1)
        """
    /// Merges the index completely, which removes the words of erased messages.
    static let optimize: SQL = "INSERT INTO search(search) VALUES ('optimize')"

    /// Starts with the newest, and reads only as far as needed.
    static let matches: SQL = """
        SELECT rowid FROM search WHERE search MATCH ?1 AND rowid <= ?2
        ORDER BY rowid DESC
        """
    /// The words of the index, with each occurrence; a view of it that is not stored.
    static let makeVocabulary: SQL = """
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_words USING fts5vocab(
            main, search, instance)
        """
    static let nextWord: SQL = "SELECT term FROM temp.search_words WHERE term >= ?1 LIMIT 1"
    static let place: SQL = """
        SELECT t.conversation, t.id AS turn, m.role, m.created,
            t.replaced IS NOT NULL OR (SELECT deleted FROM conversations
                WHERE seq = t.conversation) IS NOT NULL AS is_hidden
        FROM messages m JOIN turns t ON t.id = m.turn WHERE m.id = ?1
        """
    /// The newest message before a given turn that belongs to another conversation.
    static let elsewhere: SQL = """
        SELECT max(id) FROM messages WHERE turn = (
            SELECT id FROM turns WHERE id < ?1 AND conversation <> ?2
            ORDER BY id DESC LIMIT 1)
        """
    static let conversation: SQL =
        "SELECT seq, \(ConversationSQL.columns) FROM conversations WHERE seq = ?1"
    static let textParts: SQL = """
        SELECT kind, body FROM parts WHERE message = ?1 AND kind IN ('text', 'refusal')
        ORDER BY seq
        """

    // MARK: - Messages from before the index

    static let state: SQL = "SELECT rest, total FROM search_state"
    static let setRest: SQL = "UPDATE search_state SET rest = ?1"
    /// The numbers of the next batch, the newest first.
    static let unindexed: SQL = """
        SELECT id FROM messages WHERE id <= ?1 AND id > 0
        ORDER BY id DESC LIMIT ?2
        """
    static let role: SQL = "SELECT role FROM messages WHERE id = ?1"
    static let copied: SQL = """
        SELECT m.id, m.role FROM turns t JOIN messages m ON m.turn = t.id
        WHERE t.conversation = ?1 ORDER BY t.id, m.seq
        """
}
