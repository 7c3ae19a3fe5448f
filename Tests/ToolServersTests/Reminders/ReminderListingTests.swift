import AgentCore
import Foundation
import XCTest

@testable import ToolServers

/// Groups, order, columns and words, at Sat 21 Nov 2026, 12:00 in Berlin.
final class ReminderListingTests: XCTestCase {
    private var oldZone: String?

    override func setUp() {
        oldZone = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", "Europe/Berlin", 1)
        tzset()
    }

    override func tearDown() {
        if let oldZone { setenv("TZ", oldZone, 1) } else { unsetenv("TZ") }
        tzset()
    }

    private func reminder(
        _ uid: String, _ title: String, _ due: String?, priority: Int? = nil, done: String? = nil
    ) throws -> Reminder {
        var reminder = Reminder(uid: uid, title: title, list: "reminders")
        reminder.due = try due.map { try XCTUnwrap(try RemindersServer.due($0)) }
        reminder.priority = priority
        if let done, case .instant(let instant, _)? = try RemindersServer.due(done) {
            reminder.completed = true
            reminder.completedAt = instant
        }
        return reminder
    }

    private var text: ReminderText {
        ReminderText(now: CalendarFolder.now.addingTimeInterval(-3600))
    }

    func testWholeList() throws {
        var weekly = try reminder("h0000000", "water plants", "2026-11-24T18:00")
        weekly.recurrence = "FREQ=WEEKLY"
        weekly.categories = ["home"]
        weekly.list = "Zu Hause"
        let reminders = [
            try reminder("a0000000", "no date", nil),
            try reminder("b0000000", "urgent", nil, priority: 1),
            try reminder("c0000000", "pay rent", "2026-11-18"),
            try reminder("d0000000", "bread", "2026-11-21T14:00"),
            try reminder("e0000000", "whole day", "2026-11-21"),
            try reminder("f0000000", "late by now", "2026-11-21T11:30"),
            try reminder("g0000000", "買い物 🎁", "2026-11-22T09:00"), weekly,
            try reminder("i0000000", "party", "2027-01-02"),
            try reminder("j0000000", "old", "2026-11-01", done: "2026-11-20T10:00"),
        ]
        let ids = ReminderMatcher.shortIDs(reminders)
        let listing = ReminderListing(reminders, text: text, ids: ids)
        XCTAssertEqual(
            listing.lines.map(\.text).joined(separator: "\n"),
            """
            Overdue
              c0000000  pay rent      Wed 18 Nov        3 days ago
              f0000000  late by now   Sat 21 Nov 11:30  30 min ago

            Today
              d0000000  bread         Sat 21 Nov 14:00  in 2 h
              e0000000  whole day     Sat 21 Nov

            Tomorrow
              g0000000  買い物 🎁     Sun 22 Nov 09:00  in 21 h

            This week
              h0000000  water plants  Tue 24 Nov 18:00  in 3 days · repeats · #home · @Zu Hause

            Later
              i0000000  party         Sat 2 Jan 2027    in 42 days

            No date
              b0000000  urgent                          !1
              a0000000  no date

            Done
              j0000000  old           Fri 20 Nov 10:00
            """)
        XCTAssertEqual(listing.lines[0].spans, [.init("Overdue", .failure)])
        XCTAssertEqual(
            listing.lines[1].spans.map(\.style), [.dim, .failure, .failure, .dim])
        XCTAssertEqual(listing.reminders.map(\.uid).map(\.first), Array("cfdeghibaj").map { $0 })
    }

    func testWordsForDueDates() throws {
        let expected: [(String, String, String?)] = [
            ("2026-11-21T12:00", "today, Sat 21 Nov 12:00 CET", "now"),
            ("2026-11-21T12:20", "today, Sat 21 Nov 12:20 CET", "in 20 min"),
            ("2026-11-21", "today, Sat 21 Nov", nil),
            ("2026-11-22", "tomorrow, Sun 22 Nov", "tomorrow"),
            ("2026-11-20", "Fri 20 Nov", "yesterday"),
            ("2026-11-23T09:00", "Mon 23 Nov 09:00 CET", "in 2 days"),
            ("2026-07-01T09:00", "Wed 1 Jul 09:00 CEST", "4 months ago"),
        ]
        for (due, words, hint) in expected {
            let value = try XCTUnwrap(try RemindersServer.due(due))
            XCTAssertEqual(text.fullDue(value), words)
            XCTAssertEqual(text.hint(value), hint, due)
        }
        XCTAssertEqual(
            text.due(.instant(CalendarFolder.now, isApproximate: true)), "Sat 21 Nov ~13:00")
    }

    func testDayIsOverdueOnlyWhenItIsOver() throws {
        let today = try reminder("a", "x", "2026-11-21")
        let midnight = CalendarFolder.now.addingTimeInterval(11 * 3600)
        XCTAssertEqual(ReminderListing.group(of: today, text: text), .today)
        XCTAssertEqual(
            ReminderListing.group(of: today, text: ReminderText(now: midnight)), .overdue)
    }

    func testJSONHasLocalOffsetsAndNulls() throws {
        let reminder = try reminder("a", "x", "2026-11-22T09:00", done: "2026-11-20T10:00")
        XCTAssertEqual(
            JSONWriter.string(text.json(reminder)),
            #"{"uid":"a","title":"x","due":"2026-11-22T09:00:00+01:00","completed":true,"#
                + #""completedAt":"2026-11-20T10:00:00+01:00","priority":null,"categories":[],"#
                + #""list":"reminders","notes":null,"recurrence":null,"path":""}"#)
    }
}
