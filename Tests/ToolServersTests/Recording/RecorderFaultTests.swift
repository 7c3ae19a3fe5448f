import Foundation
import TestSupport
import XCTest

@testable import Sound

/// Recorders that hang, crash, ignore and multiply; full disks; people who
/// change their minds. Nothing that was said is lost, and nothing runs on.
final class RecorderFaultTests: XCTestCase {
    func testAProgramThatNeverSendsAnythingIsEndedAfterTwoSeconds() async throws {
        let rig = try RecorderRig()
        rig.makeDoor()
        try rig.python("mic", "tell(str(os.getpid()))\nhang()")
        async let failed = rig.failure()
        let pid = try await rig.told()
        rig.letTimePass()
        let found = await failed as? RecordingError
        XCTAssertEqual(found, RecordingError(reason: .programSilent("mic")))
        XCTAssertEqual(try rig.names(), [])
        rig.assertGone(pid)
    }

    func testRecordersWhoseServerIsNotThereAreSkipped() async throws {
        let rig = try RecorderRig()
        for name in ["pw-record", "parecord"] {
            try rig.install(name, "#!/bin/sh\nexec /bin/sleep 1000\n")
        }
        // A socket that nobody listens at any more is no server.
        let socket = try listener(rig.folder.path("pipewire-0"), listens: false)
        defer { close(socket) }
        rig.letTimePass()
        do {
            let made = try await rig.record(
                .with(), variables: ["XDG_RUNTIME_DIR": rig.folder.path("")])
            XCTFail("\(made)")
        } catch let error as RecordingError {
            XCTAssertEqual(
                error.attempts,
                [
                    .init(
                        program: "pw-record", status: 137,
                        message: "could not connect to PipeWire"),
                    .init(
                        program: "parecord", status: 137,
                        message: "could not connect to PulseAudio"),
                ])
            XCTAssertEqual(AudioProgramFailure(error.attempts), .noServer)
        }
        XCTAssertEqual(try rig.names(), [])
    }

    func testAServerThatIsThereMayBeSlow() async throws {
        let rig = try RecorderRig()
        try rig.install("pw-record", "#!/bin/sh\nexec /bin/sleep 1000\n")
        let socket = try listener(rig.folder.path("pipewire-0"), listens: true)
        defer { close(socket) }
        rig.letTimePass()
        await assertThrows(RecordingError(reason: .programSilent("pw-record"))) {
            try await rig.record(.with(), variables: ["XDG_RUNTIME_DIR": rig.folder.path("")])
        }
    }

