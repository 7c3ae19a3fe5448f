import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Planner

/// `chat today`, and the line of the first launch of a day. It is Wed 4 Mar 2026, 10:15.
final class TodayTests: XCTestCase {
    private func rig() throws -> CalendarRig {
        let rig = try CalendarRig()
        func event(_ title: String, _ times: String) throws {
            try rig.put(
                "\(title).ics", "BEGIN:VEVENT\nUID:\(title)\nSUMMARY:\(title)\n\(times)\nEND:VEVENT"
            )
        }
        func task(_ title: String, _ due: String, _ more: String = "") throws {
            try rig.put(
                "\(title).ics",
                "BEGIN:VTODO\nUID:\(title)\nSUMMARY:\(title)\nDUE:\(due)\(more)\nEND:VTODO",
                list: "reminders")
        }
        try event("standup", "DTSTART:20260304T080000Z\nDTEND:20260304T081500Z")
        try event("dentist", "DTSTART:20260304T140000Z\nDTEND:20260304T150000Z")
        try event("lunch", "DTSTART:20260305T110000Z\nDTEND:20260305T120000Z")
        try task("bread", "20260304T170000Z")
        try task("taxes", "20260301T090000Z")
        try task("mail", "20260304T080000Z")
        try task("done", "20260304T160000Z", "\nSTATUS:COMPLETED")
        try task("later", "20260306T080000Z")
        return rig
    }

    private func run(_ rig: CalendarRig, _ words: [String] = []) async throws -> CommandOutput {
        try await TodayCommand(server: rig.server).command.run(words)
    }

    func testTheLineNamesWhatIsLeftOfTheDayAndCountsWhatIsDue() async throws {
        let rig = try rig()
        let output = try await run(rig, ["--line"])
        XCTAssertEqual(output.lines.map(\.text), ["today: dentist 15:00 · 1 due · 2 overdue"])
    }

    func testAFreeDayHasNoLine() async throws {
        let output = try await run(try CalendarRig(), ["--line"])
        XCTAssertEqual(output.lines, [])
        XCTAssertEqual(output.outcome, .ok)
    }

    func testTheDayShowsItsHoursAndThenWhatIsOverdueFromBefore() async throws {
        let output = try await run(try rig())
        let lines = output.lines.map(\.text)
        let overdue = try XCTUnwrap(lines.firstIndex(of: "Overdue from before"))
        let day = lines[..<overdue].joined(separator: "\n")
        for title in ["standup", "dentist", "bread", "mail"] {
            XCTAssert(day.contains(title), "\(title) in\n\(day)")
        }
        XCTAssertFalse(day.contains("lunch") || day.contains("later") || day.contains("done"), day)
        XCTAssertEqual(
            lines[overdue...].dropFirst().map { $0 }, ["  ☐ taxes · Sun 1 Mar 10:00 CET"])
    }

    func testJSONHasTheSameInThreeLists() async throws {
        let output = try await run(try rig())
        let json = try XCTUnwrap(output.json)
        XCTAssertEqual(json["date"], "2026-03-04")
        func titles(_ name: String) -> [String] {
            (json[name]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }.sorted()
        }
        XCTAssertEqual(titles("events"), ["dentist", "standup"])
        XCTAssertEqual(titles("due"), ["bread"])
        XCTAssertEqual(titles("overdue"), ["mail", "taxes"])
    }

    func testTheLineComesOnceADay() async throws {
        let rig = try rig()
        let first = try await rig.server.glance(after: "2026-03-03")
        XCTAssertEqual(first?.day, "2026-03-04")
        XCTAssertEqual(first?.line, "today: dentist 15:00 · 1 due · 2 overdue")
        let second = try await rig.server.glance(after: "2026-03-04")
        XCTAssertNil(second)
        // The clock was put back.
        let earlier = try await rig.server.glance(after: "2026-03-05")
        XCTAssertNil(earlier)
    }

    func testATitleOfOthersStaysOnItsLine() async throws {
        let rig = try CalendarRig()
        try rig.put(
            "x.ics",
            "BEGIN:VEVENT\nUID:x\nSUMMARY:a\\nb\u{1B}[2J\nDTSTART:20260304T140000Z\nEND:VEVENT")
        let line = try await rig.server.glance(after: nil)?.line
        XCTAssertEqual(line?.contains("\n"), false)
    }
}
