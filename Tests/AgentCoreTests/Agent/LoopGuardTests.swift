import XCTest

@testable import AgentCore

final class LoopGuardTests: XCTestCase {
    private func call(_ name: String, _ arguments: String) -> ToolCall {
        ToolCall(id: "1", name: name, arguments: arguments)
    }

    func testTheSixthIdenticalCallPassesTheLimit() {
        var loop = LoopGuard()
        for _ in 0..<5 { XCTAssertNil(loop.admit(call("a", "{}"))) }
        XCTAssertEqual(loop.admit(call("a", "{}")), .identical(tool: "a", 5))
        XCTAssertNil(loop.admit(call("a", "{ }")), "other words are another call")
        XCTAssertNil(loop.admit(call("b", "{}")))
    }

    func testNamesAndArgumentsAreNotMixedUp() {
        var loop = LoopGuard()
        for _ in 0..<5 { XCTAssertNil(loop.admit(call("a", "b{}"))) }
        XCTAssertNil(loop.admit(call("ab", "{}")))
    }

    func testTwentyFiveCallsAreTheMost() {
        var loop = LoopGuard()
        for number in 0..<25 { XCTAssertNil(loop.admit(call("a", "\(number)"))) }
        XCTAssertEqual(loop.admit(call("a", "x")), .calls(25))
    }

    func testOneRunningCallForgivesInvalidRounds() {
        var loop = LoopGuard()
        XCTAssertNil(loop.finishRound(valid: 0))
        XCTAssertNil(loop.finishRound(valid: 0))
        XCTAssertNil(loop.finishRound(valid: 1))
        XCTAssertNil(loop.finishRound(valid: 0))
        XCTAssertNil(loop.finishRound(valid: 0))
        XCTAssertEqual(loop.finishRound(valid: 0), .invalidRounds(3))
    }

    func testFivePausesAreTheMost() {
        var loop = LoopGuard()
        for _ in 0..<5 { XCTAssertNil(loop.pause()) }
        XCTAssertEqual(loop.pause(), .pauses(5))
    }
}
