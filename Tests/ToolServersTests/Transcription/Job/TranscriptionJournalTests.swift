import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Transcription

final class TranscriptionJournalTests: XCTestCase {
    private let options = JobRig.options()

    /// Leaves a job with that many pieces done.
    private func interrupt(_ rig: JobRig, _ path: String, after pieces: Int) async throws {
        let transcriber = ScriptedTranscriber { number, _ in
            number == pieces + 1 ? .interrupt : .hear
        }
        do {
            _ = try await rig.run(path, transcriber)
            XCTFail("it was interrupted")
        } catch is CancellationError {}
    }

    private func journal(_ rig: JobRig) throws -> String {
        "\(rig.jobs)/\(try XCTUnwrap(rig.names.first))/journal.jsonl"
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try XCTUnwrap(attributes[.posixPermissions] as? Int)
    }

    func testOnlyTheUserCanReadWhatIsKept() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        try await interrupt(rig, recording.path, after: 1)
        let journal = try journal(rig)
        XCTAssertEqual(try mode(journal), 0o600)
        XCTAssertEqual(try mode((journal as NSString).deletingLastPathComponent), 0o700)
        XCTAssertEqual(try mode(rig.jobs), 0o700)
    }

    func testAJournalCutAtAnyByteLosesNoWholeLine() async throws {
        let rig = try JobRig()
        let recording = try rig.recording(seconds: 30)
        try await interrupt(rig, recording.path, after: 2)
        let path = try journal(rig)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let lineEnds = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        XCTAssertEqual(lineEnds.count, 4, "facts, plan, two pieces")
        var random = SplitMix(seed: 77)
        var cuts = (0..<20).map { _ in Int.random(in: 0...whole.count, using: &random) }
        cuts += lineEnds + lineEnds.map { $0 + 1 }
        for cut in cuts {
            try whole.prefix(cut).write(to: URL(fileURLWithPath: path))
            let descriptor = open(path, O_RDONLY)
            let (content, length) = TranscriptionJournal.read(descriptor)
            close(descriptor)
            let lines = lineEnds.filter { $0 < cut }.count
            XCTAssertEqual(content.results.count, max(0, lines - 2), "cut at \(cut)")
            XCTAssertEqual(length, lines == 0 ? 0 : lineEnds[lines - 1] + 1)
        }
        // And a run goes on behind a torn line.
        try whole.dropLast(9).write(to: URL(fileURLWithPath: path))
        let transcriber = ScriptedTranscriber { number, _ in number == 2 ? .interrupt : .hear }
        do {
            _ = try await rig.run(recording.path, transcriber)
            XCTFail("it was interrupted")
        } catch is CancellationError {}
        XCTAssertEqual(rig.unfinished.map(\.done), [2])
        rig.assertWhole(try await rig.run(recording.path, ScriptedTranscriber()), recording)
    }

    func testNumbersThatNoRecordingHasEndTheReading() async throws {
        let rig = try JobRig()
        let recording = try rig.recording(seconds: 30)
        try await interrupt(rig, recording.path, after: 1)
        let path = try journal(rig)
        let whole = try String(contentsOfFile: path, encoding: .utf8)
        let lines = whole.split(separator: "\n").map(String.init)
        let facts = try XCTUnwrap(lines.first)
        let plan = try XCTUnwrap(lines.dropFirst().first)
        let piece = "[0,100]"
        let hostile = [
            "{\"plan\":[[0,9223372036854775807]]}", "{\"plan\":[[0,4611686018427387904]]}",
            // A piece of an earlier version, which overlapped its neighbours.
            "{\"plan\":[[0,1000,0,950],[900,2000,950,2000]]}",
            // A piece in place of itself would never end.
            "{\"split\":\(piece),\"into\":[\(piece),\(piece)]}",
            "{\"split\":\(piece),\"into\":[[0,60],[40,100]]}",
            "{\"split\":\(piece),\"into\":[[0,100],[100,100]]}",
            "{\"limit\":0}", "{\"limit\":-9223372036854775808}",
        ]
        for line in hostile {
            let before = line.contains("plan") ? facts : facts + "\n" + plan
            let kept = before + "\n"
            try Data((kept + line + "\n").utf8).write(to: URL(fileURLWithPath: path))
            let descriptor = open(path, O_RDONLY)
            let length = TranscriptionJournal.read(descriptor).length
            close(descriptor)
            XCTAssertEqual(length, kept.utf8.count, line)
        }
        try Data((facts + "\n" + hostile[0] + "\n").utf8).write(to: URL(fileURLWithPath: path))
        rig.assertWhole(try await rig.run(recording.path, ScriptedTranscriber()), recording)
    }

    func testAFolderThatLeadsNowhereIsAnErrorAndNoEndlessLoop() async throws {
        let rig = try JobRig()
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.path("job"), withDestinationPath: rig.folder.path("gone"))
        let folder = rig.folder.path("job")
        let facts = TranscriptionJournal.Facts(file: "a.wav", bytes: 1, model: "m", server: "s")
        XCTAssertThrowsError(
            try TranscriptionJournal.open(folder: folder, facts: facts, fresh: false)
        ) {
            XCTAssertEqual(
                $0 as? TranscriptionJobError,
                TranscriptionJobError(reason: .storage(ENOENT), path: folder))
        }
    }

    func testOtherOptionsAnotherServerAndAnotherFileAreOtherJobs() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        try await interrupt(rig, recording.path, after: 2)
        let all = ScriptedTranscriber()
        _ = try await rig.run(recording.path, all, options: JobRig.options(.words, prompt: "x"))
        let elsewhere = ScriptedTranscriber()
        _ = try await rig.run(recording.path, elsewhere, server: "there:80")
        XCTAssertEqual(elsewhere.calls.count, all.calls.count)
        XCTAssertEqual(rig.unfinished.map(\.done), [2], "the first waits still")
        // The same bytes under another name are the same job.
        let renamed = rig.folder.path("b.wav")
        try FileManager.default.moveItem(atPath: recording.path, toPath: renamed)
        let rest = ScriptedTranscriber()
        rig.assertWhole(try await rig.run(renamed, rest), recording)
        XCTAssertEqual(rest.calls.count, all.calls.count - 2)
    }

    func testFreshStartsAnew() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        try await interrupt(rig, recording.path, after: 2)
        let transcriber = ScriptedTranscriber()
        rig.assertWhole(try await rig.run(recording.path, transcriber, fresh: true), recording)
        XCTAssertEqual(rig.progress.last.map { _ in transcriber.calls.count >= 4 }, true)
        XCTAssertEqual(rig.names, [])
    }

    func testASecondProcessOnTheSameRecordingIsToldSo() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        let path = recording.path
        let found = Mutex<TranscriptionJobError?>(nil)
        // While the first has its words and keeps them, the second comes.
        let transcript = try await rig.run(path, ScriptedTranscriber()) { _ in
            do {
                _ = try await rig.run(path, ScriptedTranscriber())
            } catch let error as TranscriptionJobError {
                found.withLock { $0 = error }
            }
            XCTAssertEqual(rig.unfinished.map(\.isRunning), [true])
            XCTAssertEqual(TranscriptionJobFolder(path: rig.jobs).clear(), 0)
        }
        rig.assertWhole(transcript, recording)
        XCTAssertEqual(found.withLock { $0 }, TranscriptionJobError(reason: .busy, path: path))
        XCTAssertEqual(rig.names, [])
    }

    func testWhatCannotBeKeptIsNotForgotten() async throws {
        struct DiskFull: Error, Equatable {}
        let rig = try JobRig()
        let recording = try rig.recording()
        await assertThrows(DiskFull()) {
            try await rig.run(recording.path, ScriptedTranscriber()) { _ in throw DiskFull() }
        }
        let transcriber = ScriptedTranscriber()
        rig.assertWhole(try await rig.run(recording.path, transcriber), recording)
        XCTAssertEqual(transcriber.calls.count, 0, "all of it was kept")
    }

    func testJobsAreListedClearedAndForgottenAfterTwoWeeks() async throws {
        let rig = try JobRig()
        let first = try rig.recording()
        let second = try rig.recording("b.wav", seed: 2)
        try await interrupt(rig, first.path, after: 1)
        try await interrupt(rig, second.path, after: 3)
        XCTAssertEqual(Set(rig.unfinished.map(\.facts.file)), [first.path, second.path])
        XCTAssertTrue(rig.unfinished.allSatisfy { $0.of >= 4 })
        // A stranger's folder stays.
        try FileManager.default.createDirectory(
            atPath: rig.jobs + "/mine", withIntermediateDirectories: false)
        let folder = TranscriptionJobFolder(path: rig.jobs)
        let changed = try XCTUnwrap(rig.unfinished.map(\.changed).max())
        folder.prune(now: changed + 13.9 * 86_400)
        XCTAssertEqual(rig.unfinished.count, 2)
        folder.prune(now: changed + 14.1 * 86_400)
        XCTAssertEqual(rig.names, ["mine"])
        try await interrupt(rig, first.path, after: 1)
        XCTAssertEqual(folder.clear(), 1)
        XCTAssertEqual(rig.names, ["mine"])
        XCTAssertEqual(folder.clear(), 0)
    }

    func testAFolderThatCannotBeWrittenIsSaidBeforeAByteIsSent() async throws {
        let rig = try JobRig()
        let recording = try rig.recording()
        try rig.folder.write("x".utf8, to: "state")
        let transcriber = ScriptedTranscriber()
        do {
            _ = try await rig.run(recording.path, transcriber)
            XCTFail("there is no folder")
        } catch let error as TranscriptionJobError {
            guard case .storage = error.reason else { return XCTFail("\(error)") }
        }
        XCTAssertEqual(transcriber.calls.count, 0)
    }
}
