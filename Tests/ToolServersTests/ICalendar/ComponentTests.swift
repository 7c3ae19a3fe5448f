import XCTest

@testable import ToolServers

/// An edit changes its line and no other byte.
final class ComponentTests: XCTestCase {
    private func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    }

    func testCompletingKeepsEveryForeignLineOfEveryFixture() throws {
        let owned = [
            "STATUS", "COMPLETED", "PERCENT-COMPLETE", "LAST-MODIFIED", "DTSTAMP", "SEQUENCE",
        ].map { Array($0.utf8) }
        var changedFiles = 0
        for (name, bytes) in try CalendarFolder.fixtures() {
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
        let bytes = try CalendarFolder.fixture("cut-off.ics")
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

    func testNewPropertyGoesBeforeComponentsWithTheFilesLineEnding() throws {
        let text = "BEGIN:VTODO\nUID:1\nBEGIN:VALARM\nEND:VALARM\nX:1\nEND:VTODO\n"
        var file = try CalendarParser.parse(Array(text.utf8))
        var todo = try XCTUnwrap(file.components("VTODO").first)
        todo.set("SUMMARY", value: "x")
        file.items = [.component(todo)]
        XCTAssertEqual(
            String(decoding: CalendarWriter.bytes(file), as: UTF8.self),
            "BEGIN:VTODO\nUID:1\nSUMMARY:x\nBEGIN:VALARM\nEND:VALARM\nX:1\nEND:VTODO\n")
    }

    func testSettingTheSameValueKeepsOddFolding() throws {
        let text = "BEGIN:VTODO\r\nSUM\r\n MARY:a\r\n b\r\nEND:VTODO\r\n"
        let file = try CalendarParser.parse(Array(text.utf8))
        var todo = try XCTUnwrap(file.components("VTODO").first)
        let before = todo
        todo.set("SUMMARY", value: "ab")
        XCTAssertEqual(todo, before)
        todo.remove("SUMMARY")
        XCTAssertNil(todo.first("SUMMARY"))
    }

    func testSettingTheSameMomentKeepsTheBytesOfItsParameters() throws {
        let text = "BEGIN:VTODO\r\nDUE;tzid=\"Europe/Oslo\":20260305T170000\r\nEND:VTODO\r\n"
        let file = try CalendarParser.parse(Array(text.utf8))
        let todo = try XCTUnwrap(file.components("VTODO").first)
        func set(_ zone: String) throws -> Component {
            var changed = todo
            let moment = CalendarMoment(value: "20260305T170000", zone: zone)
            changed.set("DUE", try XCTUnwrap(moment))
            return changed
        }
        XCTAssertEqual(try set("Europe/Oslo"), todo)
        XCTAssertEqual(
            try set("Europe/Rome").first("DUE").map { String(decoding: $0.content, as: UTF8.self) },
            "DUE;TZID=Europe/Rome:20260305T170000")
    }
}
