import AgentCore
import Base
import Foundation
import ICalendar
import Persistence
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// Reminders as phones and other programs write them: alarms of fixed times,
/// occurrences without their series, several revisions, no UID. Sat 21 Nov
/// 2026, 13:00 in Berlin.
final class ForeignRemindersTests: XCTestCase {
    private func put(_ folder: CalendarFolder, _ lines: String, name: String = "a.ics") throws {
        try folder.put(Array(CalendarRig.calendar(lines).utf8), name)
    }

    private func text(_ folder: CalendarFolder, _ name: String = "a.ics") throws -> String {
        String(decoding: try folder.bytes(folder.list + "/" + name), as: UTF8.self)
            .replacingOccurrences(of: "\r\n", with: "\n")
    }

    private func triggers(_ folder: CalendarFolder) throws -> [String] {
        try text(folder).split(separator: "\n").filter { $0.hasPrefix("TRIGGER") }.map {
            String($0.split(separator: ":").last ?? "")
        }
    }

    /// When alerts ring, in Berlin, until the end of November.
    private func rings(_ folder: CalendarFolder, from: String = "2026-11-21T13:00") throws
        -> [String]
    {
        let context = CalendarFolder.context()
        let reader = AlertReader(
            local: context.local, zones: context.zones, settings: AlertSettings())
        let start = try ItemTime.at(from).instant(in: context.local)
        let end = try ItemTime.at("2026-11-27T00:00").instant(in: context.local)
        return try folder.names(folder.list).flatMap { name in
            reader.alerts(
                in: try CalendarParser.parse(try folder.bytes(folder.list + "/" + name)),
                from: start, to: end, near: start
            ).alerts
        }.map { String(context.local.isoText($0.instant).prefix(16)) }
    }

    private func undo(_ folder: CalendarFolder) async throws {
        let step = try await folder.store.steps(limit: 1).first
        _ = try await folder.store.undo(try XCTUnwrap(step).id)
    }

    /// As an iPhone writes one: the alarm at the time it is due.
    private static func pills(rule: String? = "FREQ=DAILY", alarm: String = "20261121T070000Z")
        -> String
    {
        """
        BEGIN:VTODO
        UID:p
        SUMMARY:pills
        DTSTART;TZID=Europe/Berlin:20261121T080000
        DUE;TZID=Europe/Berlin:20261121T080000
        \(rule.map { "RRULE:\($0)\n" } ?? "")STATUS:NEEDS-ACTION
        BEGIN:VALARM
        UID:one
        ACTION:DISPLAY
        DESCRIPTION:Reminder
        TRIGGER;VALUE=DATE-TIME:\(alarm)
        END:VALARM
        END:VTODO
        """
    }

    func testAFixedAlarmRingsForEachTimeOfARepetition() throws {
        let folder = try CalendarFolder()
        try put(folder, Self.pills(rule: "FREQ=DAILY;COUNT=4", alarm: "20261121T064500Z"))
        XCTAssertEqual(
            try rings(folder, from: "2026-11-21T00:00"),
            [
                "2026-11-21T07:45", "2026-11-22T07:45", "2026-11-23T07:45", "2026-11-24T07:45",
            ])
        // Seen on the phone: that time is over, the later ones are not.
        let seen = Self.pills(rule: "FREQ=DAILY;COUNT=4", alarm: "20261121T064500Z")
            .replacingOccurrences(
                of: "END:VALARM", with: "ACKNOWLEDGED:20261121T080000Z\nEND:VALARM")
        try put(folder, seen)
        XCTAssertEqual(
            try rings(folder, from: "2026-11-21T00:00"),
            ["2026-11-22T07:45", "2026-11-23T07:45", "2026-11-24T07:45"])
        // Of an event it is of that instant alone, as the standard has it.
        let event = Self.pills(rule: "FREQ=DAILY;COUNT=4", alarm: "20261121T064500Z")
            .replacingOccurrences(of: "VTODO", with: "VEVENT")
            .replacingOccurrences(of: "DUE;", with: "DTEND;")
        try put(folder, event)
        XCTAssertEqual(try rings(folder, from: "2026-11-21T00:00"), ["2026-11-21T07:45"])
    }

