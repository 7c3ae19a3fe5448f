import AgentCore
import Base
import Synchronization
import TestSupport
import XCTest

@testable import Transcription

/// Uploads that go wrong on the way.
final class WhisperClientUploadTests: XCTestCase {
    /// Row N20: the server closes in the middle.
    func testCutUploadSaysExactlyHowFarItCame() async throws {
        let sound: [BodySlice] = [.bytes([UInt8](repeating: 7, count: 24 << 20))]
        for round in 1...5 {
            let rig = try UploadRig(.cutUpload(afterBytes: round << 20))
            defer { rig.server.stop() }
            let error = await rig.error(audio: sound)
            guard case .transport(let cause) = error?.reason else {
                return XCTFail("\(String(describing: error))")
            }
            XCTAssertEqual(cause.reason, .connectionLost)
            XCTAssertEqual(error?.totalBytes, 24 << 20)
            // The count is the last that was told, and told in growing numbers;
            // the server has read less than that, and nobody says it is done.
            XCTAssertEqual(error?.sentBytes, rig.sent.last)
            XCTAssertEqual(rig.sent, rig.sent.sorted())
            XCTAssertGreaterThan(error?.sentBytes ?? 0, round << 20 - 1000)
            XCTAssertLessThan(error?.sentBytes ?? .max, 24 << 20)
            XCTAssertFalse(rig.progress.contains(.waiting))
            XCTAssertEqual(rig.server.uploads.count, 1)
        }
    }

    /// What was counted is what arrives when the server reads on after all.
    func testCountOfACutUploadIsWhatTheSystemTook() async throws {
        let goOn = Gate()
        let isSending = Gate()
        let isDrained = Gate()
        let drained = Mutex(0)
        let rig = try UploadRig(
            .early(
                afterBytes: 300_000,
                ServerScript([
                    .open(isSending), .bytes([UInt8]("no HTTP\r\n\r\n".utf8)), .wait(goOn),
                    .drain { count in
                        drained.withLock { $0 = count }
                        isDrained.open()
                    },
                ])))
        defer { rig.server.stop() }
        let error = await rig.error(audio: [.bytes([UInt8](repeating: 7, count: 24 << 20))])
        goOn.open()
        await isDrained.wait()
        let upload = try XCTUnwrap(rig.server.uploads.first)
        let head = try XCTUnwrap(
            Data(upload.request.body).range(of: Data("audio/wav\r\n\r\n".utf8))
        ).upperBound
        XCTAssertEqual(error?.sentBytes, 300_000 - head + drained.withLock { $0 })
    }

    func testRefusalBeforeTheEndOfTheUploadIsTheRefusal() async throws {
        for (status, reason) in [
            (401, TranscriptionError.Reason.keyRejected), (413, .tooLarge), (429, .rateLimited),
        ] {
            let goOn = Gate()
            let rig = try UploadRig(
                .early(
                    afterBytes: 100_000,
                    ServerScript(ServerScript.json(status, ["error": "no"]).steps + [.wait(goOn)])))
            defer { rig.server.stop() }
            defer { goOn.open() }
            let error = await rig.error(audio: [.bytes([UInt8](repeating: 7, count: 24 << 20))])
            XCTAssertEqual(error?.reason, reason)
            XCTAssertEqual(error?.message, "no")
            XCTAssertLessThan(error?.sentBytes ?? .max, 24 << 20)
            XCTAssertFalse(rig.progress.contains(.waiting))
        }
    }

    func testFileThatChangedSinceItWasOpenedIsNotSent() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3], to: "a.wav")
        let file = try OpenFile(path)
        XCTAssertEqual(truncate(path, 2), 0)
        let rig = try UploadRig(.json("words"))
        defer { rig.server.stop() }
        do {
            try await rig.transcribe(audio: [.file(file, offset: 0, count: 3)])
            XCTFail("sent")
        } catch let error as OpenFile.Failure {
            XCTAssertEqual(error, OpenFile.Failure(reason: .changed, path: path))
        }
        XCTAssertEqual(rig.server.connectionCount, 0)
    }

    func testFileThatChangesOnTheWayIsNamed() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "a.wav")
        XCTAssertEqual(truncate(path, 32 << 20), 0)
        let file = try OpenFile(path)
        let isSending = Gate()
        let goOn = Gate()
        let rig = try UploadRig(
            .early(
                afterBytes: 100_000,
                ServerScript([.open(isSending), .wait(goOn), .drain { _ in }])))
        defer { rig.server.stop() }
        let task = Task {
            try await rig.transcribe(audio: [.file(file, offset: 0, count: file.size)])
        }
        await isSending.wait()
        XCTAssertEqual(truncate(path, 1 << 20), 0)
        goOn.open()
        switch await task.result {
        case .success(let transcript): XCTFail("\(transcript)")
        case .failure(let error):
            XCTAssertEqual(
                error as? OpenFile.Failure, OpenFile.Failure(reason: .changed, path: path))
        }
        XCTAssertFalse(rig.progress.contains(.waiting))
    }

    func testSlowServerIsWaitedForAndLeftAtOnceWhenCancelled() async throws {
        let goOn = Gate()
        let rig = try UploadRig(
            .script(
                ServerScript([.wait(goOn)] + ServerScript.json(200, ["text": "slow"]).steps)))
        defer { rig.server.stop() }
        let task = Task { try await rig.transcribe() }
        await rig.server.waitForUploads(1)
        goOn.open()
        let transcript = try await task.value
        XCTAssertEqual(transcript.text, "slow")

        let never = Gate()
        let slow = try UploadRig(.script(ServerScript([.wait(never), .cut])))
        defer { slow.server.stop() }
        defer { never.open() }
        let waiting = Task { try await slow.transcribe() }
        await slow.server.waitForUploads(1)
        // The server says nothing more: without the cancellation this would not end.
        waiting.cancel()
        switch await waiting.result {
        case .success: XCTFail("not cancelled")
        case .failure(let error): XCTAssertTrue(error is CancellationError, "\(error)")
        }
    }
}
