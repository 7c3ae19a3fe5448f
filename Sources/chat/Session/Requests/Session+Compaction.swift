import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence

/// Keeps a conversation within its model's window: summarizes the earlier part before the window is
/// full, when the server reports that it is, or when the user asks for it. The turns themselves
/// stay in the database.
extension Session {
    // MARK: - History

    /// The summary, if there is one, and the turns after it.
    func loadHistory() async throws -> [Turn] {
        if let history { return history }
        guard let record else { return [] }
        let stored = try await store.history(
            of: record.id, withinBytes: Self.historyLimitInBytes)
        var turns = stored.turns.filter {
            $0.turn.status != .open && $0.id != replaced && !$0.isWithheld
        }.map(\.turn)
        lengths.bytes = turns.reduce(0) { $0 + Self.bytes($1) }
        // Counting reads all turns of a long conversation, so only do it if some may be
        // missing.
        if stored.summary == nil, lengths.bytes > Self.historyLimitInBytes / 2 {
            lengths.unread = max(0, try await store.turnCount(of: record.id) - stored.turns.count)
        }
        if let summary = stored.summary {
            turns.insert(
                Compaction.turn(summary.text, hasUntrustedText: summary.hasUntrustedText), at: 0)
        } else if lengths.unread > 0, let first = turns.indices.first {
            // Turns not read may contain untrusted text.
            turns[first].carriesUntrustedText = true
        }
        history = turns
        return turns
    }

    /// Adds a completed turn. Memory is bounded: a program that runs for months keeps only what a
    /// request needs.
    func remember(_ turn: Turn) {
        guard history != nil else { return }
        history?.append(turn)
        lengths.bytes += Self.bytes(turn)
        guard lengths.bytes > Self.historyLimitInBytes else { return }
        // Drop a quarter at once, so that the beginning, and with it the provider's cache, seldom
        // changes.
        dropOldest { self.lengths.bytes <= Self.historyLimitInBytes / 4 * 3 }
    }

    /// - Returns: the number of turns dropped.
    @discardableResult
    private func dropOldest(until isEnough: () -> Bool) -> Int {
        guard var turns = history else { return 0 }
        let summary = turns.first.flatMap { lengths.hasSummary($0) ? $0 : nil }
        if summary != nil { turns.removeFirst() }
        var dropped = 0
        var hadUntrustedText = false
        while turns.count > Compaction.leastKept, !isEnough() {
            let turn = turns.removeFirst()
            hadUntrustedText = hadUntrustedText || turn.hasUntrustedText
            lengths.bytes -= Self.bytes(turn)
            dropped += 1
        }
        // The model's text about it may still be in the rest.
        if hadUntrustedText, let first = turns.indices.first {
            turns[first].carriesUntrustedText = true
        }
        history = (summary.map { [$0] } ?? []) + turns
        lengths.unread += dropped
        lengths.reported = nil
        return dropped
    }

    private static func bytes(_ turn: Turn) -> Int {
        turn.messages.reduce(0) { sum, message in
            message.parts.reduce(sum) { sum, part in
                switch part {
                case .text(let text): sum + text.text.utf8.count
                case .refusal(let text): sum + text.utf8.count
                case .thinking(let thinking): sum + thinking.text.utf8.count
                case .toolCall(let call): sum + call.arguments.utf8.count
                case .toolResult(let result): sum + result.text.utf8.count
                case .attachment(let attachment):
                    sum + (attachment.isKeptOnly ? 0 : attachment.bytes.count)
                case .opaque: sum + 64
                }
            }
        }
    }

    // MARK: - Window

    func keeper(of context: Agent.Context, _ choice: ProviderChoice) -> ContextKeeper {
        lengths.hasTried = false
        return { [self] need, observe in
            try await makeRoom(need, in: context, choice, observe)
        }
    }

