import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Planner

/// Files that hold occurrences without their series, several revisions, times of
/// mixed kinds, several rules and alarms of fixed times, changed and deleted as
/// this, following and all. What then takes place is said by the script that
/// wrote them, and what the files hold by python-icalendar and dateutil.
/// The seed is in each failure; CHAT_FULL=1 makes it two thousand.
final class ForeignEditOracleTests: XCTestCase {
    private struct Case: Decodable {
        var command: String
        var folder: String
        var before: [[String]]
        var after: [[String]]
    }

    private struct Reading: Decodable {
        var found: [[String]]
        /// Of fixed times, that were left behind.
        var alarms: [String]
    }

    private func ask<Answer: Decodable>(_ lines: [String]) throws -> [Answer] {
        let source = try XCTUnwrap(Bundle.module.resourceURL)
            .appending(path: "Fixtures/foreign/edits.py")
        return try PythonOracle.run(
            try String(contentsOf: source, encoding: .utf8),
            needs: "python3-icalendar, python3-dateutil", input: lines
        ).map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }

    private func listed(_ rig: CalendarRig) async throws -> [[String]] {
        let output = try await rig.run("list --from 2026-03-01 --to 2027-05-31", json: true)
        return try times(output.json, "start")
    }

    private func times(_ json: JSONValue?, _ field: String) throws -> [[String]] {
        let utc = LocalTime(.utc)
        return try (json?.arrayValue ?? []).map { item in
            let text = item[field]?.stringValue ?? ""
            guard case .instant(let time) = try ISO8601.parse(text) else { return [text] }
            return [
                item["title"]?.stringValue ?? "",
                utc.isoText(time).replacingOccurrences(of: "+00:00", with: "Z"),
            ]
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    func testOnlyWhatWasMeantIsDifferentForEveryReader() async throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        let seed = UInt64.random(in: 0..<1 << 32)
        let made = try CalendarFolder(inMemory: true)
        let cases: [Case] = try ask(["events \(seed) \(isFull ? 2_000 : 100) \(made.path)/made"])
        XCTAssertGreaterThan(cases.count, 0)
        var done: [(rig: CalendarRig, each: Case, bytes: [UInt8], name: String)] = []
        for each in cases {
            let rig = try CalendarRig(inMemory: true)
            let bytes = try made.bytes(each.folder + "/calendar/a.ics")
            let name =
                "seed \(seed): \(each.command)\n" + String(decoding: bytes, as: UTF8.self)
            try rig.folder.put(bytes, "a.ics", list: "calendar")
            let before = try await listed(rig)
            XCTAssertEqual(before, each.before, name)
            do {
                try await rig.run(each.command)
            } catch {
                return XCTFail("\(error): \(name)")
            }
            let after = try await listed(rig)
            XCTAssertEqual(after, each.after, name)
            if after != each.after { return }
            done.append((rig, each, bytes, name))
        }
        let readings: [Reading] = try ask(done.map { "read \($0.rig.folder.root)/calendar" })
        XCTAssertEqual(readings.count, done.count)
        for (reading, (rig, each, bytes, name)) in zip(readings, done) {
            XCTAssertEqual(reading.found, each.after, name)
            XCTAssertEqual(reading.alarms, [], name)
            try await rig.undo()
            XCTAssertEqual(try rig.folder.bytes(rig.folder.root + "/calendar/a.ics"), bytes, name)
            XCTAssertEqual(try rig.others(than: "a.ics"), [], name)
            if reading.found != each.after || !reading.alarms.isEmpty { return }
        }
    }

    /// Reminders done, put off, moved, renamed and deleted, up to three of these
    /// one after the other.
    func testRemindersMoveOnWithTheirAlarmsForEveryReader() async throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        let seed = UInt64.random(in: 0..<1 << 32)
        let made = try CalendarFolder(inMemory: true)
        let cases: [Case] = try ask(["tasks \(seed) \(isFull ? 2_000 : 100) \(made.path)/made"])
        XCTAssertGreaterThan(cases.count, 0)
        var done: [(folder: CalendarFolder, each: Case, bytes: [UInt8], name: String)] = []
        for each in cases {
            let folder = try CalendarFolder(inMemory: true)
            let bytes = try made.bytes(each.folder + "/calendar/a.ics")
            let name =
                "seed \(seed): \(each.command)\n" + String(decoding: bytes, as: UTF8.self)
            try folder.put(bytes, "a.ics")
            let before = try await opened(folder)
            XCTAssertEqual(before, each.before, name)
            for command in each.command.components(separatedBy: "; ") {
                let words = command.split(separator: " ").map(String.init)
                do {
                    _ = try await folder.server.commands[0].run(
                        words)
                } catch {
                    return XCTFail("\(error): \(command): \(name)")
                }
            }
            let after = try await opened(folder)
            XCTAssertEqual(after, each.after, name)
            if after != each.after { return }
            done.append((folder, each, bytes, name))
        }
        let readings: [Reading] = try ask(done.map { "read \($0.folder.list)" })
        XCTAssertEqual(readings.count, done.count)
        for (reading, (folder, each, bytes, name)) in zip(readings, done) {
            XCTAssertEqual(reading.found, each.after, name)
            XCTAssertEqual(reading.alarms, [], name)
            for _ in each.command.components(separatedBy: "; ") {
                let step = try await folder.store.steps(limit: 1).first
                _ = try await folder.store.undo(try XCTUnwrap(step).id)
            }
            XCTAssertEqual(try folder.names(folder.list), ["a.ics"], name)
            XCTAssertEqual(try folder.bytes(folder.list + "/a.ics"), bytes, name)
            if reading.found != each.after || !reading.alarms.isEmpty { return }
        }
    }

    private func opened(_ folder: CalendarFolder) async throws -> [[String]] {
        let output = try await folder.server.run("list")
        return try times(output.json, "due")
    }
}
