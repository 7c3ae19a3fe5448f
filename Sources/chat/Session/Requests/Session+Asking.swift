import AgentCore
import Base
import ChatKit
import Persistence

/// Has a message answered by a model: builds the whole request as a value, then runs the turn and
/// stores its results.
extension Session {
    func ask(
        _ choice: ProviderChoice, _ message: Message, _ asked: AskedWords,
        observe: @escaping Agent.Observer
    ) async throws -> Answer {
        try refuseUnredactable(message)
        let (message, context) = try await request(choice, message, for: asked, observe)
        await announce(choice, observe)
        hasDeclined = false
        let outcome = try await agent.respond(to: message, in: context, observe: observe)
        if context.cacheKey == record?.id {
            grants = outcome.grants
            hasAgreedToSearch = hasAgreedToSearch || outcome.searchesWeb
            if let offered = outcome.offer { await keep(offered) }
        }
        let answered = await settle(outcome, choice)
        if outcome.status == .done, askedAgain.insert(context.model).inserted {
            await services.connector.askWindow(of: context.model, at: choice.provider, again: true)
        }
        droppedReasoning += outcome.turn.usage.droppedReasoning
        await countSearches(outcome.turn.usage.searches, by: answered.provider)
        await refreshRecord()
        return .model(outcome, provider: answered.provider, model: answered.model ?? "")
    }

    /// The request for the message, with everything sent along with it.
    private func request(
        _ choice: ProviderChoice, _ message: Message, for asked: AskedWords,
        _ observe: @escaping Agent.Observer
    ) async throws -> (Message, Agent.Context) {
        let provider = try await provider(choice.provider)
        let model = choice.model ?? ""
        let journal = try await currentJournal(provider: choice.provider, model: model)
        if let record, record.provider != choice.provider || record.model != model,
            record.order != 0
        {
            try await store.setModel(record.id, provider: choice.provider, model: model)
        }
        let past = try await loadHistory()
        var policy = options.policy
        (policy.rules, policy.grants) = (services.settings.toolRules, grants)
        try await checkBudget(choice, history: past)
        try await savePreferences()
        let (noted, tellsUntrustedText) = try await noted(message, after: past)
        let system = await instructedSystem(observe)
        var message = noted
        message.parts += SystemChange.parts(to: system, from: sentSystem, after: past)
            .map(Part.text)
        sentSystem = system
        var context = Agent.Context(
            provider: provider, model: model, system: system, history: past,
            journal: journal, approver: options.approver, policy: policy,
            offersTools: options.usesTools)
        context.maxOutputTokens = await outputLimit(for: model)
        let ownTemperature = await temperature
        context.temperature = nextAnswer.temperature ?? ownTemperature
        context.effort = nextAnswer.effort ?? effort
        (context.thinking, context.cacheKey) = (thinking, record?.id)
        context.onSend = options.onSend
        context.sendsLocalTurns = services.settings.sendLocalTurns
        let hasUntrustedRole = await hasUntrustedInstructions
        context.hasUntrustedInstructions = hasUntrustedRole || tellsUntrustedText
        await services.connector.askWindow(of: model, at: choice.provider)
        context.registry = try await registry(observe)
        await offerSearch(&context, choice)
        await offerTools(&context, choice, for: asked)
        context.keeper = keeper(of: context, choice)
        context.joinLate = { [self] context, hasUntrustedText in
            var asked = asked
            asked.hasUntrustedText = asked.hasUntrustedText || hasUntrustedText
            return await joinLate(context, choice, for: asked, observe)
        }
        context.moveOn = moveOn(from: context, choice)
        return (message, context)
    }

    /// Reports once which model was found, and whether it will be retired.
    private func announce(_ choice: ProviderChoice, _ observe: Agent.Observer) async {
        let model = choice.model ?? ""
        if choice.reason == .ollama, !hasNamedFound {
            hasNamedFound = true
            await observe(
                .found(model: model, host: await services.connector.host(of: choice.provider)))
        }
        if !saidEndings.contains(model),
            let ending = await services.models.ending(of: model, at: choice.provider)
        {
            saidEndings.insert(model)
            await observe(.notice(ending.sentence))
        }
    }
}
