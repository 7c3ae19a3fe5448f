import AgentCore
import XCTest

@testable import ToolServers

final class StyledLineFoldedTests: XCTestCase {
    func testRowsBreakBetweenWordsAndKeepTheirStyles() {
        let line = StyledLine([
            .init("✓ l5 ", .success), .init("Senior Backend Engineer"), .init(" · 246 words", .dim),
        ])
        let rows = line.folded(to: 24)
        XCTAssertEqual(rows.map(\.text), ["✓ l5 Senior Backend", "  Engineer · 246 words"])
        XCTAssertEqual(rows[0].spans.map(\.style), [.success, .plain])
        XCTAssertEqual(rows[1].spans.last?.style, .dim)
        XCTAssertEqual(line.folded(to: 80), [line])
    }

    func testAHintBreaksBetweenItsCommandsAlone() {
        let line = StyledLine("  chat letter edit l5 · chat letter export l5 -o FILE", .hint)
        XCTAssertEqual(
            line.folded(to: 37).map(\.text),
            ["  chat letter edit l5", "  chat letter export l5 -o FILE"])
        XCTAssertEqual(
            StyledLine("Nothing is known of it; chat letter show l5 does").folded(to: 30)
                .map(\.text), ["Nothing is known of it;", "  chat letter show l5 does"])
    }

    func testAWordLongerThanARowStaysWhole() {
        XCTAssertEqual(
            StyledLine("see aaaaaaaaaaaaaaaaaaaaaaaa").folded(to: 16).map(\.text),
            ["see", "  aaaaaaaaaaaaaaaaaaaaaaaa"])
    }
}
