import AgentCore
import Glibc

/// What is being written: the external editor, and the files around the prompt.
extension Repl {
    /// Files of ours that are left alone, once: the rest works without them.
    func showRefusedFiles() async {
        let refused = [services.paths.history, services.paths.log].compactMap(PrivateFile.refusal)
        await show(
            refused.map { StyledLine("  \(Diagnostic($0).what)", .warning) })
    }

    func edit(_ words: [String]) async throws {
        await editDraft(words.joined(separator: " "))
    }

    /// Opens the draft in the user's editor; what comes back, or the draft as it
    /// was, stands in the line of the next prompt.
    func editDraft(_ text: String) async {
        draft = LineDraft(text)
        let editor = ExternalEditor(
            variables: services.variables, folder: services.paths.stateFolder,
            name: "message-\(getpid()).md")
        await terminal.release()
        let outcome = await editor.edit(text)
        await terminal.reclaim()
        if case .edited(let new) = outcome { draft = LineDraft(new) }
        if !outcome.sentence.isEmpty {
            await show([
                StyledLine("  The message is as it was: \(outcome.sentence).", .warning)
            ])
        }
    }
}
