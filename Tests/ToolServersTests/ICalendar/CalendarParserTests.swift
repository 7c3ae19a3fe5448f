import XCTest

@testable import ToolServers

/// Reading and writing back: every byte, whatever the file.
final class CalendarParserTests: XCTestCase {
    func testEveryFixtureIsWrittenBackByteForByte() throws {
        let fixtures = try CalendarFolder.fixtures()
        XCTAssertGreaterThanOrEqual(fixtures.count, 14)
        for (name, bytes) in fixtures {
            XCTAssertEqual(CalendarWriter.bytes(try CalendarParser.parse(bytes)), bytes, name)
        }
    }

    func testEveryPrefixOfEveryFixtureIsWrittenBackByteForByte() throws {
        for (name, bytes) in try CalendarFolder.fixtures() {
            for length in 0...bytes.count {
                let prefix = Array(bytes.prefix(length))
                XCTAssertEqual(
                    CalendarWriter.bytes(try CalendarParser.parse(prefix)), prefix,
                    "\(name), \(length) bytes")
            }
        }
    }

    func testSeededFuzzNeverTrapsNorLosesAByte() throws {
        var random = SeededGenerator(seed: 20_261_121)
        let fixtures = try CalendarFolder.fixtures().map(\.1)
        let pieces: [[UInt8]] =
            [
                "BEGIN:", "END:", "VTODO", "VCALENDAR", "\r\n", "\n", "\r", " ", "\t", ":", ";",
                "\"",
                "=", "^", "\\", "DUE:", "DUE;TZID=", "SUMMARY:", "\u{FEFF}", "20261399T", "RRULE:",
            ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xF0, 0x9F]]
        for round in 0..<3000 {
            var bytes = fixtures[Int.random(in: 0..<fixtures.count, using: &random)]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    bytes.insert(
                        contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)],
                        at: place)
                case 1:
                    let end = min(bytes.count, place + Int.random(in: 0..<40, using: &random))
                    bytes.removeSubrange(place..<end)
                default:
                    if place < bytes.count {
                        bytes[place] = UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
            let file = try CalendarParser.parse(bytes)
            XCTAssertEqual(CalendarWriter.bytes(file), bytes, "round \(round)")
            let found = ReminderComponent.reminders(in: file)
            for reminder in found {
                // What a change gives can be read again.
                guard file.isTerminated else { continue }
                let changed = try ReminderComponent.completing(
                    reminder, in: file, now: Date(timeIntervalSince1970: 0))
                if let changed {
                    let again = try CalendarParser.parse(CalendarWriter.bytes(changed))
                    XCTAssertEqual(again, changed, "round \(round)")
                }
            }
        }
    }

    func testBoundsAreErrorsWithTheLine() {
        let deep = Array(String(repeating: "BEGIN:A\n", count: 40).utf8)
        XCTAssertThrowsError(try CalendarParser.parse(deep)) {
            XCTAssertEqual($0 as? ICalendarError, ICalendarError(.tooDeep, line: 33))
        }
        let lines = [UInt8](repeating: 0x0A, count: CalendarParser.lineLimit + 1)
        XCTAssertThrowsError(try CalendarParser.parse(lines)) {
            XCTAssertEqual(
                $0 as? ICalendarError,
                ICalendarError(.tooManyLines, line: CalendarParser.lineLimit + 1))
        }
        let many = Array(
            String(repeating: "BEGIN:A\nEND:A\n", count: CalendarParser.componentLimit + 1).utf8)
        XCTAssertThrowsError(try CalendarParser.parse(many)) {
            XCTAssertEqual(
                $0 as? ICalendarError,
                ICalendarError(.tooManyComponents, line: CalendarParser.componentLimit * 2 + 1))
        }
        let large = [UInt8](repeating: 0x41, count: CalendarParser.byteLimit + 1)
        XCTAssertThrowsError(try CalendarParser.parse(large)) {
            XCTAssertEqual($0 as? ICalendarError, ICalendarError(.tooLarge))
        }
    }

    func testManyFoldsAreReadInLinearTime() throws {
        let bytes = Array(("SUMMARY:" + String(repeating: "a\n ", count: 1_000_000)).utf8)
        let file = try CalendarParser.parse(bytes)
        XCTAssertEqual(file.items.count, 1)
        XCTAssertEqual(file.first("SUMMARY")?.value.utf8.count, 1_000_000)
    }

    func testEndClosesWhatIsOpenInside() throws {
        let text =
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nBEGIN:VALARM\nEND:VTODO\nEND:VEVENT\nEND:VCALENDAR\n"
        let file = try CalendarParser.parse(Array(text.utf8))
        let calendar = try XCTUnwrap(file.components("VCALENDAR").first)
        let todo = try XCTUnwrap(calendar.components("VTODO").first)
        XCTAssertNotNil(todo.end)
        XCTAssertNil(todo.components("VALARM").first?.end)
        XCTAssertFalse(file.isTerminated)
        XCTAssertEqual(calendar.all("END").map(\.value), ["VEVENT"])
    }
}
