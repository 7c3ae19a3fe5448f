import AgentCore
import FoundationEssentials

/// What was used with one model. Summaries, titles and other requests that are
/// no turn count with their tokens alone; copied turns do not count, replaced
/// ones do.
package struct UsageTotal: Sendable, Equatable {
    package var provider: ProviderName
    package var model: String
    package var turns: Int
    package var usage: Usage
}

/// What was used on one day, by model.
package struct UsageOfDay: Sendable, Equatable {
    package var day: CivilDate
    package var totals: [UsageTotal]
}

/// What was used in one conversation, by model.
package struct UsageOfConversation: Sendable, Equatable {
    package var id: String
    package var title: String
    package var totals: [UsageTotal]
}
