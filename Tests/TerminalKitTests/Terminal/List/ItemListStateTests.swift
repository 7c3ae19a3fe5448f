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
        for key in keys { _ = state.take(.character(key), size) }
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
            for key in keys { _ = state.take(key, size) }
            XCTAssertEqual(state.selected, wanted, "\(keys)")
        }
    }

    func testTheListScrollsOnlyWhereTheSelectionWouldLeaveIt() {
        var state = state(100)
        let room = ItemListView.listRoom(state, size)
        for _ in 0..<room { _ = state.take(.down, size) }
        XCTAssertEqual(state.window(of: room, outOf: 100), 1..<(room + 1))
        for _ in 0..<(room - 1) { _ = state.take(.up, size) }
        XCTAssertEqual(state.selected, 1)
        XCTAssertEqual(state.window(of: room, outOf: 100), 1..<(room + 1))
    }

    func testWhatKeysAskFor() {
        let cases: [(PanelKey, ItemListState.Action)] = [
            (.enter, .open("0")), (.right, .open("0")), (.character("e"), .run("e", id: "0")),
            (.character("d"), .run("d", id: "0")), (.character("u"), .run("u", id: "0")),
            (.character("q"), .leave), (.escape, .leave), (.interrupt, .leave),
            (.character("x"), .none), (.character("/"), .draw), (.left, .none),
        ]
        for (key, wanted) in cases {
            var state = state()
            XCTAssertEqual(state.take(key, size), wanted, "\(key)")
        }
    }

    func testAnEmptyListOpensAndDeletesNothingButUndoes() {
        var state = state(0)
        XCTAssertEqual(state.take(.enter, size), .none)
        XCTAssertEqual(state.take(.character("d"), size), .none)
        XCTAssertEqual(state.take(.down, size), .none)
        XCTAssertEqual(state.take(.character("u"), size), .run("u", id: nil))
    }

    func testWhileSomethingRunsOnlyItsEndIsAskedFor() {
        var state = state()
        XCTAssertEqual(state.take(.character("d"), size), .run("d", id: "0"))
        XCTAssertEqual(state.take(.character("d"), size), .none)
        XCTAssertEqual(state.take(.character("q"), size), .none)
        XCTAssertEqual(state.take(.escape, size), .cancel)
        XCTAssertEqual(state.take(.interrupt, size), .cancel)
        XCTAssertEqual(state.fail(StyledLine("Stopped.")), .draw)
        XCTAssertEqual(state.message?.text, "Stopped.")
        XCTAssertEqual(state.take(.interrupt, size), .leave)
    }

    func testAfterADeletionTheNextRowIsSelectedAndAnotherStaysSelected() {
        var state = state(3)
        _ = state.take(.down, size)
        _ = state.take(.character("d"), size)
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
        _ = state.take(.enter, size)
        XCTAssertEqual(state.mode, .list)
        XCTAssertEqual(state.take(.character("d"), size), .run("d", id: "i12"))
        _ = state.fail(StyledLine(""))
        XCTAssertEqual(state.take(.escape, size), .draw)
        XCTAssertEqual(state.rows.count, 3)
        // The row that was selected in between.
        XCTAssertEqual(state.selectedID, "i12")
        XCTAssertEqual(state.take(.escape, size), .leave)

        press("/zzz", &state)
        XCTAssertEqual(state.rows.map(\.id), [])
        XCTAssertEqual(state.take(.enter, size), .draw)
        XCTAssertEqual(state.take(.enter, size), .none)
        press("/", &state)
        for _ in 0..<3 { _ = state.take(.backspace, size) }
        XCTAssertEqual(state.rows.count, 3)
        XCTAssertEqual(state.mode, .filter)
        _ = state.take(.backspace, size)
        XCTAssertEqual(state.mode, .list)
        // Kinds, numbers and bodies are found as well.
        for (words, id) in [("transcript", "i3"), ("i9", "i9"), ("quiet", "i12")] {
            press("/\(words)", &state)
            XCTAssertEqual(state.rows.map(\.id), [id], words)
            _ = state.take(.escape, size)
        }
    }

    func testADocumentScrollsAndItsLettersActOnIt() {
        var state = state()
        _ = state.take(.down, size)
        XCTAssertEqual(state.take(.enter, size), .open("1"))
        let text = (1...100).map { "line \($0)" }.joined(separator: "\n")
        _ = state.show(ItemList.Document(title: "one", text: text), of: "1")
        let room = ItemListView.documentRoom(size)
        XCTAssertEqual(state.lines(of: room, outOf: 100), 0..<19)
        for (key, first) in [
            (PanelKey.down, 1), (.character("k"), 0), (.up, 0), (.pageDown, 19), (.end, 81),
            (.down, 81), (.pageUp, 62), (.home, 0),
        ] {
            _ = state.take(key, size)
            XCTAssertEqual(state.lines(of: room, outOf: 100).lowerBound, first, "\(key)")
        }
        XCTAssertEqual(state.take(.character("e"), size), .run("e", id: "1"))
        // What was changed is shown anew, what has gone is left.
        XCTAssertEqual(state.take(ItemList.Update(rows: state.rows)), .open("1"))
        _ = state.show(ItemList.Document(title: "one", text: "short"), of: "1")
        XCTAssertEqual(state.take(.character("d"), size), .run("d", id: "1"))
        XCTAssertEqual(
            state.take(ItemList.Update(rows: state.rows.filter { $0.id != "1" })), .draw)
        XCTAssertEqual(state.mode, .list)
        XCTAssertEqual(state.selectedID, "2")
    }

    func testEscapeLeavesADocumentForTheListAndCtrlCLeavesAll() {
        for key in [PanelKey.escape, .character("q"), .left] {
            var state = state()
            _ = state.take(.enter, size)
            _ = state.show(ItemList.Document(title: "", text: ""), of: "0")
            XCTAssertEqual(state.take(key, size), .draw)
            XCTAssertEqual(state.mode, .list)
            _ = state.take(.enter, size)
            _ = state.show(ItemList.Document(title: "", text: ""), of: "0")
            XCTAssertEqual(state.take(.interrupt, size), .leave)
        }
    }

    func testAnswersByLetterAndNumber() {
        let state = state(30)
        let cases: [(String, ItemListPrompt.Answer)] = [
            ("3", .show(2)), (" 20 ", .show(19)), ("21", .unclear("The numbers are 1 to 20.")),
            ("0", .unclear("The numbers are 1 to 20.")), ("d3", .act("d", 2)),
            ("d 3", .act("d", 2)), ("d21", .unclear("The numbers are 1 to 20.")),
            ("d", .unclear("Which one? d and its number, such as d1.")), ("u", .act("u", nil)),
            ("m", .more), ("q", .leave), ("", .leave), ("Q", .leave), ("/clock", .filter("clock")),
            ("/", .filter("")), ("hello", .unclear("“hello” is not one of these.")),
            ("dx", .unclear("“dx” is not one of these.")),
            ("-1", .unclear("The numbers are 1 to 20.")),
        ]
        for (line, wanted) in cases {
            XCTAssertEqual(ItemListPrompt.answer(line, state, 0..<20), wanted, line)
        }
        XCTAssertEqual(
            ItemListPrompt.answer("1", state, 20..<21), .unclear("The only number is 21."))
        XCTAssertEqual(
            ItemListPrompt.answer("1", state, 0..<0), .unclear("There is nothing to choose from."))
    }
}
