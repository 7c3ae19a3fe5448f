import Base
import Foundation
import ICalendar
import Persistence
import TestSupport
import XCTest

@testable import Planner

/// The person's own command, run for real.
final class HookChannelTests: XCTestCase {
    private func notice(_ title: String) -> AlertNotice {
        let alert = Alert(
            key: AlertLogKey(uid: "u\u{0}1", occurrence: "", fires: 1_795_262_400),
            title: title, isEvent: false,
            time: ItemTime(Date(timeIntervalSince1970: 1_795_262_400), in: LocalTime(.utc)))
        return AlertNotice(
            content: .alert(alert, isLate: false), snoozeMinutes: 10, local: LocalTime(.utc),
            now: Date(timeIntervalSince1970: 1_795_262_400))
    }

    func testTheTitleIsAVariableAndNeverPartOfTheCommand() async throws {
        let folder = try CalendarFolder()
        let hostile = "$(touch \(folder.path)/owned); `id` \"'\\ -rf \u{1B}[2J"
        let channel = HookChannel.channel(
            .line(
                "printf '%s\\n' \"$CHAT_ALERT_TITLE\" \"$CHAT_ALERT_TIME\" \"$CHAT_ALERT_UID\" "
                    + "\"$CHAT_ALERT_KIND\" \"$CHAT_ALERT_TEXT\" \"$SECRET\" >\(folder.path)/out"),
            variables: ["PATH": TestMachine.path, "SECRET": "key"])
        let isTaken = await channel.deliver(notice(hostile))
        XCTAssert(isTaken)
        XCTAssertEqual(
            String(decoding: try folder.bytes(folder.path + "/out"), as: UTF8.self),
            "$(touch \(folder.path)/owned); `id` \"'\\ -rf  [2J\n2026-11-21T12:00:00+00:00\nu 1\n"
                + "alert\n12:00\n\n")
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path + "/owned"))
    }

    func testAHookThatFailsOrIsMissingHasReachedNobody() async {
        let variables = TestMachine.variables
        let failing = HookChannel.channel(.line("exit 3"), variables: variables)
        let isTaken = await failing.deliver(notice("tea"))
        XCTAssertFalse(isTaken)
        let missing = HookChannel.channel(.words(["no-such-program", "x"]), variables: variables)
        XCTAssertEqual(missing.obstacle(), "no-such-program was not found")
        let words = HookChannel.channel(.words(["true"]), variables: variables)
        XCTAssertNil(words.obstacle())
        let isDone = await words.deliver(notice("tea"))
        XCTAssert(isDone)
    }
}
