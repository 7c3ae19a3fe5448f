import XCTest

@testable import ChatKit
@testable import TerminalKit

/// Text as received, in lines.
final class LineCutterTests: XCTestCase {
    func testLinesAreFinishedAtTheirEndAndTheRestIsOpen() {
        var cutter = LineCutter(look: RichLine.Look())
        XCTAssertEqual(cutter.feed("one\ntw").finished, [RichLine("one")])
        XCTAssertEqual(cutter.feed("o").live, [RichLine("two")])
        XCTAssertEqual(cutter.finish(), [RichLine("two")])
        XCTAssertEqual(cutter.finish(), [])
    }

    func testProseHangsBehindItsSpacesAndTheMarkOfAList() {
        let table: [(line: String, indent: Int)] = [
            ("text", 0), ("  text", 2), ("- item", 2), ("  * item", 4), ("12. item", 4),
            ("1) item", 3), ("-5 degrees", 0), ("2024. a year", 0), ("- ", 2), ("", 0),
        ]
        for (line, indent) in table {
            XCTAssertEqual(LineCutter.indent(of: line), indent, line)
        }
        var cutter = LineCutter(look: RichLine.Look(.text, .dim), isProse: true)
        let shown = cutter.feed("- one two three").live.flatMap { $0.rows(columns: 12, .words) }
        XCTAssertEqual(shown.map(\.text), ["- one two", "  three"])
    }
}
