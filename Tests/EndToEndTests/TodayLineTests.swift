import Foundation
import TestSupport
import XCTest

/// The line that the first launch of a day shows.
final class TodayLineTests: XCTestCase {
    func testTheFirstLaunchOfADaySaysWhatItHasUnlessThatIsTurnedOff() throws {
        let chat = try ChatProgram()
        try chat.prepare("state/today", "2026-01-01")
        try chat.putReminder("water the plants", dueIn: -5 * 86_400)
        let first = try ChatTerminal(chat)
        try first.waitFor("today: 1 overdue · /today")
        first.leave()
        let second = try ChatTerminal(chat)
        try second.waitForPrompt()
        // It would have come before this: the file is read first.
        try second.enter("/today --line", until: "today: 1 overdue")
        XCTAssertFalse(second.transcript.contains { $0.contains("· /today") })
        second.leave()

        try chat.prepare("state/today", "2026-01-01")
        try chat.prepare("config.json", #"{ "today": "off" }"#)
        let off = try ChatTerminal(chat)
        try off.waitForPrompt()
        try off.enter("/today --line", until: "today: 1 overdue")
        XCTAssertFalse(off.transcript.contains { $0.contains("· /today") })
        off.leave()
        XCTAssertEqual(
            try String(contentsOfFile: chat.file("state/today"), encoding: .utf8), "2026-01-01")
    }
}
