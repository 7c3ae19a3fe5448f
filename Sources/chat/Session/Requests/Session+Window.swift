import AgentCore
import Base
import ChatKit
import Persistence

/// Fits a request into the model's window.
extension Session {
    /// The model's window: from a refusal or answer of its server, its known name, the
    /// configuration, or a default, in that order.
    func window(of model: String, at provider: ProviderName) async -> ContextWindow {
        var limit = lengths.learnt[model]
        if limit == nil { limit = await services.connector.window(of: model, at: provider) }
        return ContextWindow(
            limit: limit ?? services.settings.contextWindow ?? provider.facts.window,
            outputLimit: services.settings.maxTokens(for: model))
    }

    /// The servers' token count divided by our estimate, used while it is unknown: local models
    /// with small vocabularies need more tokens.
    private static let usualDensity = 1.25

    /// Shortens files, notes and tool results until the request leaves room for the answer, then
    /// leaves out the oldest turns. The question is never cut.
    ///
    /// - Parameter size: tokens of the request; nil if it has just become smaller.
    func fitting(
        _ turn: Turn, size: Int?, in context: Agent.Context, choice: ProviderChoice,
        window: ContextWindow, observe: @escaping Agent.Observer
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
        // A server that counts the answer as part of its window would refuse a longer one.
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

/// A session's measurements of the length of its requests.
struct RequestLengths: Sendable {
    /// Limits learnt from servers' refusals, by model.
    var learnt: [String: Int] = [:]
    /// Notice that the model's window is too small for its tools; reported once.
    var toolsLeftOut: Notice?
    /// Tokens of the last request and its answer.
    var reported: Reported?
    /// Bytes of the turns in memory.
    var bytes = 0
    /// Number of stored turns that are not sent, without a summary of them.
    var unread = 0
    var hasToldUnread = false
    /// Whether a summary was requested in this turn; a second one would not help.
    var hasTried = false
    /// Tokens counted by the servers per estimated token.
    var density: Double?
    /// Estimated number of tokens of the last request.
    var sent = 0
    /// Names of shortened files and results, each reported once.
    var told: Set<String> = []

    mutating func learn(from usage: Usage) {
        if sent > 200, usage.input > 0 {
            density = min(3, max(0.7, Double(usage.input) / Double(sent)))
        }
    }

    /// Raises the density after a refusal.
    mutating func wasRefused() { density = min(3, (density ?? 1) * 1.3) }

    enum Notice: Sendable { case untold, told }

    struct Reported: Sendable {
        var provider: ProviderName
        var model: String
        var tokens: Int
    }

    /// Whether the turn is a summary: the only kind that a program writes.
    func hasSummary(_ turn: Turn) -> Bool {
        turn.messages.count == 1
            && turn.messages[0].text.hasPrefix("<summary of the earlier conversation")
    }
}

/// The part of the model's window that is used, for `/usage`.
extension Session {
    /// Tokens that the model read and wrote with the last request, and its limit; nil before the
    /// first request.
    func context(after turns: [StoredTurn]) async -> (filled: Int, window: Int?)? {
        guard let last = turns.last(where: { !$0.turn.usage.isEmpty }) else { return nil }
        let filled = lengths.reported?.tokens ?? UsageScreen.filled(by: last)
        var window = await services.connector.window(of: last.model, at: last.provider)
        if window == nil {
            window = await services.models.window(of: last.model, provider: last.provider)
        }
        return (filled, window)
    }
}
