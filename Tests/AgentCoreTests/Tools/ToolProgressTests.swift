import Synchronization
import TestSupport
import XCTest

@testable import AgentCore

/// What a tool tells of itself while it runs.
final class ToolProgressTests: XCTestCase {
    func testItIsShownInOrderAndTakenAwayAtTheEnd() async throws {
        let shown = Mutex<[String?]>([])
        let seen = Gate()
        let value = await Emitter.shown {
            let title = $0?.title
            shown.withLock { $0.append(title) }
            seen.open()
        } _: { emit in
            emit(progress(1))
            await seen.wait()
            emit(progress(2))
            return 7
        }
        XCTAssertEqual(value, 7)
        XCTAssertEqual(shown.withLock { $0 }, ["1", "2", nil])
    }

    func testWhatTellsNothingShowsNothing() async throws {
        let count = Mutex(0)
        await Emitter.shown { _ in
            count.withLock { $0 += 1 }
        } _: { _ in
        }
        XCTAssertEqual(count.withLock { $0 }, 0)
        XCTAssertFalse(Emitter.none.isShown)
    }

    /// A slow terminal does not slow the tool, and only the newest waits.
    func testAFloodIsBoundedByTheOneThatShowsIt() async throws {
        let shown = Mutex<[String?]>([])
        let first = Gate()
        let flooded = Gate()
        await Emitter.shown {
            let title = $0?.title
            shown.withLock { $0.append(title) }
            first.open()
            await flooded.wait()
        } _: { emit in
            emit(progress(0))
            await first.wait()
            for number in 1...100_000 { emit(progress(number)) }
            flooded.open()
        }
        XCTAssertEqual(shown.withLock { $0 }, ["0", "100000", nil])
    }

    func testCancellingTakesItAwayWhileTheToolStillEnds() async throws {
        let shown = Mutex<[String?]>([])
        let (started, gone, ended) = (Gate(), Gate(), Gate())
        let task = Task {
            await Emitter.shown {
                let title = $0?.title
                shown.withLock { $0.append(title) }
                if title == nil { gone.open() } else { started.open() }
            } _: { emit in
                emit(progress(1))
                await ended.wait()
                emit(progress(2))
            }
        }
        await started.wait()
        task.cancel()
        await gone.wait()
        ended.open()
        await task.value
        XCTAssertEqual(shown.withLock { $0 }, ["1", nil])
    }
}

private func progress(_ number: Int) -> ToolProgress {
    ToolProgress(activity: "Counting", title: "\(number)")
}
