import Base

/// Merges the conversations and items of another database, by their ids.
///
///     here                      there               outcome
///     nothing                   something           new
///     older, all of it there    newer               updated
///     older, with more          newer               beside (conversation), updated (item)
///     newer, or as new          older               kept, unchanged
///     open in another chat      newer               kept
///
/// Nothing that is only here is lost: a conversation is replaced only by one
/// that holds all of its turns, and an item keeps its revisions. Merging twice
/// changes nothing more. Merged text counts as untrusted (docs/safety in the
/// manual): a file does not reveal where it comes from.
struct DatabaseMerge {
    /// Nil if there is no database yet, which is enough for a plan.
    let ours: Connection?
    /// The backup's database, also attached to `ours` as `backup`, for `apply`.
    let theirs: Connection
    let locks: String

    struct Conversation {
        var sequence: Int64
        var id: String
        /// Id under which it is stored.
        var newID: String
        var title: String
        var updated: Int64
        var lastTurn: Int64
        var outcome: MergeReport.Outcome
    }

    struct Item {
        var number: Int64
        var uid: String
        var title: String
        /// The row's number in this database; nil if it does not exist yet.
        var present: Int64?
        var outcome: MergeReport.Outcome
    }

    struct Plan {
        var conversations: [Conversation] = []
        var items: [Item] = []
        var usageRows = 0
        /// Locks kept until the plan is applied.
        var held: [ConversationLock] = []

        var report: MergeReport {
            MergeReport(
                lines: conversations.map {
                    .init(
                        kind: .conversation, id: $0.newID, title: $0.title, outcome: $0.outcome)
                }
                    + items.map {
                        .init(
                            kind: .item, id: "i\($0.present ?? $0.number)", title: $0.title,
                            outcome: $0.outcome)
                    },
                usageRows: usageRows)
        }
    }

    // MARK: - What to do

    func plan() throws(SQLiteError) -> Plan {
        var plan = Plan()
        plan.conversations = try theirs.rows(MergeSQL.conversations) { row in
            Conversation(
                sequence: row.integer("seq"), id: row.text("id"), newID: row.text("id"),
                title: row.text("title"), updated: row.integer("updated"),
                lastTurn: row.integer("last_turn"),
                outcome: .new)
        }
        plan.items = try theirs.rows(MergeSQL.items) { row in
            Item(
                number: row.integer("id"), uid: row.text("uid"), title: row.text("title"),
                present: nil,
                outcome: .new)
        }
        for conversation in plan.conversations where !ConversationStore.isUUID(conversation.id) {
            throw SQLiteError(.corrupt, path: theirs.path, detail: "an id of a conversation")
        }
        guard let ours else { return plan }
        for index in plan.conversations.indices {
            try judge(&plan.conversations[index], ours, &plan.held)
        }
        for index in plan.items.indices { try judge(&plan.items[index], ours) }
        return plan
    }

    private func judge(
        _ conversation: inout Conversation, _ ours: Connection, _ held: inout [ConversationLock]
    ) throws(SQLiteError) {
        let stamp = MergeSQL.stamp
        guard let here = try ours.first(stamp, [.text(conversation.id)], Self.stamp) else { return }
        let there = try theirs.first(stamp, [.text(conversation.id)], Self.stamp) ?? []
        if here[0] >= there[0] {
            conversation.outcome = here == there ? .unchanged : .kept
            return
        }
        guard let lock = try ConversationLock.acquire(folder: locks, id: conversation.id) else {
            conversation.outcome = .kept
            return
        }
        held.append(lock)
        if try turns(of: conversation.id, ours).isSubset(of: turns(of: conversation.id, theirs)) {
            conversation.outcome = .updated
            return
        }
        conversation.newID = Self.derivedID(conversation.id, conversation.updated)
        let isThere = try ours.first(stamp, [.text(conversation.newID)], Self.stamp) != nil
        conversation.outcome = isThere ? .unchanged : .beside
    }

    /// Update time, number of messages or revision, and whether it is in the trash.
    private static func stamp(_ row: Statement) throws(SQLiteError) -> [Int64] {
        [row.integer("updated"), row.integer("size"), row.integer("is_gone")]
    }

    /// Start time and first message of each turn.
    private func turns(
        of id: String, _ connection: Connection
    ) throws(SQLiteError) -> Set<String> {
        Set(
            try connection.rows(MergeSQL.turns, [.text(id)]) {
                "\($0.integer("started")) \($0.text("first"))"
            })
    }

    /// A fixed id for a state of a conversation, so that it is stored beside the other only once
    /// (RFC 9562 §5.8).
    static func derivedID(_ id: String, _ updated: Int64) -> String {
        var bytes = Array(SHA256.digest(Array("\(id) \(updated)".utf8))[..<16])
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef")
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append("-") }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }

    private func judge(_ item: inout Item, _ ours: Connection) throws(SQLiteError) {
        let key = [SQLiteValue.text(item.uid)]
        guard let here = try ours.first(MergeSQL.itemStamp, key, Self.stamp) else { return }
        let there = try theirs.first(MergeSQL.itemStamp, key, Self.stamp) ?? []
        item.present = try ours.first(MergeSQL.itemNumber, key) { $0.integer(0) }
        if here[0] >= there[0] {
            item.outcome = here[0] == there[0] && here[2] == there[2] ? .unchanged : .kept
        } else {
            item.outcome = .updated
        }
    }

    // MARK: - Doing it

    /// Must run inside a transaction of `ours`.
    func apply(_ plan: Plan) throws(SQLiteError) -> MergeReport {
        guard let ours else { preconditionFailure("a database to write to") }
        var plan = plan
        let writer = MergeWriter(connection: ours)
        try writer.begin()
        let isEmpty = try ours.first(MergeSQL.anyTurn) { _ in true } == nil
        // Newer conversations are added starting with the oldest, older ones starting with the
        // newest: this keeps their order.
        var older: [Conversation] = []
        for conversation in plan.conversations where conversation.outcome.isChange {
            if conversation.outcome == .updated { try writer.remove(conversation.id) }
            let place = try writer.place(of: conversation, keepsNumbers: isEmpty)
            if place == .before {
                older.append(conversation)
            } else {
                try writer.add(conversation, at: place)
            }
        }
        for conversation in older.reversed() { try writer.add(conversation, at: .before) }
        let isUnused = (try ours.first(MergeSQL.itemSequence) { $0.integer(0) } ?? 0) == 0
        for index in plan.items.indices where plan.items[index].outcome.isChange {
            try writer.add(&plan.items[index], keepsNumber: isUnused)
        }
        if isUnused { try writer.keepSequence() }
        plan.usageRows = try writer.addUsage()
        return plan.report
    }
}
