import Base
import FoundationEssentials
import Privacy

/// Runs turns: model → tools → model …, saving each step before the next.
///
/// One turn at a time. `TurnStateMachine` decides the order; this actor performs its actions and
/// owns the state of the turn. It neither draws nor stores: it reports to an observer and writes to
/// a `TurnJournal`.
package actor Agent {
    package typealias Observer = @Sendable (AgentEvent) async -> Void

    private let registry: ToolRegistry
    private let environment: Environment
    private let toolRunner: ToolRunner
    private let retryPolicy = RetryPolicy()
    /// The streamed text of the current answer, for a partial answer.
    private var partial = PartialAnswer()

    /// - Parameters:
    ///   - person: supplies the user's data, which is kept out of the records of calls; if it is
    ///     nil because it cannot be read, no values are recorded.
    ///   - describe: turns a system error into text for the user.
    package init(
        registry: ToolRegistry, environment: Environment,
        log: @escaping @Sendable (ToolCallRecord) -> Void = { _ in },
        person: @escaping @Sendable () async -> PersonalData? = { PersonalData() },
        describe: @escaping @Sendable (any Error) -> String = { "\($0)" }
    ) {
        self.registry = registry
        self.environment = environment
        toolRunner = ToolRunner(
            registry: registry, environment: environment, log: log, person: person,
            describe: describe)
    }

    /// Saves the message, gets an answer and closes the turn.
    ///
    /// A failure of the provider becomes part of the outcome; it is not thrown. Cancelling the task
    /// stops at once; the partial answer is kept and the turn is closed as interrupted before this
    /// returns.
    /// - Throws: errors of the journal: either nothing was sent, or the answer was shown but could
    ///   not be saved.
    package func respond(
        to message: Message, in context: Context, observe: @escaping Observer
    ) async throws -> TurnOutcome {
        let journal = context.journal
        let id = try await journal.begin(
            user: message, isLocal: false, carriesUntrustedText: context.hasUntrustedInstructions)
        var run = TurnRun(id: id, message: message, context: context)
        do {
            return try await carryOut(&run, observe: observe)
        } catch {
            if !run.isClosing {
                // The failure is not the provider's: the journal, a key store. The turn must not
                // stay open, but this failure is the one to report.
                try? await Self.shielded { [usage = run.usage] in
                    try await journal.close(id, status: .failed, usage: usage, note: "fault")
                }
            }
            throw error
        }
    }

    private func carryOut(_ run: inout TurnRun, observe: @escaping Observer) async throws
        -> TurnOutcome
    {
        var action = run.machine.start()
        while true {
            switch action {
            case .ask:
                await observe(
                    .waiting(provider: run.context.provider.name, model: run.context.model))
                action = try await ask(&run, observe: observe)
            case .wait(let seconds, let error, let attempt):
                await observe(
                    .retrying(
                        error, attempt: attempt + 1, of: retryPolicy.attempts, delay: seconds))
                do {
                    try await environment.sleep(.seconds(seconds))
                    action = run.machine.waited()
                } catch {
                    action = run.machine.cancelled()
                }
            case .makeRoom(let error):
                action = try await makeRoom(after: error, in: &run, observe: observe)
            case .moveOn(let error):
                action = try await moveOn(after: error, in: &run, observe: observe)
            case .recordAndAsk(let message):
                try await record(message, in: &run)
                action = .ask
            case .run(let message, let calls):
                try await record(message, in: &run)
                action = try await runTools(calls, in: &run, observe: observe)
            case .finish(let status, let message, let note):
                return try await finish(&run, status: status, message: message, note: note)
            }
        }
    }

    /// Saves a turn that a tool server answered without a model.
    ///
    /// - Parameter quotesUntrustedText: whether the answer contains untrusted text, written neither
    ///   by us nor by the user.
    package func recordLocalTurn(
        message: Message, answer: String, quotesUntrustedText: Bool, journal: any TurnJournal
    ) async throws -> Turn {
        let reply = Message(
            role: .assistant, parts: [.text(answer)],
            origin: ModelOrigin(provider: .offline, format: .none, model: ""))
        let id = try await journal.begin(
            user: message, isLocal: true, carriesUntrustedText: quotesUntrustedText)
        try await journal.record(reply, in: id)
        try await journal.close(id, status: .done, usage: Usage(), note: nil)
        return Turn(
            status: .done, messages: [message, reply], isLocal: true,
            carriesUntrustedText: quotesUntrustedText)
    }

    // MARK: - Steps

    private func ask(_ run: inout TurnRun, observe: @escaping Observer) async throws
        -> TurnStateMachine.Action
    {
        partial = PartialAnswer()
        if run.turn.messages.count > 1,
            let joined = await run.context.joinLate?(run.context, run.hasUntrustedText)
        {
            run.context = joined
        }
        var plan = ContextPlan()
        if let keeper = run.context.keeper {
            do {
                let need = ContextNeed.before(
                    run.turn, run.context.offer, lastUsage: run.lastUsage)
                plan = try await keeper(need, observe) ?? plan
                if let history = plan.history { run.context.history = history }
            } catch is CancellationError {
                return run.machine.cancelled()
            }
        }
        let context = run.context
        var request = ModelRequest(
            model: context.model, system: context.system,
            turns: context.history + [plan.turn ?? run.turn],
            tools: context.offered(of: registry).tools,
            maxOutputTokens: min(context.maxOutputTokens, plan.maxOutputTokens ?? .max),
            temperature: context.temperature,
            effort: context.effort, thinking: context.thinking, cacheKey: context.cacheKey,
            sendsLocalTurns: context.sendsLocalTurns)
        if let first = context.offer?.joined.first {
            request.firstTools = request.tools.prefix { first.contains($0.name) }.count
        }
        request.searchesWeb = context.searchesWeb && context.offersTools
        (request.conversation, request.onSend) = (context.cacheKey, context.onSend)
        let owners = context.registry ?? registry
        request.content = SentContent.kinds(of: request.turns) { owners.server(ofTool: $0)?.name }
        if request.searchesWeb { request.tools.removeAll { $0.name == WebSearch.permission } }
        do {
            let id = run.id
            let completion = try await context.provider.respond(to: request) { events in
                await self.receive(events, turn: id, journal: context.journal, observe: observe)
            }
            // Search results are in the context of every call that follows.
            if completion.message.parts.contains(where: \.isWebSearch) {
                run.hasUntrustedText = true
            }
            run.usage = run.usage + completion.usage
            run.lastUsage = completion.usage
            run.stop = completion.stop
            run.ignored.formUnion(completion.ignored)
            run.requestID = completion.requestID ?? run.requestID
            await observe(.answered(stop: completion.stop, usage: completion.usage))
            return run.machine.completed(completion)
        } catch let error as ProviderError {
            if !partial.isEmpty { run.machine.shown() }
            run.requestID = error.requestID ?? run.requestID
            let decision = retryPolicy.decision(
                for: error, attempt: run.machine.attempts,
                hasShown: run.machine.hasShownAnything, random: environment.random())
            // A wait too long for the user ends the turn; the error says how long it would be.
            guard case .retry(let delay) = decision else {
                return run.machine.failed(error, retryAfter: nil)
            }
            return run.machine.failed(error, retryAfter: delay)
        } catch is CancellationError {
            return run.machine.cancelled()
        }
    }

    private func makeRoom(
        after error: ProviderError, in run: inout TurnRun, observe: @escaping Observer
    ) async throws -> TurnStateMachine.Action {
        do {
            let plan = try await run.context.keeper?(
                .refused(run.turn, run.context.offer, error), observe)
            if let history = plan?.history { run.context.history = history }
            return run.machine.madeRoom(plan != nil, after: error)
        } catch is CancellationError {
            return run.machine.cancelled()
        }
    }

    private func moveOn(
        after error: ProviderError, in run: inout TurnRun, observe: @escaping Observer
    ) async throws -> TurnStateMachine.Action {
        do {
            let next = try await run.context.moveOn?(error, observe)
            if Task.isCancelled { return run.machine.cancelled() }
            if var next {
                next.policy.grants = run.context.policy.grants
                (next.registry, next.offer) = (run.context.registry, run.context.offer)
                run.context = next
                run.hasMovedOn = true
            }
            return run.machine.movedOn(next != nil, after: error)
        } catch is CancellationError {
            return run.machine.cancelled()
        }
    }

    /// Shows and saves one batch of streamed events.
    private func receive(
        _ events: [ProviderEvent], turn: TurnID, journal: any TurnJournal,
        observe: @escaping Observer
    ) async {
        for event in events {
            await observe(AgentEvent(event))
            switch event {
            case .text(let text): await save(text, as: .text, of: turn, to: journal)
            case .refusal(let text): await save(text, as: .refusal, of: turn, to: journal)
            case .thinking(let text): await save(text, as: .thinking, of: turn, to: journal)
            case .toolCallStarted: partial.hasCalls = true
            case .webSearch: partial.hasSearched = true
            }
        }
    }

    /// A failing journal must not lose the answer being shown: the answer continues. The journal
    /// keeps the text it could not write; if it never can, saving the whole answer or closing the
    /// turn reports it.
    private func save(
        _ text: String, as kind: StreamedKind, of turn: TurnID, to journal: any TurnJournal
    ) async {
        partial.append(text, kind)
        do { try await journal.append(text, kind: kind, to: turn) } catch {}
    }

    private func record(_ message: Message, in run: inout TurnRun) async throws {
        run.turn.messages.append(message)
        partial = PartialAnswer()
        let (journal, id) = (run.context.journal, run.id)
        try await Self.shielded { try await journal.record(message, in: id) }
    }

    private func runTools(
        _ calls: [ToolCall], in run: inout TurnRun, observe: @escaping Observer
    ) async throws -> TurnStateMachine.Action {
        let (admitted, limit) = run.machine.admit(calls)
        var round = ToolRunner.Round(
            hasUntrustedText: run.hasUntrustedText, deleted: run.deleted,
            grants: run.context.policy.grants)
        let (journal, id) = (run.context.journal, run.id)
        try await toolRunner.with(run.context.offered(of: registry)).run(
            calls, admitted: admitted, round: &round, context: run.context, observe: observe
        ) { result, call in
            try await Self.shielded { try await journal.recordResult(result, of: call, in: id) }
        }
        run.hasUntrustedText = round.hasUntrustedText
        run.deleted = round.deleted
        run.refusals += round.refusals
        run.context.policy.grants = round.grants
        run.context.offer?.join(round.offers)
        if round.results.contains(where: { $0.name == WebSearch.permission && !$0.isError }) {
            run.context.searchesWeb = true
        }
        run.turn.messages.append(
            Message(role: .tool, parts: round.results.map(Part.toolResult)))
        if Task.isCancelled { return run.machine.cancelled() }
        return run.machine.roundFinished(valid: round.validCalls, limit: limit)
    }

    private func finish(
        _ run: inout TurnRun, status: Turn.Status, message: Message?, note: TurnStateMachine.Note?
    ) async throws -> TurnOutcome {
        if let message, !message.parts.isEmpty {
            try await record(message, in: &run)
        } else if let message = partial.message(origin: run.context.origin) {
            // Streamed text alone would not show that a search was part of it.
            if partial.hasSearched {
                try await record(message, in: &run)
            } else {
                run.turn.messages.append(message)
            }
        }
        run.turn.status = status
        run.turn.usage = run.usage
        let (journal, id, usage) = (run.context.journal, run.id, run.usage)
        run.isClosing = true
        try await Self.shielded {
            try await journal.close(id, status: status, usage: usage, note: note?.word)
        }
        return TurnOutcome(
            status: status, turn: run.turn, note: note, refusals: run.refusals,
            grants: run.context.policy.grants, offer: run.context.offer,
            searchesWeb: run.context.searchesWeb,
            stop: run.stop, requestID: run.requestID, ignored: run.ignored, id: run.id,
            lastUsage: run.lastUsage, movedOn: run.hasMovedOn ? run.context.origin : nil,
            undone: status == .done
                ? ActClaims(run.turn, run.context.registry ?? registry).undone : nil)
    }

    /// Runs `body` to its end even if the current task is cancelled: a stopped turn still has to be
    /// saved.
    private static func shielded<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await Task { try await body() }.value
    }
}

