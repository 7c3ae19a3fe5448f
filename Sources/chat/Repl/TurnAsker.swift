import AgentCore

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
            guard let screen = live.current else { return false }
            await screen.beginQuestion(ApprovalQuestion.lines(request))
            let prompt = ApprovalQuestion.prompt(request)
            let answer =
                switch request.confirmation {
                case .yes: await terminal.ask(prompt, mode: .yes)
                case .word(let word): await terminal.ask(prompt, mode: .word(word))
                }
            await screen.endQuestion()
            return answer == .yes
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
        guard let screen = live.current else { return false }
        await screen.beginQuestion(lines)
        let answer = await terminal.ask(prompt, mode: .yes)
        await screen.endQuestion()
        return answer == .yes
    }

    /// Shows the choices with numbers; nil when none is taken.
    func pick(_ output: CommandOutput) async -> CommandOutput.Choice? {
        guard let screen = live.current else { return nil }
        await screen.beginQuestion(ChoiceList.lines(output))
        let prompt = ChoiceList.prompt(output.choices.count)
        let answer = await terminal.ask(prompt, mode: .line)
        await screen.endQuestion()
        guard case .text(let line) = answer else { return nil }
        return ChoiceList.choice(line, of: output.choices)
    }
}
