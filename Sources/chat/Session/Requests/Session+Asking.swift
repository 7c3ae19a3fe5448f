import AgentCore
import Base
import ChatKit
import Persistence

/// Has a message answered by a model: prepares, gathers the facts, makes the request from them as a
/// value (`TurnRequest`), runs the turn and stores its results.
extension Session {
    func ask(
        _ choice: ProviderChoice, _ message: Message, _ asked: AskedWords,
        observe: @escaping Agent.Observer
    ) async throws -> Answer {
        try refuseUnredactable(message)
        let provider = try await provider(choice.provider)
        let journal = try await prepareTurn(choice, observe)
        let request = TurnRequest(
            try await facts(
                choice, message, asked, from: provider, in: journal, observe: observe))
        sentSystem = request.context.system
        await note(request.tools)
        let context = following(request.context, choice, for: asked, observe)
        await announce(choice, observe)
        hasDeclined = false
        let outcome = try await agent.respond(
            to: request.message, in: context, observe: observe)
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

    /// Acts before the facts are gathered: puts the conversation into the store with its model and
    /// preferences, checks the budget, and asks and connects servers.
    private func prepareTurn(
        _ choice: ProviderChoice, _ observe: @escaping Agent.Observer
    ) async throws -> ConversationJournal {
        let model = choice.model ?? ""
        let journal = try await currentJournal(provider: choice.provider, model: model)
        if let record, record.provider != choice.provider || record.model != model,
            record.order != 0
        {
            try await store.setModel(record.id, provider: choice.provider, model: model)
        }
        try await checkBudget(choice, history: try await loadHistory())
        try await savePreferences()
        await services.connector.askWindow(of: model, at: choice.provider)
        try await connectServers(observe)
        return journal
    }

    /// Gathers everything that the request follows from.
    private func facts(
        _ choice: ProviderChoice, _ message: Message, _ asked: AskedWords,
        from provider: any Provider, in journal: ConversationJournal,
        observe: @escaping Agent.Observer
    ) async throws -> TurnRequest.Facts {
        let (history, notes) = (try await loadHistory(), try await notes())
        var policy = options.policy
        (policy.rules, policy.grants) = (services.settings.toolRules, grants)
        var context = Agent.Context(
            provider: provider, model: choice.model ?? "",
            system: await instructedSystem(observe), history: history, journal: journal,
            approver: options.approver, policy: policy, offersTools: options.usesTools)
        context.maxOutputTokens = await outputLimit(for: context.model)
        let ownTemperature = await temperature
        context.temperature = nextAnswer.temperature ?? ownTemperature
        context.effort = nextAnswer.effort ?? effort
        (context.thinking, context.cacheKey) = (thinking, record?.id)
        context.onSend = options.onSend
        context.sendsLocalTurns = services.settings.sendLocalTurns
        context.hasUntrustedInstructions = await hasUntrustedInstructions
        return TurnRequest.Facts(
            message: message, context: context, sentSystem: sentSystem,
            notes: notes?.map {
                UserNotes.Note(id: "\($0.id)", text: UntrustedText.cleaned($0.body))
            },
            haveNotesUntrustedText: notes?.contains(where: \.hasUntrustedText) == true,
            tools: await toolFacts(choice, for: asked, in: context))
    }

    /// The context with what it does while the turn runs.
    private func following(
        _ context: Agent.Context, _ choice: ProviderChoice, for asked: AskedWords,
        _ observe: @escaping Agent.Observer
    ) -> Agent.Context {
        var context = context
        context.keeper = keeper(of: context, choice)
        context.joinLate = { [self] context, hasUntrustedText in
            var asked = asked
            asked.hasUntrustedText = asked.hasUntrustedText || hasUntrustedText
            return await joinLate(context, choice, for: asked, observe)
        }
        context.moveOn = moveOn(from: context, choice)
        return context
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
