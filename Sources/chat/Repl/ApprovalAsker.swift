import AgentCore

/// Puts an approval question on the terminal and takes the keystroke.
///
/// The terminal drops what was typed before the question stood there; this
/// adds nothing that could say yes by itself.
struct ApprovalAsker: Sendable {
    let terminal: TerminalSession
    let style: Style

    var approver: Approver {
        Approver { [terminal, style] request in
            let lines = ApprovalQuestion.lines(request)
            await terminal.write(lines.flatMap { style.bytes($0) })
            let prompt = ApprovalQuestion.prompt(request)
            let answer =
                switch request.confirmation {
                case .yes: await terminal.ask(prompt, mode: .yes)
                case .word(let word): await terminal.ask(prompt, mode: .word(word))
                }
            return answer == .yes
        }
    }
}
