import AgentCore
import TerminalKit

/// Puts the questions of a turn on the terminal and takes the keystroke: may
/// this run, and which of several readings is meant.
///
/// The terminal drops what was typed before the question stood there; this
/// adds nothing that could say yes by itself.
final class TurnAsker: Sendable {
    private let terminal: TerminalSession
    private let live: LiveScreen

    init(terminal: TerminalSession, live: LiveScreen = LiveScreen()) {
        self.terminal = terminal
        self.live = live
    }

    /// The screen of the turn that is running; its status line has to make
    /// room for a question.
    func use(_ screen: TurnScreen?) { live.use(screen) }

    /// Shows lines between those of the turn that runs; false without one.
    func show(_ lines: [StyledLine]) async -> Bool {
        guard let screen = live.current else { return false }
        await screen.show(lines)
        return true
    }

    var approver: Approver {
        Approver { [self] request in
            let mode: Question.Mode =
                switch request.confirmation {
                case .yes: .yes
                case .word(let word): .word(word)
                }
            return await ask(
                ApprovalQuestion.lines(request), ApprovalQuestion.prompt(request), mode) == .yes
        }
    }

    /// Whether more may be spent than was meant to be.
    func confirm(_ excess: Budget.Excess) async -> Bool {
        await confirms(
            [StyledLine("  ! \(excess.sentence)", .warning)],
            "    Send it? y or Enter for no: ")
    }

    /// Asks what is answered with yes or no.
    func confirms(_ lines: [StyledLine], _ prompt: String) async -> Bool {
        await ask(lines, prompt, .yes) == .yes
    }

    /// Shows the choices with numbers.
    func pick(_ output: CommandOutput) async -> Question.Answer {
        let labels = output.choices.map(\.label)
        return await ask(ChoiceList.lines(output), ChoiceList.prompt(labels.count), .choice(labels))
    }

    private func ask(
        _ lines: [StyledLine], _ prompt: String, _ mode: Question.Mode
    ) async -> Question.Answer {
        guard let screen = live.current else { return .no }
        await screen.beginQuestion(lines)
        let answer = await terminal.ask(prompt, mode: mode)
        await screen.endQuestion()
        switch (answer, mode) {
        case (.other, .yes), (.other, .word):
            await screen.show([StyledLine("  Dropped; your message comes next.", .dim)])
        default: break
        }
        return answer
    }
}
