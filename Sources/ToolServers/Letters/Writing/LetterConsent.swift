import AgentCore
import Base
import Persistence

/// The user's consent to what is sent: asked for at the first request with a revision of a
/// résumé to a host, with the request shown, and again if more or other parts of the résumé
/// would be sent than before.
///
/// Consent counts as given if a saved letter was written from that revision by that host,
/// with the same résumé text in its request; nothing else is stored about it.
struct LetterConsent: Sendable {
    let book: LetterBook
    let screen: LetterScreen
    let interaction: Interaction
    /// The option `--yes`.
    var isConfirmed = false
    /// The option `--show-request`.
    var showsAll = false

    /// - Throws: `LetterError.notSent` if the user declines, or cannot be asked.
    func ask(_ preview: LetterPreview) async throws {
        let isKnown = try await isGiven(preview)
        // In a script there is no user to show it to; there, `--show-request` prints to stdout.
        let isSeen = interaction.isChat || screen.showsErrors
        if isSeen, showsAll || !(isConfirmed || isKnown) {
            await interaction.show(
                preview.lines(columns: screen.columns(), rows: showsAll ? nil : screen.rows()))
        }
        if isConfirmed || isKnown { return }
        guard await interaction.confirm(nil, "Send it?") else { throw LetterError(.notSent) }
    }

    private func isGiven(_ preview: LetterPreview) async throws -> Bool {
        try await Self.isGiven(
            preview.resume.source, as: preview.sentResume, to: preview.destination?.host, in: book)
    }

    /// Whether the user has seen what is sent of that revision of a résumé, and sent it to
    /// that host.
    /// - Parameter text: the résumé text in the request: with or without employers, and
    ///   with whatever the profile reveals. Nil accepts any.
    static func isGiven(
        _ source: LetterDraft.Source, as text: String?, to host: String?, in book: LetterBook
    ) async throws -> Bool {
        guard let host else { return false }
        // Escaped as in a request body, without the quotes.
        let written = text.map {
            String(JSONWriter.string(.string($0)).dropFirst().dropLast())
        }
        return try await book.library.items(ItemFilter(kinds: [.letter])).contains { letter in
            letter.metadata["host"]?.stringValue == host
                && LetterDraft.Source(json: letter.metadata["resume"]) == source
                && (written == nil
                    || (letter.metadata["requests"]?.arrayValue ?? []).contains {
                        $0.stringValue?.contains(written ?? "") == true
                    })
        }
    }
}
