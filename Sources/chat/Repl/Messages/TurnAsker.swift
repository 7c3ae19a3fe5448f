import AgentCore
import Base
import ChatKit
import TerminalKit

/// Asks the questions of a turn at the terminal and reads the answer: whether a tool may run, and
/// which choice is meant.
///
/// The terminal drops input typed before the question appeared; only a keystroke can answer yes.
final class TurnAsker: Sendable {
    private let terminal: TerminalSession
    private let live: LiveScreen
    /// Lends the terminal to the user's editor.
    private let edit: @Sendable (_ text: String, _ name: String) async -> EditedText

    init(
        terminal: TerminalSession, live: LiveScreen = LiveScreen(),
        edit: @escaping @Sendable (_ text: String, _ name: String) async -> EditedText
    ) {
        self.terminal = terminal
        self.live = live
        self.edit = edit
    }

    /// Sets the screen of the running turn; its status line makes room for a question.
    func use(_ screen: TurnScreen?) { live.use(screen) }

    /// The screen of the running turn.
    var screen: TurnScreen? { live.current }

    /// Shows lines between those of the running turn; false without a running turn.
    func show(_ lines: [StyledLine]) async -> Bool {
        guard let screen = live.current else { return false }
        await screen.show(lines)
        return true
    }

    var approver: Approver { Approver { [self] in await decision(on: $0) } }

    /// Asks until there is an answer; meanwhile the turn draws nothing.
    private func decision(on request: ApprovalRequest) async -> ApprovalAnswer {
        guard let screen = live.current else { return .no(reason: nil) }
        let size = await screen.size
        var question = ApprovalQuestion(request, columns: size.columns, rows: size.rows)
        var pages = question.pages
        var page = 0
        while true {
            await screen.beginQuestion(pages[page])
            let isLast = page == pages.count - 1
            let answer = await terminal.ask(
                isLast ? question.prompt : question.prompt(ofPage: page + 1, of: pages.count),
                mode: isLast ? question.mode : .page)
            switch answer {
            case .yes where !isLast:
                page += 1
                continue
            case .letter where !isLast:
                // Ask again below the page, which is still shown.
                pages[page] = [StyledLine("  There is more to read first.", .dim)]
                continue
            case .letter("v") where !question.isFolded:
                pages[page] = [StyledLine("  All of it is shown.", .dim)]
                continue
            case .letter("e") where !request.canEdit:
                pages[page] = [StyledLine("  Nothing here can be edited.", .dim)]
                continue
            case .letter("v"):
                question.isWhole = true
                (pages, page) = (question.pages, 0)
                continue
            case .letter("e"):
                let text =
                    request.draft?.text
                    ?? JSONWriter.pretty(.object(request.items.first?.arguments ?? JSONObject()))
                pages[page] = [StyledLine("  Not changed.", .dim)]
                switch await edit(text, "arguments.json") {
                case .changed(let new):
                    await screen.endQuestion()
                    return .edited(new)
                case .unchanged: continue
                case .holdsKey(let path):
                    pages[page] = [
                        StyledLine("  ! The text contains a key; it is in \(path).", .warning)
                    ]
                case .failed(let sentence):
                    pages[page] = [StyledLine("  ! \(sentence)", .warning)]
                }
                continue
            default: break
            }
            await screen.endQuestion()
            switch answer {
            case .yes: return .yes
            case .letter: return .always
            case .text(let reason) where KeyShape.isFound(in: reason):
                await screen.show([StyledLine("  That looks like a key: it is not sent.", .warning)]
                )
                return .no(reason: nil)
            case .text(let reason): return .no(reason: reason)
            case .no, .choice, .other: return .no(reason: nil)
            }
        }
    }

    /// Whether the budget may be exceeded.
    func confirm(_ excess: Budget.Excess) async -> Bool {
        await confirms(
            [StyledLine("  ! \(excess.sentence)", .warning)],
            "    Send it? y or Enter for no: ")
    }

    /// Asks a yes-or-no question.
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
        case (.other, .yes):
            await screen.show([StyledLine("  Taken as no; what you typed is sent next.", .dim)])
        default: break
        }
        return answer
    }
}
