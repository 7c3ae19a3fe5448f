import Base
import XCTest

@testable import TerminalKit

/// Keys and results in, what is to be done out.
final class ItemListStateTests: XCTestCase {
    private let size = ScreenSize(columns: 80, rows: 24)

    private func state(_ count: Int = 3) -> ItemListState {
        let rows = (0..<count).map { ItemList.Row(id: "\($0)", title: "row \($0)") }
        var list = ListedItems().list()
        list.rows = rows
        return ItemListState(list)
    }

    private func press(_ keys: String, _ state: inout ItemListState) {
        for key in keys { _ = state.take(.character(key), on: size) }
    }

    func testKeysMoveWithinTheRows() {
        let cases: [([PanelKey], Int)] = [
            ([.down], 1), ([.character("j")], 1), ([.up], 0), ([.character("k")], 0),
            ([.end], 99), ([.character("G")], 99), ([.end, .down], 99), ([.end, .up], 98),
            ([.end, .home], 0), ([.end, .character("g")], 0), ([.pageDown], 14),
            ([.character(" ")], 14), ([.pageDown, .pageDown, .pageUp], 14),
            ([.pageDown, .character("b")], 0), ([.end, .pageDown], 99),
        ]
        for (keys, wanted) in cases {
            var state = state(100)
            for key in keys { _ = state.take(key, on: size) }
            XCTAssertEqual(state.selected, wanted, "\(keys)")
        }
    }

    func testTheListScrollsOnlyWhereTheSelectionWouldLeaveIt() {
        var state = state(100)
        let room = ItemListView.listRoom(state, size)
        for _ in 0..<room { _ = state.take(.down, on: size) }
        XCTAssertEqual(state.window(of: room, outOf: 100), 1..<(room + 1))
        for _ in 0..<(room - 1) { _ = state.take(.up, on: size) }
        XCTAssertEqual(state.selected, 1)
        XCTAssertEqual(state.window(of: room, outOf: 100), 1..<(room + 1))
    }

    func testWhatKeysAskFor() {
        let cases: [(PanelKey, ItemListState.Effect?)] = [
            (.enter, .open("0")), (.right, .open("0")), (.character("e"), .run("e", id: "0")),
            (.character("d"), .run("d", id: "0")), (.character("u"), .run("u", id: "0")),
            (.character("q"), .leave), (.escape, .leave), (.interrupt, .leave),
            (.character("x"), nil), (.character("/"), nil), (.left, nil),
        ]
        for (key, wanted) in cases {
            var state = state()
            XCTAssertEqual(state.take(key, on: size), wanted, "\(key)")
        }
    }

    func testAnEmptyListOpensAndDeletesNothingButUndoes() {
        var state = state(0)
        XCTAssertEqual(state.take(.enter, on: size), nil)
        XCTAssertEqual(state.take(.character("d"), on: size), nil)
        XCTAssertEqual(state.take(.down, on: size), nil)
        XCTAssertEqual(state.take(.character("u"), on: size), .run("u", id: nil))
    }

    func testAfterADeletionTheNextRowIsSelectedAndAnotherStaysSelected() {
        var state = state(3)
        _ = state.take(.down, on: size)
        _ = state.take(.character("d"), on: size)
        let rest = state.rows.filter { $0.id != "1" }
        _ = state.take(ItemList.Update(rows: rest))
        XCTAssertEqual(state.selectedID, "2")
        // One above has gone elsewhere.
        _ = state.take(ItemList.Update(rows: [rest[1]]))
        XCTAssertEqual(state.selectedID, "2")
        _ = state.take(ItemList.Update(rows: []))
        XCTAssertNil(state.selectedID)
        _ = state.take(ItemList.Update(rows: rest, selected: "2"))
        XCTAssertEqual(state.selectedID, "2")
    }

    func testTheFilterFollowsTypingAndEscTakesItAway() {
        var state = ItemListState(ListedItems().list())
        press("/CLOCK", &state)
        XCTAssertEqual(state.rows.map(\.id), ["i12"])
        _ = state.take(.enter, on: size)
        XCTAssertEqual(state.mode, .list)
        XCTAssertEqual(state.take(.character("d"), on: size), .run("d", id: "i12"))
        state.fail(StyledLine(""))
        XCTAssertEqual(state.take(.escape, on: size), nil)
        XCTAssertEqual(state.rows.count, 3)
        // The row that was selected in between.
        XCTAssertEqual(state.selectedID, "i12")
        XCTAssertEqual(state.take(.escape, on: size), .leave)

        press("/zzz", &state)
        XCTAssertEqual(state.rows.map(\.id), [])
        XCTAssertEqual(state.take(.enter, on: size), nil)
        XCTAssertEqual(state.take(.enter, on: size), nil)
        press("/", &state)
        for _ in 0..<3 { _ = state.take(.backspace, on: size) }
        XCTAssertEqual(state.rows.count, 3)
        XCTAssertEqual(state.mode, .filter)
        _ = state.take(.backspace, on: size)
        XCTAssertEqual(state.mode, .list)
        // Kinds, numbers and bodies are found as well.
        for (words, id) in [("transcript", "i3"), ("i9", "i9"), ("quiet", "i12")] {
            press("/\(words)", &state)
            XCTAssertEqual(state.rows.map(\.id), [id], words)
            _ = state.take(.escape, on: size)
        }
    }

