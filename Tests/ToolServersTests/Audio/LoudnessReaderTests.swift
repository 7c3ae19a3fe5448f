import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

final class LoudnessReaderTests: XCTestCase {
    /// 40 ms of silence, 40 ms of a square wave at half of full loudness.
    private func halfLoud(rate: Int) -> [Int16] {
        (0..<(rate / 25)).map { _ in 0 }
            + (0..<(rate / 25)).map { $0 % 2 == 0 ? 16_384 : -16_384 }
    }

    func testEveryEncodingGivesTheSameMap() async throws {
        let files = try SoundFiles()
        _ = try files.wave("speech.wav", rate: 1_000, channels: 2, halfLoud(rate: 2_000))
        // The last window is a short one.
        _ = try files.run(
            "sox", ["speech.wav", "-c", "2", "cut.wav", "trim", "0", "0.07"])
        let encodings: [(String, [String], WaveHeader.Encoding, Int)] = [
            ("u8", ["-e", "unsigned-integer", "-b", "8"], .integer, 8),
            ("s16", ["-b", "16"], .integer, 16), ("s24", ["-b", "24"], .integer, 24),
            ("s32", ["-e", "signed-integer", "-b", "32"], .integer, 32),
            ("f32", ["-e", "floating-point", "-b", "32"], .float, 32),
            ("f64", ["-e", "floating-point", "-b", "64"], .float, 64),
        ]
        for (name, options, encoding, bits) in encodings {
            try files.run("sox", ["-D", "cut.wav"] + options + ["\(name).wav"])
            let file = try AudioFile(files.folder.path("\(name).wav"))
            XCTAssertEqual(file.wave?.encoding, encoding, name)
            XCTAssertEqual(file.wave?.bits, bits, name)
            let map = try await LoudnessReader(file).map()
            XCTAssertEqual(map.rate, 1_000, name)
            XCTAssertEqual(map.frames, 70, name)
            XCTAssertEqual(map.levels, [0, 0, 16_384, 16_384], name)
        }
    }

    func testSamplesThatAreNoNumbersAreLoud() async throws {
        let files = try SoundFiles()
        _ = try files.wave("a.wav", rate: 100, Array(repeating: 0, count: 100))
        try files.run("sox", ["a.wav", "-e", "floating-point", "-b", "32", "f.wav"])
        var bytes = try files.folder.read("f.wav")
        bytes.replaceSubrange((bytes.count - 4)..., with: [0xFF, 0xFF, 0xFF, 0x7F])
        let file = try AudioFile(try files.folder.write(bytes, to: "nan.wav"))
        let map = try await LoudnessReader(file).map()
        XCTAssertEqual(map.levels.last, 65_535)
        XCTAssertEqual(map.levels.dropLast().max(), 0)
    }

