import Base
import Persistence
import Stories
import TerminalKit

/// Runs the review of a story's speakers, decided by `StoryReview`. One key is one
/// decision.
struct StoryReviewScreen: Sendable {
    let decisions: StoryDecisions
    let place: PanelPlace
    let story: ItemID
    let title: String

    /// Runs until the user leaves, or every quotation is decided.
    /// - Throws: `CancellationError` for Ctrl-C; earlier decisions are kept.
    func run(_ review: StoryReview) async throws -> StoryReview {
        let view = StoryReviewView(
            review: review, title: title, isInteractive: place.isInteractive)
        let runner = await PanelRunner(view, at: place)
        let ending = try await runner.run { effect -> StoryReview? in
            switch effect {
            case .over: break
            case .interrupt: throw CancellationError()
            case .act(.askName):
                let name = try await runner.outside { try await place.ask("  Who says it? ") }
                if let action = runner.update({ $0.review.name(name) }) {
                    await perform(action, runner)
                }
            case .act(let action): await perform(action, runner)
            }
            let review = runner.screen.review
            return review.phase == .over ? review : nil
        }
        try Task.checkCancellation()
        return ending ?? runner.screen.review
    }

    private func perform(
        _ action: StoryReview.Action, _ runner: PanelRunner<StoryReviewView>
    ) async {
        do {
            let review = try await decisions.perform(action, story, in: runner.screen.review)
            runner.update { $0.review = review }
        } catch {
            let diagnostic = place.describe(error)
            runner.update {
                $0.review.failed([diagnostic.what, diagnostic.todo ?? ""].joined(separator: " "))
            }
        }
    }
}
