import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// The lines of a file: of a new one all, of a changed one those that must be.
final class ReminderEditorTests: XCTestCase {
    private func text(_ reminder: Reminder, _ folder: CalendarFolder) throws -> String {
        String(decoding: try folder.bytes(reminder.path), as: UTF8.self)
    }

    func testANewFileIsAsOtherProgramsExpectIt() async throws {
        let folder = try CalendarFolder()
        var draft = ItemEdit(title: "call mom; ask", due: try .at("2026-11-24T09:00"))
        draft.recurrence = .set(
            try RecurrenceRule(parsing: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270301"))
        draft.alarm = .set(CalendarDuration(seconds: -900))
        draft.priority = .set(1)
        draft.categories = .set(["#home", "a,b", "home"])
        draft.parent = .set("whole-1")
        draft.notes = .set("a\nb")
        let made = try await folder.server.actions.create(draft)
        var text = try text(made, folder)
        let zone = try XCTUnwrap(text.range(of: "BEGIN:VTIMEZONE"))
        let end = try XCTUnwrap(text.range(of: "END:VTIMEZONE\r\n"))
        XCTAssertTrue(text[zone.lowerBound..<end.upperBound].contains("TZID:Europe/Berlin"))
        text.removeSubrange(zone.lowerBound..<end.upperBound)
        let alarm = try XCTUnwrap(made.alarms.first?.uid)
        XCTAssertEqual(
            text,
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//chat//NONSGML chat//EN
            BEGIN:VTODO
            UID:\(made.uid)
            DTSTAMP:20261121T120000Z
            CREATED:20261121T120000Z
            LAST-MODIFIED:20261121T120000Z
            SUMMARY:call mom\\; ask
            DESCRIPTION:a\\nb
            DTSTART;TZID=Europe/Berlin:20261124T090000
            DUE;TZID=Europe/Berlin:20261124T090000
            RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270301T225959Z
            PRIORITY:1
            CATEGORIES:home,a\\,b
            RELATED-TO;RELTYPE=PARENT:whole-1
            STATUS:NEEDS-ACTION
            SEQUENCE:0
            BEGIN:VALARM
            UID:\(alarm)
            ACTION:DISPLAY
            DESCRIPTION:call mom\\; ask
            TRIGGER;RELATED=END:-PT15M
            END:VALARM
            END:VTODO
            END:VCALENDAR

            """.replacingOccurrences(of: "\n", with: "\r\n"))
        XCTAssertEqual(made.categories, ["home", "a,b"])
    }

    func testADayHasNoAlarm() async throws {
        let folder = try CalendarFolder()
        let plain = try await folder.server.actions.create(
            .init(title: "x", due: try .at("2026-12-24")))
        XCTAssertEqual(plain.alarms, [])
        XCTAssertFalse(try text(plain, folder).contains("TZID"))
        XCTAssertTrue(try text(plain, folder).contains("\r\nDUE;VALUE=DATE:20261224\r\n"))
    }

    /// All that can be edited, on every foreign fixture: what was not asked
    /// for stays byte for byte.
    func testAnEditTouchesItsOwnLinesOnly() async throws {
        var edits: [(String, ItemEdit, Set<String>)] = []
        func add(
            _ name: String, _ lines: Set<String>, _ change: (inout ItemEdit) throws -> Void
        )
            rethrows
        {
            var edit = ItemEdit()
            try change(&edit)
            edits.append((name, edit, lines.union(["LAST-MODIFIED", "DTSTAMP", "SEQUENCE"])))
        }
        add("title", ["SUMMARY", "DESCRIPTION"]) { $0.title = "new title" }
        try add("due", ["DUE", "DURATION", "DTSTART"]) { $0.due = .set(try .at("2026-12-24")) }
        add("priority", ["PRIORITY"]) { $0.priority = .set(3) }
        add("no priority", ["PRIORITY"]) { $0.priority = .clear }
        add("notes", ["DESCRIPTION"]) { $0.notes = .set("some") }
        add("tags", ["CATEGORIES"]) { $0.categories = .set(["one", "two"]) }
        add("parent", ["RELATED-TO"]) { $0.parent = .set("somebody") }
        for (fixture, bytes) in try CalendarFixtures.all() {
            for (name, edit, touched) in edits {
                let folder = try CalendarFolder(inMemory: true)
                try folder.put(bytes, fixture)
                let server = folder.server
                guard let reminder = try await server.actions.all(openOnly: true).reminders.first
                else { continue }
                do {
                    _ = try await server.actions.edit(reminder, edit)
                } catch is ICalendarError {
                    XCTAssertEqual(try folder.bytes(reminder.path), bytes)
                    continue
                }
                // Of one in Latin-1 the whole is written in UTF-8.
                let before = try CalendarParser.parse(bytes).inUTF8
                let after = try CalendarParser.parse(try folder.bytes(reminder.path))
                XCTAssertEqual(
                    raw(before, except: touched), raw(after, except: touched), "\(fixture) \(name)")
            }
        }
    }

    private func raw(_ component: Component, except names: Set<String>) -> [[UInt8]] {
        component.items.flatMap { item -> [[UInt8]] in
            switch item {
            case .line(let line): names.contains(line.name) ? [] : [Array(line.raw)]
            case .component(let inner):
                // An alarm at the due time goes with the time.
                inner.name == "VALARM" || inner.name == "VTIMEZONE" ? [] : raw(inner, except: names)
            }
        }
    }

    func testEveryFieldCanBeChangedAndCleared() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        var draft = ItemEdit(title: "old", due: try .at("2026-11-24T09:00"))
        draft.recurrence = .set(try RecurrenceRule(parsing: "FREQ=WEEKLY"))
        var reminder = try await server.actions.create(draft)
        var edit = ItemEdit()
        edit.title = "new"
        edit.due = .set(try .at("2026-11-25T10:30"))
        edit.alarm = .set(CalendarDuration(seconds: -3600))
        edit.priority = .set(5)
        edit.notes = .set("n")
        edit.categories = .set(["t"])
        reminder = try await server.actions.edit(reminder, edit)
        XCTAssertEqual(reminder.title, "new")
        XCTAssertEqual(reminder.due?.said, "2026-11-25T10:30 Europe/Berlin")
        XCTAssertEqual(reminder.start?.said, "2026-11-25T10:30 Europe/Berlin")
        XCTAssertEqual(
            reminder.alarms.map(\.trigger),
            [.offset(CalendarDuration(seconds: -3600), fromStart: false)])
        XCTAssertTrue(try text(reminder, folder).contains("\r\nDESCRIPTION:new\r\n"))
        edit = ItemEdit()
        edit.recurrence = .clear
        edit.alarm = .clear
        edit.priority = .clear
        edit.notes = .clear
        edit.categories = .clear
        reminder = try await server.actions.edit(reminder, edit)
        XCTAssertNil(reminder.recurrence)
        XCTAssertEqual(reminder.alarms, [])
        XCTAssertNil(reminder.priority)
        XCTAssertNil(reminder.notes)
        XCTAssertEqual(reminder.categories, [])
        edit = ItemEdit()
        edit.due = .clear
        reminder = try await server.actions.edit(reminder, edit)
        XCTAssertNil(reminder.due)
        XCTAssertNil(reminder.start)
        // A time brings its alarm, a day takes it away.
        edit.due = .set(try .at("2026-12-01T08:00"))
        reminder = try await server.actions.edit(reminder, edit)
        XCTAssertEqual(reminder.alarms.map(\.trigger), [.offset(.zero, fromStart: false)])
        edit.due = .set(try .at("2026-12-02"))
        reminder = try await server.actions.edit(reminder, edit)
        XCTAssertEqual(reminder.alarms, [])
    }

    func testMovingToAnotherListKeepsNameAndBytes() async throws {
        let folder = try CalendarFolder()
        try folder.put(try CalendarFixtures.file("todoman.ics"), "todoman.ics", list: "office")
        try folder.put(Array("Zu Hause".utf8), "displayname", list: "home")
        let server = folder.server
        let reminder = try await server.find("renew", .open)
        var edit = ItemEdit()
        edit.list = "zu hause"
        let moved = try await server.actions.edit(reminder, edit)
        XCTAssertEqual(moved.path, folder.root + "/home/todoman.ics")
        XCTAssertEqual(moved.list, "Zu Hause")
        XCTAssertEqual(try folder.bytes(moved.path), try CalendarFixtures.file("todoman.ics"))
        XCTAssertEqual(try folder.names(folder.root + "/office"), [])
        let step = try await server.actions.store.steps(limit: 1)[0]
        _ = try await server.actions.store.undo(step.id)
        XCTAssertEqual(try folder.names(folder.root + "/office"), ["todoman.ics"])
        XCTAssertEqual(try folder.names(folder.root + "/home"), ["displayname"])
        for name in ["../x", "a/b", ".hidden", "", "x\u{7}y", "a.tmp"] {
            edit.list = name
            do {
                _ = try await server.actions.edit(reminder, edit)
                XCTFail(name)
            } catch ToolError.invalidArguments(let violations) {
                XCTAssertEqual(violations.map(\.path), ["$.list"])
            }
        }
    }

    func testSnoozingMovesTheAlertAndNotTheDueTime() async throws {
        let folder = try CalendarFolder()
        let local = CalendarFolder.context().local
        let server = folder.server
        let made = try await server.actions.create(
            .init(title: "bread", due: try .at("2026-11-21T12:30")))
        let first = try XCTUnwrap(made.alarms.first?.uid)
        let until = CalendarFolder.now.addingTimeInterval(3600)
        let snoozed = try await server.actions.snooze(made, until: until)
        XCTAssertEqual(snoozed.due, made.due)
        XCTAssertEqual(snoozed.alarms.count, 2)
        XCTAssertEqual(snoozed.alarms[0].acknowledged, CalendarFolder.now)
        XCTAssertEqual(snoozed.alarms[1].trigger, .at(until))
        XCTAssertEqual(snoozed.alarms[1].snoozes, first)
        XCTAssertTrue(
            try text(made, folder).contains(
                "TRIGGER;VALUE=DATE-TIME:20261121T130000Z\r\nRELATED-TO;RELTYPE=SNOOZE:\(first)\r\n"
            ))
        // Again: replaced, not chained (RFC 9074 §7.1.2).
        let later = until.addingTimeInterval(3600)
        let again = try await folder.server(now: until).actions.snooze(snoozed, until: later)
        XCTAssertEqual(again.alarms.map(\.snoozes), [nil, first])
        XCTAssertEqual(again.alarms[1].trigger, .at(later))
        // Before the alarm: it is not to ring at its own time either.
        let early = try await server.actions.create(
            .init(title: "tea", due: try .at("2026-11-21T14:00")))
        let put = try await server.actions.snooze(
            early, until: CalendarFolder.now.addingTimeInterval(7200))
        let fires = try XCTUnwrap(early.due).instant(in: local)
        XCTAssertEqual(put.alarms[0].acknowledged, fires)
        // A day without an alarm gets the one that was asked for.
        let day = try await server.actions.create(.init(title: "day", due: try .at("2026-11-21")))
        let rung = try await server.actions.snooze(day, until: until)
        XCTAssertEqual(rung.alarms.map(\.snoozes), [day.uid])
        do {
            _ = try await server.actions.snooze(day, until: CalendarFolder.now)
            XCTFail("over")
        } catch ToolError.failed {}
    }

    func testReopeningTakesACompletionBack() async throws {
        let folder = try CalendarFolder()
        let server = folder.server
        let made = try await server.actions.create(.init(title: "x"))
        let done = try await server.actions.complete(made).reminder
        XCTAssertTrue(done.completed)
        let open = try await server.actions.reopen(done)
        XCTAssertFalse(open.completed)
        XCTAssertNil(open.completedAt)
        let text = try text(made, folder)
        XCTAssertTrue(text.contains("STATUS:NEEDS-ACTION"))
        for word in ["COMPLETED:", "PERCENT"] { XCTAssertFalse(text.contains(word), word) }
    }
}
