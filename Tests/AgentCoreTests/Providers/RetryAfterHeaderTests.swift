import Foundation
import XCTest

@testable import AgentCore

final class RetryAfterHeaderTests: XCTestCase {
    private func seconds(_ headers: [HTTPHeader], now: Double = 784_111_777) -> Double? {
        RetryAfterHeader.seconds(
            in: HTTPResponseHead(status: 429, headers: headers),
            now: Date(timeIntervalSince1970: now))
    }

    func testMillisecondsSecondsAndDates() {
        XCTAssertEqual(seconds([HTTPHeader("Retry-After-Ms", "1500")]), 1.5)
        XCTAssertEqual(
            seconds([HTTPHeader("retry-after", "9"), HTTPHeader("retry-after-ms", "10")]), 0.01)
        XCTAssertEqual(seconds([HTTPHeader("Retry-After", " 2.5 ")]), 2.5)
        XCTAssertEqual(seconds([HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT")]), 60)
        XCTAssertEqual(seconds([HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:00:00 GMT")]), 0)
        XCTAssertEqual(
            seconds([HTTPHeader("Retry-After", "Thu, 29 Feb 2024 00:00:00 GMT")], now: 0),
            1_709_164_800)
    }

    func testWhatCannotBeReadAsksNothing() {
        for text in [
            "", "soon", "-1", "1e9999", "nan", "inf", "Sun, 6 Foo 1994 08:49:37 GMT", "1:2:3",
        ] {
            XCTAssertNil(seconds([HTTPHeader("Retry-After", text)]), text)
        }
        XCTAssertNil(seconds([]))
    }
}
