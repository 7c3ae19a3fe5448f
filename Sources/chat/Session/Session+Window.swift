import AgentCore
import Base
import ChatKit

/// How a request fits into what its model reads.
extension Session {
    /// What the model can read: as its server has said in a refusal or when asked, as is known
    /// of its name, as configured, or as is usual.
    func window(of model: String, at provider: ProviderName) async -> ContextWindow {
        var limit = lengths.learnt[model]
        if limit == nil { limit = await services.connector.window(of: model, at: provider) }
        return ContextWindow(
            limit: limit ?? services.settings.contextWindow ?? provider.facts.window,
            outputLimit: services.settings.maxTokens(for: model))
    }

    /// What servers count beyond our estimate, of which nothing is known yet: the small
    /// vocabularies of local models make more of it.
    private static let usualDensity = 1.25

    /// Files, notes and results of tools are shortened until the request leaves room for the
    /// answer, then the oldest turns are left out. The question is never cut.
    ///
    /// - Parameter size: of the request; nil where it has just become smaller.
    func fitting(
        _ turn: Turn, _ size: Int?, in context: Agent.Context, _ choice: ProviderChoice,
        _ window: ContextWindow, _ observe: @escaping Agent.Observer
    ) async throws -> ContextPlan {
        let isLocal = await services.connector.isLocal(choice.provider)
        let density = lengths.density ?? (isLocal ? Self.usualDensity : 1)
        func counted(_ turns: [Turn]) -> Int {
            let tokens =
                fixedTokens(context) + turns.reduce(0) { $0 + ContextWindow.tokens(of: $1) }
            lengths.sent = tokens
            return Int(Double(tokens) * density)
        }
        var past = try await loadHistory()
        var plan = ContextPlan(history: size == nil ? past : nil)
        var need = counted(past + [turn])
        if max(need, size ?? 0) > window.usable {
            let room = max(0, Int(Double(window.usable) / density) - fixedTokens(context))
            var fitted = ContextFit.fit(past + [turn], room: room)
            need = counted(fitted.turns)
            if need > window.usable || fitted.names.isEmpty {
                let rest = max(
                    0,
                    Int(Double(window.nearlyFull) / density) - fixedTokens(context)
                        - ContextWindow.tokens(of: fitted.turns.last ?? turn))
                if let fewer = await withoutOldest(room: rest, observe) {
                    past = fewer
                    fitted = ContextFit.fit(past + [turn], room: room)
                    need = counted(fitted.turns)
                    plan.history = past
                }
            }
            if !fitted.names.isEmpty {
                plan.turn = fitted.turns.popLast()
                plan.history = fitted.turns
                await tell(fitted.names, window, observe)
            }
        }
        // A server that counts the answer as part of its window refuses more.
        if isLocal { plan.maxOutputTokens = max(256, window.limit - need) }
        return plan
    }

    private func tell(
        _ names: [String], _ window: ContextWindow, _ observe: @escaping Agent.Observer
    ) async {
        let new = names.filter { lengths.told.insert($0).inserted }
        if !new.isEmpty {
            await observe(.compaction(.shortened(new, window: window.limit)))
        }
    }
}

/// What a session knows about the length of its requests.
struct RequestLengths: Sendable {
    /// What servers have said in refusals, by model.
    var learnt: [String: Int] = [:]
    /// The model's window is too small for them; reported once.
    var toolsLeftOut: Notice?
    /// Tokens of the last request and its answer.
    var reported: Reported?
    /// Bytes of the turns that are kept in memory.
    var bytes = 0
    /// Turns that are stored and not sent, without a summary of them.
    var unread = 0
    var hasToldUnread = false
    /// A summary was asked for in this turn; a second one would not help.
    var hasTried = false
    /// What servers count for each token that is estimated here.
    var density: Double?
    /// Tokens of the last request, as estimated.
    var sent = 0
    /// Files and results that were shortened, each said once.
    var told: Set<String> = []

    mutating func learn(from usage: Usage) {
        if sent > 200, usage.input > 0 {
            density = min(3, max(0.7, Double(usage.input) / Double(sent)))
        }
    }

    /// More than was thought.
    mutating func wasRefused() { density = min(3, (density ?? 1) * 1.3) }

    enum Notice: Sendable { case untold, told }

    struct Reported: Sendable {
        var provider: ProviderName
        var model: String
        var tokens: Int
    }

    /// A summary is the one turn that a program has written.
    func hasSummary(_ turn: Turn) -> Bool {
        turn.messages.count == 1
            && turn.messages[0].text.hasPrefix("<summary of the earlier conversation")
    }
}