    private func listener(_ path: String, listens: Bool) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try XCTSkipIf(
            path.utf8.count >= MemoryLayout.size(ofValue: address.sun_path),
            "the temporary folder's name is too long for a socket")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        XCTAssertEqual(bound, 0)
        if listens { XCTAssertEqual(listen(descriptor, 1), 0) }
        return descriptor
    }

    func testACrashInBetweenKeepsWhatWasSaidAndSaysWhere() async throws {
        let rig = try RecorderRig()
        try rig.python(
            "mic",
            """
            send(b'0123456789' * 1001)
            sys.stderr.write('xrun\\nmic: device was unplugged\\n')
            sys.exit(3)
            """)
        let found = await rig.failure() as? RecordingError
        XCTAssertEqual(
            found?.reason,
            .programFailed("mic", status: 3, message: "mic: device was unplugged"))
        let file = try XCTUnwrap(found?.file)
        XCTAssertTrue(
            try rig.samples(file) == Array(String(repeating: "0123456789", count: 1_001).utf8))
    }

    func testAHangInBetweenKeepsWhatWasSaid() async throws {
        let rig = try RecorderRig()
        try rig.python("mic", "send(b'abcd')\nhang()")
        async let failed = rig.failure()
        await rig.wait { $0.elapsed > 0 }
        rig.letTimePass()
        let found = await failed as? RecordingError
        XCTAssertEqual(found?.reason, .programSilent("mic"))
        XCTAssertEqual(try rig.samples(XCTUnwrap(found?.file)), Array("abcd".utf8))
    }

    func testARecorderThatIgnoresEverySignalIsKilledAndItsSoundKept() async throws {
        let rig = try RecorderRig()
        rig.makeDoor()
        try rig.python(
            "mic",
            """
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            send(b'said' * 5000)
            tell(str(os.getpid()))
            hang()
            """)
        async let recording = rig.record(.with("mic"))
        let pid = try await rig.told()
        await rig.wait { $0.elapsed == 0.625 }
        rig.stop.stop()
        rig.letTimePass()
        let result = try await recording
        XCTAssertEqual(result.endedBy, .stop)
        XCTAssertEqual(try rig.samples(result.path).count, 20_000)
        rig.assertGone(pid)
    }

    func testChildrenOfTheRecorderGoWithIt() async throws {
        let rig = try RecorderRig()
        rig.makeDoor()
        try rig.python(
            "mic",
            """
            child = subprocess.Popen(['/bin/sleep', '1000'])
            send(b'said')
            tell(str(child.pid))
            hang()
            """)
        async let recording = rig.record(.with("mic"))
        let pid = try await rig.told()
        rig.stop.stop()
        let result = try await recording
        XCTAssertEqual(try rig.samples(result.path), Array("said".utf8))
        rig.assertGone(pid)
    }

    func testCancelRemovesTheFileAndEndsTheProgram() async throws {
        let rig = try RecorderRig()
        rig.makeDoor()
        try rig.python(
            "mic", "send(b'said')\ntell(str(os.getpid()))\nhang()")
        async let failed = rig.failure()
        let pid = try await rig.told()
        await rig.wait { $0.elapsed > 0 }
        XCTAssertEqual(try rig.names().count, 1)
        rig.stop.cancel()
        let found = await failed
        XCTAssertTrue(found is CancellationError)
        XCTAssertEqual(try rig.names(), [])
        rig.assertGone(pid)
    }

    func testACancelledTaskKeepsWhatWasSaid() async throws {
        let rig = try RecorderRig()
        rig.makeDoor()
        try rig.python(
            "mic",
            """
            keep_stop()
            send(b'said')
            tell(str(os.getpid()))
            wait_for_stop()
            send(b'tail')
            """)
        let task = Task { await rig.failure() }
        let pid = try await rig.told()
        task.cancel()
        let found = await task.value
        XCTAssertTrue(found is CancellationError)
        let item = try XCTUnwrap(rig.recordings.list().first)
        XCTAssertEqual(try rig.samples(item.path), Array("saidtail".utf8))
        rig.assertGone(pid)
    }

    func testCancelledBeforeItBeganNothingIsStarted() async throws {
        let rig = try RecorderRig()
        try rig.install("mic", "#!/bin/sh\n: > \"$0.ran\"\n")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await rig.failure()
        }
        task.cancel()
        let found = await task.value
        XCTAssertTrue(found is CancellationError)
        XCTAssertEqual(try rig.names(), [])
        XCTAssertFalse(FileManager.default.fileExists(atPath: rig.folder.path("bin/mic.ran")))
    }

    func testStoppedBeforeAnySoundNothingIsLeft() async throws {
        let rig = try RecorderRig()
        rig.makeDoor()
        try rig.python("mic", "tell('ready')\nhang()")
        async let failed = rig.failure()
        _ = try await rig.told()
        rig.stop.stop()
        let found = await failed as? RecordingError
        XCTAssertEqual(found, RecordingError(reason: .nothingRecorded))
        XCTAssertEqual(try rig.names(), [])
    }

    func testAFullDiskEndsItAndKeepsWhatFits() async throws {
        let rig = try RecorderRig()
        try rig.install("mic", "#!/bin/sh\nexec /bin/cat /dev/zero\n")
        let old = signal(SIGXFSZ, SIG_IGN)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limits = rlimit()
        getrlimit(resource, &limits)
        var small = rlimit(rlim_cur: 300_044, rlim_max: limits.rlim_max)
        setrlimit(resource, &small)
        let found = await rig.failure() as? RecordingError
        setrlimit(resource, &limits)
        signal(SIGXFSZ, old)
        XCTAssertEqual(found?.reason, .file(EFBIG))
        XCTAssertEqual(try rig.samples(XCTUnwrap(found?.file)).count, 300_000)
    }

    func testAFolderThatCannotBeWrittenIsToldBeforeAnybodySpeaks() async throws {
        let rig = try RecorderRig()
        try rig.install("mic", "#!/bin/sh\n: > \"$0.ran\"\n")
        try rig.folder.write([], to: "recordings")
        let found = await rig.failure() as? RecordingError
        XCTAssertEqual(found, RecordingError(reason: .file(ENOTDIR)))
        XCTAssertFalse(FileManager.default.fileExists(atPath: rig.folder.path("bin/mic.ran")))
    }

    func testAFileThatSomebodyRemovedIsNotCalledARecording() async throws {
        let rig = try RecorderRig()
        rig.makeDoor()
        try rig.python("mic", "send(b'said')\ntell('said')\nhang()")
        async let failed = rig.failure()
        _ = try await rig.told()
        await rig.wait { $0.elapsed > 0 }
        let item = try XCTUnwrap(rig.recordings.list().first)
        XCTAssertEqual(unlink(item.path), 0)
        rig.stop.stop()
        let found = await failed as? RecordingError
        XCTAssertEqual(found?.reason, .file(ENOENT))
    }
}
