import AgentCore
import Base
import TerminalKit

/// A question with numbered answers, each a command. Pure.
package enum ChoiceList {
    package static func lines(_ output: CommandOutput) -> [StyledLine] {
        output.lines.map(\.indented)
            + output.choices.enumerated().map { index, choice in
                StyledLine([
                    StyledLine.Span("  \(index + 1)  ", .accent), StyledLine.Span(choice.label),
                ])
            }
    }

    package static func prompt(_ count: Int) -> String {
        count == 1 ? "  1, or Enter for no: " : "  1–\(count), or Enter for none: "
    }

    /// The line shown if none was chosen.
    package static func declined(_ answer: Question.Answer) -> StyledLine {
        if case .other = answer { return StyledLine("Dropped, nothing done.", .dim) }
        return StyledLine("Nothing done.", .dim)
    }

    /// The choices as commands to type, if there is no user to ask.
    package static func unattended(_ output: CommandOutput) -> CommandOutput {
        guard !output.choices.isEmpty else { return output }
        var output = output
        for choice in output.choices {
            output.lines.append(StyledLine("  \(choice.label)"))
            output.lines.append(StyledLine("    " + commandLine(choice.command), .dim))
        }
        if output.outcome == .ok { output.outcome = .usage }
        return output
    }

    /// `chat reminders add 'call mom' --due 2026-03-05T17:00`.
    static func commandLine(_ arguments: [String]) -> String {
        (["chat"] + arguments).map(ShellTokenizer.quoted).joined(separator: " ")
    }
}