    func testADocumentScrollsAndItsLettersActOnIt() {
        var state = state()
        _ = state.take(.down, on: size)
        XCTAssertEqual(state.take(.enter, on: size), .open("1"))
        let text = (1...100).map { "line \($0)" }.joined(separator: "\n")
        state.show(ItemList.Document(title: "one", text: text), of: "1")
        let room = ItemListView.documentRoom(size)
        XCTAssertEqual(state.lines(of: room, outOf: 100), 0..<19)
        for (key, first) in [
            (PanelKey.down, 1), (.character("k"), 0), (.up, 0), (.pageDown, 19), (.end, 81),
            (.down, 81), (.pageUp, 62), (.home, 0),
        ] {
            _ = state.take(key, on: size)
            XCTAssertEqual(state.lines(of: room, outOf: 100).lowerBound, first, "\(key)")
        }
        XCTAssertEqual(state.take(.character("e"), on: size), .run("e", id: "1"))
        // What was changed is shown anew, what has gone is left.
        XCTAssertEqual(state.take(ItemList.Update(rows: state.rows)), .open("1"))
        state.show(ItemList.Document(title: "one", text: "short"), of: "1")
        XCTAssertEqual(state.take(.character("d"), on: size), .run("d", id: "1"))
        XCTAssertEqual(
            state.take(ItemList.Update(rows: state.rows.filter { $0.id != "1" })), nil)
        XCTAssertEqual(state.mode, .list)
        XCTAssertEqual(state.selectedID, "2")
    }

    func testEscapeLeavesADocumentForTheListAndCtrlCLeavesAll() {
        for key in [PanelKey.escape, .character("q"), .left] {
            var state = state()
            _ = state.take(.enter, on: size)
            state.show(ItemList.Document(title: "", text: ""), of: "0")
            XCTAssertEqual(state.take(key, on: size), nil)
            XCTAssertEqual(state.mode, .list)
            _ = state.take(.enter, on: size)
            state.show(ItemList.Document(title: "", text: ""), of: "0")
            XCTAssertEqual(state.take(.interrupt, on: size), .leave)
        }
    }

    func testAnswersByLetterAndNumber() {
        let numbers = "The numbers are 1 to 20."
        let cases: [(String, ItemListState.Effect?, String?)] = [
            ("3", .open("2"), nil), (" 20 ", .open("19"), nil), ("21", nil, numbers),
            ("0", nil, numbers), ("d3", .run("d", id: "2"), nil),
            ("d 3", .run("d", id: "2"), nil), ("d21", nil, numbers),
            ("d", nil, "Which one? d and its number, such as d1."),
            ("u", .run("u", id: nil), nil), ("q", .leave, nil), ("", .leave, nil),
            ("Q", .leave, nil), ("hello", nil, "“hello” is not one of these."),
            ("dx", nil, "“dx” is not one of these."), ("-1", nil, numbers),
        ]
        for (line, wanted, said) in cases {
            var state = state(30)
            XCTAssertEqual(state.listing(width: 79).count, 22)
            XCTAssertEqual(state.take(line: line), wanted, line)
            XCTAssertEqual(state.listing(width: 79).map(\.text), said.map { ["  \($0)"] } ?? [])
        }
    }

    func testMoreRowsAndFiltersAreListedAndOnlyTheirNumbersCount() {
        var state = state(21)
        _ = state.listing(width: 79)
        XCTAssertNil(state.take(line: "m"))
        XCTAssertEqual(
            state.listing(width: 79).map(\.text), ["  Library · 21", "  21  row 20"])
        XCTAssertNil(state.take(line: "1"))
        XCTAssertEqual(state.message?.text, "The only number is 21.")
        XCTAssertEqual(state.take(line: "21"), .open("20"))
        XCTAssertNil(state.take(line: "/nothing"))
        XCTAssertNil(state.take(line: "1"))
        XCTAssertEqual(state.message?.text, "There is nothing to choose from.")
    }
}
