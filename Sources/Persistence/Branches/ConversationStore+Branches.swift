import AgentCore
import Base
import FoundationEssentials

/// Branches of a conversation: a copy that continues from an earlier message, and a turn
/// that is replaced by another.
extension ConversationStore {
    /// Copies everything before a turn into a new conversation, or everything
    /// if no turn is given.
    ///
    /// A turn that this or another instance is still answering is not copied.
    /// If there is nothing to copy, the new conversation is a draft: it is
    /// stored with its first message, and keeps the id of its origin.
    ///
    /// - Throws: `notFound`, and errors of writing.
    package func fork(_ id: String, before turn: TurnID? = nil) throws(SQLiteError)
        -> ConversationRecord
    {
        let now = environment.now()
        let newID = environment.uuid()
        let stamp = now.inMilliseconds
        var draft: ConversationRecord?
        let record = try connection.transaction { () throws(SQLiteError) in
            guard let source = try row(of: id), source.record.deleted == nil else {
                throw notFound(id)
            }
            var copy = ConversationRecord(
                id: newID, title: ConversationTitle.fork(of: source.record.title), kind: .repl,
                provider: source.record.provider, model: source.record.model, created: now,
                updated: now, messages: 0, order: 0)
            copy.preferences = source.record.preferences
            copy.forkedFrom = id
            let end = SQLiteValue.integer(turn?.rawValue ?? .max)
            guard
                try connection.first(Self.hasTurn, [.integer(source.sequence), end], { _ in true })
                    != nil
            else {
                draft = copy
                return copy
            }
            let target = try insert(copy, title: copy.title, created: stamp, updated: stamp)
            for sql in [
                BranchSQL.copyTurns, BranchSQL.copyMessages, BranchSQL.copyParts,
                BranchSQL.copySummary,
            ] {
                try connection.run(sql, [.integer(source.sequence), .integer(target), end])
            }
            try indexAll(of: target)
            try connection.run(BranchSQL.countAll, [.integer(target)])
            return try row(of: newID)?.record ?? copy
        }
        if let draft { drafts[newID] = draft }
        return record
    }

    static let hasTurn: SQL = """
        SELECT 1 FROM turns WHERE conversation = ?1 AND id < ?2 AND replaced IS NULL
            AND status <> 'open' LIMIT 1
        """

    /// Marks a turn of a conversation as replaced.
    package func takeOut(_ turn: TurnID, of id: String) throws(SQLiteError) {
        let now = environment.now().inMilliseconds
        try connection.transaction { () throws(SQLiteError) in
            guard let source = try row(of: id) else { throw notFound(id) }
            try replace(turn, in: source.sequence, now: now)
        }
    }

    /// Runs inside the transaction that saves the replacement. Does nothing if
    /// the turn is gone or already replaced.
    func replace(_ turn: TurnID, in conversation: Int64, now: Int64) throws(SQLiteError) {
        let values = [SQLiteValue.integer(turn.rawValue), .integer(conversation)]
        try connection.run(BranchSQL.replaceTurn, values + [.integer(now)])
        if connection.changedRows == 0 { return }
        try connection.run(BranchSQL.uncountMessages, values)
        try connection.run(BranchSQL.replaceSummaries, values + [.integer(now)])
    }
}
