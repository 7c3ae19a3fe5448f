import AgentCore
import Base
import Persistence

/// The user's yes to what is sent: asked for with the first request of a revision of
/// a résumé to a host, with the request in sight, and again where more of the résumé
/// or something else of it would be sent than before.
///
/// A letter that was made from that revision by that host, with the same words of the
/// résumé in its request, says that the yes was given; nothing else is kept of it.
struct LetterConsent: Sendable {
    let book: LetterBook
    let screen: LetterScreen
    let interaction: Interaction
    /// `--yes`.
    var isConfirmed = false
    /// `--show-request`.
    var showsAll = false

    /// - Throws: `LetterError.notSent` for a no, and where there is no one to ask.
    func ask(_ preview: LetterPreview) async throws {
        let isKnown = try await isGiven(preview)
        // In a script there is no one to look at it; --show-request is on stdout there.
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

    /// Whether the user has seen what is sent of that revision of a résumé, and sent it
    /// to that host.
    /// - Parameter text: of the résumé, as it stands in the request: with employers or
    ///   without, and with what the profile lets know. Nil asks for any.
    static func isGiven(
        _ source: LetterDraft.Source, as text: String?, to host: String?, in book: LetterBook
    ) async throws -> Bool {
        guard let host else { return false }
        // As a body has it, without the quotes.
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
