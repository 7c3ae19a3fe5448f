import Base
import chat

#if compiler(>=6.3) && compiler(<6.4)
    import AgentCore
    import Dispatch
    import XCTest

    @testable import chat

    /// The threads of the program's tasks.
    final class TaskThreadsTests: XCTestCase {
        private static func hold(_ gate: DispatchSemaphore) { gate.wait() }

        func testEveryTaskRunsAlsoWhileOneHoldsItsThread() async {
            let gate = DispatchSemaphore(value: 0)
            let sum = await withTaskExecutorPreference(TaskThreads(width: 2)) {
                await withTaskGroup(of: Int.self) { group in
                    group.addTask {
                        Self.hold(gate)
                        return 0
                    }
                    for number in 1...1_000 {
                        group.addTask {
                            await Task.yield()
                            return number
                        }
                    }
                    var (sum, count) = (0, 0)
                    for await number in group {
                        (sum, count) = (sum + number, count + 1)
                        if count == 1_000 { gate.signal() }
                    }
                    return sum
                }
            }
            XCTAssertEqual(sum, 500_500)
        }

        func testASleepIsEndedByItsTimeOrAtOnceByCancellation() async throws {
            let endings = await withTaskExecutorPreference(TaskThreads(width: 1)) {
                await withTaskGroup(of: Bool.self) { group in
                    for length in [Duration.milliseconds(1), .seconds(1_000_000)] {
                        group.addTask {
                            (try? await Environment.system(variables: [:]).sleep(length)) != nil
                        }
                    }
                    let first = await group.next()
                    group.cancelAll()
                    return [first, await group.next()]
                }
            }
            XCTAssertEqual(endings, [true, false])
        }
    }
#endif
