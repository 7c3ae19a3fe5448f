import Base
import Foundation
import ICalendar
import Persistence
import XCTest

@testable import Planner

/// What is to be done at each instant, whatever the clock does.
final class AlertPlanTests: XCTestCase {
    private static let noon = 1_795_262_400.0

    private func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: Self.noon + seconds) }

    private func alert(_ uid: String, _ seconds: Double) -> Alert {
        Alert(
            key: AlertLog.Key(uid: uid, occurrence: "", fires: Int64(Self.noon + seconds)),
            title: uid, isEvent: false, time: .time(CivilDateTime(secondsAsUTC: 0), zone: .utc))
    }

    private func entry(
        _ alert: Alert, _ state: AlertLog.State, claimed: Double = 0, snoozed: Double? = nil
    ) -> AlertLog.Entry {
        AlertLog.Entry(
            key: alert.key, title: "", state: state, owner: "o", claimed: at(claimed),
            snoozed: snoozed.map(at))
    }

    private func plan(
        _ alerts: [Alert], _ entries: [AlertLog.Entry] = [], now: Double = 0,
        since: Double = -1e9, delay: Double = 0, isGone: Bool = false
    ) -> String {
        let plan = AlertPlan(
            alerts: alerts, entries: entries, now: at(now), since: at(since), lateHours: 12,
            delay: delay, isGone: { _ in isGone })
        func names(_ alerts: [Alert]) -> String { alerts.map(\.uid).joined(separator: ",") }
        let next = plan.next.map { "\(Int($0.timeIntervalSince1970 - Self.noon))" } ?? "-"
        return "due \(names(plan.due)) late \(names(plan.late)) older \(names(plan.older)) "
            + "next \(next)"
    }

    func testTimeDecidesBetweenDueLateOlderAndForgotten() {
        let table: [(seconds: Double, expected: String)] = [
            (10, "due  late  older  next 10"), (0, "due a late  older  next -"),
            (-119, "due a late  older  next -"), (-120, "due  late a older  next -"),
            (-12 * 3600 + 1, "due  late a older  next -"),
            (-12 * 3600, "due  late  older a next -"),
            (-13 * 86_400, "due  late  older a next -"),
            (-14 * 86_400, "due  late  older  next -"),
        ]
        for (seconds, expected) in table {
            XCTAssertEqual(plan([alert("a", seconds)]), expected, "\(seconds)")
        }
    }

    func testWhatWasOverBeforeTheFirstUseIsNotMentioned() {
        let alerts = [alert("a", -2 * 86_400), alert("b", -3600), alert("c", -10)]
        XCTAssertEqual(plan(alerts, since: 0), "due c late b older  next -")
        XCTAssertEqual(plan(alerts, since: -3 * 86_400), "due c late b older a next -")
    }

    func testManyLateOnesAreTheLatestAndALine() {
        let alerts = (1...8).map { alert("\($0)", Double($0 * 60 - 3600)) }
        XCTAssertEqual(plan(alerts), "due  late 4,5,6,7,8 older 1,2,3 next -")
    }

    func testWhatWasGivenOrSeenIsOver() {
        let alert = alert("a", -5)
        for state in [AlertLog.State.delivered, .dismissed, .summarised] {
            XCTAssertEqual(plan([alert], [entry(alert, state)]), "due  late  older  next -")
        }
    }

    func testAClaimIsLeftAloneUntilItsProcessIsGone() {
        let alert = alert("a", -5)
        let entry = entry(alert, .claimed, claimed: -3)
        XCTAssertEqual(plan([alert], [entry]), "due  late  older  next 60")
        XCTAssertEqual(plan([alert], [entry], isGone: true), "due  late  older  next 5")
        XCTAssertEqual(plan([alert], [entry], now: 2, isGone: true), "due a late  older  next -")
        XCTAssertEqual(plan([alert], [entry], now: 56), "due  late  older  next 116")
    }

    func testASnoozedOneRingsAgainOnceAsLongAsItIsThere() {
        let alert = alert("a", -5)
        let snoozed = entry(alert, .dismissed, snoozed: 600)
        XCTAssertEqual(plan([alert], [snoozed]), "due  late  older  next 600")
        XCTAssertEqual(plan([alert], [snoozed], now: 600), "due a late  older  next -")
        let again = entry(alert.moved(to: at(600)), .dismissed, snoozed: 1200)
        XCTAssertEqual(plan([alert], [snoozed, again], now: 700), "due  late  older  next 1200")
        let rung = entry(alert.moved(to: at(600)), .delivered)
        XCTAssertEqual(plan([alert], [snoozed, rung], now: 700), "due  late  older  next -")
        // Deleted, or moved to another time.
        XCTAssertEqual(plan([], [snoozed], now: 600), "due  late  older  next -")
    }

    /// An event that was changed after it had rung ahead does not ring at its start too.
    func testWhatRangAheadDoesNotRingAtTheStart() {
        var start = alert("a", 0)
        let ahead = alert("a", -600)
        start.insteadOf = ahead.key
        XCTAssertEqual(plan([start]), "due a late  older  next -")
        XCTAssertEqual(plan([start], [entry(ahead, .delivered)]), "due  late  older  next -")
        start.insteadOf = start.key
        XCTAssertEqual(plan([start]), "due a late  older  next -")
    }

    func testAHeadStartIsLeftToOthers() {
        let alert = alert("a", 10)
        XCTAssertEqual(plan([alert], now: 0, delay: 1.5), "due  late  older  next 11")
        XCTAssertEqual(plan([alert], now: 11, delay: 1.5), "due  late  older  next 11")
        XCTAssertEqual(plan([alert], now: 11.5, delay: 1.5), "due a late  older  next -")
    }

    /// C5: whatever the clock does, each rings once, and none is lost.
    func testClockJumpsNeitherRepeatNorLoseAnAlert() {
        let jumps: [Double] = [
            -3600, 3600, -86_400, 86_400, -315_360_000, 315_360_000,
        ]
        for jump in jumps {
            let alerts = [alert("past", -30), alert("soon", 1800), alert("later", 40_000)]
            var log: [AlertLog.Key: AlertLog.Entry] = [:]
            var rung: [String: Int] = [:]
            func look(_ now: Double) {
                let plan = AlertPlan(
                    alerts: alerts, entries: Array(log.values), now: at(now), since: at(-1e9),
                    lateHours: 12)
                for alert in plan.due + plan.late {
                    rung[alert.uid, default: 0] += 1
                    log[alert.key] = entry(alert, .delivered, claimed: now)
                }
                for alert in plan.older { log[alert.key] = entry(alert, .summarised, claimed: now) }
            }
            look(0)
            look(jump)
            look(60)
            look(1800)
            look(40_000)
            XCTAssertEqual(rung, ["past": 1, "soon": 1, "later": 1], "a jump of \(jump) s")
        }
    }
}
