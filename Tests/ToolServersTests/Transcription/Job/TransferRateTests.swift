import Foundation
import TestSupport
import XCTest

@testable import Transcription

/// How fast an upload goes and when it will be done.
final class TransferRateTests: XCTestCase {
    func testASteadyUploadIsToldExactly() throws {
        var rate = TransferRate()
        for step in 0...100 {
            rate.note(step * 100_000, of: 20_000_000, at: Double(step) / 10)
        }
        XCTAssertEqual(try XCTUnwrap(rate.perSecond(at: 10)), 1_000_000, accuracy: 1)
        XCTAssertEqual(try XCTUnwrap(rate.secondsLeft(at: 10)), 10, accuracy: 0.5)
        // Between two events it goes on counting down.
        XCTAssertEqual(try XCTUnwrap(rate.secondsLeft(at: 12)), 8, accuracy: 0.5)
        XCTAssertEqual(rate.secondsLeft(at: 1_000), 0)
    }

    func testNothingIsToldBeforeThereIsSomethingToGoBy() {
        var rate = TransferRate()
        XCTAssertNil(rate.perSecond(at: 0))
        XCTAssertNil(rate.secondsLeft(at: 0))
        rate.note(0, of: 1_000, at: 0)
        rate.note(500, of: 1_000, at: 0.5)
        XCTAssertNil(rate.perSecond(at: 0.5))
        XCTAssertNil(rate.secondsLeft(at: 0.5))
    }

    /// A network that stutters: 0 or 200 KB every tenth of a second.
    func testWhatIsShownDoesNotJumpWhenTheNetworkStutters() throws {
        var chance = SplitMix(seed: 11)
        var rate = TransferRate()
        var bytes = 0
        var before: Double?
        for step in 0..<600 {
            bytes += Bool.random(using: &chance) ? 200_000 : 0
            let now = Double(step) / 10
            rate.note(bytes, of: 100_000_000, at: now)
            guard let left = rate.secondsLeft(at: now), now > 3 else { continue }
            if let before { XCTAssertLessThan(abs(left - before), 3, "at \(now)") }
            before = left
        }
        let left = try XCTUnwrap(before)
        XCTAssertEqual(left, Double(100_000_000 - bytes) / 1_000_000, accuracy: 12)
    }

    func testAStandstillIsSlowAndASecondAttemptBeginsAnew() throws {
        var rate = TransferRate()
        rate.note(0, of: 10_000_000, at: 0)
        rate.note(2_000_000, of: 10_000_000, at: 2)
        rate.note(2_000_000, of: 10_000_000, at: 30)
        rate.note(2_000_000, of: 10_000_000, at: 40)
        XCTAssertEqual(rate.perSecond(at: 40), 0)
        rate.note(0, of: 10_000_000, at: 41)
        XCTAssertNil(rate.secondsLeft(at: 41))
    }

    func testManyEventsTakeNoMoreMemory() {
        var rate = TransferRate()
        for step in 0..<100_000 { rate.note(step, of: 100_000, at: Double(step) / 10_000) }
        XCTAssertLessThan(
            Mirror(reflecting: rate).children.reduce(0) {
                $0 + (($1.value as? [Any])?.count ?? 0)
            }, 80)
    }

    func testSeveralPiecesAreToldByThoseThatWereSent() throws {
        var progress = TranscriptionMeter(title: "")
        progress.take(.piece(1, of: 4, wasDone: true), at: 0)
        progress.take(.piece(2, of: 4, wasDone: false), at: 0)
        XCTAssertNil(progress.secondsLeft(at: 1))
        progress.take(.sent(bytes: 10, of: 10), at: 5)
        progress.take(.waiting, at: 5)
        progress.take(.piece(3, of: 4, wasDone: false), at: 20)
        XCTAssertEqual(try XCTUnwrap(progress.secondsLeft(at: 20)), 40, accuracy: 0.1)
        XCTAssertEqual(try XCTUnwrap(progress.secondsLeft(at: 30)), 30, accuracy: 0.1)
        XCTAssertEqual(try XCTUnwrap(progress.fraction), 0.5, accuracy: 0.001)
        // Slower than the one before: it does not go below what is to come.
        XCTAssertEqual(try XCTUnwrap(progress.secondsLeft(at: 60)), 20, accuracy: 0.1)
    }
}
