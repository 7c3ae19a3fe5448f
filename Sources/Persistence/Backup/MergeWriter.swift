/// Copies rows of the attached database `backup` into the main one, with new
/// numbers where the old ones are taken. Runs inside the caller's transaction.
///
/// The columns are read from the tables, which both have the current schema: a
/// column added by a later migration is copied without a change here.
struct MergeWriter {
    let connection: Connection

    func begin() throws(SQLiteError) {
        try connection.script("numbers", MergeSQL.numbers)
    }

    // MARK: - Conversations

    func remove(_ id: String) throws(SQLiteError) {
        try connection.run(SearchSQL.erase, [.text(id)])
        try connection.run(MergeSQL.removeConversation, [.text(id)])
    }

    func add(_ conversation: DatabaseMerge.Conversation, at place: Numbering) throws(SQLiteError) {
        let there = SQLiteValue.integer(conversation.sequence)
        let isCopy = conversation.newID != conversation.id
        try connection.run(
            try copy(
                "conversations", setting: ["id": "?2", "forked_from": "coalesce(?3, forked_from)"],
                leaving: ["seq"], "WHERE seq = ?1"),
            [there, .text(conversation.newID), .optional(isCopy ? conversation.id : nil)])
        let here = SQLiteValue.integer(connection.lastInsertedRow)
        try number(there, place)

        try connection.run(
            try copy(
                "turns",
                setting: [
                    "id": "n.new", "conversation": "?1", "carries_foreign_text": "1",
                    "is_copy": "max(is_copy, ?2)",
                ], "JOIN temp.turn_numbers n ON n.old = t.id ORDER BY n.new"),
            [here, .flag(isCopy)])
        try connection.run(
            try copy(
                "messages", setting: ["id": "n.new", "turn": "u.new"],
                """
                JOIN temp.message_numbers n ON n.old = t.id
                JOIN temp.turn_numbers u ON u.old = t.turn ORDER BY n.new
                """))
        try connection.run(
            try copy(
                "parts", setting: ["message": "n.new"], leaving: ["id"],
                "JOIN temp.message_numbers n ON n.old = t.message ORDER BY n.new, t.seq"))
        try connection.run(
            try copy(
                "chunks", setting: ["turn": "n.new"],
                "JOIN temp.turn_numbers n ON n.old = t.turn"))
        try connection.run(
            try copy(
                "summaries",
                setting: ["conversation": "?1", "through_turn": "n.new", "has_foreign_text": "1"],
                leaving: ["id"],
                "JOIN temp.turn_numbers n ON n.old = t.through_turn ORDER BY t.id"), [here])
        if !isCopy {
            try connection.run(
                try copy(
                    "generations", setting: ["conversation": "?1"], leaving: ["id"],
                    "WHERE t.conversation = ?2 ORDER BY t.id"), [here, there])
            try connection.run(
                try copy(
                    "tool_calls", setting: ["conversation": "?1"], leaving: ["id"],
                    "WHERE t.conversation = ?2 ORDER BY t.id"), [here, there])
        }
        try connection.run(BranchSQL.countAll, [here])
        // The conversation exists: its sequence was just read.
        if case .integer(let sequence) = here { try connection.indexAll(of: sequence) }
    }

    /// The numbers given to the turns and messages of a conversation. They follow the order in
    /// which conversations were used.
    enum Numbering {
        /// The old numbers, which are free and fit between their neighbours in time.
        case kept
        /// The row goes after all others here, because it is newer.
        case behind
        /// The row goes before all others here, like an import.
        case before
    }

    /// - Parameter keepsNumbers: true if nothing here had these numbers before.
    func place(
        of conversation: DatabaseMerge.Conversation, keepsNumbers: Bool
    ) throws(SQLiteError) -> Numbering {
        let there = SQLiteValue.integer(conversation.sequence)
        let updated = SQLiteValue.integer(conversation.updated)
        let isTurnFree = try connection.first(MergeSQL.takenTurn, [there]) { _ in true } == nil
        let isMessageFree =
            try connection.first(MergeSQL.takenMessage, [there]) { _ in true } == nil
        let isMisplaced =
            try connection.first(
                MergeSQL.misplaced, [.integer(conversation.lastTurn), updated]
            ) { _ in true } != nil
        if isTurnFree, isMessageFree, keepsNumbers || !isMisplaced { return .kept }
        let isNewest = try connection.first(MergeSQL.newer, [updated]) { _ in true } == nil
        return isNewest ? .behind : .before
    }

