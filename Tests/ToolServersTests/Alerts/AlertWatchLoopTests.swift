import XCTest

@testable import Planner

/// When the thread of the watch wakes by itself.
final class AlertWatchLoopTests: XCTestCase {
    func testWithNothingToTellItWakesOnceAMinute() {
        var wakes = AlertWakes(at: 100)
        XCTAssertEqual(wakes.pause(from: 100), 60)
        XCTAssertEqual(wakes.due(at: 159.9), [])
        XCTAssertEqual(wakes.due(at: 160.5), .tick)
        XCTAssertEqual(wakes.pause(from: 160.5), 60)
        // A machine that slept is behind by one tick, not by many.
        XCTAssertEqual(wakes.due(at: 10_000), .tick)
        XCTAssertEqual(wakes.due(at: 10_000), [])
    }

    func testChangesAreToldOnceTheyPauseAndThoseThatNeverPauseAfterAWhile() {
        var wakes = AlertWakes(at: 0)
        wakes.changed(at: 1, quiet: 0.5)
        XCTAssertEqual(wakes.pause(from: 1), 0.5)
        wakes.changed(at: 1.25, quiet: 0.5)
        XCTAssertEqual(wakes.due(at: 1.5), [])
        XCTAssertEqual(wakes.due(at: 1.75), .files)
        XCTAssertEqual(wakes.pause(from: 1.75), 58.25)
        for step in 0..<100 { wakes.changed(at: 2 + Double(step) / 4, quiet: 0.5) }
        XCTAssertEqual(wakes.pause(from: 2), 4)
        XCTAssertEqual(wakes.due(at: 6), .files)
    }
}
