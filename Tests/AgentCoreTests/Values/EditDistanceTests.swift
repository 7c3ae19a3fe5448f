import XCTest

@testable import Base

final class EditDistanceTests: XCTestCase {
    func testEditDistanceCountsEachKindOfErrorOnce() {
        func distance(_ left: String, _ right: String) -> Int {
            EditDistance.between(Array(left.unicodeScalars), Array(right.unicodeScalars))
        }
        XCTAssertEqual(distance("friday", "firday"), 1)
        XCTAssertEqual(distance("friday", "frday"), 1)
        XCTAssertEqual(distance("friday", "fridayy"), 1)
        XCTAssertEqual(distance("friday", "fridat"), 1)
        XCTAssertEqual(distance("", "abc"), 3)
        XCTAssertEqual(distance("tomorrow", "tommorow"), 2)
        XCTAssertEqual(distance("same", "same"), 0)
    }
}
