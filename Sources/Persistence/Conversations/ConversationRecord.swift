import AgentCore
import FoundationEssentials

/// A conversation as shown in lists. A value: it does not change with the database.
package struct ConversationRecord: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case repl, oneshot
    }

    /// A lower-case UUID.
    package var id: String
    package var title: String
    package var kind: Kind
    package var provider: ProviderName
    package var model: String
    package var created: Date
    package var updated: Date
    /// Messages of all roles, in all turns except replaced ones.
    package var messages: Int
    /// Sort and page key of lists; grows with every message of any conversation. Times are only for
    /// display, since clocks can be set back. 0 while there is no message, negative for imported
    /// conversations, which sort before those made here.
    package var order: Int64
    package var preferences = ConversationPreferences()
    /// The id of the conversation it was forked from, which may be deleted.
    package var forkedFrom: String?
    /// The time of its move to the trash.
    package var deleted: Date?
}

/// The settings of one conversation. Nil means the configuration's value.
package struct ConversationPreferences: Sendable, Equatable {
    /// The name of a configured role.
    package var role: String?
    /// A system prompt given for this conversation.
    package var system: String?
    package var effort: Effort?
    package var thinking: ThinkingDisplay?
    /// Whether personal data is kept out of requests.
    package var redacts: Bool?

    package init(
        role: String? = nil, system: String? = nil, effort: Effort? = nil,
        thinking: ThinkingDisplay? = nil, redacts: Bool? = nil
    ) {
        self.role = role
        self.system = system
        self.effort = effort
        self.thinking = thinking
        self.redacts = redacts
    }
}

/// One stored turn, with facts that the agent's `Turn` does not have.
///
/// A value: it does not change with the database, and does not decide which of its contents are
/// sent.
package struct StoredTurn: Sendable, Equatable {
    package var id: TurnID
    package var turn: Turn
    package var provider: ProviderName
    package var model: String
    package var started: Date
    /// Nil while it is open.
    package var ended: Date?
    /// The reason why it ended, as a text for the user.
    package var note: String?
    /// Whether its last message is text streamed before it was cut off.
    package var isPartial: Bool
    /// The time when another turn replaced it (asked again, or edited and sent again). It is kept,
    /// but not shown or sent.
    package var replaced: Date?
    /// The times at which the messages were saved.
    package var times: [Date] = []

    /// Whether redaction refused to send it.
    package var isWithheld: Bool {
        turn.status == .failed && note == TurnStateMachine.Note.withheld
    }

    package init(
        id: TurnID, turn: Turn, provider: ProviderName, model: String, started: Date,
        ended: Date? = nil, note: String? = nil, isPartial: Bool = false, replaced: Date? = nil,
        times: [Date] = []
    ) {
        self.id = id
        self.turn = turn
        self.provider = provider
        self.model = model
        self.started = started
        self.ended = ended
        self.note = note
        self.isPartial = isPartial
        self.replaced = replaced
        self.times = times
    }
}
