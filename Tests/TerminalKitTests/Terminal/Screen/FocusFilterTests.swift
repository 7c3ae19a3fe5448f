import XCTest

@testable import TerminalKit

final class FocusFilterTests: XCTestCase {
    private func typed(_ pieces: [String]) -> (String, Bool?) {
        var filter = FocusFilter()
        let bytes = pieces.flatMap { filter.pass(Array($0.utf8)) }
        return (String(decoding: bytes, as: UTF8.self), filter.isFocused)
    }

    func testReportsAreTakenOutAndOtherKeysStay() {
        XCTAssertTrue(typed(["ab"]) == ("ab", nil))
        XCTAssertTrue(typed(["a\u{1B}[Ob"]) == ("ab", false))
        XCTAssertTrue(typed(["\u{1B}[O\u{1B}[I\u{1B}[A"]) == ("\u{1B}[A", true))
        XCTAssertTrue(typed(["\u{1B}OA\u{1B}[1;5C"]) == ("\u{1B}OA\u{1B}[1;5C", nil))
    }

    func testReportMayBeCutBehindItsBracket() {
        XCTAssertTrue(typed(["a\u{1B}[", "Ob"]) == ("ab", false))
        XCTAssertTrue(typed(["a\u{1B}[", "Ab"]) == ("a\u{1B}[Ab", nil))
        XCTAssertTrue(typed(["\u{1B}[\u{1B}[I"]) == ("\u{1B}[\u{1B}[I", nil))
    }

    func testLoneEscapeIsNeverHeldBack() {
        XCTAssertTrue(typed(["\u{1B}"]) == ("\u{1B}", nil))
    }
}
