import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Outside
import Persistence
import Routines
import Synchronization

/// Asks the model for a routine: in a separate conversation, without a terminal, with the approved
/// tools and budget.
extension Services {
    /// The reason why a provider cannot be asked from this process, or is not at the approved host;
    /// nil if there is no obstacle.
    func obstacle(to provider: String, at host: String) async -> Diagnostic? {
        guard let name = ProviderName(rawValue: provider) else {
            return Diagnostic("There is no provider \(provider).", exit: .needsKeyOrNetwork)
        }
        if let error = settings.refusal(of: .message) { return Diagnostic(of: error) }
        switch await connector.readiness(of: name) {
        case .ready: break
        case .missing(let missing):
            let choice = ProviderChoice(provider: name, model: nil, reason: .flag)
            return diagnostics.describe(
                SessionError.notUsable(choice: choice, missing: missing, instead: nil))
        }
        let now = await connector.host(of: name)
        if !host.isEmpty, now != host {
            return Diagnostic(
                "\(provider) is at \(now) now; the routine was approved for \(host).",
                todo: "To move it there: chat routine edit NAME --model \(provider)/MODEL",
                exit: .needsKeyOrNetwork, namesCommands: true)
        }
        return nil
    }

    /// Every tool that a routine could name.
    func knownTools() async -> [Tool] {
        // If the file is unreadable there are no external tools.
        let others = (try? await external?.approvedTools()) ?? []
        return registry.tools + others.map(\.tool)
    }

    func lastAnswer(of conversation: String) async throws -> String? {
        try await store().turns(of: conversation, last: 1).last?.turn.answerText
    }

    /// Makes a call that was held back, after the user has agreed to exactly this call.
    func call(_ held: HeldCall) async -> ToolOutput {
        let allowed = registry.tools.map(\.name)
        let runner = ToolRunner(
            registry: registry, environment: environment,
            // If the profile is unreadable, the log of calls contains no values.
            log: { [log] in log.record($0) }, person: { [person] in try? await person() },
            hostPolicy: ApprovalPolicy(allowedTools: Set(allowed), isInteractive: false),
            describe: { [diagnostics] in diagnostics.describe($0).what })
        let summary = Mutex<String?>(nil)
        let result = await runner.run(
            ToolCall(id: environment.uuid(), name: held.tool, arguments: held.arguments),
            as: ToolCaller(model: "", conversation: nil)
        ) { event in
            if case .toolFinished(_, let line, _) = event { summary.withLock { $0 = line } }
        }
        return ToolOutput(
            text: result.text, summary: summary.withLock { $0 }, isError: result.isError,
            isUntrusted: result.isUntrusted)
    }

    /// Asks the model of the routine.
    ///
    /// - Parameters:
    ///   - found: results of the gates: untrusted text.
    ///   - title: the title of the conversation.
    ///   - limit: maximum cost. No request is sent that would cost more by its size alone.
    func answer(
        _ routine: Routine, _ found: [Attachment], title: String, limit: Money
    ) async -> RoutineRunner.Answer {
        do {
            return try await ToolCallContext.$routine.withValue(routine.id) {
                try await asked(routine, found, title: title, limit: limit)
            }
        } catch {
            return RoutineRunner.Answer(
                text: "", conversation: nil,
                failure: .init(diagnostics.describe(error).what, canRetry: true))
        }
    }

