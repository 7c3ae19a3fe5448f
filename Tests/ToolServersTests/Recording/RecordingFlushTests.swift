import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound

/// What was recorded goes to the disk while one speaks on.
final class RecordingFlushTests: XCTestCase {
    private struct Rig {
        let folder: TemporaryFolder
        let session: RecordingSession
        let time: Seconds
    }

    private final class Seconds: Sendable {
        let seconds = Mutex(100.0)
    }

    private func rig(
        _ synchronize: @escaping @Sendable (Int32) -> Int32
    ) async throws -> Rig {
        let folder = try TemporaryFolder()
        let time = Seconds()
        var environment = Base.Environment.system(variables: [:])
        environment.uptime = { time.seconds.withLock { $0 } }
        let session = RecordingSession(
            .dictation, VoiceSettings.Recording(), environment: environment,
            flush: RecordingFlush(synchronize: synchronize))
        try await session.createFile(
            in: RecordingsFolder(folder.path("r")), place: LocalTime(.utc))
        await session.begin("mic")
        return Rig(folder: folder, session: session, time: time)
    }

    func testADiskThatStallsStopsNothingAndIsAskedOnceAtATime() async throws {
        let gate = Gate()
        let calls = Mutex(0)
        let rig = try await rig { descriptor in
            calls.withLock { $0 += 1 }
            gate.block()
            return fdatasync(descriptor) == 0 ? 0 : errno
        }
        for _ in 0..<100 {
            rig.time.seconds.withLock { $0 += 0.1 }
            let actions = await rig.session.received([UInt8](repeating: 7, count: 3_200))
            XCTAssertEqual(actions, [])
            _ = await rig.session.tick()
        }
        let item = try XCTUnwrap(RecordingsFolder(rig.folder.path("r")).list().first)
        XCTAssertEqual(item.bytes, 320_044, "samples waited for the disk")
        while calls.withLock({ $0 }) == 0 { await Task.yield() }
        XCTAssertEqual(calls.withLock { $0 }, 1)
        gate.open()
        while calls.withLock({ $0 }) < 2 {
            rig.time.seconds.withLock { $0 += 0.1 }
            _ = await rig.session.tick()
        }
    }

    func testADiskThatFailsEndsTheRecordingAndKeepsIt() async throws {
        let rig = try await rig { _ in EIO }
        var actions: [RecordingStateMachine.Action] = []
        _ = await rig.session.received([UInt8](repeating: 7, count: 3_200))
        while actions.isEmpty {
            rig.time.seconds.withLock { $0 += 1 }
            actions = await rig.session.tick().actions.filter { $0 != .abandon }
            // The recorder is alive.
            _ = await rig.session.received([7, 7])
        }
        XCTAssertEqual(actions, [.signal(SIGKILL)])
        do {
            _ = try await rig.session.ended("mic", status: 137, message: "")
            XCTFail("no error")
        } catch let error as RecordingError {
            XCTAssertEqual(error.reason, .file(EIO))
            XCTAssertNotNil(error.file)
        }
    }
}
