import Base
import Persistence

/// Checks the current text of a saved letter against its résumé and advert, also after a
/// change by hand, by a writing tool or by a model.
package struct LetterReview: Sendable {
    let writer: LetterWriter
    let sources: LetterSources

    /// The unsupported sentences, each on one line.
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
            // The résumé or the advert is gone: use the sentences flagged at the time.
            return draft.standing
        }
    }

    /// A note after a change of an item; nil unless it is a letter with such sentences.
    package func remark(_ item: LibraryItem) async throws -> StyledLine? {
        guard item.kind == .letter else { return nil }
        let flagged = try await flagged(item)
        return flagged.isEmpty ? nil : LetterMarks.remark(flagged.count)
    }
}

extension LetterDraft {
    /// Flagged sentences that are still in the letter; those edited away no longer claim
    /// anything.
    package var standing: [String] {
        let text = ClaimCheck.oneLine(body)
        return flagged.filter { text.contains($0) }
    }
}