    func testAFixedAlarmMovesOnWhenARepetitionIsDone() async throws {
        let folder = try CalendarFolder()
        try put(folder, Self.pills())
        let original = try text(folder)
        _ = try await folder.server.run("done", "pills")
        XCTAssertEqual(try triggers(folder), ["20261122T070000Z"])
        XCTAssertEqual(try rings(folder).first, "2026-11-22T08:00")
        try await undo(folder)
        XCTAssertEqual(try text(folder), original)
    }

    func testAFixedAlarmThatWasPutOffRingsAgainNextTime() async throws {
        let folder = try CalendarFolder()
        try put(folder, Self.pills(rule: "FREQ=DAILY;COUNT=3"))
        _ = try await folder.server.run("snooze", "pills", "10m")
        XCTAssertEqual(
            try rings(folder), ["2026-11-21T13:10", "2026-11-22T08:00", "2026-11-23T08:00"])
        _ = try await folder.server.run("done", "pills")
        XCTAssertEqual(try rings(folder), ["2026-11-22T08:00", "2026-11-23T08:00"])
    }

    func testAFixedAlarmMovesWithTheDueTime() async throws {
        for (due, alarms) in [
            ("2026-11-23T20:00", ["20261123T190000Z"]),
            // Over the change of the clocks it stays with them.
            ("2027-04-01T08:00", ["20270401T060000Z"]),
            ("none", []), ("2026-11-24", []),
        ] as [(String, [String])] {
            let folder = try CalendarFolder()
            try put(folder, Self.pills(rule: nil))
            _ = try await folder.server.run("edit", "pills", "--due", due)
            XCTAssertEqual(try triggers(folder), alarms, due)
            try await undo(folder)
            XCTAssertTrue(try text(folder).contains(Self.pills(rule: nil)))
        }
    }

    func testAnEarlierFixedAlarmKeepsItsDistanceAndADaysAlarmFollowsTheTime() async throws {
        let folder = try CalendarFolder()
        try put(folder, Self.pills(rule: nil, alarm: "20261120T160000Z"))
        _ = try await folder.server.run("edit", "pills", "--due", "2026-11-24T09:30")
        XCTAssertEqual(try triggers(folder), ["20261123T173000Z"])
        _ = try await folder.server.run("edit", "pills", "--due", "2026-11-25")
        XCTAssertEqual(try triggers(folder), ["20261124T173000Z"])
        let day = Self.pills(rule: nil, alarm: "20261121T080000Z")
            .replacingOccurrences(
                of: ";TZID=Europe/Berlin:20261121T080000", with: ";VALUE=DATE:20261121")
        try put(folder, day)
        _ = try await folder.server.run("edit", "pills", "--due", "2026-11-25T15:00")
        XCTAssertEqual(try triggers(folder), ["20261125T140000Z"])
    }

    func testOneThatWasPutOffAheadOfItsTimeRingsAtItsNewTime() async throws {
        for trigger in ["TRIGGER;VALUE=DATE-TIME:20261122T070000Z", "TRIGGER:PT0S"] {
            let folder = try CalendarFolder()
            let lines = Self.pills(rule: nil).replacingOccurrences(
                of: "20261121T080000", with: "20261122T080000"
            ).replacingOccurrences(
                of: "TRIGGER;VALUE=DATE-TIME:20261121T070000Z", with: trigger)
            try put(folder, lines)
            _ = try await folder.server.run(
                "snooze", "pills", "--until", "2026-11-22T10:00")
            XCTAssertEqual(try rings(folder), ["2026-11-22T10:00"], trigger)
            _ = try await folder.server.run("edit", "pills", "--due", "2026-11-21T20:00")
            XCTAssertEqual(try rings(folder), ["2026-11-21T20:00"], trigger)
        }
    }

    // MARK: - Items

    private static func visit(_ day: String) -> String {
        """
        BEGIN:VTODO
        UID:v
        SUMMARY:visit
        RECURRENCE-ID:202612\(day)T080000Z
        DUE:202612\(day)T080000Z
        END:VTODO
        """
    }

