import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Planner

/// What is deleted comes back, and what only looks like something else than a deletion is
/// refused. `PlantedOrderTests` has the orders in files.
final class InjectionTests: XCTestCase {
    /// I8: what would be a deletion in disguise is refused, whoever says yes.
    func testDeletionsInDisguiseAreRefused() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        let made = try await server.call(
            "create_reminder",
            #"{"title":"mine","due_date":"2026-12-01T09:00","recurrence":"FREQ=DAILY"}"#)
        XCTAssertFalse(made.isError)
        let before = try folder.bytes(folder.list + "/" + folder.items()[0])
        let disguises = [
            #"{"title":"mine","new_title":""}"#, #"{"title":"mine","new_title":" \n\t "}"#,
            #"{"title":"mine"}"#, #"{"title":"mine","due_date":"1970-01-01"}"#,
            #"{"title":"mine","due_date":"2026-11-21T12:59"}"#,
            #"{"title":"mine","due_date":"2026-11-20"}"#,
            #"{"title":"mine","due_date":"9999-12-31"}"#,
            #"{"title":"mine","recurrence":"FREQ=DAILY;UNTIL=20200101T000000Z"}"#,
            #"{"title":"mine","recurrence":"FREQ=DAILY;UNTIL=20261121T115900Z"}"#,
            #"{"title":"mine","list":".hidden"}"#, #"{"title":"mine","list":"../../tmp"}"#,
        ]
        for arguments in disguises {
            do {
                let output = try await server.call("edit_reminder", arguments)
                XCTAssertTrue(output.isError, "\(arguments): \(output.text)")
            } catch is ToolError {}
        }
        for arguments in [
            #"{"title":"mine","until":"2099-01-01"}"#, #"{"title":"mine","until":"1970-01-01"}"#,
            #"{"title":"mine"}"#, #"{"title":"mine","minutes":5,"until":"2026-11-22"}"#,
        ] {
            do {
                let output = try await server.call("snooze_reminder", arguments)
                XCTFail("\(arguments): \(output.text)")
            } catch is ToolError {}
        }
        do {
            _ = try await server.call(
                "create_reminder",
                #"{"title":"x","due_date":"2020-01-01","recurrence":"FREQ=DAILY;UNTIL=20200201"}"#)
            XCTFail("over before it began")
        } catch ToolError.invalidArguments(let violations) {
            XCTAssertEqual(violations.map(\.path), ["$.recurrence"])
        }
        XCTAssertEqual(
            try folder.bytes(folder.list + "/" + folder.items()[0]), before)
    }

    /// D17: 200 deletions by every way there is, each restored byte for byte.
    func testEveryDeletionIsRestoredByteForByte() async throws {
        let folder = try CalendarFolder(inMemory: true)
        var random = SplitMix(seed: 17)
        let fixtures = try CalendarFixtures.all().filter { _, bytes in
            ReminderComponent.reminders(in: try CalendarParser.parse(bytes)).count == 1
        }
        var restored = 0
        for round in 0..<200 {
            let server = folder.server
            let name = "item-\(round).ics"
            let (_, fixture) = fixtures[round % fixtures.count]
            let lines = Int.random(in: 0..<3, using: &random)
            let bytes: [UInt8]
            if round % 2 == 0 {
                bytes = Array(
                    "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:u\(round)\nSUMMARY:item \(round) end\n\(String(repeating: "X-A:\u{e9}\n", count: lines))END:VTODO\nEND:VCALENDAR"
                        .utf8)
            } else {
                bytes = fixture
            }
            try folder.put(bytes, name)
            let all = try await server.actions.all().reminders.filter { $0.path.hasSuffix(name) }
            let reminder = try XCTUnwrap(all.first)
            switch round % 4 {
            case 0:
                _ = try await server.call("delete_reminder", #"{"title":"item \#(round) end"}"#)
            case 2: _ = try await server.handle(message: "delete the reminder item \(round) end")
            case 1: _ = try await server.run("delete", "--", reminder.uid)
            default: try await server.actions.delete(reminder)
            }
            let after = try await server.actions.all().reminders
            XCTAssertEqual(after.map(\.title), [], "\(round)")
            let store = folder.store
            let step = try await store.steps(limit: 1)[0]
            XCTAssertEqual(step.verb, "deleted")
            try await store.undo(step.id)
            XCTAssertEqual(try folder.bytes(folder.list + "/" + name), bytes, "\(round)")
            restored += 1
            try FileManager.default.removeItem(atPath: folder.list + "/" + name)
        }
        XCTAssertEqual(restored, 200)
    }
}
