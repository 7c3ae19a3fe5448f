import Foundation
import XCTest

@testable import Persistence

/// Claims of alerts, in a real database used by several connections.
final class AlertLogTests: XCTestCase {
    private static let now = Date(timeIntervalSince1970: 1_795_262_400)
    private let key = AlertLog.Key(uid: "u", occurrence: "", fires: 1_795_262_400)

    private func log(_ folder: StoreFolder) throws -> AlertLog {
        AlertLog(
            try CalendarDatabase(folder: folder.path + "/state", environment: World().environment)
                .connection())
    }

    private func claim(
        _ log: AlertLog, _ owner: String, after seconds: Double = 0, isGone: Bool = false,
        as state: AlertLog.State = .claimed
    ) throws -> Bool {
        try log.claim(
            key, title: "tea", isEvent: false, as: state, owner: owner,
            now: Self.now.addingTimeInterval(seconds), isGone: { _ in isGone })
    }

    func testOneOfManyConnectionsGetsTheClaim() throws {
        let folder = try StoreFolder()
        let logs = try (0..<5).map { _ in try log(folder) }
        XCTAssertEqual(
            try logs.enumerated().map { try claim($1, "\($0)") },
            [true, false, false, false, false])
        try logs[0].deliver(key, channels: ["terminal", "desktop"], now: Self.now)
        let entry = try XCTUnwrap(try logs[4].entry(key))
        XCTAssertEqual(
            entry,
            AlertLog.Entry(
                key: key, title: "tea", state: .delivered, owner: "0", claimed: Self.now,
                delivered: Self.now, channels: ["terminal", "desktop"]))
        XCTAssertFalse(try claim(logs[1], "1", after: 1e6, isGone: true))
    }

    func testALeaseEndsEarlierWhenItsProcessIsGone() throws {
        for (seconds, isGone, expected) in [
            (4.0, true, false), (5, true, true), (59, false, false), (60, false, true),
            // A clock that was set back.
            (-3600, true, true),
        ] {
            let log = try log(try StoreFolder())
            XCTAssert(try claim(log, "a"))
            XCTAssertEqual(
                try claim(log, "b", after: seconds, isGone: isGone), expected, "\(seconds)")
        }
    }

    func testReleasedItIsFreeAndOnlyItsOwnerReleases() throws {
        let log = try log(try StoreFolder())
        XCTAssert(try claim(log, "a"))
        try log.release(key, owner: "b")
        XCTAssertFalse(try claim(log, "b"))
        try log.release(key, owner: "a")
        XCTAssert(try claim(log, "b"))
    }

    func testAChannelIsAddedOnceAndOnlyWhileItWaitsForAnAnswer() throws {
        let folder = try StoreFolder()
        let (one, two) = (try log(folder), try log(folder))
        XCTAssert(try claim(one, "a"))
        XCTAssertFalse(try two.add(channel: "desktop", to: key))
        try one.deliver(key, channels: ["terminal"], now: Self.now)
        XCTAssert(try two.add(channel: "desktop", to: key))
        XCTAssertFalse(try one.add(channel: "desktop", to: key))
        XCTAssertEqual(try one.entry(key)?.channels, ["terminal", "desktop"])
    }

    func testSnoozedItIsFoundAtWhateverTimeAndPrunedAfterwards() throws {
        let log = try log(try StoreFolder())
        XCTAssert(try claim(log, "a"))
        try log.deliver(key, channels: ["x"], now: Self.now)
        XCTAssertEqual(try log.lastDelivered()?.key, key)
        let later = Self.now.addingTimeInterval(100 * 86_400)
        try log.snooze(key, until: later)
        XCTAssertNil(try log.lastDelivered())
        XCTAssertEqual(try log.entries(since: .distantFuture.addingTimeInterval(-1e10)).count, 1)
        try log.prune(now: Self.now.addingTimeInterval(99 * 86_400))
        XCTAssertEqual(try log.entry(key)?.snoozed, later)
        try log.prune(now: Self.now.addingTimeInterval(102 * 86_400))
        XCTAssertNil(try log.entry(key))
    }

    func testWhatAClockThatWasAheadCalledOldIsTakenOn() throws {
        let log = try log(try StoreFolder())
        XCTAssert(try claim(log, "a", after: 1e6, as: .summarised))
        XCTAssertFalse(try claim(log, "b", after: 1e6))
        XCTAssert(try claim(log, "b"))
    }

    func testTheFirstUseIsNotedOnce() throws {
        let folder = try StoreFolder()
        XCTAssertEqual(try log(folder).firstUse(now: Self.now), Self.now)
        XCTAssertEqual(try log(folder).firstUse(now: .distantFuture), Self.now)
    }
}
