import Library
import Persistence
import StoryKit

/// Keeps the user's decisions about who speaks, and reports what follows for the quotations around.
/// Each decision is undone as one.
package struct StoryDecisions: Sendable {
    package struct Kept: Sendable {
        package var item: LibraryItem
        /// With the decision.
        var segments: StorySegments
        /// The step of the library that undoes it; nil where it was so already.
        var step: String?
        /// Spans of other quotations that have another speaker now, or are surer of him.
        var changed: [Int]
        /// As they were before it.
        var replaced: [Int: Attribution]
    }

    package let book: StoryBook

    package init(_ book: StoryBook) { self.book = book }

    /// Where a review begins.
    /// - Throws: what finding the story throws; `StoryCastError` before it is indexed.
    package func review(
        _ name: String, includesLikely: Bool
    ) async throws -> (LibraryItem, StoryReview) {
        let item = try await book.lookup.find(name)
        let segments = try await segments(of: item.id)
        return (item, StoryReview(segments, includesLikely: includesLikely))
    }

    /// What the key asked for, and the review after it.
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
    ///   - span: of a quotation.
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
        guard let cast = try Story.cast(of: item) else {
            throw StoryCastError(.notIndexed(book.lookup.id(id)))
        }
        return await book.segments(item, cast.cast, withCandidates: true)
    }
}
