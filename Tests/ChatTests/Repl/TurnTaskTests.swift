import Synchronization
import XCTest

@testable import chat

/// The way from Ctrl-C to the turn that is running, or about to.
final class TurnTaskTests: XCTestCase {
    private final class Count: Sendable {
        let value = Atomic(0)
        func add() { value.add(1, ordering: .relaxed) }
        var now: Int { value.load(ordering: .relaxed) }
    }

    func testAStopReachesTheTurnThatRuns() {
        let (task, count) = (TurnTask(), Count())
        task.set { count.add() }
        XCTAssertTrue(task.stop())
        XCTAssertEqual(count.now, 1)
        task.clear()
        XCTAssertFalse(task.stop())
        XCTAssertEqual(count.now, 1)
    }

    func testAStopBetweenTheLineAndItsTurnStopsTheTurn() {
        let (task, count) = (TurnTask(), Count())
        task.forgetStop()
        XCTAssertFalse(task.stop())
        task.set { count.add() }
        XCTAssertEqual(count.now, 1)
    }

    func testAStopBeforeThePromptIsOverAtThePrompt() {
        let (task, count) = (TurnTask(), Count())
        XCTAssertFalse(task.stop())
        task.forgetStop()
        task.set { count.add() }
        XCTAssertEqual(count.now, 0)
    }
}
