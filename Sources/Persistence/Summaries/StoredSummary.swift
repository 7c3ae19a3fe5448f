import AgentCore
import FoundationEssentials

/// The words that stand in requests for the turns up to one of them. The
/// turns themselves stay, and people read them.
package struct StoredSummary: Sendable, Equatable {
    /// The last turn it stands for.
    package var throughTurn: TurnID
    package var text: String
    /// Among the turns was text that neither we nor the user wrote, so there may
    /// be some in the summary.
    package var hasForeignText: Bool
    package var provider: ProviderName
    package var model: String
    package var created: Date

    package init(
        throughTurn: TurnID, text: String, hasForeignText: Bool = true,
        provider: ProviderName, model: String, created: Date
    ) {
        self.throughTurn = throughTurn
        self.text = text
        self.hasForeignText = hasForeignText
        self.provider = provider
        self.model = model
        self.created = created
    }
}

/// What of a conversation goes into requests: the newest summary and the
/// turns it does not stand for, oldest first.
package struct StoredHistory: Sendable, Equatable {
    package var summary: StoredSummary?
    package var turns: [StoredTurn]
}