/// State gathered by one turn; local to `Agent.respond`.
private struct TurnRun {
    let id: TurnID
    var context: Agent.Context
    var machine: TurnStateMachine
    var turn: Turn
    var usage = Usage()
    var lastUsage: Usage?
    var hasMovedOn = false
    var stop: StopReason?
    var requestID: ServerText?
    var ignored: Set<IgnoredParameter> = []
    var hasUntrustedText: Bool
    var deleted: [ApprovalRequest.Item] = []
    var refusals: [ToolRefusal] = []
    /// Whether `close` has been called; it is called once.
    var isClosing = false

    init(id: TurnID, message: Message, context: Agent.Context) {
        self.id = id
        self.context = context
        machine = TurnStateMachine(
            canMakeRoom: context.keeper != nil, canMoveOn: context.moveOn != nil)
        turn = Turn(
            status: .open, messages: [message],
            carriesUntrustedText: context.hasUntrustedInstructions)
        hasUntrustedText = (context.history + [turn]).contains(where: \.hasUntrustedText)
    }
}

/// The streamed text of an answer that may never be completed.
private struct PartialAnswer {
    private var text = ""
    private var refusal = ""
    private var thinking = ""
    var hasCalls = false
    var hasSearched = false

    var isEmpty: Bool {
        text.isEmpty && refusal.isEmpty && thinking.isEmpty && !hasCalls && !hasSearched
    }

    mutating func append(_ more: String, _ kind: StreamedKind) {
        switch kind {
        case .text: text += more
        case .refusal: refusal += more
        case .thinking: thinking += more
        }
    }

    func message(origin: ModelOrigin) -> Message? {
        var parts: [Part] = []
        // Marks the following text as possibly untrusted; the mark is never sent back.
        if hasSearched { parts.append(.opaque(["type": "web_search_call"])) }
        if !thinking.isEmpty { parts.append(.thinking(Thinking(text: thinking))) }
        if !text.isEmpty { parts.append(.text(text)) }
        if !refusal.isEmpty { parts.append(.refusal(refusal)) }
        return parts.isEmpty ? nil : Message(role: .assistant, parts: parts, origin: origin)
    }
}
