import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Planner

/// Completing a reminder changes the lines that say so and no other byte.
final class ForeignLinesTests: XCTestCase {
    private func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    }

    func testCompletingKeepsEveryForeignLineOfEveryFixture() throws {
        let owned = [
            "STATUS", "COMPLETED", "PERCENT-COMPLETE", "LAST-MODIFIED", "DTSTAMP", "SEQUENCE",
        ].map { Array($0.utf8) }
        var changedFiles = 0
        for (name, bytes) in try CalendarFixtures.all() {
            let file = try CalendarParser.parse(bytes)
            let found = ReminderComponent.reminders(in: file)
            for reminder in found where file.isTerminated {
                let changed = try XCTUnwrap(
                    try ReminderComponent.completing(
                        reminder, in: file, now: Date(timeIntervalSince1970: 1_800_000_000)))
                changedFiles += 1
                func foreign(_ bytes: [UInt8]) -> [[UInt8]] {
                    lines(bytes).filter { line in
                        !owned.contains {
                            line.starts(with: $0) && line.count > $0.count
                                && (line[$0.count] == 0x3A || line[$0.count] == 0x3B)
                        }
                    }
                }
                XCTAssertEqual(foreign(CalendarWriter.bytes(changed)), foreign(bytes), name)
                let again = ReminderComponent.reminders(
                    in: try CalendarParser.parse(CalendarWriter.bytes(changed)))
                XCTAssertTrue(try XCTUnwrap(again.first { $0.uid == reminder.uid }).completed, name)
            }
        }
        XCTAssertEqual(changedFiles, 13)
    }

    func testCutOffFileIsNotChanged() async throws {
        let folder = try CalendarFolder()
        let bytes = try CalendarFixtures.file("cut-off.ics")
        try folder.put(bytes, "cut-off.ics")
        let actions = folder.server.actions
        let reminder = try await actions.all().reminders[0]
        do {
            _ = try await actions.complete(reminder)
            XCTFail("it was rewritten")
        } catch let error as ICalendarError {
            XCTAssertEqual(error, ICalendarError(.unterminated))
        }
        XCTAssertEqual(try folder.bytes(folder.list + "/cut-off.ics"), bytes)
    }

    func testWhatACompletionWritesIntoADamagedFileCanBeReadAgain() throws {
        for (round, bytes) in try CalendarFixtures.damaged().enumerated() {
            let file = try CalendarParser.parse(bytes)
            for reminder in ReminderComponent.reminders(in: file) where file.isTerminated {
                let changed = try ReminderComponent.completing(
                    reminder, in: file, now: Date(timeIntervalSince1970: 0))
                guard let changed else { continue }
                let again = try CalendarParser.parse(CalendarWriter.bytes(changed))
                XCTAssertEqual(again, changed, "round \(round)")
            }
        }
    }
}