    private func asked(
        _ routine: Routine, _ found: [Attachment], title: String, limit: Money
    ) async throws -> RoutineRunner.Answer {
        guard let provider = ProviderName(rawValue: routine.provider) else {
            throw RoutineRunner.Failure("there is no provider \(routine.provider)")
        }
        var policy = ApprovalPolicy(isInteractive: false)
        policy.routine = routine.tools.compactMap(ApprovalRule.init)
        let spending = Spending(
            prices: prices, model: routine.model, provider: provider, limit: limit)
        var options = Session.Options(
            kind: .oneshot,
            flags: ProviderChoice.Selection(provider: provider, model: routine.model),
            policy: policy, approver: .refusing)
        options.onSend = { spending.note(request: $0) }
        let session = try await Session(services: self, options: options)
        try await session.openNew()
        _ = openConfiguredFolders()
        let running = Task {
            try await session.send(
                PlainMessage(routine.prompt), attachments: found, asksModel: true
            ) { event in
                if case .answered(_, let usage) = event { spending.note(usage) }
            }
        }
        spending.attach(running)
        let answer = try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            running.cancel()
        }
        let conversation = await session.record?.id
        if let conversation { try await store().rename(conversation, to: title) }
        guard case .model(let outcome, _, let model) = answer else {
            return RoutineRunner.Answer(
                text: "", conversation: conversation, failure: .init("no model answered"))
        }
        let held = outcome.refusals.compactMap { refusal in
            refusal.call.map { HeldCall(tool: $0.name, arguments: $0.arguments) }
        }
        return RoutineRunner.Answer(
            text: outcome.turn.answerText ?? "", conversation: conversation,
            cost: spending.sum.micros, held: held,
            failure: await failure(outcome, model, isOverBudget: spending.isOver))
    }

    private func failure(
        _ outcome: TurnOutcome, _ model: String, isOverBudget: Bool
    ) async -> RoutineRunner.Failure? {
        if isOverBudget, outcome.status != .done {
            return .init("the next request would be above its budget", isOverBudget: true)
        }
        // A second attempt would repeat the actions of tools.
        let hasActed = outcome.turn.messages.contains { !$0.toolCalls.isEmpty }
        switch outcome.status {
        case .done, .truncated: return nil
        case .refused: return .init("the model declined to answer")
        case .open, .interrupted: return .init("it was stopped")
        case .failed:
            guard case .failed(let error) = outcome.note else { return .init("it failed") }
            let facts = await connector.facts(about: error, model: model)
            return .init(
                Diagnostic(error, facts: facts).what, canRetry: !hasActed && error.mayPass)
        }
    }
}

/// The cost of one run, which is stopped above its limit: before a request whose input alone would
/// exceed it, and after each answer.
private final class Spending: Sendable {
    private let prices: PriceTable
    private let model: String
    private let provider: ProviderName
    private let limit: Money
    private let state = Mutex<(sum: Money, isOver: Bool, task: Task<Session.Answer, any Error>?)>(
        (.zero, false, nil))

    init(prices: PriceTable, model: String, provider: ProviderName, limit: Money) {
        (self.prices, self.model, self.provider, self.limit) = (prices, model, provider, limit)
    }

    var sum: Money { state.withLock { $0.sum } }
    var isOver: Bool { state.withLock { $0.isOver } }

    func attach(_ task: Task<Session.Answer, any Error>) {
        state.withLock { state in
            state.task = task
            if state.isOver { task.cancel() }
        }
    }

    /// About four bytes are a token.
    func note(request body: [UInt8]) { check(Usage(input: body.count / 4), isSpent: false) }
    func note(_ usage: Usage) { check(usage, isSpent: true) }

    private func check(_ usage: Usage, isSpent: Bool) {
        let cost = prices.cost(of: usage, model: model, provider: provider).money
        state.withLock { state in
            let sum = state.sum + cost
            if isSpent { state.sum = sum }
            if sum > limit {
                state.isOver = true
                state.task?.cancel()
            }
        }
    }
}

extension Turn {
    /// All text of the model in this turn; nil without any.
    fileprivate var answerText: String? {
        let texts = messages.filter { $0.role == .assistant }.map(\.text).filter { !$0.isEmpty }
        return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
    }
}

extension ProviderError {
    /// Whether the same request may succeed later without any action of the user.
    fileprivate var mayPass: Bool { Failover.isWorthOffering(self) }
}
