import AgentCore
import Synchronization

/// Puts an approval question on the terminal and takes the keystroke.
///
/// The terminal drops what was typed before the question stood there; this
/// adds nothing that could say yes by itself.
final class ApprovalAsker: Sendable {
    private let terminal: TerminalSession
    private let current = Mutex<TurnScreen?>(nil)

    init(terminal: TerminalSession) { self.terminal = terminal }

    /// The screen of the turn that is running; its status line has to make
    /// room for a question.
    func use(_ screen: TurnScreen?) { current.withLock { $0 = screen } }

    var approver: Approver {
        Approver { [self] request in
            guard let screen = current.withLock({ $0 }) else { return false }
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
}
