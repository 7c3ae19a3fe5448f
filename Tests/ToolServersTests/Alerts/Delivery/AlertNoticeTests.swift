import Base
import Foundation
import ICalendar
import Persistence
import XCTest

@testable import Planner

typealias AlertLogKey = AlertLog.Key

/// What people read.
final class AlertNoticeTests: XCTestCase {
    private let noon = Date(timeIntervalSince1970: 1_795_262_400)

    private func alert(_ title: String, _ rings: Double, at time: Double, isEvent: Bool = false)
        -> Alert
    {
        Alert(
            key: AlertLogKey(uid: "u", occurrence: "", fires: Int64(1_795_262_400 + rings)),
            title: title, isEvent: isEvent,
            time: ItemTime(noon.addingTimeInterval(time), in: LocalTime(.utc)))
    }

    private func line(_ content: AlertNotice.Content, hints: Bool = true) -> String {
        AlertNotice(content: content, snoozeMinutes: 10, local: LocalTime(.utc), now: noon)
            .line(hints: hints).text
    }

    func testTheLineSaysWhenAndWhatAndHowToAnswer() {
        let late = alert("call mom", -7200, at: -7200)
        let table: [(AlertNotice.Content, String)] = [
            (
                .alert(alert("bread", 0, at: 0), isLate: false),
                "⏰ 12:00  bread · /done · /snooze 10m"
            ),
            (
                .alert(alert("dentist", 0, at: 900, isEvent: true), isLate: false),
                "⏰ in 15 min, 12:15  dentist · /snooze 10m"
            ),
            (.alert(late, isLate: true), "⏰ missed at 10:00  call mom · /done · /snooze 10m"),
            (
                .alert(alert("x", -86_400, at: 0), isLate: true),
                "⏰ missed at yesterday 12:00  x · /done · /snooze 10m"
            ),
            (.older([late]), "⏰ 1 older alert was missed · call mom · /reminders list overdue"),
            (
                .older([late, late, late, late]),
                "⏰ 4 older alerts were missed · call mom, call mom, call mom, … "
                    + "· /reminders list overdue"
            ),
            (
                .alert(alert("", 0, at: 0), isLate: false),
                "⏰ 12:00  a reminder · /done · /snooze 10m"
            ),
        ]
        for (content, expected) in table { XCTAssertEqual(line(content), expected) }
        XCTAssertEqual(
            line(.alert(alert("bread", 0, at: 0), isLate: false), hints: false), "⏰ 12:00  bread")
    }

    func testATitleIsOneBoundedLineThatTurnsNothing() {
        let title = AlertNotice.title(
            alert("a\u{1B}[2J\u{202E}b\nc\u{9B}d\u{0}", 0, at: 0))
        XCTAssertEqual(title, "a [2Jb c d")
        let long = AlertNotice.title(alert(String(repeating: "x", count: 9_999), 0, at: 0))
        XCTAssertEqual(long.count, AlertNotice.titleLimit)
    }
}
