import AgentCore
import FoundationEssentials

/// A conversation as lists show it. A value: it does not change with the
/// database.
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
    /// Of all roles, in all turns but replaced ones.
    package var messages: Int
    /// Grows with every message of any conversation: what lists are ordered
    /// and paged by. Time is only for people; clocks go back. 0 while there is
    /// no message, below it in what was imported: older than what was said here.
    package var order: Int64
    package var preferences = ConversationPreferences()
    /// The id of the conversation it was forked from, which may be gone.
    package var forkedFrom: String?
    /// When it went to the trash.
    package var deleted: Date?
}

/// What was chosen for one conversation and is kept with it. Nil is what the
/// configuration says.
package struct ConversationPreferences: Sendable, Equatable {
    /// The name of a role of the configuration.
    package var role: String?
    /// A system text that was given for this conversation.
    package var system: String?
    package var effort: Effort?
    package var thinking: ThinkingDisplay?
    /// Personal data is kept out of what is sent.
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

/// One turn as it is stored, with what the agent's `Turn` does not hold.
///
/// A value: it does not change with the database, and what of it goes into a
/// request is not decided here.
package struct StoredTurn: Sendable, Equatable {
    package var id: TurnID
    package var turn: Turn
    package var provider: ProviderName
    package var model: String
    package var started: Date
    /// Nil while it is open.
    package var ended: Date?
    /// Why it ended as it did, in words for the user.
    package var note: String?
    /// Its last message is what had been streamed when it was cut.
    package var isPartial: Bool
    /// When it gave way to another: asked again, or edited and sent again. It is
    /// kept, and neither shown nor sent.
    package var replaced: Date?
    /// When each of its messages was saved.
    package var times: [Date] = []

    /// Redaction refused to send it.
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
