import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// A job in a temporary folder whose waits are over at once.
final class JobRig: Sendable {
    let folder: TemporaryFolder
    let clock = ManualClock()
    private let state = Mutex((progress: [TranscriptionProgress](), waits: [Duration]()))

    init() throws { folder = try TemporaryFolder() }

    var jobs: String { folder.path("state/transcriptions") }
    var progress: [TranscriptionProgress] { state.withLock { $0.progress } }
    var waits: [Duration] { state.withLock { $0.waits } }

    var environment: Base.Environment {
        var environment = clock.environment
        environment.sleep = { [self, clock] wait in
            // What is shown is not drawn again and again.
            if wait == .milliseconds(200) { return try await clock.environment.sleep(wait) }
            state.withLock { $0.waits.append(wait) }
            try Task.checkCancellation()
        }
        return environment
    }

    func recording(
        _ name: String = "a.wav", seconds: Double = 60, rate: Int = 1_000, seed: UInt64 = 1
    ) throws -> ToneRecording {
        try ToneRecording(folder.path(name), seconds: seconds, rate: rate, seed: seed)
    }

    static func options(
        _ times: TranscriptionOptions.Times = .words, prompt: String? = nil
    ) -> TranscriptionOptions {
        TranscriptionOptions(model: "whisper-1", prompt: prompt, times: times)
    }

    func run(
        _ path: String, _ transcriber: ScriptedTranscriber, limit: Int = 30_000,
        options: TranscriptionOptions = JobRig.options(), server: String = "here:80",
        fresh: Bool = false, agrees: Bool = false,
        variables: [String: String] = ["PATH": "/nonexistent"],
        keeping: @escaping @Sendable (Transcript) async throws -> Void = { _ in }
    ) async throws -> Transcript {
        var environment = environment
        environment.variables = variables
        let job = TranscriptionJob(
            transcriber: transcriber, server: server, limitInBytes: limit, folder: jobs,
            environment: environment, mayRetry: { _ in agrees })
        let audio = try AudioFile(path)
        // It waits until the transcriber knows whom to cancel.
        let gate = Gate()
        let task = Task {
            await gate.wait()
            return try await job.run(audio, options, fresh: fresh, keeping: keeping) { progress in
                self.state.withLock { $0.progress.append(progress) }
            }
        }
        transcriber.runs(in: task)
        gate.open()
        return try await task.value
    }

    var unfinished: [TranscriptionJobFolder.Job] { TranscriptionJobFolder(path: jobs).jobs() }

    /// Names in the folder of jobs.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: jobs)) ?? []).sorted()
    }

    func assertWhole(
        _ transcript: Transcript, _ recording: ToneRecording, file: StaticString = #filePath,
        line: UInt = #line
    ) {
        XCTAssertEqual(transcript.text, recording.text, file: file, line: line)
        let said = recording.transcriptWords
        XCTAssertEqual(transcript.words.map(\.text), said.map(\.text), file: file, line: line)
        for (word, said) in zip(transcript.words, said)
        where abs(word.start - said.start) > 0.05 || abs(word.end - said.end) > 0.05 {
            XCTFail("\(word) is not at \(said.start)", file: file, line: line)
            return
        }
    }
}

func assertThrows<Failure: Error & Equatable>(
    _ wanted: Failure, file: StaticString = #filePath, line: UInt = #line,
    _ body: () async throws -> some Any
) async {
    do {
        _ = try await body()
        XCTFail("nothing was thrown", file: file, line: line)
    } catch let error as Failure {
        XCTAssertEqual(error, wanted, file: file, line: line)
    } catch {
        XCTFail("\(error)", file: file, line: line)
    }
}