    private func makeRoom(
        _ need: ContextNeed, in context: Agent.Context, _ choice: ProviderChoice,
        _ observe: @escaping Agent.Observer
    ) async throws -> ContextPlan? {
        let model = context.model
        var context = context
        switch need {
        case .before(let turn, let offer, let lastUsage):
            context.offer = offer
            if let lastUsage { lengths.learn(from: lastUsage) }
            let size = try await size(of: turn, lastUsage: lastUsage, in: context, choice)
            let window = await window(of: model, at: choice.provider)
            if lengths.toolsLeftOut == .untold {
                lengths.toolsLeftOut = .told
                await observe(.compaction(.withoutTools(window: window.limit)))
            }
            if lengths.unread > 0, !lengths.hasToldUnread {
                lengths.hasToldUnread = true
                await observe(.compaction(.leftOut(turns: lengths.unread)))
            }
            if size > window.nearlyFull, services.settings.compaction == .auto,
                !lengths.hasTried, try await sumUp(turn, in: context, window, observe)
            {
                return try await fitting(
                    turn, size: nil, in: context, choice: choice, window: window, observe: observe)
            }
            return try await fitting(
                turn, size: size, in: context, choice: choice, window: window, observe: observe)
        case .refused(let turn, let offer, let error):
            context.offer = offer
            if let limit = ContextWindow.limit(statedIn: error) { lengths.learnt[model] = limit }
            if services.settings.compaction == .off {
                guard let confirm = options.confirm,
                    await confirm([CompactionText.tooLong], CompactionText.question)
                else {
                    return nil
                }
                try Task.checkCancellation()
            }
            var window = await window(of: model, at: choice.provider)
            // Our estimate was wrong: the refused request did not fit.
            let size = try await size(of: turn, lastUsage: nil, in: context, choice)
            window.limit = max(ContextWindow.smallest, min(window.limit, size))
            lengths.wasRefused()
            let isSummedUp = try await sumUp(turn, in: context, window, observe)
            let plan = try await fitting(
                turn, size: isSummedUp ? nil : size, in: context, choice: choice, window: window,
                observe: observe)
            return isSummedUp || plan.history != nil ? plan : nil
        }
    }

    /// Estimated tokens of the next request: those reported for the last one plus an
    /// estimate of everything since, or an estimate of all.
    private func size(
        of turn: Turn, lastUsage: Usage?, in context: Agent.Context, _ choice: ProviderChoice
    ) async throws -> Int {
        if let lastUsage, !lastUsage.isEmpty {
            return lastUsage.input + lastUsage.output
                + (turn.messages.last.map(ContextWindow.tokens(of:)) ?? 0)
        }
        let estimate = ContextWindow.tokens(
            of: try await loadHistory() + [turn], system: context.system,
            tools: context.offered(of: services.alwaysOffered).tools)
        guard let reported = lengths.reported, reported.model == context.model,
            reported.provider == choice.provider
        else { return estimate }
        // Some servers report arbitrary numbers: use at least half of the estimate.
        return max(reported.tokens + ContextWindow.tokens(of: turn), estimate / 2)
    }

    /// - Returns: false if nothing was changed; the reason has been shown.
    private func sumUp(
        _ turn: Turn, in context: Agent.Context, _ window: ContextWindow,
        _ observe: @escaping Agent.Observer
    ) async throws -> Bool {
        do {
            let report = try await compact(
                context, window, sending: turn, focus: nil, observe)
            lengths.hasTried = true
            await observe(.compaction(.finished(report)))
            return true
        } catch let error as CompactionError {
            lengths.hasTried = true
            // Without earlier turns, the message itself is too long.
            if error.reason != .nothingToSumUp { await observe(.compaction(.failed(error))) }
            return false
        }
    }

