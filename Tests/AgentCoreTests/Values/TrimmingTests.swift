import XCTest

@testable import Base

final class TrimmingTests: XCTestCase {
    func testOnlyWhatIsAroundATextIsTakenAway() {
        XCTAssertEqual("\t a b\u{A0}\r\n".trimmingSpace(), "a b")
        XCTAssertEqual(" \n".trimmingSpace(), "")
        XCTAssertEqual(Array([0, 0, 1, 0, 2, 0][...].trimming { $0 == 0 }), [1, 0, 2])
    }

    func testZerosAreInFrontOfANumber() {
        XCTAssertEqual([7, 12, 123].map { $0.padded(to: 2) }, ["07", "12", "123"])
        XCTAssertEqual(UInt64(0xAB).padded(to: 4, radix: 16), "00ab")
    }
}
