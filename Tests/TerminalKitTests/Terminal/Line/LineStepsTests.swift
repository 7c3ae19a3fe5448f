import XCTest

@testable import TerminalKit

/// Undo, history and pastes without marks: the parts of the line editor that
/// remember.
final class LineStepsTests: XCTestCase {
    // MARK: Undo

    private func states(_ lines: [String]) -> [UndoSteps.State] {
        var table = LineUnits()
        return lines.map { (table.units($0), $0.count) }
    }

    func testUndoTakesBackWordsAndDeletions() {
        var undo = UndoSteps()
        for state in states(["", "h", "hi", "hi ", "hi y", "hi yo", "hi "]) { undo.note(state) }
        var line = states(["hi "])[0]
        var seen: [String] = []
        while let step = undo.back(from: line) {
            line = step
            seen.append(LineUnits().text(step.units))
        }
        XCTAssertEqual(seen, ["hi yo", "hi ", "hi", ""])
    }

    func testUndoForgetsAHugeLine() {
        var undo = UndoSteps()
        undo.note(([], 0))
        undo.note((Array(repeating: 0x61, count: 30_000), 0))
        XCTAssertNil(undo.back(from: ([], 0)))
    }

    // MARK: History

    func testTheDraftAndChangedEntriesAreWhereTheyWereLeft() {
        var table = LineUnits()
        var walk = HistoryWalk(limit: 3)
        for text in ["zero", "one", "two", "three"] { walk.add(text) }
        var line = table.units("draft")
        func go(_ isOlder: Bool, typing text: String = "") -> String {
            let next =
                isOlder ? walk.older(than: line, &table) : walk.newer(than: line, &table)
            if let next { line = next + table.units(text) }
            return table.text(line)
        }
        XCTAssertEqual(go(true), "three")
        XCTAssertEqual(go(true, typing: "!"), "two!")
        XCTAssertEqual(go(true), "one")
        XCTAssertEqual(go(true), "one")
        XCTAssertEqual(go(false), "two!")
        XCTAssertEqual(go(false), "three")
        XCTAssertEqual(go(false), "draft")
        XCTAssertEqual(go(false), "draft")
        walk.restart()
        line = []
        XCTAssertEqual(go(true), "three")
        XCTAssertEqual(go(true), "two")
    }

    func testAHugeEntryIsRecalledFolded() {
        var table = LineUnits()
        var walk = HistoryWalk(limit: 3)
        let text = String(repeating: "word ", count: 1_000)
        walk.add(text)
        let line = walk.older(than: [], &table)
        XCTAssertEqual(line?.count, 1)
        XCTAssertEqual(table.text(line ?? []), text)
    }

    // MARK: Pastes without marks

    func testSeveralLinesInOneReadAreAPaste() {
        let pastes = ["a\rb\rc", "a\nb\nc\n", "one\r\rtwo", "日\r\n本\r\n語\r\n", "\ta\r\tb\r\tc"]
        let typing = [
            "a", "a\r", "a\rb", "a\rb\r", "a\r\r\r", "\r\r", "a\rb\u{1B}[A\rc", "a\rb\rc\u{3}",
        ]
        for text in pastes { XCTAssertTrue(PasteBurst.isPaste(Array(text.utf8)), text) }
        for text in typing { XCTAssertFalse(PasteBurst.isPaste(Array(text.utf8)), text) }
    }
}
