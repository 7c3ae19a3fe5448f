import AgentCore
import Base
import Foundation
import ICalendar
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// What becomes of a reminder that is done, in real files.
final class ReminderCompletionTests: XCTestCase {
    private func make(
        _ folder: CalendarFolder, due: String, rule: String, zone: String? = "Europe/Berlin",
        fromCompletion: Bool = false
    ) async throws -> Reminder {
        var draft = ItemEdit(title: "water the plants", due: try .at(due, zone))
        draft.recurrence = .set(try RecurrenceRule(parsing: rule))
        draft.repeatsFromCompletion = fromCompletion
        return try await folder.server.actions.create(draft)
    }

    /// Completes at that local time and gives the next due time as it is kept.
    private func next(
        due: String, rule: String, doneAt: String, zone: String? = "Europe/Berlin",
        fromCompletion: Bool = false
    ) async throws -> String? {
        let folder = try CalendarFolder()
        let made = try await make(
            folder, due: due, rule: rule, zone: zone, fromCompletion: fromCompletion)
        let now = try ItemTime.at(doneAt).instant(in: CalendarFolder.context().local)
        return try await folder.server(now: now).actions.complete(made).nextDue?.said
    }

    func testTheNextTimeIsTheFirstThatIsStillToCome() async throws {
        let cases: [(due: String, rule: String, done: String, next: String?)] = [
            ("2026-11-24T09:00", "FREQ=WEEKLY", "2026-11-24T09:30", "2026-12-01T09:00"),
            // Before it was due: the one that is done is over all the same.
            ("2026-11-24T09:00", "FREQ=WEEKLY", "2026-11-21T13:00", "2026-12-01T09:00"),
            // Three were missed.
            ("2026-11-24T09:00", "FREQ=WEEKLY", "2026-12-16T08:00", "2026-12-22T09:00"),
            (
                "2026-11-24T09:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "2026-12-09T08:00",
                "2026-12-22T09:00"
            ),
            ("2026-11-30", "FREQ=MONTHLY;BYMONTHDAY=-1", "2026-11-30T13:00", "2026-12-31"),
            ("2026-11-21", "FREQ=DAILY", "2026-11-21T23:59", "2026-11-22"),
            ("2026-11-21T09:00", "FREQ=DAILY;COUNT=1", "2026-11-21T10:00", nil),
            ("2026-11-21T09:00", "FREQ=DAILY;UNTIL=20261121", "2026-11-21T10:00", nil),
        ]
        for item in cases {
            let found = try await next(due: item.due, rule: item.rule, doneAt: item.done)
            XCTAssertEqual(
                found.map { String($0.prefix { $0 != " " }) }, item.next,
                "\(item.rule) \(item.done)")
        }
    }

    func testNineStaysNineOverAChangeOfTheClocks() async throws {
        let found = try await next(
            due: "2027-03-23T09:00", rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
            doneAt: "2027-03-23T09:05")
        XCTAssertEqual(found, "2027-04-06T09:00 Europe/Berlin")
        let autumn = try await next(
            due: "2026-10-20T09:00", rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
            doneAt: "2026-10-20T09:05")
        XCTAssertEqual(autumn, "2026-11-03T09:00 Europe/Berlin")
    }

    func testTheClockIsThatOfTheZoneItIsKeptIn() async throws {
        let found = try await next(
            due: "2027-03-09T09:00", rule: "FREQ=WEEKLY", doneAt: "2027-03-09T16:00",
            zone: "America/New_York")
        // The clocks there change before ours.
        XCTAssertEqual(found, "2027-03-16T09:00 America/New_York")
    }

    func testCountedFromCompletion() async throws {
        let late = try await next(
            due: "2026-11-10", rule: "FREQ=DAILY;INTERVAL=3", doneAt: "2026-11-21T13:00",
            fromCompletion: true)
        XCTAssertEqual(late, "2026-11-24")
        let timed = try await next(
            due: "2026-11-10T09:00", rule: "FREQ=WEEKLY", doneAt: "2026-11-21T13:00",
            fromCompletion: true)
        XCTAssertEqual(timed, "2026-11-28T09:00 Europe/Berlin")
        let early = try await next(
            due: "2026-11-25T18:00", rule: "FREQ=DAILY;INTERVAL=2", doneAt: "2026-11-21T13:00",
            fromCompletion: true)
        XCTAssertEqual(early, "2026-11-23T18:00 Europe/Berlin")
        let last = try await next(
            due: "2026-11-10", rule: "FREQ=DAILY;COUNT=1", doneAt: "2026-11-21T13:00",
            fromCompletion: true)
        XCTAssertNil(last)
    }

    func testCountGoesDownByWhatHasPassed() async throws {
        let folder = try CalendarFolder()
        var reminder = try await make(folder, due: "2026-11-24T09:00", rule: "FREQ=WEEKLY;COUNT=4")
        var left: [String?] = []
        for day in ["2026-11-24T10:00", "2026-12-02T10:00", "2026-12-09T10:00"] {
            let now = try ItemTime.at(day).instant(in: CalendarFolder.context().local)
            reminder = try await folder.server(now: now).actions.complete(reminder).reminder
            left.append(reminder.completed ? "done" : reminder.recurrence)
        }
        XCTAssertEqual(left, ["FREQ=WEEKLY;COUNT=3", "FREQ=WEEKLY;COUNT=2", "FREQ=WEEKLY;COUNT=1"])
        let now = try ItemTime.at("2026-12-16T10:00").instant(in: CalendarFolder.context().local)
        let last = try await folder.server(now: now).actions.complete(reminder)
        XCTAssertNil(last.nextDue)
        XCTAssertTrue(last.reminder.completed)
        let all = try await folder.server.actions.all().reminders
        XCTAssertEqual(all.count, 4)
        XCTAssertTrue(all.allSatisfy(\.completed))
    }

