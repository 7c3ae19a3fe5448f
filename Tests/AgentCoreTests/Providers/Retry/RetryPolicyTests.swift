import XCTest

@testable import AgentCore

final class RetryPolicyTests: XCTestCase {
    private typealias Decision = RetryPolicy.Decision
    private let policy = RetryPolicy()

    private func decide(
        _ reason: ProviderError.Reason, provider: ProviderName = .openai, status: Int? = nil,
        retryAfter: Double? = nil, shouldRetry: Bool? = nil, attempt: Int = 1,
        hasShown: Bool = false, random: Double = 0
    ) -> Decision {
        policy.decision(
            for: ProviderError(
                reason: reason, provider: provider, host: "h:443", status: status,
                retryAfter: retryAfter, shouldRetry: shouldRetry),
            attempt: attempt, hasShown: hasShown, random: random)
    }

    func testWhichReasonsAreTriedAgain() {
        let lost = TransportError(reason: .connectionLost, host: "h:443", detail: "")
        let tls = TransportError(reason: .tls, host: "h:443", detail: "")
        let table: [(ProviderError.Reason, Int?, Bool)] = [
            (.transport(lost), nil, true), (.transport(tls), nil, false),
            (.keyRejected, 401, false), (.forbidden, 403, false), (.modelNotFound, 404, false),
            (.endpointNotFound, 404, false), (.endpointNotFound, 502, true),
            (.rateLimited, 429, true), (.quotaExhausted, 429, false), (.overloaded, 529, true),
            (.overloaded, nil, true), (.serverFailure, 500, true), (.serverFailure, 504, true),
            (.serverFailure, nil, true), (.badRequest, 400, false), (.badRequest, 408, true),
            (.badRequest, 409, true), (.badRequest, 413, false), (.badRequest, 422, false),
            (.contextTooLong, 400, false), (.redirected, 307, false), (.brokenStream, 200, true),
            (.malformed, 200, false), (.malformed, 503, true), (.offline, nil, false),
        ]
        for (reason, status, isRetried) in table {
            XCTAssertEqual(
                decide(reason, status: status), isRetried ? .retry(after: 0.5) : .giveUp,
                "\(reason) \(status ?? 0)")
        }
    }

    func testWhichTransportFailuresAreTriedAgain() {
        let retried: Set<TransportError.Reason> = [
            .nameNotResolved, .connectionRefused, .connectTimeout, .unreachable, .proxy,
            .connectionLost,
        ]
        for reason in TransportError.Reason.allCases {
            let error = TransportError(reason: reason, host: "h:1", detail: "")
            XCTAssertEqual(
                policy.decision(for: error, attempt: 1, hasShown: false, random: 0),
                retried.contains(reason) ? .retry(after: 0.5) : .giveUp, "\(reason)")
            XCTAssertEqual(
                policy.decision(for: error, attempt: 3, hasShown: false, random: 0), .giveUp)
            XCTAssertEqual(
                policy.decision(for: error, attempt: 1, hasShown: true, random: 0), .giveUp)
        }
    }

    func testThereAreThreeAttemptsInAll() {
        XCTAssertEqual(
            (1...4).map { decide(.overloaded, attempt: $0) },
            [.retry(after: 0.5), .retry(after: 1), .giveUp, .giveUp])
    }

    func testNothingIsRepeatedOnceItWasShown() {
        XCTAssertEqual(decide(.overloaded, hasShown: true), .giveUp)
        XCTAssertEqual(decide(.overloaded, shouldRetry: true, hasShown: true), .giveUp)
        XCTAssertEqual(decide(.rateLimited, retryAfter: 1, hasShown: true), .giveUp)
    }

    func testDelayDoublesUpToEightSecondsLessAQuarterAtMost() {
        let patient = RetryPolicy(attempts: 100)
        let error = ProviderError(reason: .overloaded, provider: .openai, host: "h")
        for (attempt, full) in [(1, 0.5), (2, 1), (3, 2), (4, 4), (5, 8), (6, 8), (99, 8)] {
            for random in [0, 0.5, 0.999] {
                XCTAssertEqual(
                    patient.decision(for: error, attempt: attempt, hasShown: false, random: random),
                    .retry(after: full * (1 - 0.25 * random)))
            }
        }
    }

    func testServersWishIsALowerBoundAndLongOnesAreAsked() {
        let table: [(Double?, Decision)] = [
            (nil, .retry(after: 0.5)), (0, .retry(after: 0.5)), (-5, .retry(after: 0.5)),
            (0.1, .retry(after: 0.5)), (2, .retry(after: 2)), (60, .retry(after: 60)),
            (60.5, .ask(after: 60.5)), (1e9, .ask(after: 1e9)),
        ]
        for (retryAfter, decision) in table {
            XCTAssertEqual(decide(.rateLimited, retryAfter: retryAfter), decision)
            XCTAssertEqual(decide(.overloaded, provider: .claude, retryAfter: retryAfter), decision)
        }
    }

    func testRateLimitOfClaudeWithoutATimeCanBeTheMonthlyCap() {
        XCTAssertEqual(decide(.rateLimited, provider: .claude, status: 429), .giveUp)
        XCTAssertEqual(
            decide(.rateLimited, provider: .claude, status: 429, retryAfter: 3), .retry(after: 3))
        XCTAssertEqual(
            decide(.rateLimited, provider: .claude, status: 429, shouldRetry: true),
            .retry(after: 0.5))
    }

    func testConflictOfClaudeIsTriedOnceMore() {
        XCTAssertEqual(
            (1...2).map { decide(.badRequest, provider: .claude, status: 409, attempt: $0) },
            [.retry(after: 0.5), .giveUp])
    }

    func testServersWordOverridesTheRuleByStatus() {
        XCTAssertEqual(decide(.overloaded, status: 529, shouldRetry: false), .giveUp)
        XCTAssertEqual(decide(.rateLimited, status: 429, shouldRetry: false), .giveUp)
        XCTAssertEqual(decide(.badRequest, status: 400, shouldRetry: true), .retry(after: 0.5))
        // Money and keys are not mended by trying again, whatever it says.
        XCTAssertEqual(decide(.quotaExhausted, status: 429, shouldRetry: true), .giveUp)
        XCTAssertEqual(decide(.keyRejected, status: 401, shouldRetry: true), .giveUp)
    }
}
