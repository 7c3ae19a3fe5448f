import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import Base
@testable import DateLanguage

/// The table of the manual ("Sizes" of safety.md), walked row by row with texts that no one writes:
/// each limit is the constant of the code and is named in the error, and what a text takes grows as
/// the text does. A sample has 16 KB; CHAT_FULL=1 takes texts of a megabyte, and of each limit up
/// to 16 MB.
final class BoundsTests: XCTestCase {
    private let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] != nil

    /// What is repeated.
    private static let shapes = [
        "digits": "0123456789", "one letter": "a", "addresses": "a@", "brackets": "[(<{",
        "combining marks": "e\u{301}\u{301}", "newlines": "\n", "short lines": "a\n",
        "one line": "word ", "stars": "*a **", "table": "| a | b |\n", "quotes": "> - \"",
        "tags": "<p><b", "entities": "&amp;&", "backslashes": "\\\"", "zeros": "\0",
    ]

    func testTimeAndMemoryAreInProportionForEveryWayInAndEveryShape() async throws {
        for way in WayIn.all {
            let size = min(way.limit, isFull ? 1 << 20 : 1 << 14)
            for (name, unit) in Self.shapes.sorted(by: { $0.key < $1.key }) {
                let large = Self.text(of: unit, size)
                let (time, memory) = await Self.cost { try? await way.take(large) }
                XCTAssertLessThan(
                    memory, way.growth * size + Self.slack, "\(way.name), \(name)")
                if time < .milliseconds(100) { continue }
                // What is a fourth takes a fourth; a square would take a sixteenth.
                let (small, _) = await Self.cost {
                    try? await way.take(Array(large.prefix(size / 4)))
                }
                XCTAssertLessThan(time, small * 9, "\(way.name), \(name)")
            }
        }
    }

    /// All shapes of a small limit, unless the test above has taken them; of a large one prose, and
    /// that only with CHAT_FULL, which prints what the worst has taken.
    func testEveryWayInTakesATextAtItsLimit() async throws {
        let limits = isFull ? 0...16 << 20 : (1 << 14) + 1...1 << 16
        for way in WayIn.all where limits.contains(way.limit) {
            let isSmall = way.limit <= 1 << 16
            var worst = (time: Duration.zero, memory: 0)
            for (name, unit) in isSmall ? Self.shapes : ["prose": "The river runs on.\n"] {
                let text = Self.text(of: unit, way.limit)
                let (time, memory) = await Self.cost { try? await way.take(text) }
                XCTAssertLessThan(
                    memory, way.growth * way.limit + Self.slack, "\(way.name), \(name)")
                worst = (max(worst.time, time), max(worst.memory, memory))
            }
            if isFull {
                print("\(way.name): \(worst.time), \(Quantities.bytes(worst.memory))")
            }
        }
    }

    func testEveryWayInNamesItsLimitAboveIt() async throws {
        for way in WayIn.all {
            for refusal in way.refusals {
                let said = try await refusal.said()
                XCTAssertTrue(
                    said.contains(refusal.number), "\(way.name): \(refusal.number) in: \(said)")
            }
        }
    }

    func testTimesAreFoundUpToTheirLimit() {
        let parser = DateParser(
            DateContext(
                now: Date(timeIntervalSince1970: 1_790_000_000), local: LocalTime(.utc),
                zones: TimeZoneDatabase(), locale: .british))
        let filler = String(repeating: "a", count: DateParser.lengthLimit)
        XCTAssertNotNil(parser.parse("\(filler.dropLast(9)) tomorrow").start)
        let above = parser.parse("\(filler) tomorrow")
        XCTAssertNil(above.start)
        XCTAssertEqual(above.title, "\(filler) tomorrow")
    }

    func testTheManualHasARowForEachWayInWithItsLimits() throws {
        let page = URL(fileURLWithPath: #filePath + "/../../../../docs/manual/safety.md")
            .standardized
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let start = try XCTUnwrap(lines.firstIndex { $0.hasPrefix("| what comes in |") })
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        let cells = rows.map { $0.components(separatedBy: " | ") }
        XCTAssertEqual(
            cells.map { String($0[0].dropFirst(2)) }.sorted(), WayIn.all.map(\.name).sorted())
        for way in WayIn.all {
            let row = try XCTUnwrap(cells.first { $0[0] == "| \(way.name)" }, way.name)
            for shown in way.shown {
                XCTAssertTrue(row[1].contains(shown), "\(way.name): \(shown) is not in \(row[1])")
            }
            // What it takes at the limit, or a dash where nobody has measured it.
            let isFilled = row.last?.range(of: "([0-9] MB\\*?|–) \\|$", options: .regularExpression)
            XCTAssertNotNil(isFilled, way.name)
        }
    }

    // MARK: - Measuring

    /// What the allocator keeps, and the tables that are read with the first use.
    private static let slack = 24 << 20

    private static func text(of unit: String, _ size: Int) -> [UInt8] {
        Array(String(repeating: unit, count: max(1, size / unit.utf8.count)).utf8)
    }

    private static func cost(
        _ body: () async -> Void
    ) async -> (time: Duration, memory: Int) {
        let before = peak(reset: true)
        let start = ProcessorTime.now()
        await body()
        return (ProcessorTime.now() - start, peak(reset: false) - before)
    }

    /// Bytes that this process had in memory at most, since it was reset (proc(5)).
    private static func peak(reset: Bool) -> Int {
        if reset {
            try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) << 10
    }
}
