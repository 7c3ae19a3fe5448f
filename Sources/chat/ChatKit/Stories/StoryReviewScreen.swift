import Base
import Persistence
import Stories
import TerminalKit

/// Reviews who speaks in a story: does what `StoryReview` decides, in a panel, or line by
/// line where there is none (pipes, TERM=dumb, screen readers). One key is one decision.
struct StoryReviewScreen: Sendable {
    let decisions: StoryDecisions
    let place: CommandPlace
    let story: ItemID
    let title: String

    /// Until the user leaves, or nothing is left to decide.
    /// - Throws: `CancellationError` for Ctrl-C; what is decided by then is kept.
    func run(_ review: StoryReview) async throws -> StoryReview {
        guard let panel = await place.openPanel() else { return try await runLines(review) }
        var review = review
        var open = panel
        while review.phase != .over {
            let view = StoryReviewView(review: review, title: title)
            open.show(fitting: { view.lines(on: $0) })
            guard let pressed = await open.nextKey() else { break }
            if pressed == .interrupt {
                await open.close()
                throw CancellationError()
            }
            guard let key = StoryReview.Key(pressed), let action = review.take(key) else {
                continue
            }
            if action == .askName {
                // A line is typed where the panel was.
                await open.close()
                let name = try await place.ask("  Who says it? ")
                guard let again = await place.openPanel() else {
                    return try await runLines(review)
                }
                open = again
                if let action = review.name(name) { review = await perform(action, review) }
            } else {
                review = await perform(action, review)
            }
        }
        await open.close()
        try Task.checkCancellation()
        return review
    }

    private func perform(_ action: StoryReview.Action, _ review: StoryReview) async -> StoryReview {
        do {
            return try await decisions.perform(action, story, in: review)
        } catch {
            var review = review
            let diagnostic = place.describe(error)
            review.failed([diagnostic.what, diagnostic.todo ?? ""].joined(separator: " "))
            return review
        }
    }

    // MARK: - Line by line

    private func runLines(_ begun: StoryReview) async throws -> StoryReview {
        var review = begun
        var shown: StoryReview.Question?
        while review.phase != .over {
            if let note = StoryReviewView.note(review.note) {
                await say([note.indented])
            }
            guard let question = review.question else { break }
            if question != shown { await say(lines(question, isFirst: shown == nil)) }
            shown = question
            let keys = StoryReviewView.keys(question.candidates.count).map(\.key)
            let prompt = place.isInteractive ? "  \(keys.joined(separator: " ")) > " : ""
            guard let line = try await place.readLine(prompt)?.trimmingSpace() else { break }
            try Task.checkCancellation()
            guard let action = try await action(line, &review) else { continue }
            review = await perform(action, review)
        }
        return review
    }

    private func say(_ lines: [StyledLine]) async {
        let width = place.size().columns - 1
        await place.say(place.isInteractive ? lines.flatMap { $0.folded(to: width) } : lines)
    }

    /// A letter, or a name of the cast; a slash asks for one, or has it after it.
    private func action(
        _ line: String, _ review: inout StoryReview
    ) async throws -> StoryReview.Action? {
        if line.isEmpty { return nil }
        if line.count == 1, let first = line.lowercased().first, first != "/",
            let key = StoryReview.Key(first)
        {
            return review.take(key)
        }
        _ = review.take(.other)
        let name = line.hasPrefix("/") ? String(line.dropFirst()).trimmingSpace() : line
        return review.name(name.isEmpty ? try await place.ask("  Who says it? ") : name)
    }

    private func lines(_ question: StoryReview.Question, isFirst: Bool) -> [StyledLine] {
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
            let keys = StoryReviewView.keys(question.candidates.count)
            lines += WindowWidth.lines(
                keys.map { "\($0.key) \($0.word)" }, joinedBy: "  ",
                width: place.size().columns - 3
            ).map { StyledLine("  " + $0, .dim) }
        }
        return lines
    }
}
