import AgentCore
import Base
import ChatKit
import Glibc
import TerminalKit

/// Images at the prompt: one from the clipboard (`/paste`, Ctrl-V), and small pictures of
/// attached files.
extension AttachmentController {
    /// Ctrl-V: an image is attached and editing goes on; a text is inserted into the line.
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
    /// - Returns: a text, which is not attached.
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

    // MARK: - Previews

    /// Shows the first attached images as small pictures. One that cannot be shown still
    /// has its line.
    func preview(_ files: [InputFiles.Loaded]) async {
        guard canErase,
            let way = ImagePreview.way(
                services.settings.images, variables: services.variables)
        else { return }
        for file in files.filter({ $0.isImage }).prefix(Self.previews) {
            guard case .image(let header) = file.kind, let size = header.size else { continue }
            var image = file.bytes
            if !ImagePreview.fits(file.bytes, header, way) {
                let converter = FileConverter(variables: services.variables)
                // No picture if there is no program to scale it, or the user stopped it.
                guard
                    let small = try? await stoppable({
                        try await converter.sizedDown(
                            file.bytes, header, edge: ImagePreview.edge,
                            limit: ImagePreview.limitInBytes, as: .png)
                    })
                else { continue }
                image = small.bytes
            }
            await terminal.write(
                ImagePreview.bytes(image, size, way, width: terminal.size.columns))
        }
    }

    /// More would push the question off the screen.
    private static let previews = 3
}

extension InputFiles.Loaded {
    fileprivate var isImage: Bool { if case .image = kind { true } else { false } }
}
