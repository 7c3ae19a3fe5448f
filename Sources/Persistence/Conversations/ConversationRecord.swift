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
