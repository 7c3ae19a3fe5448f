import TestSupport
import XCTest

@testable import TerminalKit

/// The picture of a line on a screen, and what is written to change it.
final class LineFrameTests: XCTestCase {
    /// A line, and a screen that follows it.
    private struct Drawn {
        var table = LineUnits()
        var screen: Screen
        var frame: LineFrame
        let prompt = PromptText("\u{1B}[36m> \u{1B}[0m").cells

        init(rows: Int, columns: Int) {
            screen = Screen(rows: rows, columns: columns)
            frame = .empty(columns: columns)
        }

        mutating func picture(_ units: [UInt32], _ cursor: Int) -> LineFrame {
            let layout = LineLayout(
                columns: screen.columns, prompt: prompt, units: units, cursor: cursor,
                from: &table)
            return LineFrame(
                rows: layout.rows(0..<layout.rowCount, from: &table), cursor: layout.cursor,
                columns: screen.columns)
        }

        @discardableResult
        mutating func draw(_ units: [UInt32], _ cursor: Int) -> [UInt8] {
            let next = picture(units, cursor)
            let bytes = next.update(from: frame)
            screen.feed(bytes)
            frame = next
            return bytes
        }
    }

    func testACharacterTypedAtTheEndIsThatCharacter() {
        var drawn = Drawn(rows: 10, columns: 20)
        let units = drawn.table.units("hello wörld 日")
        for count in 0..<units.count {
            drawn.draw(Array(units[..<count]), count)
            let more = drawn.draw(Array(units[...count]), count + 1)
            XCTAssertEqual(more, Array(drawn.table.text([units[count]]).utf8))
        }
        XCTAssertEqual(drawn.screen.lines, ["> hello wörld 日"])
        XCTAssertEqual(drawn.draw(units, units.count), [])
        XCTAssertEqual(drawn.draw(units, units.count - 1), Array("\r\u{1B}[14C".utf8))
    }

    /// Whatever is changed, the screen is as if it was drawn anew.
    func testRandomEditsLeaveTheScreenOfAFreshDrawing() {
        var random = SplitMix(seed: 20_261_121)
        let texts = [
            "a", "b ", "wörld", "日", "本語", "e\u{0301}", "\n", "\t", "\u{202E}", "\u{1}",
            "0123456789",
        ]
        for round in 0..<60 {
            let columns = [2, 3, 7, 20, 80][round % 5]
            var drawn = Drawn(rows: 60, columns: columns)
            var units: [UInt32] = []
            for _ in 0..<12 {
                let at = Int.random(in: 0...units.count, using: &random)
                if random.once(in: 3), !units.isEmpty {
                    let end = Int.random(in: at...units.count, using: &random)
                    units.removeSubrange(at..<min(end, at + 9))
                } else if random.once(in: 8) {
                    units.insert(drawn.table.fold("1\n2\n3\n4"), at: at)
                } else {
                    let text = texts[Int.random(in: 0..<texts.count, using: &random)]
                    units.insert(contentsOf: drawn.table.units(text), at: at)
                }
                let cursor = Int.random(in: 0...units.count, using: &random)
                guard drawn.picture(units, cursor).rows.count < 50 else { break }
                drawn.draw(units, cursor)
                var fresh = Drawn(rows: 60, columns: columns)
                fresh.table = drawn.table
                fresh.draw(units, cursor)
                let what = "round \(round): \(drawn.table.text(units).debugDescription)"
                XCTAssertEqual(drawn.screen.lines, fresh.screen.lines, what)
                XCTAssertEqual(drawn.screen.cursor.row, fresh.screen.cursor.row, what)
                XCTAssertEqual(drawn.screen.cursor.column, fresh.screen.cursor.column, what)
                XCTAssertEqual(drawn.screen.cursor.column, drawn.frame.cursor.column, what)
                XCTAssertEqual(drawn.screen.unknown, [], what)
            }
        }
    }

    func testClearingAtTheTopErasesNoWholeScreenWhichTmuxWouldKeep() {
        var drawn = Drawn(rows: 10, columns: 10)
        drawn.draw(drawn.table.units("one two three"), 0)
        let bytes = String(decoding: drawn.frame.clearing(), as: UTF8.self)
        XCTAssertEqual(bytes, "\r\u{1B}[K\u{1B}[C\u{1B}[J\r")
        drawn.screen.feed(bytes.utf8)
        XCTAssertEqual(drawn.screen.lines, [])
        XCTAssertEqual(drawn.screen.cursor.column, 0)
    }

    func testClearingAndLeavingStartAtAnyRow() {
        var drawn = Drawn(rows: 10, columns: 10)
        let units = drawn.table.units("one two three\nfour")
        drawn.screen.feed("above\r\n".utf8)
        drawn.draw(units, 3)
        drawn.screen.feed(drawn.frame.clearing())
        XCTAssertEqual(drawn.screen.lines, ["above"])
        XCTAssertEqual(drawn.screen.cursor.row, 1)
        drawn.frame = .empty(columns: 10)
        drawn.draw(units, 3)
        drawn.screen.feed(drawn.frame.leaving + Array("below".utf8))
        XCTAssertEqual(drawn.screen.lines, ["above", "> one two", "three", "four", "below"])
    }
}
