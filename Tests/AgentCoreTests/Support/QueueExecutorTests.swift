import Base
import XCTest

final class QueueExecutorTests: XCTestCase {
    private actor Counter: QueuedActor {
        nonisolated let executor = QueueExecutor(label: "counter")
        private var count = 0

        func add() -> Int {
            // Stops the process where this is another queue.
            executor.checkIsolated()
            count += 1
            return count
        }

        func addTwice(in other: Counter) async -> Int {
            let theirs = await other.add()
            executor.checkIsolated()
            return theirs + add()
        }
    }

    func testAnActorRunsOnItsOwnQueue() async {
        let (one, other) = (Counter(), Counter())
        let sum = await one.addTwice(in: other)
        XCTAssertEqual(sum, 2)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = await one.add() } }
        }
        let last = await one.add()
        XCTAssertEqual(last, 102)
    }

    func testACallOfAQueueThrowsWhatItsBodyThrows() async {
        do throws(WholeFile.Failure) {
            _ = try await QueueExecutor.run("reader") { () throws(WholeFile.Failure) in
                try WholeFile.read("/nonexistent/file")
            }
            XCTFail("nothing was thrown")
        } catch { XCTAssertEqual(error, .system(2)) }
    }
}
