import TestSupport
import XCTest

@testable import TerminalKit

/// Rows of a line, and places in them.
final class LineLayoutTests: XCTestCase {
    private func place(_ text: String, columns: Int) -> [Int] {
        var table = LineUnits()
        let units = table.units(text)
        let layout = LineLayout(
            columns: columns, prompt: [], units: units, cursor: units.count, from: &table)
        return [layout.cursor.row, layout.cursor.column]
    }

    func testTheCursorStandsBehindTheText() {
        XCTAssertEqual(place("", columns: 10), [0, 0])
        XCTAssertEqual(place("0123456789", columns: 10), [1, 0])
        XCTAssertEqual(place("a\tb", columns: 20), [0, 9])
        XCTAssertEqual(place("a\nb", columns: 20), [1, 1])
        XCTAssertEqual(place("日本語日本", columns: 9), [1, 2])
        XCTAssertEqual(place("👩‍👩‍👧‍👦x", columns: 20), [0, 3])
        XCTAssertEqual(place("e\u{0301}x", columns: 20), [0, 2])
        XCTAssertEqual(place("\u{1}x", columns: 20), [0, 5])
        XCTAssertEqual(place("\u{2028}", columns: 20), [0, 8])
        XCTAssertEqual(place("ab", columns: 1), [0, 2])
    }

    func testRowsShowWhatIsTypedFoldedAndHidden() {
        var table = LineUnits()
        let fold = table.fold("x\ny\nz\nw")
        let units = table.units("a\tb\u{202E}\n日") + [fold, fold]
        let layout = LineLayout(
            columns: 20, prompt: PromptText("\u{1B}[1m>\u{1B}[0m ").cells, units: units, cursor: 0,
            from: &table)
        let rows = layout.rows(0..<layout.rowCount, from: &table)
        XCTAssertEqual(
            rows.map { $0.cells.map(\.text).joined() },
            [
                "\u{1B}[1m>\u{1B}[0m a     b<U+202E>", "日[pasted 4 lines, 7",
                " characters][pasted ", "4 lines, 7 character", "s #2]",
            ])
        XCTAssertEqual(rows.map(\.isWrapped), [false, true, true, true, false])
        XCTAssertEqual(layout.cursor, LineLayout.Position(row: 0, column: 2))
    }

    func testARowThatIsJustFullLosesNothing() {
        var table = LineUnits()
        let fold = table.fold("1\n2\n3\n4")
        for units in [[fold] + table.units(" x"), table.units("\u{2028}1234567890123456789012 x")] {
            let layout = LineLayout(
                columns: 30, prompt: [], units: units, cursor: units.count, from: &table)
            let rows = layout.rows(0..<layout.rowCount, from: &table)
            XCTAssertEqual(rows.map(\.width), [30, 2])
            XCTAssertEqual(rows[1].cells.map(\.text), [" ", "x"])
        }
    }

    func testAPlaceInARowIsAUnit() {
        var table = LineUnits()
        let units = table.units("abc\n日本語\n\nx")
        let layout = LineLayout(
            columns: 6, prompt: PromptText("> ").cells, units: units, cursor: 0, from: &table)
        func index(_ row: Int, _ column: Int) -> Int {
            layout.index(row: row, column: column, from: &table)
        }
        XCTAssertEqual([index(0, 0), index(0, 2), index(0, 4), index(0, 9)], [0, 0, 2, 3])
        XCTAssertEqual([index(1, 0), index(1, 1), index(1, 2), index(1, 5)], [4, 4, 5, 6])
        XCTAssertEqual([index(2, 0), index(3, 0), index(3, 3)], [7, 8, 8])
        XCTAssertEqual([index(4, 0), index(4, 5)], [9, 10])
    }

    func testPromptColoursTakeNoColumns() {
        func cells(_ text: String) -> [String] { PromptText(text).cells.map(\.text) }
        XCTAssertEqual(cells("> "), [">", " "])
        XCTAssertEqual(cells("\u{1B}[1m>\u{1B}[0m "), ["\u{1B}[1m>", "\u{1B}[0m "])
        XCTAssertEqual(cells("\u{1B}[1m> \u{1B}[0m"), ["\u{1B}[1m>", " \u{1B}[0m"])
        XCTAssertEqual(cells("\u{1B}[1m"), [])
        XCTAssertEqual(PromptText.plain("\u{1B}[1m>\u{1B}[0m "), "> ")
    }
}
