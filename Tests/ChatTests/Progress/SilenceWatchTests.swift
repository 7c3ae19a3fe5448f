import Synchronization
import TestSupport
import XCTest

@testable import ChatKit

/// What is said while a server says nothing.
final class SilenceWatchTests: XCTestCase {
    func testItSpeaksFromTwentySecondsOnUntilSomethingComes() async {
        let clock = ManualClock()
        let watch = SilenceWatch(clock.environment)
        let said = Mutex<[Int]>([])
        watch.begin { seconds in said.withLock { $0.append(seconds) } }
        func pass(_ seconds: Int) async {
            for _ in 0..<seconds {
                await clock.waitForSleeps(clock.sleeps.count - clock.sleeperCount + 1)
                clock.advance(by: .seconds(1))
            }
            // Asleep again: what was to be said is said.
            await clock.waitForSleeps(clock.sleeps.count - clock.sleeperCount + 1)
        }
        await pass(19)
        XCTAssertEqual(said.withLock { $0 }, [])
        await pass(2)
        XCTAssertEqual(said.withLock { $0 }, [20, 21])
        watch.note()
        await pass(19)
        XCTAssertEqual(said.withLock { $0 }, [20, 21])
        await pass(1)
        await watch.end()
        XCTAssertEqual(said.withLock { $0 }, [20, 21, 20])
        XCTAssertEqual(clock.sleeperCount, 0)
    }
}