    /// Another program's series: every line that must not change has the bytes
    /// it had, and the copy holds what it holds.
    func testAForeignSeriesKeepsItsLines() async throws {
        let folder = try CalendarFolder()
        let lines = [
            "BEGIN:VCALENDAR", "PRODID:-//Tasks//EN", "VERSION:2.0", "X-WR-CALNAME:mine",
            "BEGIN:VTODO", "X-APPLE-SORT-ORDER:5", "UID:series-1", "SUMMARY;LANGUAGE=en:Water",
            "DTSTART;TZID=Europe/Berlin:20261117T090000",
            "DUE;X-A=\"b;c\";TZID=Europe/Berlin:20261117T100000",
            "RRULE:INTERVAL=1;FREQ=WEEKLY;COUNT=5;X-FOO=1", "PERCENT-COMPLETE:30",
            "ATTENDEE;CN=Bo:mailto:bo@example.org", "RELATED-TO;RELTYPE=PARENT:garden",
            "LOCATION:", "IANA-NEW:1", "BEGIN:VALARM", "TRIGGER:-PT1H", "ACTION:AUDIO",
            "X-SOUND:drip", "END:VALARM", "BEGIN:X-OWN", "X-B:2", "END:X-OWN", "END:VTODO",
            "END:VCALENDAR", "",
        ]
        try folder.put(Array(lines.joined(separator: "\r\n").utf8), "Some Name.ics")
        let server = folder.server
        let done = try await server.run("done", "water")
        XCTAssertEqual(
            done.lines.map(\.text), ["✓ done: Water · next Tue 24 Nov 10:00 CET"])
        let text = String(
            decoding: try folder.bytes(folder.list + "/Some Name.ics"), as: UTF8.self)
        let after = text.components(separatedBy: "\r\n")
        XCTAssertEqual(
            after.filter { !lines.contains($0) },
            [
                "DTSTART;TZID=Europe/Berlin:20261124T090000",
                "DUE;X-A=\"b;c\";TZID=Europe/Berlin:20261124T100000",
                "RRULE:INTERVAL=1;FREQ=WEEKLY;COUNT=4;X-FOO=1",
                "LAST-MODIFIED:20261121T120000Z", "DTSTAMP:20261121T120000Z", "SEQUENCE:1",
            ])
        XCTAssertEqual(
            lines.filter { !after.contains($0) },
            [
                "DTSTART;TZID=Europe/Berlin:20261117T090000",
                "DUE;X-A=\"b;c\";TZID=Europe/Berlin:20261117T100000",
                "RRULE:INTERVAL=1;FREQ=WEEKLY;COUNT=5;X-FOO=1", "PERCENT-COMPLETE:30",
            ])
        let copy = try XCTUnwrap(try folder.items().first { $0 != "Some Name.ics" })
        let record = String(decoding: try folder.bytes(folder.list + "/" + copy), as: UTF8.self)
        for line in [
            "UID:\(copy.dropLast(4))", "SUMMARY;LANGUAGE=en:Water", "STATUS:COMPLETED",
            "COMPLETED:20261121T120000Z", "PERCENT-COMPLETE:100",
            "ATTENDEE;CN=Bo:mailto:bo@example.org",
            "RELATED-TO;RELTYPE=PARENT:garden", "RELATED-TO;RELTYPE=SIBLING:series-1",
            "DUE;X-A=\"b;c\";TZID=Europe/Berlin:20261117T100000", "X-APPLE-SORT-ORDER:5",
        ] { XCTAssertTrue(record.contains("\r\n\(line)\r\n"), line) }
        for word in ["RRULE", "VALARM", "X-CHAT"] { XCTAssertFalse(record.contains(word), word) }
    }

    func testARuleThatCannotBeReadIsLeftAlone() async throws {
        let folder = try CalendarFolder()
        let bytes = Array(
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:odd\r\nDUE:20261124T090000Z\r\nRRULE:FREQ=SOMETIMES\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
                .utf8)
        try folder.put(bytes, "odd.ics")
        let output = try await folder.server.call("complete_reminder", #"{"title":"odd"}"#)
        XCTAssertTrue(output.isError)
        XCTAssertTrue(output.text.contains("repeats by a rule that cannot be followed"))
        XCTAssertEqual(try folder.bytes(folder.list + "/odd.ics"), bytes)
        XCTAssertEqual(try folder.items(), ["odd.ics"])
    }

    func testOneUndoTakesBothFilesBack() async throws {
        let folder = try CalendarFolder()
        let made = try await make(folder, due: "2026-11-17T09:00", rule: "FREQ=WEEKLY")
        let before = try folder.bytes(made.path)
        let server = folder.server
        _ = try await server.actions.complete(made)
        XCTAssertEqual(try folder.items().count, 2)
        let step = try await server.actions.store.steps(limit: 1)[0]
        XCTAssertEqual(step.verb, "completed")
        _ = try await server.actions.store.undo(step.id)
        XCTAssertEqual(try folder.items().count, 1)
        XCTAssertEqual(try folder.bytes(made.path), before)
    }
}