    func testARecorderThatWasKilledIsHeardToItsEnd() async throws {
        let files = try SoundFiles()
        let samples = (0..<4_000).map { Int16($0 % 2 == 0 ? 1_000 : -1_000) }
        let path = try files.wave("a.wav", rate: 1_000, samples)
        let whole = try files.folder.read("a.wav")
        for size in [0, 0xFFFF_FFFF, 0x7FFF_0000] {
            var bytes = whole
            bytes.replaceSubrange(
                40..<44, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
            // A kill cuts anywhere, also within a sample.
            bytes.append(0)
            let file = try AudioFile(try files.folder.write(bytes, to: "killed.wav"))
            XCTAssertEqual(file.duration, 4)
            let map = try await LoudnessReader(file).map()
            XCTAssertEqual(map.frames, 4_000)
            XCTAssertEqual(map.levels, Array(repeating: 1_000, count: 200))
        }
        XCTAssertEqual(try AudioFile(path).duration, 4)
    }

    /// A server that takes little has a long recording halved hundreds of times.
    func testHalvingListensToTheRecordingOnceOnly() async throws {
        let files = try SoundFiles()
        let path = try files.wave("a.wav", rate: 100, Array(repeating: 1, count: 1_000))
        let sound = TranscriptionSound.system(variables: [:], limitInBytes: 1_044)
        let audio = try AudioFile(path)
        let pieces = try await sound.pieces(audio, 1_044) { _ in }
        XCTAssertGreaterThan(pieces.count, 1)
        // Now it could not be listened to any more.
        XCTAssertEqual(truncate(path, 500), 0)
        let piece = try XCTUnwrap(pieces.first)
        let halves = try await sound.halves(piece, audio)
        XCTAssertEqual(halves?.map(\.start), [0, try XCTUnwrap(halves?.first?.end)])
        // Another recording is another matter.
        let other = try AudioFile(
            try files.wave("b.wav", rate: 100, Array(repeating: 1, count: 1_000)))
        _ = try await sound.halves(piece, other)
        do {
            _ = try await sound.halves(piece, audio)
            XCTFail("it is shorter now")
        } catch let error as AudioError {
            XCTAssertEqual(error.reason, .file(.changed))
        }
    }

    func testProgressComesInOrderAndEndsWithAll() async throws {
        let files = try SoundFiles()
        let path = try files.wave("a.wav", rate: 8_000, Array(repeating: 1, count: 1_600_000))
        let told = Mutex<[Double]>([])
        _ = try await LoudnessReader(AudioFile(path)).map { done, all in
            XCTAssertEqual(all, 200)
            told.withLock { $0.append(done) }
        }
        let seen = told.withLock { $0 }
        XCTAssertEqual(seen, seen.sorted())
        XCTAssertEqual(seen.last, 200)
        XCTAssertGreaterThan(seen.count, 3)
    }

    func testACancelledReadEndsAtOnce() async throws {
        let files = try SoundFiles()
        let path = try files.wave("a.wav", rate: 8_000, Array(repeating: 1, count: 1_600_000))
        let file = try AudioFile(path)
        let (begun, cancelled) = (Gate(), Gate())
        let calls = Mutex(0)
        let task = Task {
            try await LoudnessReader(file).map { _, _ in
                calls.withLock { $0 += 1 }
                begun.open()
                // On the reader's own thread.
                cancelled.block()
            }
        }
        await begun.wait()
        task.cancel()
        cancelled.open()
        do {
            _ = try await task.value
            XCTFail("a cancelled reader gave a map")
        } catch is CancellationError {}
        XCTAssertEqual(calls.withLock { $0 }, 1)
    }

    func testAConstantUnderTheSoundIsNotHeard() async throws {
        let files = try SoundFiles()
        let sound = halfLoud(rate: 1_000).map { $0 / 2 + 4_000 }
        for (name, options) in [
            ("s16", []), ("u8", ["-e", "unsigned-integer", "-b", "8"]),
            ("f64", ["-e", "floating-point", "-b", "64"]),
        ] {
            let path = try files.wave("a.wav", rate: 1_000, sound)
            try files.run("sox", ["-D", path] + options + ["\(name).wav"])
            let map = try await LoudnessReader(AudioFile(files.folder.path("\(name).wav"))).map()
            XCTAssertEqual(map.levels, [0, 0, 8_192, 8_192], name)
        }
    }

    func testAFileThatShrinksIsNotMeasured() async throws {
        let files = try SoundFiles()
        let path = try files.wave("a.wav", rate: 8_000, Array(repeating: 1, count: 16_000))
        let file = try AudioFile(path)
        XCTAssertEqual(truncate(path, 1_000), 0)
        do {
            _ = try await LoudnessReader(file).map()
            XCTFail("a shorter file was measured")
        } catch let error as AudioError {
            XCTAssertEqual(error, AudioError(reason: .file(.changed), path: path))
        }
    }

    func testWhatCannotBeCutIsSaid() async throws {
        let files = try SoundFiles()
        _ = try files.speech("Hi.")
        let law = try AudioFile(try files.converted("law.wav", ["-c:a", "pcm_mulaw"]))
        XCTAssertEqual(law.wave?.isCuttable, false)
        XCTAssertEqual(law.wave?.encoding, .other(7))
        do {
            _ = try await LoudnessReader(law).map()
            XCTFail("samples of another encoding were measured")
        } catch let error as AudioError {
            XCTAssertEqual(error.reason, .notAccepted(.wav))
        }
    }

    func testMoreThanADayIsTooLong() async throws {
        let folder = try TemporaryFolder()
        // A hole of a day and an hour, at four samples a second.
        let seconds = 25 * 3_600
        let header = SoundFiles.header(rate: 4, channels: 1, dataBytes: seconds * 8)
        let path = try folder.write(header, to: "long.wav")
        XCTAssertEqual(truncate(path, 44 + seconds * 8), 0)
        do {
            _ = try await LoudnessReader(AudioFile(path)).map()
            XCTFail("more than a day was measured")
        } catch let error as AudioError {
            XCTAssertEqual(error.reason, .tooLong(Double(seconds)))
        }
    }

    /// 40 minutes of 16 kHz: 77 MB.
    func testFortyMinutesTakeLessThanTwoSeconds() async throws {
        try XCTSkipIf(
            ProcessInfo.processInfo.environment["CHAT_FULL"] == nil, "long; set CHAT_FULL=1")
        let folder = try TemporaryFolder()
        let count = 40 * 60 * 32_000
        var bytes = SoundFiles.header(rate: 16_000, channels: 1, dataBytes: count)
        bytes += [UInt8](repeating: 7, count: count)
        let file = try AudioFile(try folder.write(bytes, to: "long.wav"))
        let start = ProcessorTime.now()
        let map = try await LoudnessReader(file).map()
        let time = ProcessorTime.now() - start
        print("77 MB measured in \(time)")
        XCTAssertEqual(map.levels.count, 40 * 60 * 50)
        XCTAssertLessThan(time, .seconds(2))
    }
}
