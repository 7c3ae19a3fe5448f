import Foundation
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// WAV files whose header says anything at all, taken the whole way: looked at,
/// listened to, cut, halved, and read as they would be sent.
final class HostileWaveTests: XCTestCase {
    private static let words = [0, 1, 2, 7, 8, 16, 44, 255, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF]
    private static let numbers =
        words + [0x10000, 8_000, 1_000_000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF]

    private func wave(_ random: inout SplitMix) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        func word() -> [UInt8] { little(Self.words.randomElement(using: &random) ?? 0, 2) }
        func number() -> [UInt8] { little(Self.numbers.randomElement(using: &random) ?? 0, 4) }
        let isLong = random.once(in: 3)
        var bytes = Array((isLong ? "RF64" : "RIFF").utf8) + number() + Array("WAVE".utf8)
        if isLong {
            bytes += Array("ds64".utf8) + little(28, 4) + number() + number()
            bytes += [0xFF, 0x7F].flatMap { Array(repeating: UInt8($0), count: 4) } + number()
            bytes += number() + number()
        }
        if random.once(in: 4) { bytes += Array("junk".utf8) + number() }
        // Often right, or nothing would be listened to.
        let tag = [1, 1, 1, 3, 0xFFFE, 6].randomElement(using: &random) ?? 1
        let channels = [1, 1, 2, 3, 0, 256, 0xFFFF].randomElement(using: &random) ?? 1
        let size = [1, 2, 3, 4, 8].randomElement(using: &random) ?? 2
        let rate = [1, 7, 49, 50, 51, 8_000, 1_000_000, 0, 0xFFFF_FFFF].randomElement(
            using: &random)
        bytes += Array("fmt ".utf8) + (random.once(in: 6) ? number() : little(16, 4))
        bytes += little(tag, 2) + little(channels, 2) + little(rate ?? 1, 4) + number()
        bytes += random.once(in: 6) ? word() : little(channels * size, 2)
        bytes += random.once(in: 6) ? word() : little(size * 8, 2)
        bytes += Array("data".utf8) + number()
        bytes += (0..<Int.random(in: 0...3_000, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        return bytes
    }

    func testWhateverTheHeaderSaysWhatIsSentIsInTheFile() async throws {
        var random = SplitMix(seed: 5_021)
        let folder = try TemporaryFolder()
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 200 : 20_000
        var heard = 0
        for round in 0..<rounds {
            let bytes = wave(&random)
            // Refusing it is right as well.
            guard let audio = try? AudioFile(try folder.write(bytes, to: "a.wav")) else { continue }
            XCTAssertTrue((0...1e8).contains(audio.duration ?? 0), "round \(round)")
            let limit = [0, 45, 100, 1_000, 25_000_000].randomElement(using: &random) ?? 0
            let sound = TranscriptionSound.system(variables: [:], limitInBytes: limit)
            guard let header = audio.wave, header.isCuttable,
                let pieces = try? await sound.pieces(audio, limit, { _ in })
            else { continue }
            heard += 1
            XCTAssertEqual(pieces.first?.start, 0, "round \(round)")
            XCTAssertEqual(pieces.last?.end, header.frames, "round \(round)")
            for (index, piece) in pieces.enumerated() {
                if index > 0 { XCTAssertEqual(piece.start, pieces[index - 1].end) }
                let slices = try XCTUnwrap(PieceAudio.slices(piece, of: audio))
                let upload = TranscriptionUpload(
                    audio: slices, kind: .wav, options: JobRig.options())
                XCTAssertEqual(try upload.bytes().count, upload.byteCount, "round \(round)")
                XCTAssertTrue(
                    upload.byteCount <= limit || piece.frames == 1, "round \(round): \(piece)")
            }
            for half in try await sound.halves(try XCTUnwrap(pieces.first), audio) ?? [] {
                XCTAssertNotNil(PieceAudio.slices(half, of: audio), "round \(round)")
            }
        }
        XCTAssertGreaterThan(heard, rounds / 20, "most are refused; not all")
    }

    /// The other readers of such headers, which read them from a pipe.
    func testHeadersThatComeInPiecesNeverTrap() {
        var random = SplitMix(seed: 5_022)
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 2_000 : 200_000
        for _ in 0..<rounds {
            var bytes = wave(&random)[...]
            var stream = WaveStream()
            var recorder = RecorderStream(.dictation)
            while !bytes.isEmpty {
                let part = Array(bytes.prefix(Int.random(in: 1...400, using: &random)))
                bytes = bytes.dropFirst(part.count)
                // Either answer is right: it is about not trapping.
                _ = try? stream.feed(part)
                _ = try? recorder.samples(in: part)
            }
        }
    }
}
