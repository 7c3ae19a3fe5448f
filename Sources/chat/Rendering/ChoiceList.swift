import AgentCore
import TerminalKit

/// A question with numbered answers, each the command that does it. Pure.
enum ChoiceList {
    static func lines(_ output: CommandOutput) -> [StyledLine] {
        output.lines.map { StyledLine([StyledLine.Span("  ")] + $0.spans) }
            + output.choices.enumerated().map { index, choice in
                StyledLine([
                    StyledLine.Span("  \(index + 1)  ", .accent), StyledLine.Span(choice.label),
                ])
            }
    }

    static func prompt(_ count: Int) -> String {
        count == 1 ? "  1, or Enter for no: " : "  1–\(count), or Enter for none: "
    }

    /// What is said where none was chosen.
    static func declined(_ answer: Question.Answer) -> StyledLine {
        if case .other = answer { return StyledLine("Dropped, nothing done.", .dim) }
        return StyledLine("Nothing done.", .dim)
    }

    /// For where nobody can be asked: the choices as lines to be typed.
    static func unattended(_ output: CommandOutput) -> CommandOutput {
        guard !output.choices.isEmpty else { return output }
        var output = output
        for choice in output.choices {
            output.lines.append(StyledLine("  \(choice.label)"))
            output.lines.append(StyledLine("    " + commandLine(choice.command), .dim))
        }
        if output.outcome == .done { output.outcome = .refused }
        return output
    }

    /// `chat reminders add 'call mom' --due 2026-03-05T17:00`.
    static func commandLine(_ words: [String]) -> String {
        (["chat"] + words).map(quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy {
                ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
                    || "-_=:./+,@%".unicodeScalars.contains($0)
            }
        if isPlain { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return parts.map { "'\($0)'" }.joined(separator: "\\'")
    }
}
