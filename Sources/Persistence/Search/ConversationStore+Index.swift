import AgentCore
import FoundationEssentials

/// Keeps the full-text index up to date: with each new message, and in batches for earlier ones,
/// the newest first, when there is no other work (docs/decisions/0010).
extension ConversationStore {
    /// Runs inside the transaction that saves the message.
    func index(_ message: Message, as id: Int64) throws(SQLiteError) {
        guard let text = SearchableText.of(message) else { return }
        try connection.run(SearchSQL.insert, [.integer(id), .text(text)])
    }

    /// Runs inside the transaction that copies the messages.
    func indexAll(of conversation: Int64) throws(SQLiteError) {
        try connection.indexAll(of: conversation)
    }

    func textOnly(_ id: Int64, role: Role) throws(SQLiteError) -> Message {
        try connection.textOnly(id, role: role)
    }

    /// The share of the messages, from 0 to 1, that is not indexed yet.
    package func unindexedShare() throws(SQLiteError) -> Double {
        let (rest, total) = try indexState()
        return total <= 0 ? 0 : min(1, Double(rest) / Double(total))
    }

    private func indexState() throws(SQLiteError) -> (rest: Int64, total: Int64) {
        try connection.first(SearchSQL.state) {
            ($0.integer("rest"), $0.integer("total"))
        } ?? (0, 0)
    }

    /// Indexes the next batch of old messages, in a transaction of
    /// milliseconds; any instance may take a batch, and a kill loses at most
    /// one.
    ///
    /// - Returns: true when none are left.
    package func indexNextBatch(limit: Int = 500) throws(SQLiteError) -> Bool {
        if try indexState().rest <= 0 { return true }
        return try connection.transaction(.normal) { () throws(SQLiteError) in
            let rest = try indexState().rest
            let ids = try connection.rows(
                SearchSQL.unindexed, [.integer(rest), .integer(Int64(limit))]
            ) { $0.integer(0) }
            // Ascending: the index writes a run of growing numbers at once.
            for id in ids.reversed() {
                let role = try connection.first(SearchSQL.role, [.integer(id)]) { $0.text(0) }
                guard let role = role.flatMap(Role.init(rawValue:)), role != .tool,
                    let text = SearchableText.of(try textOnly(id, role: role))
                else { continue }
                try connection.run(SearchSQL.insertIfMissing, [.integer(id), .text(text)])
            }
            let next = ids.count < limit ? 0 : (ids.last ?? 1) - 1
            try connection.run(SearchSQL.setRest, [.integer(next)])
            return next <= 0
        }
    }
}

extension Connection {
    /// Indexes the messages of a conversation, inside the transaction that copies them.
    func indexAll(of conversation: Int64) throws(SQLiteError) {
        let messages = try rows(SearchSQL.copied, [.integer(conversation)]) {
            ($0.integer("id"), Role(rawValue: $0.text("role")) ?? .tool)
        }
        for (id, role) in messages {
            guard let text = SearchableText.of(try textOnly(id, role: role)) else { continue }
            try run(SearchSQL.insert, [.integer(id), .text(text)])
        }
    }

    /// The message, limited to its searchable parts.
    func textOnly(_ id: Int64, role: Role) throws(SQLiteError) -> Message {
        let parts = try rows(SearchSQL.textParts, [.integer(id)]) { row in
            PartCodec.decode(PartCodec.Stored(kind: row.text("kind"), body: row.text("body")))
        }
        return Message(role: role, parts: parts.compactMap(\.self))
    }
}
