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
    /// Of all roles, in all turns.
    package var messages: Int
    /// Grows with every message of any conversation: what lists are ordered
    /// and paged by. Time is only for people; clocks go back. 0 while there is
    /// no message.
    package var order: Int64
}

/// One turn as it is stored, with what the agent's `Turn` does not hold.
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
    /// Parts that a damaged file has made unreadable; left out.
    package var unreadableParts: Int
}

/// What was used with one model.
package struct UsageTotal: Sendable, Equatable {
    package var provider: ProviderName
    package var model: String
    package var turns: Int
    package var usage: Usage
}
