import Foundation
import TestSupport
import XCTest

@testable import StoryKit

/// How high and bright a voice is.
final class VoiceMeasureTests: XCTestCase {
    /// Harmonics of a tone as 16-bit samples; later ones are louder or softer.
    private func tone(_ pitch: Double, slope: Double, seconds: Double = 1) -> [UInt8] {
        (0..<Int(22_050 * seconds)).flatMap { place -> [UInt8] in
            var value = 0.0
            for harmonic in 1...20 {
                let strength = 3_000 * pow(Double(harmonic), slope)
                value += strength * sin(2 * .pi * pitch * Double(harmonic * place) / 22_050)
            }
            let sample = Int16(max(-32_000, min(32_000, value)))
            return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
    }

    func testTheLowestPitchOfAToneIsFound() throws {
        for pitch in [75.0, 102, 135, 180, 212, 280] {
            let found = try XCTUnwrap(VoiceMeasure(tone(pitch, slope: -1), rate: 22_050).pitch)
            XCTAssertEqual(found, pitch, accuracy: pitch * 0.02)
        }
    }

    func testMoreOverInTheHighIsBrighter() throws {
        let dark = try XCTUnwrap(VoiceMeasure(tone(110, slope: -2), rate: 22_050).centroid)
        let bright = try XCTUnwrap(VoiceMeasure(tone(110, slope: -0.5), rate: 22_050).centroid)
        XCTAssertGreaterThan(bright, dark * 1.15)
        // Of one tone it is the tone.
        let single = (0..<22_050).flatMap { place -> [UInt8] in
            let sample = Int16(8_000 * sin(2 * .pi * 1_000 * Double(place) / 22_050))
            return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        let centre = try XCTUnwrap(VoiceMeasure(single, rate: 22_050).centroid)
        XCTAssertEqual(centre, 1_000, accuracy: 60)
    }

    func testNoiseAndSilenceHaveNoPitch() {
        var seed: UInt32 = 7
        let noise = (0..<44_100).map { _ -> UInt8 in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: seed >> 24)
        }
        XCTAssertNil(VoiceMeasure(noise, rate: 22_050).pitch)
        let silence = VoiceMeasure([UInt8](repeating: 0, count: 44_100), rate: 22_050)
        XCTAssertNil(silence.pitch)
        XCTAssertNil(silence.centroid)
        XCTAssertEqual(VoiceMeasure([], rate: 22_050), VoiceMeasure([1], rate: 22_050))
    }
}