    /// Last resort: sends this and later requests without the oldest turns.
    func withoutOldest(
        room: Int, _ observe: @escaping Agent.Observer
    ) async -> [Turn]? {
        let dropped = dropOldest {
            (history ?? []).reduce(0) { $0 + ContextWindow.tokens(of: $1) } <= room
        }
        guard dropped > 0 else { return nil }
        lengths.hasToldUnread = true
        await observe(.compaction(.leftOut(turns: dropped)))
        return history
    }

    func fixedTokens(_ context: Agent.Context) -> Int {
        ContextWindow.tokens(
            of: [], system: context.system,
            tools: context.offered(of: services.alwaysOffered).tools)
    }

    // MARK: - Summaries

    /// `/compact`: summarizes everything before the last turns.
    ///
    /// - Throws: `CompactionError`, `SessionError`; nothing has changed then.
    func compact(focus: String?, observe: @escaping Agent.Observer) async throws -> CompactionReport
    {
        guard record != nil else { throw CompactionError(.nothingToSumUp) }
        let choice = try await connect()
        guard choice.provider != .offline else { throw SessionError.noModel(nearest: nil) }
        let model = choice.model ?? ""
        let context = Agent.Context(
            provider: try await provider(choice.provider), model: model,
            system: "", history: [],
            journal: try await currentJournal(
                provider: choice.provider, model: model), offersTools: false)
        return try await compact(
            context, await window(of: model, at: choice.provider), sending: nil, focus: focus,
            observe)
    }

    /// - Parameter turn: the turn being sent, which is never summarized; nil if the user asked for
    ///   the summary, whether or not there is room.
    private func compact(
        _ context: Agent.Context, _ window: ContextWindow, sending turn: Turn?, focus: String?,
        _ observe: @escaping Agent.Observer
    ) async throws -> CompactionReport {
        guard let id = record?.id else { throw CompactionError(.nothingToSumUp) }
        let stored = try await store.history(of: id, withinBytes: Self.historyLimitInBytes)
        let past = stored.turns.filter {
            $0.turn.status != .open && $0.id != replaced && !$0.isWithheld
        }
        let turns = past.map(\.turn)
        let size = turns.reduce(0) { $0 + ContextWindow.tokens(of: $1) }
        let summarySize = stored.summary.map { ContextWindow.tokens(in: $0.text) } ?? 0
        let fixed = fixedTokens(context) + (turn.map(ContextWindow.tokens(of:)) ?? 0)
        let count = Compaction.count(
            of: turns, room: turn == nil ? min(window.verbatim, size / 5) : window.verbatim,
            most: max(0, window.nearlyFull - fixed - window.limit / 8))
        guard count > 0 else { throw CompactionError(.nothingToSumUp) }
        await observe(.compaction(.began(turns: count)))
        let made = try await Compactor(
            generator: generator(context.provider, context.model, for: id, observe: observe),
            window: window, sendsLocalTurns: services.settings.sendLocalTurns
        ).sumUp(Array(turns.prefix(count)), previous: stored.summary?.text, focus: focus)
        let gone = turns.prefix(count).reduce(summarySize) { $0 + ContextWindow.tokens(of: $1) }
        let after = size + summarySize - gone + ContextWindow.tokens(in: made.text)
        guard after < size + summarySize else { throw CompactionError(.noGain) }
        try Task.checkCancellation()
        try await store.addSummary(
            StoredSummary(
                throughTurn: past[count - 1].id, text: made.text,
                hasUntrustedText: stored.summary?.hasUntrustedText ?? false || lengths.unread > 0
                    || turns.prefix(count).contains(where: \.hasUntrustedText),
                provider: context.provider.name, model: context.model,
                created: services.environment.now()), to: id)
        history = nil
        let unread = lengths.unread
        lengths = RequestLengths(
            learnt: lengths.learnt, toolsLeftOut: lengths.toolsLeftOut, density: lengths.density)
        return CompactionReport(
            turns: count - min(count, made.leftOut), leftOut: made.leftOut + unread,
            before: size + summarySize, after: after)
    }
}
