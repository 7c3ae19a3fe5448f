import AgentCore
import Base
import FoundationEssentials

/// Imports conversations from files.
extension ConversationStore {
    /// Stores a conversation in one transaction.
    ///
    /// It sorts before all conversations made here and all earlier imports, so that the next launch
    /// does not resume it: import the newest first. Its usage was paid for elsewhere and does not
    /// count in totals. All of it is untrusted text, whatever its parts claim.
    package func importConversation(
        _ imported: ImportedConversation
    ) throws(SQLiteError) -> ImportOutcome {
        guard imported.turns.contains(where: { !$0.turn.messages.isEmpty }) else { return .empty }
        return try connection.transaction { () throws(SQLiteError) in
            let id = imported.id.flatMap { Self.isUUID($0) ? $0 : nil }
            if let id, let present = try row(of: id) { return .skipped(present.record) }
            // An id taken by a draft is not used.
            let free = id.flatMap { drafts[$0] == nil ? $0 : nil }
            return .stored(try store(imported, as: free ?? environment.uuid()))
        }
    }

    static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36 && UUID(uuidString: text) != nil && text == text.lowercased()
    }

    private func store(
        _ imported: ImportedConversation, as id: String
    ) throws(SQLiteError) -> ConversationRecord {
        let first = imported.turns.lazy.compactMap(\.turn.messages.first).first
        let title =
            imported.title.isEmpty
            ? first.map(ConversationTitle.make(from:)) ?? "" : imported.title
        let record = ConversationRecord(
            id: id, title: title, kind: imported.kind, provider: imported.provider,
            model: imported.model, created: imported.created, updated: imported.updated,
            messages: 0, order: 0, preferences: imported.preferences)
        let conversation = try insert(
            record, title: title, created: imported.created.inMilliseconds,
            updated: imported.updated.inMilliseconds)
        let turns = imported.turns.filter { !$0.turn.messages.isEmpty }
        let messages = turns.reduce(0) { $0 + $1.turn.messages.count }
        var turn = try lowest(BranchSQL.lowestTurn) - Int64(turns.count)
        var message = try lowest(BranchSQL.lowestMessage) - Int64(messages)
        for stored in turns {
            try insert(stored, as: turn, of: conversation, firstMessage: &message)
            turn += 1
        }
        try connection.run(BranchSQL.countAll, [.integer(conversation)])
        return try row(of: id)?.record ?? record
    }

    private func lowest(_ sql: SQL) throws(SQLiteError) -> Int64 {
        min(0, try connection.first(sql) { $0.integer(0) } ?? 0)
    }

    private func insert(
        _ stored: StoredTurn, as turn: Int64, of conversation: Int64,
        firstMessage message: inout Int64
    ) throws(SQLiteError) {
        let status = stored.turn.status == .open ? Turn.Status.interrupted : stored.turn.status
        let ended = stored.ended ?? stored.times.last ?? stored.started
        try connection.run(
            BranchSQL.insertTurn,
            [
                .integer(turn), .integer(conversation), .text(status.rawValue),
                .flag(stored.turn.isLocal), .text(stored.provider.rawValue),
                .text(stored.model), .date(stored.started),
                .date(ended),
            ] + Self.columns(of: stored.turn.usage) + [
                .optional(stored.note),
                .date(stored.replaced),
            ])
        for (number, content) in stored.turn.messages.enumerated() {
            let time = stored.times.indices.contains(number) ? stored.times[number] : stored.started
            let isLast = number == stored.turn.messages.count - 1
            try connection.run(
                BranchSQL.insertMessage,
                [
                    .integer(message), .integer(turn), .integer(Int64(number + 1)),
                    .text(content.role.rawValue), .optional(content.origin?.provider.rawValue),
                    .optional(content.origin?.format.rawValue),
                    .optional(content.origin?.model), .date(time),
                    .flag(stored.isPartial && isLast),
                ])
            try insert(content.parts, into: message)
            try index(content, as: message)
            message += 1
        }
    }
}

/// A conversation read from a file of another installation or another program. A value, independent
/// of the file.
package struct ImportedConversation: Sendable, Equatable {
    /// The id given in the file; if it is nil or not a lower-case UUID, a new one is made.
    package var id: String?
    /// The title; if empty, it is made from the first message.
    package var title: String
    package var kind: ConversationRecord.Kind
    package var provider: ProviderName
    package var model: String
    package var created: Date
    package var updated: Date
    package var preferences: ConversationPreferences
    /// Oldest first. Their ids are ignored; an open turn is imported as interrupted.
    package var turns: [StoredTurn]

    package init(
        id: String? = nil, title: String, kind: ConversationRecord.Kind = .repl,
        provider: ProviderName, model: String, created: Date, updated: Date,
        preferences: ConversationPreferences = ConversationPreferences(), turns: [StoredTurn]
    ) {
        self.id = id
        self.title = title
        self.kind = kind
        self.provider = provider
        self.model = model
        self.created = created
        self.updated = updated
        self.preferences = preferences
        self.turns = turns
    }
}

/// The result of importing a conversation.
package enum ImportOutcome: Sendable, Equatable {
    case stored(ConversationRecord)
    /// The conversation's id already existed, perhaps in the trash: nothing was changed.
    case skipped(ConversationRecord)
    /// The conversation holds no message.
    case empty
}
