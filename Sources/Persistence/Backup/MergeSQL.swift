/// The statements of `BackupDatabase` and `DatabaseMerge`. `backup` is the
/// attached database that is merged in.
enum MergeSQL {
    static let snapshot: SQL = "VACUUM INTO ?1"
    static let check: SQL = "PRAGMA quick_check(1)"
    static let contents: SQL = """
        SELECT (SELECT user_version FROM pragma_user_version) AS schema,
            (SELECT count(*) FROM conversations) AS conversations,
            (SELECT count(*) FROM items) AS items
        """
    static let attach: SQL = "ATTACH DATABASE ?1 AS backup"
    static let columns: SQL = "SELECT name FROM pragma_table_info(?1, 'main') ORDER BY cid"

    // MARK: - What is there

    static let conversations: SQL =
        "SELECT seq, id, title, updated, last_turn FROM conversations ORDER BY last_turn"
    static let stamp: SQL = """
        SELECT updated, messages AS size, deleted IS NOT NULL AS is_gone
        FROM conversations WHERE id = ?1
        """
    static let turns: SQL = """
        SELECT t.started, coalesce((SELECT p.body FROM messages m JOIN parts p ON p.message = m.id
            WHERE m.turn = t.id ORDER BY m.seq, p.seq LIMIT 1), '') AS first
        FROM conversations c JOIN turns t ON t.conversation = c.seq WHERE c.id = ?1
        """
    static let items: SQL = "SELECT id, uid, title FROM items ORDER BY id"
    static let itemStamp: SQL = """
        SELECT updated, revision AS size, trashed IS NOT NULL AS is_gone FROM items WHERE uid = ?1
        """
    static let itemNumber: SQL = "SELECT id FROM items WHERE uid = ?1"

    // MARK: - Numbers

    static let numbers = """
        CREATE TEMP TABLE IF NOT EXISTS turn_numbers(
            old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        CREATE TEMP TABLE IF NOT EXISTS message_numbers(
            old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        CREATE TEMP TABLE IF NOT EXISTS body_numbers(
            old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        """
    static let forgetNumbers = "DELETE FROM turn_numbers; DELETE FROM message_numbers;"
    static let anyTurn: SQL = "SELECT 1 FROM main.turns LIMIT 1"
    static let takenTurn: SQL = """
        SELECT 1 FROM backup.turns b JOIN main.turns m ON m.id = b.id
        WHERE b.conversation = ?1 LIMIT 1
        """
    private static let messages =
        "backup.messages b JOIN backup.turns t ON t.id = b.turn WHERE t.conversation = ?1"
    static let takenMessage: SQL =
        "SELECT 1 FROM \(messages) AND b.id IN (SELECT id FROM main.messages) LIMIT 1"
    /// A neighbour that was used later but sorts earlier, or the reverse.
    static let misplaced: SQL = """
        SELECT 1 WHERE
            (SELECT updated FROM main.conversations WHERE last_turn < ?1 AND last_turn <> 0
                ORDER BY last_turn DESC LIMIT 1) > ?2
            OR (SELECT updated FROM main.conversations WHERE last_turn > ?1
                ORDER BY last_turn LIMIT 1) < ?2
        """
    static let newer: SQL =
        "SELECT 1 FROM main.conversations WHERE updated > ?1 AND last_turn <> 0 LIMIT 1"
    static let keepTurns: SQL =
        "INSERT INTO temp.turn_numbers SELECT id, id FROM backup.turns WHERE conversation = ?1"
    static let keepMessages: SQL =
        "INSERT INTO temp.message_numbers SELECT b.id, b.id FROM \(messages)"
    static let turnsBehind: SQL = """
        INSERT INTO temp.turn_numbers
        SELECT id, (SELECT max(coalesce((SELECT seq FROM main.sqlite_sequence
                WHERE name = 'turns'), 0), coalesce((SELECT max(id) FROM main.turns), 0)))
            + row_number() OVER (ORDER BY id)
        FROM backup.turns WHERE conversation = ?1
        """
    static let turnsBefore: SQL = """
        INSERT INTO temp.turn_numbers
        SELECT id, min(0, coalesce((SELECT min(id) FROM main.turns), 0))
            - row_number() OVER (ORDER BY id DESC)
        FROM backup.turns WHERE conversation = ?1
        """
    static let messagesBehind: SQL = """
        INSERT INTO temp.message_numbers
        SELECT b.id, max(0, coalesce((SELECT max(id) FROM main.messages), 0))
            + row_number() OVER (ORDER BY b.id)
        FROM \(messages)
        """
    static let messagesBefore: SQL = """
        INSERT INTO temp.message_numbers
        SELECT b.id, min(0, coalesce((SELECT min(id) FROM main.messages), 0))
            - row_number() OVER (ORDER BY b.id DESC)
        FROM \(messages)
        """

