/// Has a model sum up the earlier part of a conversation. It stores nothing,
/// and what it sends goes where the conversation goes anyway.
package struct Compactor: Sendable {
    package struct Summary: Sendable, Equatable {
        package var text: String
        package var usage: Usage
        /// The oldest turns, too long even for this.
        package var leftOut: Int
    }

    private let provider: any Provider
    private let model: String
    private let window: ContextWindow
    private let environment: Environment
    private let sendsLocalTurns: Bool
    private let retryPolicy = RetryPolicy()

    package init(
        provider: any Provider, model: String, window: ContextWindow, environment: Environment,
        sendsLocalTurns: Bool
    ) {
        self.provider = provider
        self.model = model
        self.window = window
        self.environment = environment
        self.sendsLocalTurns = sendsLocalTurns
    }

    /// One request, or up to four for what does not fit into one: then each
    /// takes up the summary of the one before.
    ///
    /// - Parameters:
    ///   - previous: the summary that the new one takes the place of.
    ///   - focus: what the user says matters.
    /// - Throws: `CompactionError`; `CancellationError`.
    package func sumUp(
        _ turns: [Turn], previous: String?, focus: String?, observe: Agent.Observer
    ) async throws -> Summary {
        let words = min(1_200, window.limit / 12)
        // Half is for the turns; the rest for the summary before, the
        // instructions, thinking, and an estimate that was too low.
        let transcript = Compaction.transcript(
            of: turns, tokens: window.usable / 2, sendsLocalTurns: sendsLocalTurns)
        var summary = previous.map { Self.bounded($0, tokens: window.usable / 4) }
        var usage = Usage()
        for piece in transcript.pieces {
            let question = Compaction.question(
                previous: summary, transcript: piece, focus: focus, words: words)
            let completion = try await ask(question, observe: observe)
            usage = usage + completion.usage
            summary = try Self.text(of: completion)
        }
        guard let summary else { throw CompactionError(.nothingToSumUp) }
        return Summary(text: summary, usage: usage, leftOut: transcript.leftOut)
    }

    private func ask(_ question: Message, observe: Agent.Observer) async throws -> ModelAnswer {
        let request = ModelRequest(
            model: model, system: Compaction.system,
            turns: [Turn(status: .open, messages: [question])],
            // Thinking counts as output with most models.
            maxOutputTokens: min(16_000, max(256, window.reserve)),
            effort: provider.name == .local ? nil : .low, thinking: .off)
        var attempt = 1
        while true {
            do {
                return try await provider.respond(to: request) { _ in }
            } catch let error as ProviderError {
                let decision = retryPolicy.decision(
                    for: error, attempt: attempt, hasShown: false, random: environment.random())
                guard case .retry(let delay) = decision else {
                    throw CompactionError(.provider(error))
                }
                attempt += 1
                await observe(
                    .retrying(error, attempt: attempt, of: retryPolicy.attempts, delay: delay))
                try await environment.sleep(.seconds(delay))
                await observe(.waiting(provider: provider.name, model: model))
            }
        }
    }

    private static func text(of completion: ModelAnswer) throws(CompactionError) -> String {
        switch completion.stop {
        case .refusal, .contentFilter: throw CompactionError(.refused)
        case .end, .toolUse, .stopSequence, .maxTokens, .contextWindow, .pause, .unknown: break
        }
        var text = Substring(completion.message.text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        if text.isEmpty { throw CompactionError(.empty) }
        return String(text)
    }

    private static func bounded(_ text: String, tokens: Int) -> String {
        if ContextWindow.tokens(in: text) <= tokens { return text }
        return String(decoding: text.utf8.prefix(tokens * 2), as: UTF8.self)
    }
}
