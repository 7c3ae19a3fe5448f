import AgentCore
import Base
import TerminalKit

/// Messages about the length of a conversation. Pure.
package enum CompactionText {
    package static func line(_ event: CompactionEvent) -> StyledLine {
        switch event {
        case .began(let turns):
            return StyledLine(
                "  Summing up \(Quantities.count(turns, "earlier turn")) for the model · Ctrl-C stops",
                .dim)
        case .withoutTools(let window):
            return StyledLine(
                "  ! This model reads \(Quantities.short(window)) tokens; the tools do not fit and are left out.",
                .warning)
        case .shortened(let names, let window):
            return StyledLine(
                HostileText.line(
                    "  ! This model reads \(Quantities.short(window)) tokens; not all is sent of: "
                        + names.joined(separator: ", ") + "."), .warning)
        case .finished(let report): return StyledLine("  \(text(report))", .dim)
        case .failed(let error):
            let diagnostic = Diagnostic(of: error)
            return StyledLine(
                "  ! \(diagnostic.what)" + (diagnostic.todo.map { " \($0)" } ?? ""), .warning)
        case .leftOut(let turns):
            return StyledLine(
                "  ! The \(Quantities.count(turns, "oldest turn")) "
                    + (turns == 1 ? "is" : "are") + " not sent to the model: too long. "
                    + "/compact sums up.", .warning)
        }
    }

    /// The notice with `compaction: off`, when the server refuses a message.
    package static let tooLong = StyledLine(
        "  ! The conversation is longer than the model can read.", .warning)
    package static let question = "  Sum up the earlier part and send again? y or Enter for no: "

    /// `Summed up 42 earlier turns (≈ 61k → 2k tokens) · the originals are kept`
    private static func text(_ report: CompactionReport) -> String {
        var text =
            "Summed up \(Quantities.count(report.turns, "earlier turn")) "
            + "(≈ \(Quantities.short(report.before)) → \(Quantities.short(report.after)) tokens)"
        if report.leftOut > 0 {
            text += " · the \(Quantities.grouped(report.leftOut)) before are left out"
        }
        return text + " · the originals are kept"
    }
}

extension CompactionError: DescribedError {
    package var diagnostic: Diagnostic {
        let kept = "Nothing was changed."
        switch reason {
        case .generation(.provider(let fault)):
            return Diagnostic(
                "The earlier part could not be summed up: \(Diagnostic.cause(fault)). \(kept)",
                todo: "/compact tries again; /model takes another model.",
                exit: .needsKeyOrNetwork)
        case .generation(.refused):
            return Diagnostic(
                "The model declined to sum up the earlier part. \(kept)",
                todo: "/model chooses another model; /new starts a new conversation.")
        case .generation:
            return Diagnostic(
                "The model gave no summary of the earlier part. \(kept)",
                todo: "/compact tries again; /model takes another model.")
        case .noGain:
            return Diagnostic(
                "The summary was as long as the turns themselves. \(kept)",
                todo: "/model chooses a model that reads more; /new starts a new conversation.")
        case .nothingToSumUp:
            return Diagnostic(
                "There is nothing to sum up: the last turns always stay as they are.")
        }
    }
}