    private func number(_ there: SQLiteValue, _ place: Numbering) throws(SQLiteError) {
        try connection.script("forget numbers", MergeSQL.forgetNumbers)
        switch place {
        case .kept:
            try connection.run(MergeSQL.keepTurns, [there])
            try connection.run(MergeSQL.keepMessages, [there])
        case .behind:
            try connection.run(MergeSQL.turnsBehind, [there])
            try connection.run(MergeSQL.messagesBehind, [there])
        case .before:
            try connection.run(MergeSQL.turnsBefore, [there])
            try connection.run(MergeSQL.messagesBefore, [there])
        }
    }

    /// Adds each request without a conversation once.
    /// - Returns: the number of requests added.
    func addUsage() throws(SQLiteError) -> Int {
        let columns = try columns("generations").filter { $0 != "id" }
        let same = columns.map { "g.\($0) IS t.\($0)" }.joined(separator: " AND ")
        try connection.run(
            try copy(
                "generations", setting: [:], leaving: ["id"],
                """
                WHERE t.conversation IS NULL
                    AND NOT EXISTS (SELECT 1 FROM main.generations g WHERE \(same))
                """))
        return connection.changedRows
    }

    // MARK: - Items

    /// - Parameter keepsNumber: true if this database never had an item.
    func add(_ item: inout DatabaseMerge.Item, keepsNumber: Bool) throws(SQLiteError) {
        let there = SQLiteValue.integer(item.number)
        if let present = item.present {
            let here = SQLiteValue.integer(present)
            try addBodies(there, here)
            // Revisions that are missing here go after the last one.
            try connection.run(
                try revisions(
                    """
                    (SELECT max(number) FROM main.revisions WHERE item = ?2)
                        + row_number() OVER (ORDER BY t.number)
                    """, "WHERE t.item = ?1 AND NOT EXISTS (\(MergeSQL.sameRevision))"),
                [there, here])
            try connection.run(MergeSQL.updateItem, [there, here])
            try connection.run(MergeSQL.place, [there, here])
            try connection.run(MergeSQL.picture, [there, here])
            try connection.indexItem(ItemID(rawValue: present))
            return
        }
        try connection.run(
            try copy("items", setting: ["id": "?2"], "WHERE t.id = ?1"),
            [there, keepsNumber ? there : .null])
        let number = connection.lastInsertedRow
        let here = SQLiteValue.integer(number)
        try addBodies(there, here)
        try connection.run(
            try revisions("number", "WHERE t.item = ?1 ORDER BY t.number"), [there, here])
        try connection.run(MergeSQL.place, [there, here])
        try connection.run(MergeSQL.picture, [there, here])
        try connection.indexItem(ItemID(rawValue: number))
        item.present = number
    }

    private func revisions(_ number: String, _ rest: String) throws(SQLiteError) -> SQL {
        try copy(
            "revisions",
            setting: [
                "item": "?2", "number": number, "body": "n.new", "carries_foreign_text": "1",
            ],
            leaving: ["id"], "JOIN temp.body_numbers n ON n.old = t.body \(rest)")
    }

    /// Copies the missing bodies and numbers all of them for `revisions`. Each belongs to a
    /// revision that exists here or is added.
    private func addBodies(_ there: SQLiteValue, _ here: SQLiteValue) throws(SQLiteError) {
        try connection.script("forget bodies", MergeSQL.forgetBodies)
        try connection.run(MergeSQL.numberBodies, [there, here])
        try connection.run(
            try copy(
                "bodies", setting: ["id": "n.new", "item": "?1"],
                """
                JOIN temp.body_numbers n ON n.old = t.id
                WHERE n.new NOT IN (SELECT id FROM main.bodies)
                """), [here])
    }

    /// Prevents the numbers of deleted items from being reused here as well.
    func keepSequence() throws(SQLiteError) {
        try connection.run(MergeSQL.raiseItemSequence)
        try connection.run(MergeSQL.setItemSequence)
    }

    // MARK: - Statements

    /// Runs `INSERT … SELECT` for a table's rows, using the columns the table has.
    private func copy(
        _ table: String, setting values: [String: String], leaving: Set<String> = [],
        _ rest: String
    ) throws(SQLiteError) -> SQL {
        let names = try columns(table).filter { !leaving.contains($0) }
        let sources = names.map { values[$0] ?? "t.\($0)" }
        return """
            INSERT INTO main.\(table)(\(names.joined(separator: ", ")))
            SELECT \(sources.joined(separator: ", ")) FROM backup.\(table) t \(rest)
            """
    }

    private func columns(_ table: String) throws(SQLiteError) -> [String] {
        try connection.rows(MergeSQL.columns, [.text(table)]) { $0.text(0) }
    }
}
