import Base
import Foundation
import ICalendar
import XCTest

@testable import CalendarFiles
@testable import Planner

/// Groups, order, columns and words, at Sat 21 Nov 2026, 12:00 in Berlin.
final class ReminderListingTests: XCTestCase {
    private func reminder(
        _ uid: String, _ title: String, _ due: String?, priority: Int? = nil, done: String? = nil
    ) throws -> Reminder {
        var reminder = Reminder(uid: uid, title: title)
        (reminder.list, reminder.folder) = ("reminders", "reminders")
        reminder.due = try due.map { try ItemTime.at($0) }
        reminder.priority = priority
        if let done {
            reminder.completed = true
            reminder.completedAt = try ItemTime.at(done).instant(in: text.local)
        }
        return reminder
    }

    private var text: ItemText {
        ItemText(CalendarFolder.context(now: CalendarFolder.now.addingTimeInterval(-3600)))
    }

    func testWholeList() throws {
        var weekly = try reminder("h0000000", "water plants", "2026-11-24T18:00")
        weekly.recurrence = "FREQ=WEEKLY"
        weekly.categories = ["home"]
        weekly.list = "Zu Hause"
        weekly.folder = "home"
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
        let ids = ItemIDs(reminders)
        let listing = ReminderListing(reminders, text: text, ids: ids)
        XCTAssertEqual(
            listing.lines.map(\.text).joined(separator: "\n"),
            """
            Overdue
              c0000000  pay rent      Wed 18 Nov        3 days ago
              f0000000  late by now   Sat 21 Nov 11:30  30 min ago

            Today, Sat 21 Nov
              d0000000  bread         14:00             in 2 h
              e0000000  whole day

            Tomorrow, Sun 22 Nov
              g0000000  買い物 🎁     09:00             in 21 h

            Tue 24 Nov
              h0000000  water plants  18:00             in 3 days   ↻ every Tuesday · #home · @Zu Hause

            Later
              i0000000  party         Sat 2 Jan 2027    in 42 days

            No date
              b0000000  urgent                                      !1
              a0000000  no date

            Done
              j0000000  old           Fri 20 Nov 10:00
            """)
        XCTAssertEqual(listing.lines[0].spans, [.init("Overdue", .failure)])
        XCTAssertEqual(
            listing.lines[1].spans.map(\.style), [.dim, .failure, .failure, .failure])
        XCTAssertEqual(listing.reminders.map(\.uid).map(\.first), Array("cfdeghibaj").map { $0 })
    }

    func testWordsForDueDates() throws {
        let expected: [(String, String, String?)] = [
            ("2026-11-21T12:00", "today, Sat 21 Nov 12:00 CET", "now"),
            ("2026-11-21T12:20", "today, Sat 21 Nov 12:20 CET", "in 20 min"),
            ("2026-11-21T13:57", "today, Sat 21 Nov 13:57 CET", "in 2 h"),
            ("2026-11-21", "today, Sat 21 Nov", nil),
            ("2026-11-22", "tomorrow, Sun 22 Nov", "tomorrow"),
            ("2026-11-20", "yesterday, Fri 20 Nov", "yesterday"),
            ("2026-11-23T09:00", "Mon 23 Nov 09:00 CET", "in 2 days"),
            ("2026-07-01T09:00", "Wed 1 Jul 09:00 CEST", "4 months ago"),
        ]
        for (due, words, hint) in expected {
            let value = try ItemTime.at(due)
            XCTAssertEqual(text.fullTime(value), words)
            XCTAssertEqual(text.hint(value), hint, due)
        }
        XCTAssertEqual(
            text.time(try .at("2026-11-21T13:00"), isGuess: true), "Sat 21 Nov ~13:00")
        XCTAssertEqual(
            text.fullTime(try .at("2026-11-22T09:00", "America/New_York")),
            "tomorrow, Sun 22 Nov 15:00 CET")
    }

    func testPartsStandBelowTheWholeAndDrawItForward() throws {
        var tent = try reminder("b0000000", "pack the tent", "2026-11-22")
        tent.parent = "a0000000"
        var pegs = try reminder("c0000000", "count the pegs", nil)
        pegs.parent = "b0000000"
        var lost = try reminder("d0000000", "lost", nil)
        lost.parent = "nobody"
        var circle = try reminder("e0000000", "circle", nil)
        circle.parent = "f0000000"
        var other = try reminder("f0000000", "other", nil)
        other.parent = "e0000000"
        let all = [
            try reminder("a0000000", "camping", "2027-07-01"), tent, pegs, lost, circle, other,
        ]
        let listing = ReminderListing(all, text: text, ids: ItemIDs(all))
        XCTAssertEqual(
            listing.lines.map(\.text).joined(separator: "\n"),
            """
            Tomorrow, Sun 22 Nov
              a0000000  camping             Thu 1 Jul 2027  in 7 months
              b0000000  └ pack the tent
              c0000000    └ count the pegs

            No date
              e0000000  circle
              d0000000  lost
              f0000000  other
            """)
    }

    func testWhatMarksAReminderIsSaid() throws {
        var item = try reminder("a0000000", "call", "2026-11-23T09:00")
        item.unknownZone = "Mars/Olympus"
        item.percent = 40
        item.alarms = [
            try XCTUnwrap(
                ItemAlarm(
                    ItemAlarm.component(
                        CalendarDuration(days: -1, seconds: -5400), title: "x", uid: "y",
                        fromEnd: true, ending: ContentLine.crlf),
                    ZoneResolver(calendar: nil, local: LocalTime(.utc), zones: TimeZoneDatabase())))
        ]
        item.priority = 5
        item.categories = ["a", "b"]
        let listing = ReminderListing([item], text: text, ids: ItemIDs([Reminder]()))
        XCTAssertEqual(
            listing.lines.last?.text,
            "  a0000000  call  ~09:00  in 2 days  alert 1 day 1 h 30 min before · "
                + "unknown zone Mars/Olympus · 40 % · !5 · #a · #b")
        XCTAssertEqual(
            text.full(item),
            "call · Mon 23 Nov ~09:00 CET · alert 1 day 1 h 30 min before · !5 · #a · #b")
    }

    func testDayIsOverdueOnlyWhenItIsOver() throws {
        let today = try reminder("a", "x", "2026-11-21")
        let midnight = CalendarFolder.now.addingTimeInterval(11 * 3600)
        XCTAssertEqual(ReminderListing.group(of: today, text: text), .today)
        XCTAssertEqual(
            ReminderListing.group(
                of: today, text: ItemText(CalendarFolder.context(now: midnight))), .overdue)
    }

    func testJSONHasLocalOffsetsAndNulls() throws {
        let reminder = try reminder("a", "x", "2026-11-22T09:00", done: "2026-11-20T10:00")
        XCTAssertEqual(
            JSONWriter.string(text.json(reminder)),
            #"{"uid":"a","title":"x","due":"2026-11-22T09:00:00+01:00","start":null,"#
                + #""timezone":"Europe/Berlin","overdue":false,"completed":true,"#
                + #""completedAt":"2026-11-20T10:00:00+01:00","percent":null,"priority":null,"#
                + #""categories":[],"list":"reminders","notes":null,"recurrence":null,"#
                + #""alarm":null,"parent":null,"path":"","problems":[]}"#)
    }
}
