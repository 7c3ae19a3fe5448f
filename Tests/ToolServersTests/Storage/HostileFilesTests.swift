import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles

/// Broken and hostile files: named, never rewritten, and no harm to the good
/// ones beside them.
final class HostileFilesTests: XCTestCase {
    /// Everything a listing does with the bytes of a file; returns false for
    /// what is told as a problem. Traps where the code would.
    @discardableResult
    private func digest(_ bytes: [UInt8]) -> Bool {
        guard let content = try? CalendarParser.parse(bytes) else { return false }
        XCTAssertEqual(CalendarWriter.bytes(content), bytes)
        let facts = FileFacts(content)
        if bytes.count <= CalendarStore.Filter.textLimit { _ = FileFacts.text(content).utf8.count }
        _ = facts.mayMatch(
            .init(
                kind: "VTODO", openOnly: true,
                window: CalendarFolder.now..<CalendarFolder.now.addingTimeInterval(1)))
        _ = content.removing(uid: "x")
        _ = CalendarStore.title(of: bytes)
        return !content.components("VCALENDAR").isEmpty
    }

    func testEveryTruncationOfEveryFixtureIsDigested() throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] != nil
        var count = 0
        for (_, bytes) in try CalendarFixtures.all() {
            for length in stride(from: 0, to: bytes.count, by: isFull ? 1 : 11) {
                digest(Array(bytes.prefix(length)))
                count += 1
            }
        }
        XCTAssertGreaterThan(count, 300)
    }

    func testFlippedBitsAndSwappedPiecesAreDigested() throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] != nil
        let seed = UInt64.random(in: 0..<1 << 32)
        print("seed \(seed)")
        var generator = SplitMix(seed: seed)
        let fixtures = try CalendarFixtures.all().map(\.1)
        for _ in 0..<(isFull ? 50_000 : 500) {
            var bytes = fixtures[Int.random(in: 0..<fixtures.count, using: &generator)]
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 2:
                    let end = min(bytes.count, place + Int.random(in: 1..<40, using: &generator))
                    bytes.replaceSubrange(place..<end, with: bytes[place..<end].reversed())
                default:
                    let end = min(bytes.count, place + Int.random(in: 1..<80, using: &generator))
                    bytes.insert(contentsOf: bytes[place..<end], at: place)
                }
            }
            digest(bytes)
        }
    }

    /// Name, bytes; each about as bad as its kind can be.
    private static func bombs(_ size: Int) -> [(String, [UInt8])] {
        func repeated(_ text: String, _ head: String = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\n")
            -> [UInt8]
        {
            var bytes = Array(head.utf8)
            let piece = Array(text.utf8)
            bytes.reserveCapacity(size + piece.count)
            while bytes.count + piece.count < size { bytes += piece }
            return bytes
        }
        let end = Array("\r\nEND:VTODO\r\nEND:VCALENDAR\r\n".utf8)
        return [
            ("nested", repeated("BEGIN:VTODO\r\n")),
            ("nested names", repeated("BEGIN:X\r\nBEGIN:Y\r\nEND:X\r\n")),
            ("ends", repeated("END:VTODO\r\n")),
            ("begins and ends", repeated("BEGIN:VALARM\r\nEND:VALARM\r\n")),
            ("one line", repeated("x", "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:") + end),
            (
                "one folded line",
                repeated("\r\n x", "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:") + end
            ),
            ("backslashes", repeated("\\", "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:") + end),
            ("accents", repeated("e\u{301}", "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:") + end),
            ("empty lines", repeated("\r\n")), ("lf only", repeated("\n", "")),
            ("parameters", repeated(";A=\"b", "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY")),
            ("colons", repeated(":", "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nDTSTART")),
            ("many dates", repeated("20260101,", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nRDATE:")),
            ("rule", repeated("BYDAY=MO;", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nRRULE:")),
            ("cr only", Array("BEGIN:VCALENDAR\rBEGIN:VTODO\rEND:VTODO\rEND:VCALENDAR\r".utf8)),
            ("nul", [UInt8](repeating: 0, count: size)),
            ("high", [UInt8](repeating: 0xFF, count: size)),
            ("utf-16", [0xFF, 0xFE] + "BEGIN:VCALENDAR".utf8.flatMap { [$0, 0] }),
            (
                "numbers",
                Array(
                    """
                    BEGIN:VCALENDAR\r
                    BEGIN:VEVENT\r
                    DTSTART:99991231T235960Z\r
                    DURATION:P999999999W\r
                    RRULE:FREQ=YEARLY;COUNT=9223372036854775807;INTERVAL=9223372036854775807\r
                    RRULE:FREQ=SECONDLY;COUNT=99999;INTERVAL=-1\r
                    BEGIN:VALARM\r
                    TRIGGER:-P99999W\r
                    REPEAT:9223372036854775807\r
                    DURATION:P999999D\r
                    END:VALARM\r
                    END:VEVENT\r
                    END:VCALENDAR\r

                    """.utf8)
            ),
            ("empty", []),
        ]
    }

    func testBombsAreBoundedNamedAndLeftAlone() async throws {
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] != nil
        let size = isFull ? (10 << 20) - 100 : 32 << 10
        let folder = try CalendarFolder(inMemory: true)
        let bombs = Self.bombs(size)
        for (name, bytes) in bombs {
            try folder.put(bytes, name + ".ics")
            guard isFull else { continue }
            let clock = ContinuousClock()
            let (before, start) = (Self.resetPeak(), clock.now)
            _ = digest(bytes)
            print("  \(name): \(start.duration(to: clock.now)), \((Self.peak() - before) >> 10) MB")
        }
        try folder.put(CalendarFixtures.file("todoman.ics"), "good.ics")
        for text in [nil, "card"] {
            let files = try await folder.store.files(.init(text: text))
            XCTAssertTrue(files.files.contains { $0.path.hasSuffix("/good.ics") })
            let problems = Set(
                files.problems.map { String($0.path.dropFirst(folder.list.count + 1)) })
            let read = Set(files.files.map { String($0.path.dropFirst(folder.list.count + 1)) })
            XCTAssertTrue(problems.isDisjoint(with: read))
            for name in ["nul", "high", "utf-16", "lf only", "empty", "nested"] {
                XCTAssertTrue(problems.contains(name + ".ics"), name)
            }
            if text == nil { XCTAssertEqual(problems.count + read.count, bombs.count + 1) }
        }
        for (name, bytes) in bombs {
            let path = folder.list + "/" + name + ".ics"
            // One that is cut off is not rewritten, whatever is asked of it.
            _ = try? await folder.store.change(path, step: CalendarUndoTests.step("x")) {
                $0.isTerminated ? () : CalendarUndoTests.retitle(&$0, "rewritten")
            }
            XCTAssertEqual(try folder.bytes(path), bytes, name)
        }
    }

    /// The most memory this process has had, in KB, counted from now on.
    private static func resetPeak() -> Int {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return peak()
    }

    private static func peak() -> Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
