import TestSupport
import XCTest

@testable import Sound

final class LinearResamplerTests: XCTestCase {
    private func samples(_ bytes: [UInt8]) -> [Int] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
        }
    }

    private func bytes(_ samples: [Int]) -> [UInt8] {
        samples.flatMap { sample -> [UInt8] in
            let bits = UInt16(bitPattern: Int16(sample))
            return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
        }
    }

    private func convert(
        _ input: [Int], _ from: PCMFormat, _ to: PCMFormat
    ) -> [Int] {
        var resampler = LinearResampler(from: from, to: to)
        let converted = resampler.convert(bytes(input))
        return samples(converted + resampler.finish())
    }

    func testTwiceTheRatePutsASampleBetweenEachTwo() {
        XCTAssertEqual(
            convert([0, 100, 200, -200], PCMFormat(rate: 100), PCMFormat(rate: 200)),
            [0, 50, 100, 150, 200, 0, -200, -200])
    }

    func testHalfTheRateTakesEachSecond() {
        XCTAssertEqual(
            convert([0, 1, 2, 3, 4, 5], PCMFormat(rate: 200), PCMFormat(rate: 100)), [0, 2, 4])
    }

    func testChannelsAreMixedOrDoubled() {
        XCTAssertEqual(
            convert([10, 30, -32768, -32768], PCMFormat(rate: 8, channels: 2), PCMFormat(rate: 8)),
            [20, -32768])
        XCTAssertEqual(
            convert([10, 20], PCMFormat(rate: 8), PCMFormat(rate: 8, channels: 2)),
            [10, 10, 20, 20])
    }

    func testTheSameFormatStaysByteForByte() {
        let format = PCMFormat(rate: 8)
        var resampler = LinearResampler(from: format, to: format)
        XCTAssertEqual(resampler.convert([1, 2, 3]), [1, 2, 3])
        XCTAssertEqual(resampler.finish(), [])
    }

    func testItDoesNotMatterHowTheSoundIsCut() {
        var random = SplitMix(seed: 11)
        for (from, to) in [(22_050, 24_000), (24_000, 22_050), (48_000, 16_000), (8000, 44_100)] {
            let input = bytes((0..<500).map { _ in Int.random(in: -32768...32767, using: &random) })
            let (from, to) = (PCMFormat(rate: from), PCMFormat(rate: to))
            var whole = LinearResampler(from: from, to: to)
            let expected = whole.convert(input) + whole.finish()
            XCTAssertEqual(
                Double(expected.count / 2), 500 * Double(to.rate) / Double(from.rate), accuracy: 1)
            for _ in 0..<10 {
                var cut = LinearResampler(from: from, to: to)
                var rest = input[...]
                var result: [UInt8] = []
                while !rest.isEmpty {
                    let count = 2 * Int.random(in: 0..<40, using: &random)
                    result += cut.convert(Array(rest.prefix(count)))
                    rest = rest.dropFirst(count)
                }
                XCTAssertEqual(result + cut.finish(), expected)
            }
        }
    }
}
