import XCTest

@testable import AgentCore

final class RateLimitsTests: XCTestCase {
    private func limits(_ headers: KeyValuePairs<String, String>) -> RateLimits {
        RateLimits(
            from: HTTPResponseHead(
                status: 200, headers: headers.map { HTTPHeader($0.key, $0.value) }),
            hiding: nil)
    }

    func testHeadersOfOpenAI() {
        XCTAssertEqual(
            limits([
                "X-Request-Id": "req_1", "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "59", "x-ratelimit-reset-requests": "1m30s",
                "x-ratelimit-limit-tokens": "150000", "x-ratelimit-remaining-tokens": "149984",
                "x-ratelimit-reset-tokens": "12ms",
            ]),
            RateLimits(
                requests: .init(limit: 60, remaining: 59, reset: .after(90)),
                tokens: .init(limit: 150_000, remaining: 149_984, reset: .after(0.012)),
                requestID: "req_1"))
    }

    func testHeadersOfAnthropic() {
        XCTAssertEqual(
            limits([
                "request-id": "req_2", "anthropic-ratelimit-requests-limit": "50",
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-11-21T09:30:00Z",
                "anthropic-ratelimit-input-tokens-remaining": "7",
                "anthropic-ratelimit-output-tokens-limit": "8",
            ]),
            RateLimits(
                requests: .init(limit: 50, remaining: 0, reset: .at(1_795_253_400)),
                inputTokens: .init(remaining: 7), outputTokens: .init(limit: 8),
                requestID: "req_2"))
    }

    func testNothingSaidIsNothing() {
        XCTAssertEqual(limits([:]), RateLimits())
        XCTAssertEqual(
            limits([
                "x-ratelimit-limit-requests": "-1", "x-ratelimit-remaining-requests": "many",
                "x-ratelimit-reset-requests": "later", "x-request-id": "",
            ]), RateLimits())
    }

    func testFormsOfTheReset() {
        let table: [(String, RateLimits.Reset?)] = [
            ("0", .after(0)), ("6m0s", .after(360)), ("1h2m3s", .after(3_723)), ("7", .after(7)),
            ("1.5s", .after(1.5)), ("2026-11-21T10:30:00+01:00", .at(1_795_253_400)),
            ("2026-11-21T09:30:00.123Z", .at(1_795_253_400)),
            ("2026-11-21t01:30:00-08:00", .at(1_795_253_400)), ("1m7", nil), ("s", nil),
            ("1.2.3s", nil), ("5y", nil), ("2026-13-21T09:30:00Z", nil), ("2026-11-21", nil),
            ("2026-11-21T09:30:00", nil), ("", nil), ("-3s", nil),
        ]
        for (text, reset) in table {
            XCTAssertEqual(
                limits(["x-ratelimit-reset-tokens": text]).tokens?.reset, reset, text)
        }
    }
}
