import AgentCore
import FoundationEssentials

/// Saves turns for `ConversationJournal`, and closes those left open.
///
/// Acknowledged data (a message that is answered locally, a message with tool calls, a tool result,
/// the end of a turn) is committed with full synchronisation. A message to a model, streamed text
/// and answers without calls are committed without waiting for the disk: they survive a crash of
/// the program, and are on disk with the next full commit. For the message, this is the commit of
/// its request's row (`recordSending`), before anything is sent.
extension ConversationStore {
    /// The journal of a conversation.
    ///
    /// - Parameter kind: where it is used now; a one-shot conversation that a
    ///   REPL continues becomes one of the REPL.
    /// - Parameter replacing: the turn that the first new one replaces.
    package nonisolated func journal(
        for id: String, in kind: ConversationRecord.Kind, replacing: TurnID? = nil
    ) -> ConversationJournal {
        ConversationJournal(store: self, conversation: id, kind: kind, replacing: replacing)
    }

    /// - Parameter replaced: a turn of the same conversation that this one replaces, in the same
    ///   transaction.
    /// - Throws: `CancellationError` if the task was cancelled while another instance had the lock;
    ///   nothing is saved then.
    func begin(
        _ user: Message, isLocal: Bool, carriesUntrustedText: Bool = false, in id: String,
        kind: ConversationRecord.Kind, replacing replaced: TurnID? = nil
    ) async throws -> TurnID {
        let interruption = Interruption()
        return try await withTaskCancellationHandler {
            // Only the wait ends early: if the lock is free, the turn is saved.
            connection.waitInterruption = interruption
            defer { connection.waitInterruption = nil }
            do {
                return try save(
                    user, isLocal: isLocal, carriesUntrustedText: carriesUntrustedText, in: id,
                    kind: kind, replacing: replaced)
            } catch let error as SQLiteError
                where error.reason == .locked && interruption.isRaised
            {
                throw CancellationError()
            }
        } onCancel: {
            interruption.raise()
        }
    }

    private func save(
        _ user: Message, isLocal: Bool, carriesUntrustedText: Bool, in id: String,
        kind: ConversationRecord.Kind, replacing replaced: TurnID?
    ) throws(SQLiteError) -> TurnID {
        let now = milliseconds()
        let turn = try connection.transaction(isLocal ? .full : .normal) {
            () throws(SQLiteError) in
            let conversation = try sequence(of: id, firstMessage: user, now: now)
            if let replaced { try replace(replaced, in: conversation, now: now) }
            try connection.run(
                ConversationSQL.insertTurn,
                [
                    .integer(conversation), .flag(isLocal), .integer(now),
                    .flag(carriesUntrustedText),
                ])
            let turn = connection.lastInsertedRow
            try insert(user, in: turn, now: now)
            try connection.run(
                ConversationSQL.touch,
                [.integer(conversation), .integer(now), .integer(turn), .text(kind.rawValue)])
            return turn
        }
        drafts[id] = nil
        liveTurns.insert(turn)
        return TurnID(turn)
    }

    /// The number of a conversation's row, which is created if this is its first message.
    private func sequence(
        of id: String, firstMessage: Message, now: Int64
    ) throws(SQLiteError) -> Int64 {
        if let row = try row(of: id) {
            // A conversation in the trash is not continued.
            guard row.record.deleted == nil else { throw notFound(id) }
            return row.sequence
        }
        guard let draft = drafts[id] else { throw notFound(id) }
        let title = draft.title.isEmpty ? ConversationTitle.make(from: firstMessage) : draft.title
        return try insert(draft, title: title, created: now, updated: now)
    }

    /// - Returns: its row number in this file.
    func insert(
        _ record: ConversationRecord, title: String, created: Int64, updated: Int64
    ) throws(SQLiteError) -> Int64 {
        let preferences = record.preferences
        try connection.run(
            ConversationSQL.insertConversation,
            [
                .text(record.id), .text(title), .text(record.kind.rawValue),
                .text(record.provider.rawValue), .text(record.model), .integer(created),
                .integer(updated), .optional(preferences.role), .optional(preferences.system),
                .optional(preferences.effort?.rawValue),
                .optional(preferences.thinking?.rawValue), .optional(record.forkedFrom),
                .flag(preferences.redacts),
            ])
        return connection.lastInsertedRow
    }

    /// Writes the buffered text in order. The buffer is emptied here, on the store's queue, so that
    /// two callers cannot change the order.
    func flush(_ buffer: StreamBuffer) throws(SQLiteError) {
        let pieces = buffer.take()
        if pieces.isEmpty { return }
        do {
            try connection.transaction(.normal) { () throws(SQLiteError) in
                try insert(pieces)
            }
        } catch {
            keep(pieces, in: buffer, after: error)
            throw error
        }
    }

    private func keep(
        _ pieces: [StreamBuffer.Piece], in buffer: StreamBuffer, after error: SQLiteError
    ) {
        // If another instance has deleted the turn, its text can never be written; kept, it would
        // make every later write fail too.
        if error.reason != .constraint { buffer.putBack(pieces) }
    }

    private func insert(_ pieces: [StreamBuffer.Piece]) throws(SQLiteError) {
        for piece in pieces {
            try connection.run(
                ConversationSQL.insertChunk,
                [
                    .integer(piece.turn.rawValue), .text(piece.streamed.kind.rawValue),
                    .text(piece.streamed.text),
                ])
        }
    }

