#if compiler(>=6.3) && compiler(<6.4)
    import Dispatch
    import XCTest

    @testable import chat

    /// The threads of the program's tasks.
    final class TaskThreadsTests: XCTestCase {
        private func hold(_ gate: DispatchSemaphore) { gate.wait() }

        func testEveryTaskRunsAlsoWhileOneHoldsItsThread() async {
            let threads = TaskThreads(width: 2)
            let gate = DispatchSemaphore(value: 0)
            let held = Task(executorPreference: threads) { self.hold(gate) }
            let sum = await withTaskGroup(of: Int.self) { group in
                for number in 1...1_000 {
                    group.addTask(executorPreference: threads) {
                        await Task.yield()
                        return number
                    }
                }
                return await group.reduce(0, +)
            }
            XCTAssertEqual(sum, 500_500)
            gate.signal()
            await held.value
        }

        func testASleepIsEndedByItsTimeOrAtOnceByCancellation() async throws {
            let threads = TaskThreads(width: 1)
            try await Task(executorPreference: threads) {
                try await Task.sleep(for: .milliseconds(1))
            }.value
            let long = Task(executorPreference: threads) {
                try await Task.sleep(for: .seconds(1e6))
            }
            long.cancel()
            do {
                try await long.value
                XCTFail("it was not cancelled")
            } catch { XCTAssert(error is CancellationError) }
        }
    }
#endif
