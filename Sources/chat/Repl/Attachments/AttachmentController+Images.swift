import AgentCore
import Base
import ChatKit
import Glibc
import TerminalKit

/// Images from the clipboard, at the prompt (`/paste`, Ctrl-V).
extension AttachmentController {
    /// Ctrl-V: attaches an image, or inserts a text into the line; editing continues.
    func paste(_ before: String, _ after: String) async {
        next.draft = LineDraft(before + after)
        do {
            guard let text = try await pasted() else { return }
            next.draft = LineDraft(pasting: text, between: before, after)
        } catch {
            await show(services.diagnostics.describe(error))
        }
    }

    /// `/paste`
    func paste() async throws {
        guard let text = try await pasted() else { return }
        next.draft = LineDraft(pasting: text, between: "", "")
    }

    /// Attaches the contents of the clipboard.
    ///
    /// - Returns: the clipboard's text, which is not attached.
    private func pasted() async throws -> String? {
        guard services.settings.clipboard != .off else {
            throw UsageError(
                "The clipboard is switched off (\"clipboard\" in config.json).",
                hint: "/attach FILE sends a file.")
        }
        let reader = ClipboardReader(variables: services.variables)
        let content = try await stoppable(saying: "reading the clipboard") {
            try await reader.read()
        }
        switch content {
        case .image(let bytes):
            let name = next.queue.freeName(
                "clipboard", ImageHeader(bytes)?.format.rawValue ?? "png")
            try await attach(try InputFiles.loaded(bytes, path: name, name: name))
        case .files(let paths): try await attach(paths)
        case .text(let text): return KeyDecoder.cleanPaste(Array(text.utf8)[...])
        case .empty:
            await tell("The clipboard is empty, or contains nothing that can be sent.", .dim)
        }
        return nil
    }
}
