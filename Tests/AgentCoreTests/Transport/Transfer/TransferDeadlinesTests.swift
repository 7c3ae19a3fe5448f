import XCTest

@testable import AgentCore
@testable import Base

final class TransferDeadlinesTests: XCTestCase {
    private let second: UInt64 = 1_000_000_000

    private func deadlines(total: Duration? = nil) -> TransferDeadlines {
        TransferDeadlines(limits: TransferLimits(idle: .seconds(10), total: total), start: second)
    }

    func testNothingIsDueBeforeTheConnectionStands() {
        let deadlines = deadlines()
        XCTAssertFalse(deadlines.isConnected)
        XCTAssertNil(deadlines.next)
        XCTAssertNil(deadlines.expired(at: 1_000 * second))
    }

    func testSilenceIsCountedFromTheLastActivity() {
        var deadlines = deadlines()
        deadlines.noteActivity(at: 5 * second)
        XCTAssertTrue(deadlines.isConnected)
        XCTAssertEqual(deadlines.next, 15 * second)
        deadlines.noteActivity(at: 14 * second)
        XCTAssertNil(deadlines.expired(at: 24 * second - 1))
        XCTAssertEqual(deadlines.expired(at: 24 * second), .idleTimeout)
    }

    func testPauseOfOurOwnIsNoSilence() {
        var deadlines = deadlines()
        deadlines.noteActivity(at: 5 * second)
        deadlines.pause()
        XCTAssertNil(deadlines.next)
        XCTAssertNil(deadlines.expired(at: 500 * second))
        deadlines.resume(at: 500 * second)
        XCTAssertEqual(deadlines.next, 510 * second)
    }

    func testTotalCountsFromTheStartAndThroughPauses() {
        var deadlines = deadlines(total: .seconds(12))
        XCTAssertEqual(deadlines.next, 13 * second)
        deadlines.noteActivity(at: 2 * second)
        XCTAssertEqual(deadlines.next, 12 * second)
        deadlines.noteActivity(at: 9 * second)
        XCTAssertEqual(deadlines.next, 13 * second)
        deadlines.pause()
        XCTAssertEqual(deadlines.expired(at: 13 * second), .totalTimeout)
    }

    func testLimitsBeyondAllTimeDoNotOverflow() {
        var deadlines = TransferDeadlines(
            limits: TransferLimits(idle: .seconds(Int64.max), total: .seconds(Int64.max)),
            start: second)
        deadlines.noteActivity(at: second)
        XCTAssertNil(deadlines.expired(at: .max - 1))
    }

    func testDurationsInWholeUnits() {
        XCTAssertEqual(Duration.milliseconds(1_500).inNanoseconds, 1_500_000_000)
        XCTAssertEqual(Duration.seconds(-1).inNanoseconds, 0)
        XCTAssertEqual(Duration.seconds(Int64.max).inNanoseconds, .max)
        XCTAssertEqual(Duration.microseconds(2_999).inMilliseconds, 2)
    }
}
