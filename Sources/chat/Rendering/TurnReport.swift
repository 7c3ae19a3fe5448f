import AgentCore

/// What is said after a turn: how it ended where that is not obvious, and its
/// tokens. Pure.
enum TurnReport {
    static func lines(
        _ outcome: TurnOutcome, seconds: Double, facts: FailureFacts = FailureFacts()
    ) -> [StyledLine] {
        var lines: [StyledLine] = []
        switch outcome.status {
        case .open, .done:
            if outcome.note == .emptyAnswer {
                lines.append(StyledLine("  (the model answered with nothing)", .warning))
            }
        case .truncated:
            let why =
                outcome.stop == .contextWindow
                ? "The conversation fills what the model can read; /new starts anew."
                : "Cut by the length limit. Say \"go on\" for the rest."
            lines.append(StyledLine("  ! \(why)", .warning))
        case .refused: lines.append(StyledLine("  ! The model declined to answer this.", .warning))
        case .interrupted:
            switch outcome.note {
            case .limit(let limit): lines += Diagnostic(limit).lines
            default: lines.append(StyledLine("  (stopped; what is above is kept)", .dim))
            }
        case .failed:
            if case .failed(let error) = outcome.note {
                lines += Diagnostic(error, facts: facts).lines
            }
        }
        if let usage = usage(outcome.turn.usage, seconds: seconds) { lines.append(usage) }
        return lines
    }

    /// `1,204 in (1,024 cached) · 96 out · 1.1 s`
    static func usage(_ usage: Usage, seconds: Double) -> StyledLine? {
        if usage.isEmpty { return nil }
        let cached =
            usage.cachedInput > 0 ? " (\(Quantities.grouped(usage.cachedInput)) cached)" : ""
        return StyledLine(
            "  \(Quantities.grouped(usage.input)) in\(cached) · "
                + "\(Quantities.grouped(usage.output)) out · \(Quantities.seconds(seconds))", .dim)
    }
}

extension Diagnostic {
    /// As shown to people: what happened, then what to do.
    var lines: [StyledLine] {
        var lines = [StyledLine("  ! \(what)", .failure)]
        if let todo { lines.append(StyledLine("    \(todo)", .dim)) }
        return lines
    }
}
