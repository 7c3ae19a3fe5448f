/// The door to whoever looks after the length of a conversation: it is asked
/// before each request of a turn, and when a server has found one too long.
package struct ContextKeeper: Sendable {
    package enum Need: Sendable {
        /// A request is about to be sent. `lastUsage` is that of the request
        /// before it in the same turn.
        case before(Turn, lastUsage: Usage?)
        /// The server says that the conversation is too long.
        case refused(Turn, ProviderError)
    }

    /// The turns that are sent from now on, or nil to send what there is.
    ///
    /// - Throws: `CancellationError`; what the store throws.
    package var makeRoom: @Sendable (Need, @escaping Agent.Observer) async throws -> [Turn]?

    package init(
        makeRoom: @escaping @Sendable (Need, @escaping Agent.Observer) async throws -> [Turn]?
    ) {
        self.makeRoom = makeRoom
    }
}

/// What is told while room is made.
package enum CompactionEvent: Sendable, Equatable {
    /// So many turns are being summed up.
    case began(turns: Int)
    case finished(CompactionReport)
    /// The model reads too little for the tools: it is asked without them.
    case withoutTools(window: Int)
    /// Nothing was changed.
    case failed(CompactionError)
    /// The summary could not be had, so the oldest turns are not sent.
    case leftOut(turns: Int)
}

/// What a summary has brought, in tokens of the conversation as estimated.
package struct CompactionReport: Sendable, Equatable {
    package var turns: Int
    /// Turns too old and too many even to be summed up.
    package var leftOut: Int
    package var before: Int
    package var after: Int

    package init(turns: Int, leftOut: Int = 0, before: Int, after: Int) {
        self.turns = turns
        self.leftOut = leftOut
        self.before = before
        self.after = after
    }
}

/// Why nothing was summed up; the conversation is as it was.
package struct CompactionError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// There is no summary.
        case generation(GenerationError.Reason)
        /// Its summary was as long as what it should stand for.
        case noGain
        /// There is nothing but the last turns.
        case nothingToSumUp
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}
