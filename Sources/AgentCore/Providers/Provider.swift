import Privacy

/// A source of answers: a hosted model, a local server, or none.
///
/// One call is one request; the agent handles retries, tools and saving.
package protocol Provider: Sendable {
    var name: ProviderName { get }
    /// Host and port the requests go to, for messages; empty for `offline`.
    var host: String { get }
    /// Whether it runs on this machine, judging by its address.
    var isLocal: Bool { get }

    /// Sends the request and reports what arrives, in batches and in order.
    ///
    /// The next batch is read when `receive` has returned: a slow receiver
    /// slows the server down and nothing piles up. All text has been reported
    /// before the call returns or throws.
    /// - Returns: the complete answer, also when it was cut by a limit or
    ///   refused (`stop` says so).
    /// - Throws: `ProviderError` if no complete answer arrived; `CancellationError` at once
    ///   when the task is cancelled.
    func respond(
        to request: ModelRequest, receive: @Sendable ([ProviderEvent]) async -> Void
    ) async throws -> ModelAnswer

    /// The bytes that `respond` would send first, for review before anything leaves.
    /// Nothing is sent.
    /// - Throws: `ProviderError` if `respond` would refuse to send them.
    func body(of request: ModelRequest) async throws -> [UInt8]

    /// The models this key may use, best or newest first as the server lists.
    func models() async throws -> [ModelInfo]

    /// The context window of a model, if the server has an endpoint besides its list that
    /// reports it.
    /// - Throws: `TransportError` if it does not answer; `CancellationError`.
    func window(of model: String) async throws -> ServerWindow?
}

extension Provider {
    package var isLocal: Bool { name == .local }
    package func window(of model: String) async throws -> ServerWindow? { nil }
}

/// A request to a model.
package struct ModelRequest: Sendable {
    package var model: String
    /// Fixed text; never contains a clock, so that prompt caches hit.
    package var system: String
    /// The conversation, the current turn last. See `RequestHistory`.
    package var turns: [Turn]
    package var tools: [Tool] = []
    /// Number of tools at the beginning of the conversation; the others joined later.
    package var firstTools = Int.max
    package var maxOutputTokens = 32_000
    /// Set only if the user chose one.
    package var temperature: Double?
    /// Nil means the model's own default.
    package var effort: Effort?
    package var thinking = ThinkingDisplay.summary
    /// An arbitrary key, the same for every request of a conversation: routes it to the prompt
    /// cache with its beginning.
    package var cacheKey: String?
    /// Whether turns answered without a model are sent as text.
    package var sendsLocalTurns = true
    /// Whether the vendor may search the web, if its wire format supports that.
    package var searchesWeb = false
    package var privacy = PrivacyClass.public
    /// Data that must not be in a body of class `redact`, besides the user's profile.
    package var withheld = PersonalData()
    /// Receives each body just before it leaves.
    package var onSend: (@Sendable ([UInt8]) -> Void)?
    /// The purpose recorded in the ledger: see `Outgoing`.
    package var purpose = ToolCallContext.routine == nil ? Outgoing.Purpose.turn : .routine
    package var content: [String] = []
    package var conversation: String?
}

/// The receivers to which the text of a request may be sent, enforced on the final body.
package enum PrivacyClass: String, Sendable, CaseIterable {
    /// Sent to the provider of the session, like any message.
    case `public`
    /// Sent only if the body has nothing of the user's profile: no name, address or number.
    case redact
    /// Sent only to a server on this machine.
    case localOnly
}

/// An event while an answer arrives, for display and for saving a partial answer. The
/// finished parts are in `ModelAnswer`.
package enum ProviderEvent: Sendable, Equatable {
    case text(String)
    case refusal(String)
    case thinking(String)
    /// A tool call has begun; its arguments are still arriving.
    case toolCallStarted(name: String)
    /// The vendor has searched for this text, or opened this page.
    case webSearch(String)
}

/// A finished answer.
package struct ModelAnswer: Sendable, Equatable {
    /// An assistant message with its origin; only complete tool calls.
    package var message: Message
    package var stop: StopReason
    package var usage: Usage
    package var requestID: ServerText?
    /// The user's settings that were left out because the server refused them, if it did so for
    /// this answer.
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

/// A part left out of a request: a parameter that not every model accepts, or earlier turns that
/// would have revealed who the user is.
package enum IgnoredParameter: String, Sendable, CaseIterable {
    case effort, thinking, temperature, tools
    case maxTokens = "max_tokens"
    case revealingTurns
}

package struct ModelInfo: Sendable, Equatable {
    package var id: String
    package var displayName: String?
    /// Limits in tokens; nil if the server does not report them.
    package var maxInput: Int?
    package var maxOutput: Int?
    /// The announced end of the model, if the server reports one.
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

/// The provider used when no model is available: fails with `offline`, without using the network.
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

/// The amount of reasoning before an answer. The provider decides which values a model accepts; a
/// refused one is left out and the request sent again (`RequestAdjustments`).
package enum Effort: String, Sendable, CaseIterable {
    case none, minimal, low, medium, high, xhigh, max
}

/// The amount of a model's thinking that the user sees.
package enum ThinkingDisplay: String, Sendable, CaseIterable {
    /// Thinking is not shown, and the model is not asked for it.
    case off
    /// One line with the duration; the text scrolls past and is folded.
    case summary
    /// All of it, dimmed.
    case full
}

/// The reason why the model stopped, in common terms for all wire formats.
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
    /// The provider paused: sending the same conversation again continues the answer.
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