    // MARK: - Changes

    static let removeConversation: SQL = "DELETE FROM main.conversations WHERE id = ?1"

    // In these statements, ?1 is the item in `backup` and ?2 the same item in `main`.

    private static let sameText = """
        (SELECT text FROM main.bodies WHERE id = r.body)
            = (SELECT text FROM backup.bodies WHERE id = t.body)
        """
    private static let isSame = """
        r.item = ?2 AND r.made = t.made AND r.title = t.title AND r.metadata = t.metadata
            AND r.tags = t.tags AND \(sameText)
        """
    /// Finds a revision equal to `t`.
    static let sameRevision = "SELECT 1 FROM main.revisions r WHERE \(isSame)"
    static let forgetBodies = "DELETE FROM body_numbers;"
    /// Skips bodies that a revision of the same time already has.
    static let numberBodies: SQL = """
        INSERT INTO temp.body_numbers
        SELECT b.id, coalesce(
            (SELECT r.body FROM backup.revisions t JOIN main.revisions r ON r.made = t.made
                WHERE t.item = ?1 AND t.body = b.id AND r.item = ?2 AND \(sameText) LIMIT 1),
            coalesce((SELECT max(id) FROM main.bodies), 0) + row_number() OVER (ORDER BY b.id))
        FROM backup.bodies b WHERE b.item = ?1
        """
    static let place: SQL = """
        INSERT INTO main.item_places(item, place, changed)
        SELECT ?2, place, changed FROM backup.item_places WHERE item = ?1
        ON CONFLICT(item) DO UPDATE SET place = excluded.place, changed = excluded.changed
            WHERE excluded.changed > item_places.changed
        """
    static let picture: SQL = """
        INSERT INTO main.item_pictures(item, bytes, changed)
        SELECT ?2, bytes, changed FROM backup.item_pictures WHERE item = ?1
        ON CONFLICT(item) DO UPDATE SET bytes = excluded.bytes, changed = excluded.changed
            WHERE excluded.changed > item_pictures.changed
        """
    /// Makes the revision equal to the other's current one the current one here.
    static let updateItem: SQL = """
        UPDATE main.items SET (title, updated, trashed, revision) = (
            SELECT i.title, i.updated, i.trashed, (
                SELECT max(r.number) FROM main.revisions r
                JOIN backup.revisions t ON t.item = i.id AND t.number = i.revision
                WHERE \(isSame))
            FROM backup.items i WHERE i.id = ?1)
        WHERE id = ?2
        """
    static let itemSequence: SQL = "SELECT seq FROM main.sqlite_sequence WHERE name = 'items'"
    static let raiseItemSequence: SQL = """
        UPDATE main.sqlite_sequence SET seq = max(seq, coalesce(
            (SELECT seq FROM backup.sqlite_sequence WHERE name = 'items'), 0))
        WHERE name = 'items'
        """
    static let setItemSequence: SQL = """
        INSERT INTO main.sqlite_sequence(name, seq)
        SELECT name, seq FROM backup.sqlite_sequence WHERE name = 'items'
            AND NOT EXISTS (SELECT 1 FROM main.sqlite_sequence WHERE name = 'items')
        """
}
