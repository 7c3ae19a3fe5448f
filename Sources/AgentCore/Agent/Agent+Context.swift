/// The inputs of a turn, and the tools it may call.
extension Agent {
    /// Inputs of a turn besides the message.
    package struct Context: Sendable {
        package var provider: any Provider
        package var model: String
        package var system: String
        /// The turns before this one, oldest first.
        package var history: [Turn]
        package var journal: any TurnJournal
        package var approver: Approver
        package var policy: ApprovalPolicy
        /// The servers whose tools are offered; nil for those of the agent's initialiser.
        package var registry: ToolRegistry?
        /// The subset of the tools that is offered; only these can be called. Nil means all of
        /// them.
        package var offer: ToolOffer?
        /// Whether tools are sent.
        package var offersTools: Bool
        package var maxOutputTokens = 32_000
        package var temperature: Double?
        package var effort: Effort?
        package var thinking = ThinkingDisplay.summary
        /// See `ModelRequest.cacheKey`.
        package var cacheKey: String?
        package var sendsLocalTurns = true
        /// See `ModelRequest.searchesWeb`.
        package var searchesWeb = false
        /// Whether the system text may contain untrusted text: then this turn and all later ones
        /// count as having read some.
        package var hasUntrustedInstructions = false
        /// See `ModelRequest.onSend`.
        package var onSend: (@Sendable ([UInt8]) -> Void)?
        /// Keeps the conversation within the model's window; nil lets it grow without limit.
        /// without limit.
        package var keeper: ContextKeeper?
        /// Adds the tools that have connected since the last request; nil if there are none.
        package var joinLate:
            (@Sendable (Agent.Context, _ hasUntrustedText: Bool) async -> Agent.Context?)?
        /// Another provider to continue with if this one fails.
        package var moveOn: (@Sendable (ProviderError, Agent.Observer) async throws -> Context?)?

        package init(
            provider: any Provider, model: String, system: String, history: [Turn],
            journal: any TurnJournal, approver: Approver = .refusing,
            policy: ApprovalPolicy = ApprovalPolicy(isInteractive: false), offersTools: Bool = true
        ) {
            self.provider = provider
            self.model = model
            self.system = system
            self.history = history
            self.journal = journal
            self.approver = approver
            self.policy = policy
            self.offersTools = offersTools
        }

        /// The tools that are sent and may be called, from this context's servers or else from
        /// `usual`.
        package func offered(of usual: ToolRegistry) -> ToolRegistry {
            let registry = registry ?? usual
            if !offersTools { return registry.offering([]) }
            return offer.map { registry.offering($0.names) } ?? registry
        }

        /// Origin of an interrupted answer: no part of it is sent back verbatim.
        var origin: ModelOrigin {
            ModelOrigin(provider: provider.name, format: .none, model: model)
        }
    }
}
