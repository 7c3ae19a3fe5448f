import XCTest

@testable import Transcription

final class TranscriptionRetryTests: XCTestCase {
    private func decision(
        _ reason: TranscriptionError.Reason, attempt: Int = 1,
        _ change: (inout TranscriptionError) -> Void = { _ in }
    ) -> TranscriptionRetry.Decision {
        var error = TranscriptionError(reason: reason, host: "here")
        change(&error)
        return TranscriptionRetry().decision(for: error, attempt: attempt, random: 0)
    }

    func testWhatTheServerSaysOfTryingAgainIsHeard() {
        XCTAssertEqual(decision(.serverFailure), .retry(after: 0.5))
        XCTAssertEqual(decision(.serverFailure) { $0.shouldRetry = false }, .giveUp)
        XCTAssertEqual(decision(.rateLimited) { $0.shouldRetry = false }, .giveUp)
        XCTAssertEqual(decision(.badRequest), .giveUp)
        XCTAssertEqual(decision(.badRequest) { $0.shouldRetry = true }, .retry(after: 0.5))
        // Neither a key nor money nor the size comes by asking again.
        for reason in [TranscriptionError.Reason.keyRejected, .forbidden, .quotaExhausted] {
            XCTAssertEqual(decision(reason) { $0.shouldRetry = true }, .giveUp)
        }
        XCTAssertEqual(decision(.tooLarge) { $0.shouldRetry = true }, .halve)
        XCTAssertEqual(decision(.badRequest, attempt: 3) { $0.shouldRetry = true }, .giveUp)
    }

    /// All of it had left, and words may have come: it may have been paid for.
    func testAFailureWithinAnAnswerIsAskedAbout() {
        XCTAssertEqual(decision(.serverFailure) { $0.status = 503 }, .retry(after: 0.5))
        XCTAssertEqual(decision(.serverFailure) { $0.status = 200 }, .ask(after: 0.5))
        XCTAssertEqual(
            decision(.rateLimited) { ($0.status, $0.retryAfter) = (200, 9) }, .ask(after: 9))
        XCTAssertEqual(decision(.serverFailure, attempt: 10) { $0.status = 200 }, .giveUp)
    }
}
