import XCTest

@testable import ICalendar

final class ContentLineTests: XCTestCase {
    private func line(_ text: String) throws -> ContentLine {
        let file = try CalendarParser.parse(Array(text.utf8))
        guard case .line(let line)? = file.items.first else {
            throw CocoaError(.featureUnsupported)
        }
        return line
    }

    func testNameParametersAndValue() throws {
        let line = try line(
            "attendee;ROLE=\"a;b:c\",d;X=^'q^'^n^^^x;EMPTY=;BARE:mailto:x@y;z\r\n")
        XCTAssertEqual(line.name, "ATTENDEE")
        XCTAssertTrue(line.isNamed("ATTENDEE"))
        XCTAssertFalse(line.isNamed("ATTENDE"))
        XCTAssertEqual(line.value, "mailto:x@y;z")
        XCTAssertEqual(line.parameters.map(\.name), ["ROLE", "X", "EMPTY", "BARE"])
        XCTAssertEqual(
            line.parameters.map(\.values), [["a;b:c", "d"], ["\"q\"\n^^x"], [""], []])
        XCTAssertEqual(line.parameter("ROLE"), "a;b:c")
        XCTAssertEqual(Array(line.ending), [0x0D, 0x0A])
    }

    func testUnclosedQuoteDoesNotHideTheValue() throws {
        XCTAssertEqual(try line("SUMMARY;X=\"open:Still shown\n").value, "Still shown")
    }

    func testLineWithoutColonHasNoValue() throws {
        for text in ["NOCOLON\n", ":x\n", ";A=1:x\n", "\n", "A;B=C\n"] {
            XCTAssertEqual(try line(text).value, "", text)
        }
        XCTAssertEqual(try line("NOCOLON\n").name, "")
    }

    func testTheBeginningOfAValueIsCutBetweenCharacters() throws {
        let line = try line("SUMMARY;X=1:aé€z\n")
        XCTAssertEqual(
            (0...8).map { line.value(upTo: $0) },
            ["", "a", "a", "aé", "aé", "aé", "aé€", "aé€z", "aé€z"])
    }

    func testMoreParametersThanAnyPropertyHasDoNotHideTheValue() throws {
        let line = try line("SUMMARY" + String(repeating: ";A=1", count: 200_000) + ":x\n")
        XCTAssertEqual(line.value, "x")
        XCTAssertEqual(line.parameters.count, 100)
    }

    func testNewLineIsFoldedAt75OctetsBetweenCharacters() throws {
        let value = String(repeating: "é🎁x", count: 60)
        let line = ContentLine("SUMMARY", value: TextValue.escape(value))
        let rows = Array(line.raw).split(separator: 0x0A, omittingEmptySubsequences: true)
        XCTAssertGreaterThan(rows.count, 5)
        for row in rows {
            XCTAssertLessThanOrEqual(row.count - 1, 75)
            XCTAssertNotNil(String(validating: row.dropLast(), as: UTF8.self))
        }
        let read = try self.line(String(decoding: line.raw, as: UTF8.self))
        XCTAssertEqual(read.value, value)
        XCTAssertEqual(read.name, "SUMMARY")
    }

    func testFoldingAtTheEdgeLosesNothing() throws {
        for length in 60...160 {
            let value = String(repeating: "a", count: length)
            let line = ContentLine("X", value: value, ending: [0x0A])
            XCTAssertEqual(
                try self.line(String(decoding: line.raw, as: UTF8.self)).value, value)
        }
    }

    func testNewParametersAreQuotedAndEncoded() throws {
        let line = ContentLine(
            "X-A", parameters: [("P", "a:b\"c\n^"), ("Q", "plain")], value: "v\u{1}\r\nEVIL:1")
        XCTAssertEqual(
            String(decoding: line.raw, as: UTF8.self),
            "X-A;P=\"a:b^'c^n^^\";Q=plain:vEVIL:1\r\n")
        XCTAssertEqual(
            try self.line(String(decoding: line.raw, as: UTF8.self)).parameter("P"), "a:b\"c\n^")
    }
}
