import AgentCore
import Base

/// The lines after a turn: how it ended if that is not obvious, and its usage. Pure.
package enum TurnReport {
    package static func lines(
        _ outcome: TurnOutcome, seconds: Double, facts: FailureFacts = FailureFacts(),
        cost: Cost = Cost()
    ) -> [StyledLine] {
        var lines: [StyledLine] = []
        switch outcome.status {
        case .open, .done:
            if outcome.note == .emptyAnswer {
                lines.append(StyledLine("  (the model's answer was empty)", .warning))
            }
            if let line = undone(outcome)?.indented {
                let hint = outcome.undone == .claimed ? " · /retry" : ""
                lines.append(StyledLine(line.spans + [.init(hint, .hint)]))
            }
        case .truncated:
            let why =
                outcome.stop == .contextWindow
                ? "The conversation fills the model's context; /new starts a new one."
                : "Cut off by the length limit. Say \"go on\" for the rest."
            lines.append(StyledLine("  ! \(why)", .warning))
        case .refused: lines.append(StyledLine("  ! The model declined to answer this.", .warning))
        case .interrupted:
            switch outcome.note {
            case .limit(let limit): lines += Diagnostic(limit).lines
            default:
                let kept = outcome.hasPartialAnswer ? "what is above" : "your message"
                lines.append(StyledLine("  (stopped; \(kept) is kept)", .dim))
            }
        case .failed:
            if case .failed(let error) = outcome.note {
                let diagnostic = CommandGrammar.prompt.diagnostic(Diagnostic(error, facts: facts))
                lines += diagnostic.lines.dropFirst(facts.isTold ? 1 : 0)
            }
        }
        if let ignored = ignored(outcome.ignored) { lines.append(ignored) }
        if let usage = usage(outcome.turn.usage, seconds: seconds, cost: cost) {
            lines.append(usage)
        }
        return lines
    }

    /// `1,204 in (960 cached) · 96 out · $0.0042 · 1.1 s`
    package static func usage(_ usage: Usage, seconds: Double, cost: Cost = Cost()) -> StyledLine? {
        if usage.isEmpty { return nil }
        let parts = [tokens(usage), cost.text, Quantities.seconds(seconds)]
        return StyledLine("  " + parts.compactMap(\.self).joined(separator: " · "), .dim)
    }

    /// `1,204 in (960 cached) · 96 out`
    static func tokens(_ usage: Usage) -> String {
        let cached =
            usage.cachedInput > 0 ? " (\(Quantities.grouped(usage.cachedInput)) cached)" : ""
        return "\(Quantities.grouped(usage.input)) in\(cached) · "
            + "\(Quantities.grouped(usage.output)) out"
    }

    /// A note on an act without a call that did it: a warning if the answer claims it, else a fact.
    /// The shell has no `/retry`.
    package static func undone(_ outcome: TurnOutcome) -> StyledLine? {
        switch outcome.undone {
        case .claimed: StyledLine("! not done: no tool did this in this answer", .warning)
        case .ordered:
            StyledLine("· nothing was changed: no tool did anything in this answer", .dim)
        case nil: nil
        }
    }

    package static func ignored(_ parameters: Set<IgnoredParameter>) -> StyledLine? {
        if parameters.isEmpty { return nil }
        let leftOut = parameters.subtracting([.maxTokens, .revealingTurns]).map(\.rawValue).sorted()
        var parts: [String] = []
        if !leftOut.isEmpty {
            parts.append(
                "\(leftOut.joined(separator: " and ")): not taken by this model, so it was left out"
            )
        }
        if parameters.contains(.maxTokens) {
            parts.append("max_tokens: more than this model allows, so it was lowered")
        }
        if parameters.contains(.revealingTurns) {
            parts.append("earlier messages that would reveal who you are were left out")
        }
        return StyledLine("  (\(parts.joined(separator: "; ")))", .dim)
    }
}

extension Diagnostic {
    /// The lines at the prompt: the problem, then the advice.
    package var lines: [StyledLine] {
        var lines = [StyledLine("  ! \(what)", .failure)]
        if let todo { lines.append(StyledLine("    \(todo)", .dim)) }
        return lines
    }

    /// The lines in the shell: the problem, then the advice.
    package var shellLines: [StyledLine] {
        var lines = [StyledLine("chat: \(what)", .failure)]
        if let todo { lines.append(StyledLine("      \(todo)", .dim)) }
        return lines
    }
}
