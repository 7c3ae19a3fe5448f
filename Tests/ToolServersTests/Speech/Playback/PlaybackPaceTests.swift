import XCTest

@testable import Sound

final class PlaybackPaceTests: XCTestCase {
    func testNoMoreThanASixthOfASecondIsUnderWay() {
        var pace = PlaybackPace()
        var now = 100.0
        var given = 0.0
        for _ in 0..<200 {
            now += pace.wait(for: 0.02, at: now)
            pace.gave(0.02, at: now)
            given += 0.02
            XCTAssertLessThanOrEqual(given - (now - 100), 0.16 + 1e-6)
        }
        XCTAssertEqual(now - 100, 4 - 0.16, accuracy: 0.001)
        XCTAssertEqual(pace.left(at: now), 0.16, accuracy: 0.001)
    }

    func testWhatAPipeHoldsIsYetToBeHeardWhenItHasTakenNothingForAWhile() {
        var pace = PlaybackPace()
        pace.gave(0.16, at: 10)
        pace.filled(0.2, at: 13)
        XCTAssertEqual(pace.left(at: 13), 0.2, accuracy: 1e-9)
        pace.gave(0.02, at: 13)
        XCTAssertEqual(pace.wait(for: 0.02, at: 13.08), 0.0, accuracy: 1e-9)
        XCTAssertEqual(pace.wait(for: 0.02, at: 13), 0.08, accuracy: 1e-9)
    }

    func testAfterASilenceSoundIsHeardFromThenOn() {
        var pace = PlaybackPace()
        pace.gave(0.1, at: 10)
        XCTAssertEqual(pace.left(at: 10.05), 0.05, accuracy: 1e-9)
        XCTAssertEqual(pace.left(at: 60), 0)
        pace.gave(0.1, at: 60)
        XCTAssertEqual(pace.left(at: 60), 0.1, accuracy: 1e-9)
        XCTAssertEqual(pace.wait(for: 0.16, at: 60), 0.1, accuracy: 1e-9)
    }
}
