import TestSupport
import XCTest

@testable import Sound

final class SampleTests: XCTestCase {
    func testEveryCutOfAWaveGivesTheSameSamples() throws {
        let wave = Array(EspeakFaultTests.wave(seconds: 1).prefix(144))
        for cut in 0...wave.count {
            var stream = WaveStream()
            let first = try stream.feed(Array(wave[..<cut]))
            let second = try stream.feed(Array(wave[cut...]))
            XCTAssertEqual(first + second, Array(wave.dropFirst(44)), "cut at \(cut)")
            XCTAssertEqual(stream.format, PCMFormat(rate: 22_050))
        }
    }

    func testWhatIsNoPlainWaveIsRefusedAndNothingTraps() {
        let wave = Array(EspeakFaultTests.wave(seconds: 1).prefix(60))
        func problem(_ bytes: [UInt8]) -> WaveStream.Problem? {
            var stream = WaveStream()
            do {
                _ = try stream.feed(bytes)
                return nil
            } catch { return error }
        }
        XCTAssertEqual(problem(Array("hello".utf8)), .notWave)
        var eightBits = wave
        eightBits[34] = 8
        XCTAssertEqual(problem(eightBits), .notPlain)
        var random = SplitMix(seed: 11)
        for _ in 0..<2_000 {
            var bytes = wave
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<44, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            _ = problem(bytes)
        }
    }

    func testGainIsTheSameHoweverTheSamplesAreCutAndNeverClips() {
        let samples = (0..<600).map { UInt8(truncatingIfNeeded: $0 * 37) }
        var whole = SampleGain(1.7, format: PCMFormat(rate: 8_000, channels: 2))
        let expected = whole.take(samples)
        XCTAssertEqual(expected.count, 600)
        for size in [1, 3, 5, 64] {
            var gain = SampleGain(1.7, format: PCMFormat(rate: 8_000, channels: 2))
            var bytes: [UInt8] = []
            for start in stride(from: 0, to: 600, by: size) {
                bytes += gain.take(Array(samples[start..<min(600, start + size)]))
            }
            XCTAssertEqual(bytes, expected)
        }
        var loud = SampleGain(8, format: PCMFormat(rate: 8_000))
        XCTAssertEqual(
            loud.take([0xFF, 0x7F, 0x00, 0x80, 0x00, 0x20]),
            [0xFF, 0x7F, 0x00, 0x80, 0x14, 0x72])
    }
}
