import AgentCore
import FoundationEssentials

/// A conversation in which the words were found, and the newest place.
package struct SearchHit: Sendable, Equatable {
    package var conversation: ConversationRecord
    package var turn: TurnID
    package var role: Role
    package var time: Date
    package var snippet: SearchSnippet
}

package struct SearchResults: Sendable, Equatable {
    /// One for each conversation, the newest place first.
    package var hits: [SearchHit]
    /// There may be more conversations than these.
    package var hasMore: Bool
    /// The older part, from 0 to 1, that is not indexed yet.
    package var unindexedShare: Double
}
