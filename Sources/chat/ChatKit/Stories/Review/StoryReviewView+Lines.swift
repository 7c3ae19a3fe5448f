import Base
import Stories
import TerminalKit

/// The review without a cursor: the quotation, the candidates, and a line for the answer: a letter,
/// a name of the cast, or a slash, which may be followed by a name.
extension StoryReviewView: PanelScreen {
    enum Effect: Sendable, Equatable {
        case act(StoryReview.Action)
        /// All quotations are decided, or the user has left.
        case over
        /// Ctrl-C.
        case interrupt
    }

    mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect? {
        if key == .interrupt { return .interrupt }
        return StoryReview.Key(key).flatMap { take($0) }
    }

    private mutating func take(_ key: StoryReview.Key) -> Effect? {
        if let action = review.take(key) { return .act(action) }
        return review.phase == .over ? .over : nil
    }

    mutating func take(line: String) -> Effect? {
        let text = line.trimmingSpace()
        if text.isEmpty { return nil }
        if text.count == 1, let first = text.lowercased().first, first != "/",
            let key = StoryReview.Key(first)
        {
            return take(key)
        }
        let action = review.take(.other)
        let name = text.hasPrefix("/") ? String(text.dropFirst()).trimmingSpace() : text
        if name.isEmpty { return action.map(Effect.act) }
        return review.name(name).map(Effect.act)
    }

    var question: String {
        let keys = Self.keys(review.question?.candidates.count ?? 0).map(\.key)
        return "  \(keys.joined(separator: " ")) > "
    }

    mutating func listing(width: Int) -> [StyledLine] {
        var lines = Self.note(review.note).map { [$0.indented] } ?? []
        guard let question = review.question else { return lines }
        if question != listed { lines += self.lines(question, isFirst: listed == nil, width) }
        listed = question
        return isInteractive ? lines.flatMap { $0.folded(to: width) } : lines
    }

    private func lines(
        _ question: StoryReview.Question, isFirst: Bool, _ width: Int
    ) -> [StyledLine] {
        var lines = [
            StyledLine(""), StyledLine("  \(question.number)", .dim),
            StyledLine("  " + question.before, .dim), StyledLine("  " + question.text, .bold),
            StyledLine("  " + question.after, .dim),
        ].filter { !$0.text.allSatisfy { $0 == " " } || $0.text.isEmpty }
        lines += question.candidates.enumerated().map { index, candidate in
            let share = candidate.share.map { " \($0) %" } ?? ""
            return StyledLine([
                .init("  \(index + 1) ", .accent), .init(candidate.name + share),
                .init("  " + candidate.evidence, .dim),
            ])
        }
        if isFirst {
            let keys = Self.keys(question.candidates.count).map { "\($0.key) \($0.word)" }
            lines += WindowWidth.lines(keys, joinedBy: "  ", width: width - 2)
                .map { StyledLine("  " + $0, .dim) }
        }
        return lines
    }
}
