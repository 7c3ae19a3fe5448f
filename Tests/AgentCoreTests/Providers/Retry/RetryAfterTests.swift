import XCTest

@testable import AgentCore

final class RetryAfterTests: XCTestCase {
    /// Sun, 06 Nov 1994 08:49:00 GMT.
    private let now = 784_111_740.0

    private func seconds(_ headers: [(String, String)]) -> Double? {
        RetryAfter.seconds(
            from: HTTPResponseHead(
                status: 429, headers: headers.map { HTTPHeader($0.0, $0.1) }), now: now)
    }

    func testEveryFormOfTheHeader() {
        let table: [(String, Double?)] = [
            ("0", 0), ("7", 7), ("0.25", 0.25), ("1000000000", 1e9), ("-5", nil), ("", nil),
            ("soon", nil), ("inf", nil), ("nan", nil), ("0x10", nil), ("1e3", nil), ("1.2.3", nil),
            ("5 s", nil), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 37), ("Sun Nov  6 08:49:37 1994", 37),
            ("Sun, 06 Nov 1994 08:48:00 GMT", 0), ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
        ]
        for (text, expected) in table {
            XCTAssertEqual(seconds([("Retry-After", text)]), expected, text)
        }
        XCTAssertNil(seconds([]))
    }

    func testMillisecondsComeFirstIfTheyAreANumber() {
        XCTAssertEqual(seconds([("retry-after", "9"), ("Retry-After-Ms", "1500.5")]), 1.5005)
        XCTAssertEqual(seconds([("retry-after-ms", "junk"), ("retry-after", "9")]), 9)
        XCTAssertEqual(seconds([("retry-after-ms", "-1"), ("retry-after", "9")]), 9)
    }
}
