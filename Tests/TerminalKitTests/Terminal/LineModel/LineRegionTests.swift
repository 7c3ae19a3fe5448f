import TestSupport
import XCTest

@testable import TerminalKit

/// The region of a line, how it is drawn, and how a replacement is undone.
final class LineRegionTests: XCTestCase {
    func testItReachesFromTheMarkToTheCursorUntilTheTextChanges() {
        let units: [UInt32] = [1, 2, 3, 4]
        var region = LineRegion()
        XCTAssertNil(region.range(in: units, cursor: 2))
        region.begin(at: 2, in: units)
        XCTAssertNil(region.range(in: units, cursor: 2))
        XCTAssertEqual(region.range(in: units, cursor: 0), 0..<2)
        XCTAssertEqual(region.range(in: units, cursor: 4), 2..<4)
        XCTAssertNil(region.range(in: [1, 2, 3], cursor: 0))
        XCTAssertNil(region.range(in: units, cursor: 0))
        region.begin(at: 1, in: units)
        region.clear()
        XCTAssertNil(region.range(in: units, cursor: 4))
    }

    func testMarkedCellsAreInReverseAndNothingElseIs() {
        var table = LineUnits()
        let units = table.units("ab日本c\nde")
        let prompt = PromptText("> ").cells
        func frame(_ marked: Range<Int>?) -> LineFrame {
            let layout = LineLayout(
                columns: 10, prompt: prompt, units: units, cursor: 0, from: &table)
            return LineFrame(
                rows: layout.rows(0..<layout.rowCount, marked: marked, from: &table),
                cursor: layout.cursor, columns: 10)
        }
        func bytes(_ frame: LineFrame, _ old: LineFrame) -> String {
            String(decoding: frame.update(from: old), as: UTF8.self)
        }
        let plain = frame(nil)
        XCTAssertEqual(
            bytes(frame(1..<3), .empty(columns: 10)),
            "> a\u{1B}[7mb日\u{1B}[0m本c\r\nde\u{1B}[A")
        // Over the line feed, into the next row.
        XCTAssertEqual(
            bytes(frame(4..<7), plain),
            "\r\u{1B}[8C\u{1B}[7mc\u{1B}[0m\r\u{1B}[B\u{1B}[7md\u{1B}[0me\u{1B}[A")
        XCTAssertEqual(bytes(plain, frame(0..<1)), "ab日本c\r\u{1B}[2C")
        XCTAssertEqual(bytes(frame(0..<1), frame(0..<1)), "")
    }

    func testAReplacementIsAStepByItselfEvenWhereItLooksLikeALetter() {
        var undo = UndoSteps()
        undo.note(([97], 1))
        undo.noteReplacement(of: ([97], 1), by: ([97, 98], 2))
        undo.note(([97, 98], 2))
        undo.note(([97, 98, 99], 3))
        var state = undo.back(from: ([97, 98, 99], 3))
        XCTAssertEqual(state?.units, [97, 98])
        state = undo.back(from: ([97, 98], 2))
        XCTAssertEqual(state?.units, [97])
        XCTAssertEqual(state?.cursor, 1)
        state = undo.back(from: ([97], 1))
        XCTAssertEqual(state?.units, [])
        XCTAssertNil(undo.back(from: ([], 0)))
    }
}
