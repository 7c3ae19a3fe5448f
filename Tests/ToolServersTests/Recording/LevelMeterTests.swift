import Foundation
import XCTest

@testable import Sound

/// What the meter says of sounds whose loudness is known.
final class LevelMeterTests: XCTestCase {
    private let format = PCMFormat(rate: 1_000)

    private func samples(_ values: some Sequence<Int>) -> ArraySlice<UInt8> {
        values.flatMap { value in
            let word = UInt16(bitPattern: Int16(clamping: value))
            return [UInt8(word & 0xFF), UInt8(word >> 8)]
        }[...]
    }

    /// A tone, at a rate of 1,000.
    private func tone(_ decibels: Double, seconds: Double) -> [Int] {
        let amplitude = 32_768 * pow(10, decibels / 20)
        return (0..<Int(seconds * 1_000)).map { Int(amplitude * sin(Double($0) * 0.7)) }
    }

    private func level(_ parts: [Int]...) -> RecordingLevel {
        var meter = LevelMeter(format)
        for part in parts { meter.add(samples(part)) }
        return meter.level
    }

    func testATonesLoudnessIsThreeDecibelsBelowItsPeak() {
        let level = level(tone(-20, seconds: 1))
        XCTAssertEqual(level.peak, -20, accuracy: 0.2)
        XCTAssertEqual(level.loudness, -23, accuracy: 0.3)
        XCTAssertEqual(level.elapsed, 1, accuracy: 0.001)
        XCTAssertFalse(level.isClipping)
        XCTAssertTrue(level.hasHeard)
    }

    func testBarsRiseAtOnceAndFallSlowly() {
        let level = level(tone(-6, seconds: 0.2), [Int](repeating: 0, count: 200))
        XCTAssertEqual(level.loudness, -9 - 8, accuracy: 0.5, "40 dB a second")
        XCTAssertEqual(level.peak, -6 - 3, accuracy: 0.3, "15 dB a second")
    }

    func testHowTheSamplesWereCutDoesNotMatter() {
        let sound = samples(tone(-12, seconds: 0.7) + tone(-40, seconds: 0.9))
        var whole = LevelMeter(format)
        whole.add(sound)
        for size in [2, 6, 98, 100, 102, 1_000] {
            var meter = LevelMeter(format)
            for start in stride(from: 0, to: sound.count, by: size) {
                meter.add(sound[start..<min(start + size, sound.count)])
            }
            XCTAssertEqual(meter.level, whole.level, "\(size) bytes at a time")
        }
    }

    func testTopsThatAreCutOffAreNoticedForASecond() {
        let clipped = tone(-12, seconds: 0.1) + [32_767, 32_767, 32_767, 0]
        XCTAssertTrue(level(clipped + tone(-12, seconds: 0.5)).isClipping)
        XCTAssertFalse(level(clipped + tone(-12, seconds: 1.2)).isClipping)
        XCTAssertFalse(level(tone(-12, seconds: 0.1) + [32_767, -32_768, 0, 32_767]).isClipping)
        XCTAssertTrue(
            level(
                tone(-12, seconds: 0.048) + [-32_768, -32_768], [32_767] + tone(-12, seconds: 0.1)
            )
            .isClipping, "across a window's edge")
    }

    func testSilenceCountsFromTheLastSpeech() {
        let level = level(tone(-20, seconds: 1), tone(-70, seconds: 2))
        XCTAssertEqual(level.silence, 2, accuracy: 0.051)
        XCTAssertTrue(level.hasHeard)
    }

    func testSteadyNoiseIsABackgroundAndSpeechStandsOutOfIt() {
        let noise = tone(-38, seconds: 4)
        XCTAssertEqual(level(noise).silence, 4, accuracy: 1)
        XCTAssertEqual(level(noise, tone(-24, seconds: 0.5)).silence, 0)
        XCTAssertEqual(level(noise, tone(-24, seconds: 0.5), noise).silence, 4, accuracy: 0.051)
    }

    func testNothingLoudIsEverABackground() {
        XCTAssertEqual(level(tone(-15, seconds: 8)).silence, 0)
    }

    func testAClickIsNotSpeech() {
        var sound = [Int](repeating: 0, count: 3_000)
        sound[1_500] = 20_000
        XCTAssertFalse(level(sound).hasHeard)
    }

    func testAMutedMicrophoneIsNoticedAfterTwoSeconds() {
        XCTAssertFalse(level([Int](repeating: 0, count: 1_900)).isMuted)
        XCTAssertTrue(level([Int](repeating: 0, count: 2_000)).isMuted)
        XCTAssertTrue(level((0..<2_000).map { -7 + $0 % 2 }).isMuted, "a flickering last bit")
        XCTAssertFalse(
            level([Int](repeating: 0, count: 3_000), [1, 2, 3], tone(-60, seconds: 0.1)).isMuted)
        XCTAssertFalse(level((0..<2_000).map { $0 % 3 }).isMuted)
    }

    func testNoSamplesAreAtTheBottomOfTheScale() {
        XCTAssertEqual(level([]), RecordingLevel())
        XCTAssertEqual(level([Int](repeating: 0, count: 100)).peak, -96)
    }
}
