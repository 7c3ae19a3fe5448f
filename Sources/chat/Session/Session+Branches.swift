import AgentCore
import ChatKit
import FoundationEssentials
import Persistence

/// Branches of this conversation: sending the last message again or changed, or copying
/// everything before a message into a new conversation.
extension Session {
    /// A turn to be replaced by the next one, once that one is saved.
    struct Replacement: Sendable {
        var turn: StoredTurn
        /// Whether the same message is sent to a model again.
        var isAgain: Bool

        /// The user's text.
        var text: String { turn.turn.messages.first?.text ?? "" }

        var attachments: [Attachment] {
            (turn.turn.messages.first?.parts ?? []).compactMap { part in
                if case .attachment(let file) = part { file } else { nil }
            }
        }

        /// The attachments to send with `text`. A transcript that was not sent because the message
        /// contained its text is sent if the new text does not.
        func attachments(for text: String) -> [Attachment] {
            attachments.map { file in
                var file = file
                let transcript = String(decoding: file.bytes, as: UTF8.self)
                file.isKeptOnly = file.isKeptOnly && DraftedTranscript.holds(text, transcript)
                return file
            }
        }
    }

    /// The last turn, to be sent again; nil in an empty conversation.
    func lastMessage(isAgain: Bool) async throws -> Replacement? {
        try await lastTurns(1).last.map { Replacement(turn: $0, isAgain: isAgain) }
    }

    /// Sends a message with its files; it replaces a turn if one is given.
    func send(
        _ message: PlainMessage, attachments: [Attachment] = [], replacing old: Replacement?,
        asksModel: Bool = false, isTyped: Bool = true, observe: @escaping Agent.Observer
    ) async throws -> Answer {
        guard let old, let record else {
            return try await send(
                message, attachments: attachments, asksModel: asksModel, isTyped: isTyped,
                observe: observe)
        }
        let kind = options.kind
        // Read it again from the store, where the turn can be left out by its number.
        history = nil
        replaced = old.turn.id
        journal = store.journal(for: record.id, in: kind, replacing: old.turn.id)
        defer {
            replaced = nil
            journal = store.journal(for: record.id, in: kind)
        }
        do {
            return try await send(
                message, attachments: old.attachments(for: message.text) + attachments,
                asksModel: asksModel || old.isAgain, isTyped: isTyped,
                observe: observe)
        } catch {
            // Perhaps nothing was saved, and the old turn is still valid.
            history = nil
            throw error
        }
    }

    /// The last turn, if redaction refused to send it.
    func refusedTurn() async throws -> StoredTurn? {
        try await lastTurns(1).last.flatMap { $0.isWithheld ? $0 : nil }
    }

    /// Removes a refused turn from the conversation.
    func takeOut(_ turn: TurnID) async throws {
        guard let record else { return }
        try await store.takeOut(turn, of: record.id)
        history = nil
        await refreshRecord()
    }

    /// Copies everything before a turn, or the whole conversation, into a new conversation.
    /// It is not opened here.
    func fork(before turn: TurnID?) async throws -> ConversationRecord {
        guard let record else { throw SessionError.noConversation(query: nil) }
        return try await store.fork(record.id, before: turn)
    }

    /// Renames the open conversation; a new one needs a message first.
    func rename(_ title: String) async throws -> ConversationRecord {
        guard let record else { throw SessionError.noConversation(query: nil) }
        try await store.rename(record.id, to: title)
        self.record?.title = title
        return record
    }

    /// Moves the open conversation to the trash and starts a new one.
    ///
    /// - Returns: the conversation now in the trash; nil for an empty one.
    func deleteOpen() async throws -> ConversationRecord? {
        guard let record, record.messages > 0 else {
            try openNew()
            return nil
        }
        try await store.moveToTrash(record.id)
        try openNew()
        return record
    }
}
