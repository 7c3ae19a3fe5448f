import AgentCore
import Base
import ChatKit
import Glibc
import TerminalKit

/// Controls the draft: the external editor, API keys typed into it, and the writing tools.
struct DraftController: ReplController {
    let context: ReplContext

    /// `/edit [TEXT]`, Ctrl-X Ctrl-E: opens the draft in the user's editor; the result, or the
    /// unchanged draft, appears at the next prompt.
    func edit(_ text: String) async {
        // The editor's file is on disk, so it must not contain API keys.
        let text = KeyShape.redacted(text)
        next.draft = LineDraft(text)
        let editor = ExternalEditor(
            variables: services.variables, folder: services.paths.stateFolder,
            name: "message-\(getpid()).md")
        let outcome = await terminal.lend { await editor.edit(text) }
        if case .edited(let new) = outcome { next.draft = LineDraft(new) }
        if !outcome.sentence.isEmpty {
            await tell("The message is unchanged: \(outcome.sentence).", .warning)
        }
    }

    /// Refuses a line that contains an API key: it is not sent, run or stored. The rest becomes the
    /// draft of the next prompt.
    func takeKeys(outOf line: String) async -> Bool {
        guard KeyShape.isFound(in: line) else { return false }
        let name = line.contains("sk-ant-") ? "claude" : ProviderName.words
        let isAll = KeyShape.isAll(of: line)
        var lines = [
            StyledLine(
                "  ! Not sent: that \(isAll ? "" : "contains what ")looks like an API key. "
                    + "It was not kept.", .warning),
            StyledLine("    /keys set \(name) asks for a key and keeps it safe.", .dim),
        ]
        if !isAll, !line.trimmingSpace().hasPrefix("/keys") {
            next.draft = LineDraft(KeyShape.redacted(line))
            lines.append(StyledLine("    Your line is back without it; Enter sends it.", .dim))
        }
        await show(lines)
        return true
    }

    /// Alt-w: opens the writing tools for the line or its selected part.
    func write(_ selection: LineSelection) async {
        next.draft = LineDraft(resuming: selection)
        guard let writing = services.writing else { return }
        let assistant = writing.assistant(
            services, terminal, stop: turnTask, hasModel: { [session] in await session.hasModel() })
        let screen = WritingScreen(assistant, prompt: await promptLine, style: style)
        switch await screen.run(selection, on: terminal) {
        case .unchanged(let lines):
            await show(lines.map(\.indented))
        case .replaced(let text):
            next.draft = LineDraft(resuming: selection, with: text)
            await tell("Changed · Ctrl-_ brings the original back", .dim)
        }
    }
}
