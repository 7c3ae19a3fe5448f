import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound

final class PieceAudioTests: XCTestCase {
    private func joined(_ slices: [BodySlice]) throws -> [UInt8] {
        try slices.flatMap { slice in
            switch slice {
            case .bytes(let bytes): bytes
            case .file(let file, let offset, let count): try file.read(at: offset, count: count)
            }
        }
    }

    func testPythonReadsEachPieceAsTheFilesOwnSamples() async throws {
        let files = try SoundFiles()
        // Numbered frames, so that any shift shows.
        let path = try files.wave(
            "speech.wav", rate: 100, channels: 2, (0..<40_000).map { Int16($0 % 30_000) })
        for (bits, name) in [(8, "u8"), (16, "s16"), (24, "s24"), (32, "s32")] {
            let wide = files.folder.path("\(name).wav")
            let options = bits == 8 ? ["-e", "unsigned-integer"] : ["-e", "signed-integer"]
            try files.run(
                "sox", ["-D", path] + options + ["-b", String(bits), "\(name).wav"])
            let file = try AudioFile(wide)
            let wave = try XCTUnwrap(file.wave)
            let map = try await LoudnessReader(file).map()
            let limit = 44 + 6_000 * wave.bytesPerFrame
            let pieces = AudioCuts(
                map, bytesPerFrame: wave.bytesPerFrame, limitInBytes: limit
            ).pieces
            XCTAssertGreaterThan(pieces.count, 3)
            var kept: [String] = []
            for (index, piece) in pieces.enumerated() {
                let slices = try XCTUnwrap(PieceAudio.slices(piece, of: file))
                XCTAssertLessThanOrEqual(slices.reduce(0) { $0 + $1.count }, limit)
                kept.append(try files.folder.write(joined(slices), to: "\(index).wav"))
            }
            // All pieces, put together, are the recording.
            let script = """
                import sys, wave
                def samples(path):
                    with wave.open(path) as w:
                        return w.getparams()[:3], w.readframes(w.getnframes())
                params, whole = samples(sys.argv[1])
                found = b""
                for path in sys.argv[2:]:
                    own, frames = samples(path)
                    assert own == params, own
                    found += frames
                print(params, found == whole)
                """
            // sox writes the header of 24 and 32 bits as EXTENSIBLE, which this
            // Python may not read: an own piece of all frames stands for it.
            let all = AudioPiece(start: 0, end: wave.frames)
            let whole = try files.folder.write(
                joined(try XCTUnwrap(PieceAudio.slices(all, of: file))), to: "whole.wav")
            XCTAssertEqual(
                try Python.run(script, arguments: [whole] + kept), "(2, \(bits / 8), 100) True\n",
                name)
            let samples = try files.folder.read("whole.wav").dropFirst(44)
            XCTAssertEqual(
                Array(samples),
                try file.file.read(at: wave.dataOffset, count: wave.frames * wave.bytesPerFrame))
        }
    }

    func testFloatsKeepTheirEncoding() throws {
        let files = try SoundFiles()
        _ = try files.speech("Hi.")
        let file = try AudioFile(try files.converted("f.wav", ["-c:a", "pcm_f32le"]))
        let slices = try XCTUnwrap(
            PieceAudio.slices(AudioPiece(start: 10, end: 210), of: file))
        let path = try files.folder.write(joined(slices), to: "piece.wav")
        let piece = try AudioFile(path)
        XCTAssertEqual(piece.wave?.encoding, .float)
        XCTAssertEqual(piece.wave?.frames, 200)
        XCTAssertEqual(
            try files.run("soxi", ["-s", path]).trimmingCharacters(in: .newlines), "200")
        XCTAssertEqual(
            try files.run("soxi", ["-e", path]).trimmingCharacters(in: .newlines),
            "Floating Point PCM")
    }

    func testAPieceOutsideOfTheFileIsNone() throws {
        let files = try SoundFiles()
        let file = try AudioFile(
            try files.wave("a.wav", rate: 100, Array(repeating: 0, count: 100)))
        for (start, end) in [(-1, 5), (5, 4), (0, 101)] {
            let piece = AudioPiece(start: start, end: end)
            XCTAssertNil(PieceAudio.slices(piece, of: file))
        }
    }

    func testRealSpeechIsCutWhereNobodySpeaks() async throws {
        let files = try SoundFiles()
        let story = (1...40).map { "Sentence number \($0) tells of a dentist and a long walk." }
        let file = try AudioFile(try files.speech(story.joined(separator: " ")))
        let wave = try XCTUnwrap(file.wave)
        let map = try await LoudnessReader(file).map()
        // A limit of 30 seconds.
        let pieces = AudioCuts(
            map, bytesPerFrame: wave.bytesPerFrame,
            limitInBytes: 30 * wave.format.rate * wave.bytesPerFrame
        ).pieces
        XCTAssertGreaterThan(pieces.count, 4)
        for piece in pieces.dropLast() {
            let window = piece.end / map.framesPerWindow
            let around = map.levels[(window - 4)...(window + 4)]
            XCTAssertLessThan(around.max() ?? 0, 100, "\(piece)")
        }
    }
}
