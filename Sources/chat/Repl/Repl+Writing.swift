import AgentCore
import TerminalKit
import ToolServers

/// Alt-w: the writing tools on what stands in the line, or on its region.
extension Repl {
    func write(_ selection: LineSelection) async {
        draft = LineDraft(resuming: selection)
        guard let writing = services.writing else { return }
        let assistant = writing.assistant(
            services, terminal, stop: turnTask, hasModel: { [session] in await session.hasModel() })
        let screen = WritingScreen(assistant, prompt: await promptLine, style: style)
        switch await screen.run(selection, on: terminal) {
        case .unchanged(let lines):
            await show(lines.map { StyledLine([StyledLine.Span("  ")] + $0.spans) })
        case .replaced(let text):
            draft = LineDraft(resuming: selection, with: text)
            await tell("Changed · Ctrl-_ brings the original back", .dim)
        }
    }
}
