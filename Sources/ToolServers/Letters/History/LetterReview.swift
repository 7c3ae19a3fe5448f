import Base
import Persistence

/// What a kept letter says that neither its résumé nor its advert says, as it is now.
/// One that was changed, by hand, by a writing tool or by a model, is checked again.
package struct LetterReview: Sendable {
    let writer: LetterWriter
    let sources: LetterSources

    /// The sentences that nothing backs, each on one line.
    package func flagged(_ item: LibraryItem) async throws -> [String] {
        guard let draft = LetterDraft(item) else { return [] }
        if item.revision == 1 { return draft.standing }
        do {
            let claims = LetterClaims(
                inputs: try await sources.kept(draft.resume, draft.job),
                profile: try await writer.dependencies.profile(), settings: draft.settings,
                today: writer.today)
            return claims.findings(in: LetterAnswer(item.body).text).map(\.sentence)
        } catch is LibraryError {
            // Its résumé or its advert is gone: what was flagged then.
            return draft.standing
        }
    }

    /// Shown after an item was changed; nil for anything but a letter with such sentences.
    package func remark(_ item: LibraryItem) async throws -> StyledLine? {
        guard item.kind == .letter else { return nil }
        let flagged = try await flagged(item)
        return flagged.isEmpty ? nil : LetterMarks.remark(flagged.count)
    }
}
