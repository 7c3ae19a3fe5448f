import AgentCore
import Base
import Foundation
import ICalendar
import Synchronization
import XCTest

@testable import Planner

/// Lengths of time people type after /snooze.
final class RungAlertsTests: XCTestCase {
    func testLengthsOfTimeAreReadAsTheyAreTyped() {
        let table: [(String, Int?)] = [
            ("", 10), ("5", 5), ("10m", 10), ("10 min", 10), ("2h", 120), ("1h30m", 90),
            ("1h 30m", 90), ("an hour", 60), ("a day", 1440), ("for 3 hours", 180),
            ("1 week", 10_080), ("0", nil), ("-5", nil), ("soon", nil), ("5x", nil),
            ("99999999999999999999m", nil), ("9999d", nil), ("1h and", nil), ("٣ h", nil),
        ]
        for (text, expected) in table {
            let words = text.split(separator: " ").map(String.init)
            XCTAssertEqual(RungAlerts.minutes(words, standard: 10), expected, text)
        }
    }

    func testAnEventIsPutOffInTheLogAndRingsThen() async throws {
        let folder = try CalendarFolder()
        let rig = AlertRig(folder)
        let start = CalendarMoment.utcText(Date().addingTimeInterval(-1))
        try folder.put(
            Array(
                """
                BEGIN:VCALENDAR
                BEGIN:VEVENT
                UID:e
                SUMMARY:dentist
                DTSTART:\(start)
                BEGIN:VALARM
                ACTION:DISPLAY
                TRIGGER:PT0S
                END:VALARM
                END:VEVENT
                END:VCALENDAR

                """.utf8), "e.ics")
        _ = try await AlertScheduler(rig.dependencies).runOnce()
        XCTAssertEqual(rig.titles, ["dentist"])
        let uid = await rig.dependencies.rung.lastFired()?.uid
        XCTAssertEqual(uid, "e")
        let rang = await rig.dependencies.rung.hasRung(since: .distantPast)
        XCTAssertTrue(rang)
        let rings = await rig.dependencies.rung.hasRung(since: .distantFuture)
        XCTAssertFalse(rings, "not after that")
        let output = try await rig.dependencies.rung.snooze(["1h"])
        XCTAssert(output.lines[0].text.hasPrefix("⏰ dentist · again at "), output.lines[0].text)
        let isOpen = await rig.dependencies.rung.hasRung(since: .distantPast)
        XCTAssertFalse(isOpen, "it was answered")
        let before = AlertRig(folder)
        _ = try await AlertScheduler(before.dependencies).runOnce()
        XCTAssertEqual(before.titles, [])
        let after = AlertRig(folder)
        var dependencies = after.dependencies
        dependencies.environment = AlertRig.system(at: 3601)
        _ = try await AlertScheduler(dependencies).runOnce()
        XCTAssertEqual(after.titles, ["dentist"])
        // It means the one that was snoozed.
        let done = try await rig.dependencies.rung.done()
        XCTAssertEqual(done.lines[0].text, "✓ dismissed: dentist")
    }

    func testWithoutAnAlertThereIsNothingToAnswer() async throws {
        let rig = AlertRig(try CalendarFolder())
        do {
            _ = try await rig.dependencies.rung.done()
            XCTFail("something was done")
        } catch ToolError.failed(let text) {
            XCTAssertEqual(text, "No alert has rung.")
        }
    }

    func testItCanBeAnsweredWhileItIsStillBeingDelivered() async throws {
        let folder = try CalendarFolder()
        try folder.put(
            AlertSchedulerTests.todo("tea", due: Date().addingTimeInterval(-5)), "tea.ics")
        let rig = AlertRig(folder)
        var dependencies = rig.dependencies
        let rung = dependencies.rung
        let answers = Mutex<[String]>([])
        dependencies.delivery = AlertDelivery([
            AlertChannel("slow", isQuick: true) { _ in
                let text = (try? await rung.done())?.lines.map(\.text).joined() ?? "no answer"
                answers.withLock { $0.append(text) }
                return true
            }
        ])
        _ = try await AlertScheduler(dependencies).runOnce()
        XCTAssertEqual(answers.withLock { $0 }, ["✓ done: tea · /undo"])
    }

    func testAnAlertThatNothingTookCannotBeAnswered() async throws {
        let folder = try CalendarFolder()
        try folder.put(
            AlertSchedulerTests.todo("tea", due: Date().addingTimeInterval(-5)), "tea.ics")
        let rig = AlertRig(folder, takes: false)
        _ = try await AlertScheduler(rig.dependencies).runOnce()
        let uid = await rig.dependencies.rung.lastFired()?.uid
        XCTAssertNil(uid)
    }
}
