import Foundation
import XCTest

@testable import Base

final class QuantitiesTests: XCTestCase {
    func testNumbersAreGrouped() {
        let table: [(Int, String)] = [
            (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
            (.min, "-9,223,372,036,854,775,808"),
        ]
        for (number, text) in table { XCTAssertEqual(Quantities.grouped(number), text) }
    }

    func testSeconds() {
        let table: [(Double, String)] = [
            (0, "0.0 s"), (0.34, "0.3 s"), (1.15, "1.2 s"), (9.94, "9.9 s"), (9.96, "10 s"),
            (12.4, "12 s"), (119.4, "119 s"), (125, "2 min 5 s"), (-1, "?"), (.nan, "?"),
            (.infinity, "?"),
        ]
        for (seconds, text) in table { XCTAssertEqual(Quantities.seconds(seconds), text) }
    }

    func testAges() {
        let now = Date(timeIntervalSince1970: 1_795_262_400)
        let table: [(Double, String)] = [
            (-60, "just now"), (0, "just now"), (59, "just now"), (60, "1 min ago"),
            (3599, "59 min ago"), (3600, "1 h ago"), (86_399, "23 h ago"), (86_400, "yesterday"),
            (172_800, "2 days ago"), (13 * 86_400, "13 days ago"), (14 * 86_400, "2 weeks ago"),
            (60 * 86_400, "2 months ago"), (730 * 86_400, "2 years ago"), (1e12, "long ago"),
        ]
        for (seconds, text) in table {
            XCTAssertEqual(Quantities.ago(now.addingTimeInterval(-seconds), now: now), text)
        }
    }

    func testCounts() {
        XCTAssertEqual(Quantities.count(1, "turn"), "1 turn")
        XCTAssertEqual(Quantities.count(0, "turn"), "0 turns")
        XCTAssertEqual(Quantities.count(1200, "turn"), "1,200 turns")
    }
}
