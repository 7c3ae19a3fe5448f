import TestSupport
import XCTest

@testable import Base

/// The kit that other tests rely on.
final class ManualClockTests: XCTestCase {
    func testSleepersWakeWhenTheirTimeHasCome() async throws {
        let clock = ManualClock()
        let environment = clock.environment
        let start = environment.uptime()
        let short = Task { try await environment.sleep(.seconds(1)) }
        await clock.waitForSleeps(1)
        let long = Task { try await environment.sleep(.seconds(5)) }
        await clock.waitForSleeps(2)
        clock.advance(by: .seconds(2))
        try await short.value
        XCTAssertEqual(clock.sleeperCount, 1)
        clock.advance(by: .seconds(3))
        try await long.value
        XCTAssertEqual(clock.sleeps, [.seconds(1), .seconds(5)])
        XCTAssertEqual(environment.uptime() - start, 5)
        XCTAssertEqual(environment.now().timeIntervalSince1970, 1_795_251_605)
    }

    func testCancelledSleeperThrowsAtOnce() async throws {
        let clock = ManualClock()
        let environment = clock.environment
        let task = Task { try await environment.sleep(.seconds(1)) }
        await clock.waitForSleeps(1)
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        XCTAssertEqual(clock.sleeperCount, 0)
    }

    func testIdsAreASequenceAndChanceIsFixed() {
        let environment = ManualClock(random: 0.25, variables: ["A": "b"]).environment
        XCTAssertEqual(environment.uuid(), "00000000-0000-4000-8000-000000000001")
        XCTAssertEqual(environment.uuid(), "00000000-0000-4000-8000-000000000002")
        XCTAssertEqual(environment.random(), 0.25)
        XCTAssertEqual(environment.variables, ["A": "b"])
    }

    func testTemporaryFolderGoesWithItsOwner() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try XCTUnwrap(folder?.write([1, 2], to: "a"))
        XCTAssertEqual(try folder?.read("a"), [1, 2])
        folder = nil
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }

    func testGateLetsTasksAndThreadsThrough() async {
        let gate = Gate()
        let passed = Gate()
        Thread.detachNewThread {
            gate.block()
            passed.open()
        }
        let task = Task { await gate.wait() }
        XCTAssertFalse(passed.isOpen)
        gate.open()
        await task.value
        await passed.wait()
        await gate.wait()
    }
}
