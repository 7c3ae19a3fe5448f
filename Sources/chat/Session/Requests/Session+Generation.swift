import AgentCore
import Base
import ChatKit
import Persistence

/// Text generation for tool servers, with the conversation's model.
extension Services {
    /// Offers generation. In the shell no conversation is open, so a temporary one is made.
    func offerGeneration() {
        generator.attach(unconnected: { [weak self] in
            guard let self, let name = ProviderName.hosted.first,
                let model = name.facts.defaultModel
            else { return nil }
            return ModelTextGenerator(
                provider: try await connector.provider(name), model: model,
                environment: environment, count: { _, _, _ in })
        })
        generator.attach(new: { [weak self] in
            guard let self else { return nil }
            return try await Session(
                services: self,
                options: Session.Options(
                    kind: .oneshot, policy: ApprovalPolicy(isInteractive: false),
                    approver: .refusing)
            ).textGenerator()
        })
    }
}

extension Session {
    /// A generator with the current model.
    ///
    /// - Throws: `GenerationError` without a model, or when the budget is spent.
    func textGenerator() async throws -> any TextGenerator {
        if let error = services.settings.refusal(of: .message) { throw error }
        // Another conversation may be open after the waits.
        let (conversation, temperature, effort) = (record?.id, await temperature, effort)
        let choice: ProviderChoice
        do {
            choice = try await usableChoice()
            if choice.provider == .offline { throw SessionError.noModel(nearest: nil) }
        } catch let error as SessionError {
            throw GenerationError(.noModel, cause: error)
        } catch let error as ProviderError {
            throw GenerationError(.provider(error))
        }
        do {
            try await checkBudget(choice, history: [], mayAsk: false)
        } catch let error as SessionError {
            throw GenerationError(.overBudget, cause: error)
        }
        return generator(
            try await provider(choice.provider), choice.model ?? "",
            temperature: temperature, effort: effort, for: conversation)
    }

    /// A generator with the given model; its usage is recorded apart from the turns.
    ///
    /// - Parameter conversation: the conversation that the usage is charged to.
    func generator(
        _ provider: any Provider, _ model: String, temperature: Double? = nil,
        effort: Effort? = nil, for conversation: String?,
        observe: @escaping Agent.Observer = { _ in }
    ) -> ModelTextGenerator {
        ModelTextGenerator(
            provider: provider, model: model, temperature: temperature, effort: effort,
            conversation: conversation, environment: services.environment,
            observe: { event in
                switch event {
                case .retrying(let error, let attempt, let all, let delay):
                    await observe(.retrying(error, attempt: attempt, of: all, delay: delay))
                case .askingAgain:
                    await observe(.waiting(provider: provider.name, model: model))
                }
            }
        ) { [store, log = services.log] purpose, model, usage in
            do {
                try await store.count(usage, of: purpose, by: model, for: conversation)
            } catch {
                // The text exists; only its usage is missing from the totals.
                log.write("the tokens of a \(purpose) could not be counted")
            }
        }
    }
}

extension GenerationError: DescribedError {
    package var diagnostic: Diagnostic {
        // The cause says what is missing or which limit was reached.
        if let cause { return Diagnostic(of: cause) }
        let again = "Try again, or choose another model: /model."
        switch reason {
        case .noModel: return .noModel
        case .overBudget: return Diagnostic("Not sent: the budget is spent.", exit: .refused)
        case .provider(let error): return Diagnostic(error, facts: FailureFacts(isMessage: false))
        case .refused:
            return Diagnostic("The model declined to do this.", todo: again, exit: .degraded)
        case .truncated:
            return Diagnostic(
                "The model's answer was cut off at its length limit.", todo: again, exit: .degraded)
        case .empty: return Diagnostic("The model's answer was empty.", todo: again)
        case .wrongShape(let fault):
            return Diagnostic(
                "The model's answer has the wrong form: \(fault.path) \(fault.problem).",
                todo: again)
        }
    }
}
