import AgentCore
import Persistence

/// The user's yes to what is sent: asked for with the first request of a revision of
/// a résumé to a host, with the request in sight.
///
/// A letter that was made from that revision by that host says that the yes was
/// given; nothing else is kept of it.
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
        guard let host = preview.destination?.host else { return false }
        let source = preview.resume.source
        return try await book.library.items(ItemFilter(kinds: [.letter])).contains { letter in
            letter.metadata["host"]?.stringValue == host
                && LetterDraft.Source(json: letter.metadata["resume"]) == source
        }
    }
}
