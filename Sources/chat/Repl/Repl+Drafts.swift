import AgentCore
import Glibc

/// What is being written: the external editor.
extension Repl {
    func edit(_ words: [String]) async throws {
        await editDraft(words.joined(separator: " "))
    }

    /// Opens the draft in the user's editor; what comes back, or the draft as it
    /// was, stands in the line of the next prompt.
    func editDraft(_ text: String) async {
        draft = text
        let editor = ExternalEditor(
            variables: services.variables, folder: services.paths.stateFolder,
            name: "message-\(getpid()).md")
        await terminal.release()
        let outcome = await editor.edit(text)
        await terminal.reclaim()
        switch outcome {
        case .edited(let new): draft = new
        case .unchanged: break
        case .failed(let program, let code, let path):
            await warn("\(program) ended with \(code); the message is as it was.")
            if let path { await warn("What it wrote is in \(path)") }
        case .notStarted(let program, let code):
            await warn("\(program) could not be started: \(Self.reason(code)).")
            await warn("$VISUAL or $EDITOR names the editor.")
        case .none: await warn("No editor was found. Set $VISUAL or $EDITOR to yours.")
        case .noFile(let code):
            await warn("No file could be made in \(editor.folder): \(Self.reason(code)).")
        }
    }

    private func warn(_ text: String) async { await show([StyledLine("  \(text)", .warning)]) }

    private static func reason(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