    func testOccurrencesWithoutTheirSeriesAreDoneOneAfterTheOther() async throws {
        let folder = try CalendarFolder()
        try put(
            folder, [Self.visit("08"), Self.visit("01"), Self.visit("15")].joined(separator: "\n"))
        let original = try text(folder)
        let server = folder.server
        let listed = try await server.run("list")
        XCTAssertEqual(listed.json?.arrayValue?.count, 3)
        let done = try await server.run("done", "visit")
        XCTAssertEqual(done.json?["due"], "2026-12-01T09:00:00+01:00")
        let open = try await server.run("list")
        XCTAssertEqual(
            open.json?.arrayValue?.map { $0["due"]?.stringValue },
            ["2026-12-08T09:00:00+01:00", "2026-12-15T09:00:00+01:00"])
        XCTAssertTrue(try text(folder).contains(Self.visit("08") + "\n"))
        // What rings is the earliest, too.
        let rung = Alert(
            key: AlertLog.Key(uid: "v", occurrence: "", fires: 0), title: "visit", isEvent: false,
            time: try ItemTime.at("2026-12-01T09:00"))
        try await AlertActions(server.actions).snooze(
            rung, CalendarFolder.now.addingTimeInterval(600))
        let snoozed = try text(folder).components(separatedBy: "END:VTODO").first {
            $0.contains("RELTYPE=SNOOZE")
        }
        XCTAssertTrue(try XCTUnwrap(snoozed).contains(Self.visit("08").dropLast(10)))
        try await undo(folder)
        _ = try await server.run("edit", "visit", "--title", "call")
        _ = try await server.run("delete", "visit")
        let rest = try await server.run("list", "--all")
        XCTAssertEqual(
            rest.json?.arrayValue?.map { $0["title"]?.stringValue }, ["call", "visit"])
        for _ in 0..<3 { try await undo(folder) }
        XCTAssertEqual(try text(folder), original)
    }

    func testRemindersWithoutAUIDAreChangedByThemselvesAndRing() async throws {
        let folder = try CalendarFolder()
        let two = ["milk", "bread"].map {
            "BEGIN:VTODO\nSUMMARY:\($0)\nDUE:20261122T070000Z\nEND:VTODO"
        }
        try put(folder, two.joined(separator: "\n"))
        XCTAssertEqual(try rings(folder), ["2026-11-22T08:00", "2026-11-22T08:00"])
        _ = try await folder.server.run("done", "bread")
        let all = try await folder.server.run("list", "--all")
        XCTAssertEqual(
            all.json?.arrayValue?.map { $0["completed"]?.boolValue }, [false, true])
        XCTAssertTrue(try text(folder).contains(two[0] + "\n"))
        XCTAssertEqual(try rings(folder), ["2026-11-22T08:00"])
        _ = try await folder.server.run("delete", "milk")
        let left = try await folder.server.run("list", "--all")
        XCTAssertEqual(left.json?.arrayValue?.map { $0["title"]?.stringValue }, ["bread"])
    }

    func testTheHighestSequenceOfAReminderHolds() async throws {
        let folder = try CalendarFolder()
        func version(_ title: String, _ sequence: Int) -> String {
            "BEGIN:VTODO\nUID:v\nSUMMARY:\(title)\nDUE:20261122T070000Z\nSEQUENCE:\(sequence)\n"
                + "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;VALUE=DATE-TIME:2026112\(sequence)T070000Z"
                + "\nEND:VALARM\nEND:VTODO"
        }
        try put(folder, [version("new", 4), version("old", 3)].joined(separator: "\n"))
        let listed = try await folder.server.run("list")
        XCTAssertEqual(listed.json?.arrayValue?.map { $0["title"]?.stringValue }, ["new"])
        XCTAssertEqual(try rings(folder), ["2026-11-24T08:00"])
        _ = try await folder.server.run("edit", "new", "--title", "newer")
        XCTAssertTrue(try text(folder).contains(version("old", 3) + "\n"))
        // The older one does not come back when the newest is done.
        _ = try await folder.server.run("done", "newer")
        let open = try await folder.server.run("list")
        XCTAssertEqual(open.json, [])
        XCTAssertEqual(try rings(folder), [])
    }
}
