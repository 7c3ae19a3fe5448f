import Privacy

/// A source of answers: a hosted model, a local server, or none.
///
/// One call is one request; retries, tools and saving are the agent's.
package protocol Provider: Sendable {
    var name: ProviderName { get }
    /// Host and port the requests go to, for messages; empty for `offline`.
    var host: String { get }
    /// It runs on this machine, as far as its address tells.
    var isLocal: Bool { get }

    /// Sends the request and reports what arrives, in batches and in order.
    ///
    /// The next batch is read when `receive` has returned: a slow receiver
    /// slows the server down and nothing piles up. All text has been reported
    /// before the call returns or throws.
    /// - Returns: the complete answer, also when it was cut by a limit or
    ///   refused (`stop` says so).
    /// - Throws: `ProviderError` when no complete answer came;
    ///   `CancellationError` at once when the task is cancelled.
    func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer

    /// The bytes that `respond` would send first, so that they can be shown before
    /// anything leaves. Nothing is sent.
    /// - Throws: `ProviderError` where `respond` would refuse to send them.
    func body(of request: ModelRequest) async throws -> [UInt8]

    /// The models this key may use, best or newest first as the server lists.
    func models() async throws -> [ModelInfo]

    /// How much a model reads, where the server has a place besides its list that says so.
    /// - Throws: `TransportError` where it does not answer; `CancellationError`.
    func window(of model: String) async throws -> ServerWindow?
}

extension Provider {
    package var isLocal: Bool { name == .local }
    package func window(of model: String) async throws -> ServerWindow? { nil }
}

/// What a model is asked.
package struct ModelRequest: Sendable {
    package var model: String
    /// Fixed text; never holds a clock, so that prompt caches hit.
    package var system: String
    /// The conversation, the current turn last. See `RequestHistory`.
    package var turns: [Turn]
    package var tools: [Tool] = []
    package var maxOutputTokens = 32_000
    /// Only where the user set one.
    package var temperature: Double?
    /// Nil is the model's own default.
    package var effort: Effort?
    package var thinking = ThinkingDisplay.summary
    /// The same for every request of a conversation and of no meaning: brings
    /// it to the prompt cache that holds its beginning.
    package var cacheKey: String?
    /// Whether turns answered without a model are sent as text.
    package var sendsLocalTurns = true
    /// The vendor may search the web, where its wire format has that.
    package var searchesWeb = false
    package var privacy = PrivacyClass.public
    /// With class `redact`: what must not be in the body, besides what the profile
    /// says of the user.
    package var withheld = PersonalData()
    /// Told of each body just before it leaves.
    package var onSend: (@Sendable ([UInt8]) -> Void)?
    /// For the ledger: see `Outgoing`.
    package var purpose = Outgoing.Purpose.turn
    package var content: [String] = []
    package var conversation: String?
}

/// Where the words of a request may go. The provider enforces it on the final
/// body.
package enum PrivacyClass: String, Sendable, CaseIterable {
    /// To the provider of the session, like any message.
    case `public`
    /// Only if the body holds nothing of the user's profile: no name, address or number.
    case redact
    /// Only to a server on this machine.
    case localOnly
}

/// What happens while an answer arrives; for showing and for saving a partial
/// answer. The finished parts are in `ModelAnswer`.
package enum ProviderEvent: Sendable, Equatable {
    case text(String)
    case refusal(String)
    case thinking(String)
    /// A tool call has begun; its arguments are still arriving.
    case toolCallStarted(name: String)
    /// The vendor has searched for that, or opened that page.
    case webSearch(String)
}

/// A finished answer.
package struct ModelAnswer: Sendable, Equatable {
    /// An assistant message with its origin; only complete tool calls.
    package var message: Message
    package var stop: StopReason
    package var usage: Usage
    package var requestID: ServerText?
    /// What the user wished for and the server refused, where that was found
    /// out with this answer; it was left out.
    package var ignored: Set<IgnoredParameter> = []

    package init(
        message: Message, stop: StopReason, usage: Usage = Usage(), requestID: ServerText? = nil
    ) {
        self.message = message
        self.stop = stop
        self.usage = usage
        self.requestID = requestID
    }
}

/// What an answer was given without: a parameter that not every model takes, or earlier turns
/// that would have told who the user is.
package enum IgnoredParameter: String, Sendable, CaseIterable {
    case effort, thinking, temperature, tools
    case maxTokens = "max_tokens"
    case revealingTurns
}

package struct ModelInfo: Sendable, Equatable {
    package var id: String
    package var displayName: String?
    /// Tokens; nil where the server does not say.
    package var maxInput: Int?
    package var maxOutput: Int?
    /// Where the server says that it will.
    package var ending: ModelEnding?

    package init(
        id: String, displayName: String? = nil, maxInput: Int? = nil, maxOutput: Int? = nil,
        ending: ModelEnding? = nil
    ) {
        self.ending = ending
        self.id = id
        self.displayName = displayName
        self.maxInput = maxInput
        self.maxOutput = maxOutput
    }
}

/// Stands where no model can be asked: fails with `offline`, and uses no network.
package struct OfflineProvider: Provider {
    package init() {}

    package var name: ProviderName { .offline }
    package var host: String { "" }

    package func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer {
        try Task.checkCancellation()
        throw ProviderError(reason: .offline, provider: .offline, host: "")
    }

    package func body(of request: ModelRequest) async throws -> [UInt8] {
        throw ProviderError(reason: .offline, provider: .offline, host: "")
    }

    package func models() async throws -> [ModelInfo] { [] }
}

/// How much a model is to think before it answers. Which words a model takes
/// is the provider's matter; one that is refused is left out and the request
/// sent again (`RequestAdjustments`).
package enum Effort: String, Sendable, CaseIterable {
    case none, minimal, low, medium, high, xhigh, max
}

/// How much of a model's thinking the user sees.
package enum ThinkingDisplay: String, Sendable, CaseIterable {
    /// Nothing; it is not asked for either.
    case off
    /// One line that tells how long; the words pass by and are folded away.
    case summary
    /// All of it, dimmed.
    case full
}

/// Why the model stopped, in one vocabulary for all wire formats.
package enum StopReason: Sendable, Equatable {
    case end
    case toolUse
    case stopSequence
    /// The output limit cut the answer.
    case maxTokens
    /// The context window is full.
    case contextWindow
    /// The model declined.
    case refusal
    /// The provider's filter ended the answer.
    case contentFilter
    /// The provider wants the same conversation sent again to go on.
    case pause
    /// A reason this version does not know.
    case unknown(String)

    /// The word used in `--output json` and in the database.
    package var name: String {
        switch self {
        case .end: "end"
        case .toolUse: "tool_use"
        case .stopSequence: "stop_sequence"
        case .maxTokens: "max_tokens"
        case .contextWindow: "context_window"
        case .refusal: "refusal"
        case .contentFilter: "content_filter"
        case .pause: "pause"
        case .unknown(let word): word
        }
    }
}
