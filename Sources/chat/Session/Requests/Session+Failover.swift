import AgentCore
import ChatKit
import Persistence

/// Continues with another provider in the middle of a turn: the message and the tool
/// results stay, and nothing is run twice.
extension Session {
    /// Finds another provider when this one fails. Called at most once per turn.
    func moveOn(
        from context: Agent.Context, _ choice: ProviderChoice
    ) -> (@Sendable (ProviderError, Agent.Observer) async throws -> Agent.Context?)? {
        // A routine asks only the approved host.
        if services.settings.failover == .off || options.policy.routine != nil { return nil }
        return { [self] error, observe in
            try await other(after: error, context, choice, observe)
        }
    }

    private func other(
        after error: ProviderError, _ context: Agent.Context, _ choice: ProviderChoice,
        _ observe: Agent.Observer
    ) async throws -> Agent.Context? {
        guard Failover.isWorthOffering(error),
            let other = await services.connector.alternative(to: choice.provider)
        else { return nil }
        try Task.checkCancellation()
        let host = await services.connector.host(of: other)
        let way = Failover.way(
            services.settings.failover,
            fromLocal: await services.connector.isLocal(choice.provider),
            toLocal: await services.connector.isLocal(other))
        if way == .ask {
            guard let confirm = options.confirm else { return nil }
            hasDeclined = await !confirm(
                Failover.reasons(error, to: other, host: host), Failover.question(to: other))
            if hasDeclined { return nil }
        }
        var next = context
        next.provider = try await provider(other)
        next.model = try await model(of: other)
        if way == .silent {
            await observe(.movedOn(to: other, model: next.model, host: host, after: error))
        }
        next.maxOutputTokens = await outputLimit(for: next.model)
        // The summary is valid for this provider as well.
        next.history = try await loadHistory()
        next.moveOn = nil
        next.keeper = keeper(
            of: next, ProviderChoice(provider: other, model: next.model, reason: .conversation))
        return next
    }

    private func model(of provider: ProviderName) async throws -> String {
        let chosen = await services.connector.choiceLooking(
            flags: ProviderChoice.Selection(provider: provider), conversation: nil)
        if let model = chosen.model { return model }
        return try await services.connector.firstModel(of: provider)
    }

    /// Stores the outcome of a turn. The conversation moves to another provider only if that one
    /// has answered.
    /// - Returns: the last provider that was asked.
    func settle(_ outcome: TurnOutcome, _ choice: ProviderChoice) async -> ProviderChoice {
        if !outcome.isWithheld { remember(outcome.turn) }
        var answered = choice
        if let origin = outcome.movedOn {
            answered = ProviderChoice(
                provider: origin.provider, model: origin.model, reason: .conversation)
            do {
                // Its tokens are counted and priced for that model.
                if let id = outcome.id {
                    try await store.setModel(
                        ofTurn: id, provider: origin.provider, model: origin.model)
                }
                if outcome.status != .failed, outcome.status != .interrupted, let record {
                    try await store.setModel(
                        record.id, provider: origin.provider, model: origin.model)
                    self.choice = answered
                }
            } catch {
                // The answer is saved; the next message chooses its provider again.
            }
        }
        if let usage = outcome.lastUsage, !usage.isEmpty, outcome.status == .done {
            lengths.learn(from: usage)
            lengths.reported = RequestLengths.Reported(
                provider: answered.provider, model: answered.model ?? "",
                tokens: usage.input + max(0, usage.output - usage.reasoning))
        } else {
            lengths.reported = nil
        }
        return answered
    }
}
