import TestSupport
import XCTest

@testable import ICalendar

/// Reading and writing back: every byte, whatever the file.
final class CalendarParserTests: XCTestCase {
    func testEveryFixtureIsWrittenBackByteForByte() throws {
        let fixtures = try CalendarFixtures.all()
        XCTAssertGreaterThanOrEqual(fixtures.count, 14)
        for (name, bytes) in fixtures {
            XCTAssertEqual(CalendarWriter.bytes(try CalendarParser.parse(bytes)), bytes, name)
        }
    }

    func testEveryPrefixOfEveryFixtureIsWrittenBackByteForByte() throws {
        for (name, bytes) in try CalendarFixtures.all() {
            for length in 0...bytes.count {
                let prefix = Array(bytes.prefix(length))
                XCTAssertEqual(
                    CalendarWriter.bytes(try CalendarParser.parse(prefix)), prefix,
                    "\(name), \(length) bytes")
            }
        }
    }

    func testSeededFuzzNeverTrapsNorLosesAByte() throws {
        for (round, bytes) in try CalendarFixtures.damaged().enumerated() {
            let file = try CalendarParser.parse(bytes)
            XCTAssertEqual(CalendarWriter.bytes(file), bytes, "round \(round)")
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

    func testLineEndsAndMarksOfOtherSystemsAreRead() throws {
        let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:mi\n\tlk\nEND:VTODO\nEND:VCALENDAR\n"
        let files: [(String, String)] = [
            ("CRLF", text.replacingOccurrences(of: "\n", with: "\r\n")), ("LF", text),
            ("CR", text.replacingOccurrences(of: "\n", with: "\r")),
            ("CRCRLF", text.replacingOccurrences(of: "\n", with: "\r\r\n")),
            ("CR at the end", String(text.dropLast()) + "\r"),
            ("marks", "\u{FEFF}" + text + "\u{FEFF}" + text), ("lower case", text.lowercased()),
            ("blanks", text.replacingOccurrences(of: "R\n", with: "R \n")),
        ]
        for (name, text) in files {
            let file = try CalendarParser.parse(Array(text.utf8))
            XCTAssertEqual(CalendarWriter.bytes(file), Array(text.utf8), name)
            XCTAssertTrue(file.isTerminated, name)
            let calendars = file.components("VCALENDAR")
            XCTAssertEqual(calendars.count, name == "marks" ? 2 : 1, name)
            for calendar in calendars {
                XCTAssertEqual(calendar.components("VTODO").first?.title, "milk", name)
            }
            // A new line ends as the others do, and is one.
            var changed = file
            changed.editComponents("VCALENDAR") { calendar in
                let ending = calendar.lineEnding
                calendar.add(ContentLine("X-NEW", value: "1", ending: ending))
            }
            XCTAssertEqual(
                try CalendarParser.parse(CalendarWriter.bytes(changed)), changed, name)
        }
    }

    func testManySoftBreaksAreReadInLinearTime() throws {
        let head = "SUMMARY;ENCODING=QUOTED-PRINTABLE:"
        let breaks = String(repeating: "a=\n", count: 500_000)
        let file = try CalendarParser.parse(Array((head + breaks).utf8))
        XCTAssertEqual(file.first("SUMMARY")?.value.utf8.count, 500_001)
        let folds = String(repeating: "a=\n ", count: 500_000)
        XCTAssertEqual(try CalendarParser.parse(Array(folds.utf8)).items.count, 1)
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
