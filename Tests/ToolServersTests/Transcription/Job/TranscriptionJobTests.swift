import Foundation
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Sound
@testable import Transcription

final class TranscriptionJobTests: XCTestCase {
    private func error(
        _ reason: TranscriptionError.Reason, retryAfter: Double? = nil, sent: Int? = nil
    ) -> TranscriptionError {
        TranscriptionError(reason: reason, host: "here", retryAfter: retryAfter, sentBytes: sent)
    }

    private func lost(_ reason: TransportError.Reason) -> TranscriptionError.Reason {
        .transport(TransportError(reason: reason, host: "here", detail: ""))
    }

    func testARecordingThatFitsIsOneUploadOfTheFileAsItIs() async throws {
        let rig = try JobRig()
        let recording = try rig.recording(seconds: 10)
        let transcriber = ScriptedTranscriber()
        let transcript = try await rig.run(
            recording.path, transcriber, options: JobRig.options(.words, prompt: "Names"))
        rig.assertWhole(transcript, recording)
        let bytes = 44 + recording.frames * 2
        XCTAssertEqual(
            transcriber.calls,
            [.init(bytes: bytes, duration: 10, prompt: "Names", times: .words)])
        XCTAssertEqual(rig.progress, [.sent(bytes: bytes, of: bytes)])
        XCTAssertEqual(rig.names, [], "nothing to go on with")
    }

    /// With them a Whisper gives one segment for many sentences.
    func testWhereTimesAreWantedAPieceIsNotToldTheWordsBefore() async throws {
        for times in [TranscriptionOptions.Times.segments, .words] {
            let rig = try JobRig()
            let recording = try rig.recording()
            let transcriber = ScriptedTranscriber()
            let own = try await rig.run(
                recording.path, transcriber, options: JobRig.options(times, prompt: "Names"))
            XCTAssertEqual(own.text, recording.text)
            let calls = transcriber.calls
            XCTAssertGreaterThanOrEqual(calls.count, 4)
            XCTAssertEqual(Set(calls.map(\.prompt)), ["Names"], "the user's own words stay")
            XCTAssertEqual(Set(calls.map(\.times)), [times])
        }
    }