    func record(
        _ message: Message, in turn: TurnID, replacing buffer: StreamBuffer
    ) throws(SQLiteError) {
        let replaces = message.role == .assistant
        let now = milliseconds()
        let calls = message.parts.contains { if case .toolCall = $0 { true } else { false } }
        try connection.transaction(calls ? .full : .normal) { () throws(SQLiteError) in
            if replaces {
                try connection.run(ConversationSQL.deleteChunks, [.integer(turn.rawValue)])
            }
            try insert(message, in: turn.rawValue, now: now)
            try connection.run(
                ConversationSQL.countMessage, [.integer(turn.rawValue), .integer(now)])
        }
        // Not before the write: if that fails, the text must be kept.
        if replaces { buffer.drop(turn) }
    }

    /// Results for one answer are collected in one message, as the wire formats
    /// require.
    func recordResult(
        _ result: ToolResult, of call: ToolCallRecord, in turn: TurnID
    ) throws(SQLiteError) {
        let now = milliseconds()
        try connection.transaction { () throws(SQLiteError) in
            try insert(call, in: turn, now: now)
            let last = try connection.first(
                ConversationSQL.lastMessage, [.integer(turn.rawValue)]
            ) { ($0.integer("id"), $0.text("role")) }
            if let (message, role) = last, role == Role.tool.rawValue {
                try insert([.toolResult(result)], into: message)
            } else {
                try insert(
                    Message(role: .tool, parts: [.toolResult(result)]), in: turn.rawValue, now: now)
                try connection.run(
                    ConversationSQL.countMessage, [.integer(turn.rawValue), .integer(now)])
            }
        }
    }

    func closeTurn(
        _ turn: TurnID, status: Turn.Status, usage: Usage, note: String?, buffer: StreamBuffer
    ) throws(SQLiteError) {
        let now = milliseconds()
        let pieces = buffer.take()
        do {
            try connection.transaction { () throws(SQLiteError) in
                try insert(pieces)
                try fold(turn.rawValue)
                try connection.run(
                    ConversationSQL.closeTurn,
                    [
                        .integer(turn.rawValue), .text(status.rawValue), .integer(now),
                    ] + Self.columns(of: usage) + [.optional(note)])
                if connection.changedRows == 0 {
                    throw SQLiteError(
                        .notFound, path: path, detail: "no turn \(turn.rawValue)")
                }
            }
        } catch {
            keep(pieces, in: buffer, after: error)
            throw error
        }
        liveTurns.remove(turn.rawValue)
    }

    /// Closes the turns left open by an instance that died: they become
    /// interrupted, and the streamed text becomes a partial answer.
    ///
    /// Costs one index lookup when there is nothing to do.
    ///
    /// - Parameter lock: proves that no other instance is answering in this
    ///   conversation.
    /// - Returns: the turns closed.
    @discardableResult
    package func recover(holding lock: ConversationLock) throws(SQLiteError) -> [TurnID] {
        let live = liveTurns
        func abandoned() throws(SQLiteError) -> [Int64] {
            try connection.rows(ConversationSQL.openTurns, [.text(lock.conversation)]) {
                $0.integer(0)
            }.filter { !live.contains($0) }
        }
        if try abandoned().isEmpty { return [] }
        let now = milliseconds()
        return try connection.transaction { () throws(SQLiteError) in
            let turns = try abandoned()
            for turn in turns {
                try fold(turn)
                try connection.run(ConversationSQL.interruptTurn, [.integer(turn), .integer(now)])
            }
            return turns.map { TurnID($0) }
        }
    }

    /// Turns the chunks of a turn into its partial answer. It has no origin, because nothing of it
    /// is sent back verbatim; the turn names the model.
    func fold(_ turn: Int64) throws(SQLiteError) {
        let parts = PartCodec.fold(try chunks(of: turn))
        if !parts.isEmpty {
            let now = milliseconds()
            let partial = Message(role: .assistant, parts: parts)
            try insert(partial, in: turn, now: now, isPartial: true)
            try connection.run(ConversationSQL.countMessage, [.integer(turn), .integer(now)])
        }
        try connection.run(ConversationSQL.deleteChunks, [.integer(turn)])
    }

    private func insert(
        _ message: Message, in turn: Int64, now: Int64, isPartial: Bool = false
    ) throws(SQLiteError) {
        try connection.run(
            ConversationSQL.insertMessage,
            [
                .integer(turn), .text(message.role.rawValue),
                .optional(message.origin?.provider.rawValue),
                .optional(message.origin?.format.rawValue), .optional(message.origin?.model),
                .integer(now), .flag(isPartial),
            ])
        let id = connection.lastInsertedRow
        try insert(message.parts, into: id)
        try index(message, as: id)
    }

    func insert(_ parts: [Part], into message: Int64) throws(SQLiteError) {
        for part in parts {
            try connection.run(ConversationSQL.insertPart, Self.row(of: part, in: message))
        }
    }

    private static func row(of part: Part, in message: Int64) -> [SQLiteValue] {
        let stored = PartCodec.encode(part)
        return [
            .integer(message), .text(stored.kind), .text(stored.body),
            stored.bytes.map(SQLiteValue.blob) ?? .null,
        ]
    }
}
