import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Random series, changed in random ways: what takes place afterwards is what
/// took place before, with just that difference. The seed is in each failure;
/// CHAT_FULL=1 makes it a thousand.
final class RandomEditTests: XCTestCase {
    private static let rules = [
        "FREQ=DAILY;COUNT=9", "FREQ=DAILY;INTERVAL=3;COUNT=12", "FREQ=WEEKLY;COUNT=8",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=9", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20260601T220000Z",
        "FREQ=MONTHLY;COUNT=7", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=6", "FREQ=MONTHLY;BYMONTHDAY=1,15",
        "FREQ=YEARLY;COUNT=4", "FREQ=WEEKLY;WKST=SU;INTERVAL=2;BYDAY=SA,SU",
    ]
    private static let zones = [
        ";TZID=Europe/Berlin:", ";TZID=America/New_York:", ":",
    ]

    private struct Shown: Equatable, CustomStringConvertible {
        var title: String
        var start: String
        var description: String { "\(title) \(start)" }
    }

    private func shown(_ rig: CalendarRig) async throws -> [Shown] {
        let output = try await rig.run("list --from 2026-01-01 --to 2029-06-30", json: true)
        return (output.json?.arrayValue ?? []).map {
            Shown(
                title: $0["title"]?.stringValue ?? "",
                start: String(($0["start"]?.stringValue ?? "").prefix(16)))
        }
    }

    /// The wall clock of Berlin that many minutes on.
    private func moved(_ shown: Shown, minutes: Int) throws -> Shown {
        guard case .local(let clock) = try ISO8601.parse(shown.start) else {
            throw OtherKindOfTime(shown.start)
        }
        var shown = shown
        shown.start = String(
            CivilDateTime(secondsAsUTC: clock.secondsAsUTC + minutes * 60).isoText.prefix(16))
        return shown
    }

    func testOnlyWhatWasMeantIsDifferent() async throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
        for seed in 0..<UInt64(isFull ? 1000 : 40) {
            var random = SplitMix(seed: seed)
            let rule = Self.rules[Int.random(in: 0..<Self.rules.count, using: &random)]
            let place = Self.zones[Int.random(in: 0..<Self.zones.count, using: &random)]
            let rig = try CalendarRig(inMemory: true)
            // New York's clocks change on other days; moves by the clock are
            // judged in Berlin only.
            let isLocal = !place.contains("New_York")
            let until = place == ":" ? rule.replacingOccurrences(of: "Z", with: "") : rule
            try rig.put(
                "a.ics",
                "BEGIN:VEVENT\nUID:a\nSUMMARY:thing\nDTSTART\(place)20260312T103000\n"
                    + "DURATION:PT45M\nRRULE:\(until)\nEND:VEVENT")
            let before = try await shown(rig)
            let original = try rig.text("a.ics")
            let index = Int.random(in: 1..<before.count - 1, using: &random)
            let day = before[index].start.prefix(10)
            let wanted: [Shown]
            let command: String
            switch Int.random(in: 0..<(isLocal ? 6 : 4), using: &random) {
            case 0:
                command = "delete thing --this \(day)"
                wanted = before.enumerated().filter { $0.offset != index }.map(\.element)
            case 1:
                command = "delete thing --following \(day)"
                wanted = Array(before.prefix(index))
            case 2:
                command = "edit thing --following \(day) --title other"
                wanted = before.enumerated().map {
                    $0.offset < index ? $0.element : Shown(title: "other", start: $0.element.start)
                }
            case 3:
                command = "edit thing --this \(day) --title other"
                wanted = before.enumerated().map {
                    $0.offset == index ? Shown(title: "other", start: $0.element.start) : $0.element
                }
            case 4:
                command = "edit thing --all --by 75m"
                wanted = try before.map { try moved($0, minutes: 75) }
            default:
                command = "edit thing --following \(day) --by -30m"
                wanted = try before.enumerated().map {
                    $0.offset < index ? $0.element : try moved($0.element, minutes: -30)
                }
            }
            try await rig.run(command)
            let after = try await shown(rig)
            XCTAssertEqual(after, wanted, "seed \(seed): \(rule) \(place) \(command)")
            try await rig.undo()
            XCTAssertEqual(try rig.text("a.ics"), original, "seed \(seed)")
            XCTAssertEqual(try rig.others(than: "a.ics"), [], "seed \(seed)")
            if after != wanted { return }
        }
    }
}
