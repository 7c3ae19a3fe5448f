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