    func testALongRecordingGoesInPiecesThatKnowTheWordsBefore() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        let transcriber = ScriptedTranscriber()
        let transcript = try await rig.run(
            recording.path, transcriber, options: JobRig.options(.none, prompt: "Names"))
        XCTAssertEqual(transcript.text, recording.text)
        XCTAssertEqual(transcript.duration, 60)
        let calls = transcriber.calls
        XCTAssertGreaterThanOrEqual(calls.count, 4)
        XCTAssertTrue(calls.allSatisfy { $0.bytes <= 30_000 })
        XCTAssertEqual(calls.first?.prompt, "Names")
        let spoken = recording.text
        for call in calls.dropFirst() {
            let prompt = try XCTUnwrap(call.prompt)
            XCTAssertTrue(prompt.hasPrefix("Names "), prompt)
            // Its last word may have been cut.
            let words = prompt.dropFirst(6).split(separator: " ").dropLast().joined(separator: " ")
            XCTAssertTrue(spoken.contains(words), prompt)
            XCTAssertLessThanOrEqual(prompt.count, 206)
        }
        let pieces = rig.progress.filter { if case .piece = $0 { true } else { false } }
        XCTAssertEqual(
            pieces, (1...calls.count).map { .piece($0, of: calls.count, wasDone: false) })
        XCTAssertEqual(rig.names, [], "a job that is done is removed")
    }

    func testSegmentsAloneAndWordsWithoutTimesComeTogetherToo() async throws {
        let rig = try JobRig()
        let recording = try rig.recording(seconds: 120)
        let segments = try await rig.run(
            recording.path, ScriptedTranscriber(), options: JobRig.options(.segments))
        XCTAssertEqual(segments.text, recording.text)
        let text = try await rig.run(
            recording.path, ScriptedTranscriber(), options: JobRig.options(.none))
        XCTAssertEqual(text.text, recording.text)
    }

    func testInterruptedAtEachPieceItGoesOnBehindTheLastFinishedOne() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        var rounds = 0
        while true {
            // Each run finishes one piece; the next upload is interrupted.
            let transcriber = ScriptedTranscriber { number, _ in number == 2 ? .interrupt : .hear }
            do {
                let transcript = try await rig.run(recording.path, transcriber)
                rig.assertWhole(transcript, recording)
                XCTAssertEqual(transcriber.calls.count, 1)
                break
            } catch is CancellationError {
                rounds += 1
                XCTAssertEqual(transcriber.calls.count, 2)
                XCTAssertEqual(rig.unfinished.map(\.done), [rounds])
                XCTAssertEqual(rig.unfinished.map(\.facts.file), [recording.path])
                XCTAssertEqual(rig.unfinished.map(\.isRunning), [false])
            }
            guard rounds < 20 else { return XCTFail("it never ends") }
        }
        XCTAssertGreaterThanOrEqual(rounds, 3)
        XCTAssertEqual(rig.names, [])
        XCTAssertTrue(rig.progress.contains(.piece(1, of: rounds + 1, wasDone: true)))
    }

    /// Forty minutes, as an hour of a lecture: cut, interrupted in each of its
    /// pieces, and whole at the end.
    func testFortyMinutesInterruptedInEveryPieceBecomeOneTranscript() async throws {
        let rig = try JobRig()
        let recording = try rig.recording("lecture.wav", seconds: 2_400, rate: 8_000, seed: 40)
        XCTAssertGreaterThan(recording.words.count, 3_000)
        var (uploads, interrupts) = (0, 0)
        while true {
            let transcriber = ScriptedTranscriber { number, _ in number == 2 ? .interrupt : .hear }
            do {
                let transcript = try await rig.run(
                    recording.path, transcriber, limit: 25_000_000)
                uploads += transcriber.calls.count
                rig.assertWhole(transcript, recording)
                XCTAssertEqual(transcript.duration, 2_400)
                break
            } catch is CancellationError {
                uploads += 1
                interrupts += 1
            }
            guard interrupts < 20 else { return XCTFail("it never ends") }
        }
        XCTAssertGreaterThanOrEqual(uploads, 4)
        XCTAssertEqual(interrupts, uploads - 1, "no finished piece was sent twice")
    }

    // MARK: - Faults

    func testAServerThatIsBusyIsAskedAgainAtEachPiece() async throws {
        for fault in 1...4 {
            let rig = try JobRig()
            let recording = try rig.recording()
            let busy = error(.rateLimited, retryAfter: 7)
            let transcriber = ScriptedTranscriber { number, _ in
                number == fault ? .fail(busy) : .hear
            }
            let transcript = try await rig.run(recording.path, transcriber)
            rig.assertWhole(transcript, recording)
            XCTAssertEqual(rig.waits, [.seconds(7)], "fault \(fault)")
            let index = try XCTUnwrap(rig.progress.firstIndex(of: .restarted))
            XCTAssertEqual(rig.progress[index + 1], .retrying(reason: busy, after: 7, attempt: 2))
        }
    }

    func testThreeFailuresOfTheServerEndTheRunAndLoseNothing() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        let down = error(.serverFailure)
        await assertThrows(down) {
            try await rig.run(
                recording.path,
                ScriptedTranscriber { number, _ in number > 2 ? .fail(down) : .hear })
        }
        XCTAssertEqual(rig.waits.count, 2)
        XCTAssertEqual(rig.unfinished.map(\.done), [2])
        let transcriber = ScriptedTranscriber()
        let transcript = try await rig.run(recording.path, transcriber)
        rig.assertWhole(transcript, recording)
        let total = rig.progress.compactMap {
            if case .piece(_, let total, _) = $0 { total } else { nil }
        }.max()
        XCTAssertEqual(transcriber.calls.count, try XCTUnwrap(total) - 2)
    }

    func testAWaitBeyondPatienceIsNotBegun() async throws {
        let rig = try JobRig()
        let recording = try rig.recording(seconds: 10)
        let busy = error(.rateLimited, retryAfter: 3_600)
        await assertThrows(busy) {
            try await rig.run(recording.path, ScriptedTranscriber { _, _ in .fail(busy) })
        }
        XCTAssertEqual(rig.waits, [])
    }

    func testACutUploadIsSentAgainOnlyWithConsent() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        for cut in [error(lost(.connectionLost), sent: 9_000), error(.cut)] {
            let script: @Sendable (Int, TranscriptionUpload) -> ScriptedTranscriber.Act = {
                number, _ in
                number == 2 ? .fail(cut) : .hear
            }
            let refused = ScriptedTranscriber(script)
            await assertThrows(cut) {
                try await rig.run(recording.path, refused, fresh: true)
            }
            XCTAssertEqual(refused.calls.count, 2)
            let agreed = ScriptedTranscriber(script)
            let transcript = try await rig.run(recording.path, agreed, fresh: true, agrees: true)
            rig.assertWhole(transcript, recording)
        }
        // Nothing had left: no question.
        let away = error(lost(.connectionRefused), sent: 0)
        let transcript = try await rig.run(
            recording.path, ScriptedTranscriber { number, _ in number == 1 ? .fail(away) : .hear })
        rig.assertWhole(transcript, recording)
    }

    func testAPieceThatIsTooLargeIsHalvedAndTheLimitRemembered() async throws {
        for taken in [20_000, 12_000] {
            let rig = try JobRig()
            let recording = try rig.recording()
            let tooLarge = error(.tooLarge)
            let refuses: @Sendable (Int, TranscriptionUpload) -> ScriptedTranscriber.Act = {
                _, upload in
                upload.byteCount > taken ? .fail(tooLarge) : .hear
            }
            let transcriber = ScriptedTranscriber(refuses)
            let transcript = try await rig.run(recording.path, transcriber)
            rig.assertWhole(transcript, recording)
            let refused = transcriber.calls.filter { $0.bytes > taken }.count
            XCTAssertLessThanOrEqual(refused, 4, "of \(transcriber.calls.count)")
            // Also in a run that was interrupted: what was refused is not tried.
            let first = ScriptedTranscriber { number, upload in
                if number == 4 { return .interrupt }
                return refuses(number, upload)
            }
            do {
                _ = try await rig.run(recording.path, first)
                XCTFail("it was interrupted")
            } catch is CancellationError {}
            let second = ScriptedTranscriber(refuses)
            rig.assertWhole(try await rig.run(recording.path, second), recording)
            for call in second.calls where call.bytes > taken {
                XCTAssertFalse(first.calls.contains { $0.bytes == call.bytes }, "tried again")
            }
        }
    }

    func testAWholeFileThatIsTooLargeIsCut() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        let tooLarge = error(.tooLarge)
        let transcriber = ScriptedTranscriber { _, upload in
            upload.byteCount > 50_000 ? .fail(tooLarge) : .hear
        }
        let transcript = try await rig.run(recording.path, transcriber, limit: 25_000_000)
        rig.assertWhole(transcript, recording)
        XCTAssertEqual(transcriber.calls.filter { $0.bytes > 100_000 }.count, 1)
        XCTAssertEqual(rig.names, [])
    }

    func testAServerThatTakesNothingIsNotAskedForEver() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        let tooLarge = error(.tooLarge)
        let transcriber = ScriptedTranscriber { _, _ in .fail(tooLarge) }
        await assertThrows(tooLarge) { try await rig.run(recording.path, transcriber) }
        XCTAssertLessThan(transcriber.calls.count, 12)
    }

    func testARecordingThatGrowsMeanwhileIsRefused() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        let path = recording.path
        let transcriber = ScriptedTranscriber { number, _ in
            if number == 2, let file = FileHandle(forWritingAtPath: path) {
                file.seekToEndOfFile()
                file.write(Data([0, 0]))
            }
            return .hear
        }
        await assertThrows(OpenFile.Failure(reason: .changed, path: path)) {
            try await rig.run(path, transcriber)
        }
        XCTAssertEqual(transcriber.calls.count, 2)
        XCTAssertEqual(rig.unfinished.map(\.done), [1])
    }

    func testWhatIsNoWAVIsConvertedOnceHoweverOftenItIsInterrupted() async throws {
        _ = try TestMachine.find("sox", package: "sox")
        let rig = try JobRig()
        // The rate that a conversion has, so that the samples stay as they are.
        let recording = try rig.recording(seconds: 60, rate: 16_000)
        let path = rig.folder.path("a.aiff")
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sox")
        process.arguments = [recording.path, path]
        try process.run()
        process.waitUntilExit()
        let interrupted = ScriptedTranscriber { number, _ in number == 2 ? .interrupt : .hear }
        do {
            _ = try await rig.run(
                path, interrupted, limit: 500_000, variables: TestMachine.variables)
            XCTFail("it was interrupted")
        } catch is CancellationError {}
        XCTAssertEqual(rig.unfinished.map(\.facts.file), [path])
        // Now there is no program that could convert it.
        let transcript = try await rig.run(
            path, ScriptedTranscriber(), limit: 500_000, variables: ["PATH": "/nonexistent"])
        rig.assertWhole(transcript, recording)
        XCTAssertEqual(rig.names, [], "the converted sound is gone, too")
    }

    func testAWholeFileThatIsNoWAVAndTooLargeForTheServerIsConvertedAndCut() async throws {
        _ = try TestMachine.find("sox", package: "sox")
        let rig = try JobRig()
        let recording = try rig.recording(seconds: 60, rate: 16_000)
        let path = rig.folder.path("a.flac")
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sox")
        process.arguments = [recording.path, path]
        try process.run()
        process.waitUntilExit()
        let bytes = try AudioFile(path).bytes
        let tooLarge = error(.tooLarge)
        let script: @Sendable (Int, TranscriptionUpload) -> ScriptedTranscriber.Act = { _, upload in
            upload.kind == .flac ? .fail(tooLarge) : .hear
        }
        // Without the programs it is said for what they are needed.
        await assertThrows(
            AudioError(
                reason: .needsProgram(["ffmpeg", "sox"], bytes: bytes, limit: bytes - 1),
                path: path)
        ) {
            try await rig.run(path, ScriptedTranscriber(script), limit: 25_000_000)
        }
        XCTAssertEqual(rig.names, [])
        let transcriber = ScriptedTranscriber(script)
        let transcript = try await rig.run(
            path, transcriber, limit: 25_000_000, variables: TestMachine.variables)
        rig.assertWhole(transcript, recording)
        XCTAssertEqual(transcriber.calls.first?.bytes, bytes)
        XCTAssertGreaterThan(transcriber.calls.count, 2)
        XCTAssertTrue(transcriber.calls.dropFirst().allSatisfy { $0.bytes <= 1_000_000 })
        XCTAssertEqual(rig.names, [])
    }

    func testWhatCannotBeCutNamesTheProgramsThatWould() async throws {
        let rig = try JobRig()
        var bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34]
        bytes += [16, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0x03, 0xE8, 0x00, 0xF0, 0, 0, 0x27, 0x10]
        bytes += [UInt8](repeating: 7, count: 40_000)
        let path = try rig.folder.write(bytes, to: "a.flac")
        await assertThrows(
            AudioError(
                reason: .needsProgram(["ffmpeg", "sox"], bytes: bytes.count, limit: 30_000),
                path: path)
        ) {
            try await rig.run(path, ScriptedTranscriber())
        }
        XCTAssertEqual(rig.names, [])
    }
}
