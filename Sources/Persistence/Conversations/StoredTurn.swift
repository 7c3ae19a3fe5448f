import AgentCore
import FoundationEssentials

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
    /// When it gave way to another: asked again, or edited and sent anew. It is
    /// kept, and neither shown nor sent.
    package var replaced: Date?
    /// When each of its messages was saved.
    package var times: [Date] = []
    /// Parts that a damaged file has made unreadable; left out.
    package var unreadableParts: Int

    package init(
        id: TurnID, turn: Turn, provider: ProviderName, model: String, started: Date,
        ended: Date? = nil, note: String? = nil, isPartial: Bool = false, replaced: Date? = nil,
        times: [Date] = [], unreadableParts: Int = 0
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
        self.unreadableParts = unreadableParts
    }
}
