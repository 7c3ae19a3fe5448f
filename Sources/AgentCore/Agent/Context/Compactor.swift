/// Has a model summarize the earlier part of a conversation. It stores nothing, and its requests go
/// to the conversation's own provider.
package struct Compactor: Sendable {
    package struct Summary: Sendable, Equatable {
        package var text: String
        /// Number of the oldest turns, which did not fit even here.
        package var leftOut: Int
    }

    private let generator: any TextGenerator
    private let window: ContextWindow
    private let sendsLocalTurns: Bool

    package init(generator: any TextGenerator, window: ContextWindow, sendsLocalTurns: Bool) {
        self.generator = generator
        self.window = window
        self.sendsLocalTurns = sendsLocalTurns
    }

    /// Sends one request, or up to four if the turns do not fit into one: then each includes the
    /// summary of the previous one.
    ///
    /// - Parameters:
    ///   - previous: the summary that the new one replaces.
    ///   - focus: the user's hint about what matters.
    /// - Throws: `CompactionError`; `CancellationError`.
    package func sumUp(_ turns: [Turn], previous: String?, focus: String?) async throws -> Summary {
        let words = min(1_200, window.limit / 12)
        // Half is for the turns; the rest for the previous summary, the instructions, reasoning,
        // and an estimate that was too low.
        let transcript = Compaction.transcript(
            of: turns, tokens: window.usable / 2, sendsLocalTurns: sendsLocalTurns)
        var summary = previous.map { Self.bounded($0, tokens: window.usable / 4) }
        for piece in transcript.pieces {
            let recipe = TextRecipe(
                purpose: "summary", system: Compaction.system,
                input: Compaction.question(
                    previous: summary, transcript: piece, focus: focus, words: words),
                maxOutputTokens: min(16_000, max(256, window.reserve)), effort: .low,
                privacy: .public, content: [SentContent.history])
            do {
                summary = try await generator.generate(recipe, emit: nil).text
            } catch let error as GenerationError {
                // The beginning of a long summary is better than none.
                guard error.reason == .truncated, !error.text.isEmpty else {
                    throw CompactionError(.generation(error.reason))
                }
                summary = error.text
            }
        }
        guard let summary else { throw CompactionError(.nothingToSumUp) }
        return Summary(text: summary, leftOut: transcript.leftOut)
    }

    private static func bounded(_ text: String, tokens: Int) -> String {
        if ContextWindow.tokens(in: text) <= tokens { return text }
        return String(decoding: text.utf8.prefix(tokens * 2), as: UTF8.self)
    }
}

/// Keeps a conversation within the model's window: called before each request of a turn, and when a
/// server has refused one as too long.
///
/// - Returns: nil to send the request unchanged.
/// - Throws: `CancellationError`; errors of the store.
package typealias ContextKeeper =
    @Sendable (ContextNeed, @escaping Agent.Observer) async throws -> ContextPlan?

/// Changes to the next request that make it fit into the model's window.
package struct ContextPlan: Sendable {
    /// The earlier turns to send from now on.
    package var history: [Turn]?
    /// The present turn as it is sent in the next request.
    package var turn: Turn?
    /// The output limit that remains.
    package var maxOutputTokens: Int?

    package init(history: [Turn]? = nil, turn: Turn? = nil, maxOutputTokens: Int? = nil) {
        self.history = history
        self.turn = turn
        self.maxOutputTokens = maxOutputTokens
    }
}

package enum ContextNeed: Sendable {
    /// A request with these tools is about to be sent. `lastUsage` is that of the request
    /// before it in the same turn.
    case before(Turn, ToolOffer?, lastUsage: Usage?)
    /// The server says that the conversation is too long.
    case refused(Turn, ToolOffer?, ProviderError)
}

/// Progress of shortening the conversation, for display.
package enum CompactionEvent: Sendable, Equatable {
    /// The given number of turns is being summarized.
    case began(turns: Int)
    case finished(CompactionReport)
    /// The model's window is too small for the tools: they are left out.
    case withoutTools(window: Int)
    /// Nothing was changed.
    case failed(CompactionError)
    /// There is no summary, so these oldest turns are not sent.
    case leftOut(turns: Int)
    /// Only the beginning and the end of these parts are sent: files, notes, tool results.
    case shortened([String], window: Int)
}

/// The savings of a summary, in estimated tokens of the conversation.
package struct CompactionReport: Sendable, Equatable {
    package var turns: Int
    /// Number of turns that were too old and too many to be summarized.
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

/// The reason why nothing was summarized; the conversation is unchanged.
package struct CompactionError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The model wrote no summary.
        case generation(GenerationError.Reason)
        /// The summary was as long as the turns it should replace.
        case noGain
        /// There are only the last turns, which always stay.
        case nothingToSumUp
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}
