import Base
import TestSupport
import XCTest

@testable import Sound

/// Recorders' streams, with the headers that real programs write, cut at every
/// byte.
final class RecorderStreamTests: XCTestCase {
    private let samples: [UInt8] = (0..<500).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }

    private func read(
        _ bytes: [UInt8], cutAt cuts: [Int], _ format: PCMFormat = .dictation
    ) throws -> (samples: [UInt8], format: PCMFormat) {
        var stream = RecorderStream(format)
        var result: [UInt8] = []
        for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
            result += try stream.samples(in: Array(bytes[start..<end]))
        }
        return (result, stream.format)
    }

    private func assertReads(
        _ bytes: [UInt8], _ expected: [UInt8], _ format: PCMFormat = .dictation,
        line: UInt = #line
    ) throws {
        for cut in 0...bytes.count {
            let (found, foundFormat) = try read(bytes, cutAt: [cut])
            XCTAssertTrue(found == expected, "cut at \(cut)", line: line)
            XCTAssertEqual(foundFormat, format, line: line)
        }
        let (found, _) = try read(bytes, cutAt: Array(0..<bytes.count))
        XCTAssertTrue(found == expected, "one byte at a time", line: line)
    }

    /// What sox makes of the samples when it writes to a pipe.
    private func sox(_ arguments: [String]) async throws -> [UInt8] {
        let variables = TestMachine.variables
        guard let program = try? Subprocess.find("sox", in: variables) else {
            throw XCTSkip("sox is not installed (Debian: sox)")
        }
        let result = try await Subprocess(
            program: program,
            arguments: [
                "-V0", "-t", "raw", "-e", "signed", "-b", "16", "-L", "-r", "16000", "-c", "1", "-",
            ]
                + arguments + ["-"],
            environment: variables, input: .bytes(samples)
        ).run()
        XCTAssertTrue(result.isSuccess)
        XCTAssertFalse(result.output.isEmpty)
        return result.output
    }

    func testPlainSamplesPassAsTheyAre() throws {
        try assertReads(samples, samples)
    }

    func testAnOddByteAtTheEndIsNoSample() throws {
        try assertReads(samples + [1], samples)
    }

    func testTheHeaderOfAWAVFileIsTakenAway() async throws {
        try await assertReads(sox(["-t", "wav"]), samples)
    }

    func testTheHeaderOfAnAUFileIsTakenAwayAndItsSamplesTurned() async throws {
        let bytes = try await sox(["-t", "au"])
        XCTAssertTrue(bytes.starts(with: ".snd".utf8))
        try assertReads(bytes, samples)
    }

    func testTheLittleEndianAUOfLibsndfileIsRead() throws {
        // As pw-record 1.4 writes it: magic, 24, unknown size, 3, 16000, 1.
        let header: [UInt8] =
            Array("dns.".utf8) + [24, 0, 0, 0, 255, 255, 255, 255, 3, 0, 0, 0]
            + [0x80, 0x3E, 0, 0, 1, 0, 0, 0]
        try assertReads(header + samples, samples)
    }

    func testAnotherRateAndTwoChannelsAreWhatTheHeaderSays() async throws {
        let bytes = try await sox(["-t", "wav", "-c", "2"])
        let (found, format) = try read(bytes, cutAt: [50, 51])
        XCTAssertEqual(format, PCMFormat(rate: 16_000, channels: 2))
        XCTAssertEqual(found.count, 2 * samples.count)
    }

    func testChunksBeforeTheSamplesAreSkipped() async throws {
        let bytes = try await sox(["-t", "wav"])
        let list = Array("LIST".utf8) + [5, 0, 0, 0] + Array("INFOx".utf8) + [0]
        try assertReads(Array(bytes[..<12]) + list + bytes[12...], samples)
    }

    func testSoundThatBeginsLikeAHeaderIsSound() throws {
        for word in ["RIFx", "RIFFnothing at all", "dns,", ".sndx".dropFirst().description] {
            let bytes = Array(word.utf8) + samples
            try assertReads(bytes, Array(bytes.prefix(bytes.count & ~1)))
        }
    }

    func testSamplesOfAnotherKindAreRefused() async throws {
        for arguments in [
            ["-t", "wav", "-b", "24"], ["-t", "wav", "-e", "float", "-b", "32"],
            ["-t", "au", "-e", "mu-law"],
        ] {
            let bytes = try await sox(arguments)
            XCTAssertThrowsError(try read(bytes, cutAt: []), "\(arguments)")
        }
        let endless = Array("RIFF....WAVE".utf8) + Array("LIST".utf8) + [255, 255, 255, 255]
        XCTAssertThrowsError(try read(endless + samples, cutAt: []))
        XCTAssertThrowsError(try read(Array("RIFF....WAVEdata....".utf8) + samples, cutAt: []))
        XCTAssertThrowsError(
            try read(Array(".snd".utf8) + [UInt8](repeating: 255, count: 40), cutAt: []))
    }

    func testNoHeaderOfAnyBytesTraps() {
        var random = SplitMix(seed: 7)
        for _ in 0..<3_000 {
            let word = ["RIFF....WAVEfmt ", "RIFF", ".snd", "dns.", "RIFF....WAVE"].randomElement(
                using: &random)
            let bytes =
                Array((word ?? "").utf8)
                + (0..<60).map { _ in
                    random.once(in: 2) ? 0 : UInt8.random(in: 0...255, using: &random)
                }
            // Either answer is right: it is about not trapping.
            _ = try? read(bytes, cutAt: [17])
        }
    }
}
