import Library
import Persistence
import StoryKit

/// Saves the user's decisions about who speaks, and reports how they change nearby
/// quotations. Each decision is a single undo step.
package struct StoryDecisions: Sendable {
    package struct Kept: Sendable {
        package var item: LibraryItem
        /// The segments including the decision.
        var segments: StorySegments
        /// The library step that undoes it; nil if nothing changed.
        var step: String?
        /// Spans of other quotations whose speaker or certainty changed.
        var changed: [Int]
        /// The attributions before the decision.
        var replaced: [Int: Attribution]
    }

    package let book: StoryBook

    package init(_ book: StoryBook) { self.book = book }

    /// Starts a review.
    /// - Throws: lookup errors; `StoryCastError` if the story is not indexed.
    package func review(
        _ name: String, includesLikely: Bool
    ) async throws -> (LibraryItem, StoryReview) {
        let item = try await book.lookup.find(name)
        let segments = try await segments(of: item.id)
        return (item, StoryReview(segments, includesLikely: includesLikely))
    }

    /// Performs the action of a key and returns the review after it.
    package func perform(
        _ action: StoryReview.Action, _ id: ItemID, in review: StoryReview
    ) async throws -> StoryReview {
        var review = review
        switch action {
        case .keep(let span, let speaker):
            review.take(try await keep(speaker, of: span, in: review.segments, of: id))
        case .takeBack(let step):
            try await book.library.undo(step)
            review.takenBack()
        case .askName: break
        }
        return review
    }

    /// - Parameters:
    ///   - speaker: an index into the cast; nil for none of it.
    ///   - span: the index of a quotation.
    func keep(
        _ speaker: Int?, of span: Int, in segments: StorySegments, of id: ItemID
    ) async throws -> Kept {
        let before = try await book.library.liveItem(id)
        let item = try await book.fix(span, speaker: speaker, segments, of: before)
        let (now, replaced) = await book.perform { segments.deciding(span, speaker) }
        let step = try await book.library.steps(undone: false, limit: 1).first { step in
            step.changes.contains {
                $0.item == id && $0.revisionAfter == item.revision
                    && $0.revisionBefore == before.revision
            }
        }
        let changed = replaced.filter { other, old in
            let new = now.attributions[other]
            return other != span && (old.speaker, old.tier) != (new?.speaker, new?.tier)
        }
        return Kept(
            item: item, segments: now, step: step?.id, changed: changed.keys.sorted(),
            replaced: replaced)
    }

    private func segments(of id: ItemID) async throws -> StorySegments {
        let item = try await book.library.liveItem(id)
        let cast = try book.cast(of: item).cast
        return await book.perform { StorySegments(item, cast, withCandidates: true) }
    }
}
