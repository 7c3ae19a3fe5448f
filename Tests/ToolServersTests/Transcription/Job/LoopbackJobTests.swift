import AgentCore
import Base
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// The whole way: a long recording, real uploads to a server that knows only
/// the bytes it got, and Ctrl-C in between.
final class LoopbackJobTests: XCTestCase {
    private final class Running: Sendable {
        let task = Mutex<Task<Transcript, any Error>?>(nil)
        let uploads = Mutex(0)
    }

    func testFortyMinutesOverRealSocketsInterruptedAndResumedHaveRightTimes() async throws {
        let rig = try JobRig()
        let recording = try rig.recording("lecture.wav", seconds: 2_400, rate: 2_000, seed: 41)
        let running = Running()
        let server = try TranscriptionServerStub { upload in
            let number = running.uploads.withLock { count in
                count += 1
                return count
            }
            guard let body = upload.file?.body else { return .error(400) }
            // Ctrl-C while the second and the fifth upload are with the server.
            if number == 2 || number == 5 {
                running.task.withLock { $0 }?.cancel()
                return .error(500)
            }
            let words = ToneRecording.heard(body).words
            let heard = words.map { TranscriptionServerStub.Segment($0.start, $0.end, $0.text) }
            return .verbose(heard, words: heard)
        }
        defer { server.stop() }
        let transport = CurlTransport()
        defer { transport.shutDown() }
        let client = WhisperClient(
            address: try BaseURL(server.address, allowsPlainHTTP: true), key: { nil },
            transport: transport, environment: rig.environment)
        let job = TranscriptionJob(
            transcriber: client, server: "127.0.0.1", limitInBytes: 5_000_000, folder: rig.jobs,
            environment: rig.environment)
        var interrupts = 0
        var transcript: Transcript?
        while transcript == nil, interrupts < 5 {
            let audio = try AudioFile(recording.path)
            let gate = Gate()
            let task = Task {
                await gate.wait()
                return try await job.run(audio, JobRig.options(.words))
            }
            running.task.withLock { $0 = task }
            gate.open()
            do {
                transcript = try await task.value
            } catch is CancellationError {
                interrupts += 1
            }
        }
        XCTAssertEqual(interrupts, 2)
        rig.assertWhole(try XCTUnwrap(transcript), recording)
        XCTAssertEqual(transcript?.duration, 2_400)
        let names = Set(server.uploads.compactMap { $0.file?.filename })
        XCTAssertEqual(names, ["audio.wav"])
        XCTAssertEqual(rig.names, [])
    }
}
