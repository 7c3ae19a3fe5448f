import Base
import Foundation
import Glibc
import Synchronization
import TestSupport
import XCTest

@testable import TerminalKit

/// Whole screens of a list, and the list on a real pseudo-terminal.
final class ItemListPanelTests: XCTestCase {
    typealias Fixture = TerminalSessionTests.Fixture

    // MARK: Screens

    private func screen(_ columns: Int, _ rows: Int, _ keys: [PanelKey]) async throws -> String {
        let size = ScreenSize(columns: columns, rows: rows)
        let list = ListedItems().list()
        var state = ItemListState(list)
        for key in keys {
            switch state.take(key, on: size) {
            case .open(let id):
                let document = try await XCTUnwrap(list.document)(id)
                state.show(document, of: id)
            case .run(let key, let id):
                let action = try XCTUnwrap(list.actions.first { $0.key == key })
                _ = state.take(try await action.run(id))
            default: break
            }
        }
        let lines = ItemListView(state, size).lines
        let style = Style(usesColor: true, usesUnicode: true)
        XCTAssertLessThan(lines.count, rows)
        for line in lines {
            XCTAssertEqual(style.cut(line, to: columns - 1).text, line.text)
        }
        var screen = Screen(rows: rows, columns: columns)
        var area = ScreenArea()
        screen.feed(area.draw(lines, style))
        XCTAssertEqual(screen.unknown, [])
        return screen.text
    }

    func testScreensAtTwoWidths() async throws {
        let cases: [(String, [PanelKey])] = [
            ("the list", []),
            ("the second row", [.down]),
            ("filtering", [.character("/"), .character("c"), .character("l")]),
            ("nothing found", [.character("/"), .character("z"), .character("z"), .enter]),
            ("deleted", [.character("d")]),
            ("all deleted", [.character("d"), .character("d"), .character("d")]),
            ("a document", [.enter]),
            ("a long document", [.down, .enter, .pageDown]),
        ]
        var text = ""
        for columns in [80, 40] {
            for (name, keys) in cases {
                text += "== \(name), \(columns) columns\n"
                text += try await screen(columns, 12, keys) + "\n"
            }
        }
        try GoldenFile.check(text, "item-list.txt")
    }

    func testOfALongMessageTheWidestPartIsCutAndTheKeyAtItsEndStays() {
        var state = ItemListState(ListedItems().list())
        let title = String(repeating: "long words of \u{1B}[2J ", count: 9)
        let message = StyledLine([
            .init("✓ deleted: i2 \(title)", .success), .init(" · u takes it back", .dim),
        ])
        _ = state.take(ItemList.Update(message: message))
        for columns in [80, 40, 30] {
            let lines = ItemListView(state, ScreenSize(columns: columns, rows: 24)).lines
            let said = lines[lines.count - 2].text
            XCTAssertTrue(said.hasPrefix("  ✓ del"), said)
            XCTAssertTrue(said.hasSuffix("… · u takes it back"), said)
            XCTAssertLessThan(DisplayWidth.of(said), columns, said)
        }
    }

    func testTheKeysAreNamedInWordsDownToFortyColumns() {
        func keys(_ columns: Int) -> String? {
            let state = ItemListState(ListedItems().list())
            return ItemListView(state, ScreenSize(columns: columns, rows: 24)).lines.last?.text
        }
        XCTAssertEqual(
            keys(60), "  Enter show  e edit  d delete  u undo  / filter  q quit")
        XCTAssertEqual(keys(46), "  Enter  e edit  d delete  u undo  /  q quit")
        XCTAssertEqual(keys(40), "  Enter [e]dit [d]elete [u]ndo / [q]uit")
    }

    func testAnyWindowAndAnyKeysFit() async throws {
        var chance = SplitMix(seed: 14)
        let keys: [PanelKey] = [
            .down, .up, .end, .home, .pageDown, .pageUp, .enter, .escape, .character("/"),
            .character("a"), .backspace, .character("j"), .character("G"), .left,
        ]
        for _ in 0..<60 {
            let pressed = (0..<12).compactMap { _ in keys.randomElement(using: &chance) }
            _ = try await screen(
                Int.random(in: 20...100, using: &chance), Int.random(in: 4...30, using: &chance),
                pressed)
        }
    }

    // MARK: On a terminal

    /// Runs the list below "the talk above" and checks that it leaves nothing.
    private func run(
        _ list: ItemList, rows: Int = 24, columns: Int = 80,
        environment: Base.Environment = .system(variables: [:]),
        configure: (inout TerminalSession.Options) -> Void = { _ in },
        _ body: (Fixture) async throws -> Void
    ) async throws -> ItemList.Ending {
        let fixture = try Fixture(rows: rows, columns: columns, configure: configure)
        let session = fixture.session
        await session.write("the talk above\n")
        let panel = ItemListPanel(
            list, style: Style(usesColor: false, usesUnicode: true), environment: environment)
        let task = Task { await panel.run(on: session) }
        try fixture.terminal.waitFor(text: "Library · ")
        try await body(fixture)
        let ending = await task.value
        try fixture.terminal.waitFor(lines: ["the talk above"])
        await fixture.finish()
        return ending
    }

    func testItOpensFiltersDeletesUndoesAndLeavesNothing() async throws {
        let items = ListedItems()
        let ending = try await run(items.list()) { fixture in
            fixture.terminal.type("\r")
            try fixture.terminal.waitFor(text: "    Rings **once**.")
            fixture.terminal.type("q/evil\r")
            try fixture.terminal.waitFor(text: #"evil\x1b[2J title"#)
            // Typed at once, done in order.
            fixture.terminal.type("d\u{1B}[200~dd\u{1B}[201~u")
            try fixture.terminal.waitFor(text: "Restored i3.")
            fixture.terminal.type("\u{1B}")
            try fixture.terminal.waitFor(text: "Library · 3")
            fixture.terminal.type("q")
        }
        XCTAssertEqual(ending, .left)
        XCTAssertEqual(items.rows.map(\.id), ["i3", "i12", "i9"])
    }

    func testAnEditorGetsTheTerminalAsItWasFoundAndTheListComesBack() async throws {
        let session = Mutex<TerminalSession?>(nil)
        let settings = Mutex<[String]>([])
        let pty = Mutex<PseudoTerminal?>(nil)
        let list = ListedItems().list(edit: { _ in
            let session = try XCTUnwrap(session.withLock { $0 })
            return await session.lend {
                settings.withLock { $0.append(pty.withLock { $0?.settingsText } ?? "") }
                return "A changed title"
            }
        })
        _ = try await run(list) { fixture in
            session.withLock { $0 = fixture.session }
            pty.withLock { $0 = fixture.terminal }
            fixture.terminal.type("e")
            try fixture.terminal.waitFor("the list with the change") {
                $0.text.contains("A changed title") && $0.text.contains("Edited i12.")
                    && $0.lines.first == "the talk above"
            }
            XCTAssertEqual(settings.withLock { $0 }, [fixture.before])
            fixture.terminal.type("\rq")
            try fixture.terminal.waitFor(text: "Edited i12.")
            fixture.terminal.type("q")
        }
    }

    func testCtrlCAndTheEndOfTheSessionLeaveAtAnyMoment() async throws {
        for keys in ["", "/cl", "\r", "d"] {
            let ending = try await run(
                ListedItems().list(), configure: { $0.handlesSignals = true }
            ) { fixture in
                fixture.terminal.type(keys)
                if keys == "\r" { try fixture.terminal.waitFor(text: "q back") }
                if keys == "d" { try fixture.terminal.waitFor(text: "Deleted i12.") }
                if keys == "/cl" { try fixture.terminal.waitFor(text: "/cl_") }
                kill(getpid(), SIGINT)
            }
            XCTAssertEqual(ending, .left)
        }
        let ending = try await run(ListedItems().list()) { await $0.session.close() }
        XCTAssertEqual(ending, .left)
    }

    func testWhatRunsIsMentionedOnceItIsSlowAndEscCancelsIt() async throws {
        let clock = ManualClock()
        var list = ListedItems().list()
        list.actions.append(
            ItemList.Action("s", "sleep") { _ in
                try await clock.environment.sleep(.seconds(3_600))
                return ItemList.Update()
            })
        _ = try await run(list, environment: clock.environment) { fixture in
            fixture.terminal.type("sj")
            await clock.waitForSleeps(2)
            XCTAssertFalse(fixture.terminal.screen.text.contains("Working"))
            clock.advance(by: .milliseconds(300))
            try fixture.terminal.waitFor(text: "Working … Esc stops")
            fixture.terminal.type("\u{1B}")
            try fixture.terminal.waitFor("the next row, and why it ended") {
                $0.text.contains("  ▸ i9") && $0.text.contains("  Stopped.")
            }
            fixture.terminal.type("q")
        }
    }

    func testItIsDrawnAnewForAnotherWindow() async throws {
        _ = try await run(ListedItems().list(), configure: { $0.handlesSignals = true }) {
            fixture in
            try fixture.terminal.waitFor(text: "j k move · Enter show")
            for (columns, keys) in [(40, "Enter [e]dit"), (100, "j k move"), (40, "Enter [e]dit")] {
                fixture.terminal.resize(rows: 10, columns: columns)
                kill(getpid(), SIGWINCH)
                try fixture.terminal.waitFor("\(columns) columns") {
                    $0.lines.last?.contains(keys) == true && $0.text.contains("  ▸ i12")
                }
            }
            fixture.terminal.resize(rows: 24, columns: 80)
            kill(getpid(), SIGWINCH)
            try fixture.terminal.waitFor(text: "j k move · Enter show")
            fixture.terminal.type("q")
        }
    }

    func testAnActionThatLeavesSaysWhichRow() async throws {
        var list = ListedItems().list()
        list.actions.append(ItemList.Action("c", "chat", .leaves))
        let ending = try await run(list) { $0.terminal.type("jc") }
        XCTAssertEqual(ending, .chosen(key: "c", id: "i9"))
    }

    // MARK: Without a cursor

    func testLettersAndNumbersWhereThereIsNoCursor() async throws {
        let fixture = try Fixture { $0.term = "dumb" }
        let items = ListedItems()
        let panel = ItemListPanel(
            items.list(), style: Style(usesColor: false, usesUnicode: true),
            environment: .system(variables: [:]))
        let session = fixture.session
        let task = Task { await panel.run(on: session) }
        let prompt = "  number show, e1 edit, d1 delete, u undo, /words filter, q quit:"
        for (typed, seen) in [
            ("1\r", "  Rings **once**."), ("d2\r", "Deleted i9. u brings it back."),
            ("u\r", "Restored i9."), ("u\r", "It cannot be done. Try another."),
            ("7\r", "The numbers are 1 to 3."), ("/clock\r", "Library with “clock” · 1"),
        ] {
            try fixture.terminal.waitFor("the question") {
                $0.lines.last == prompt
            }
            fixture.terminal.type(typed)
            try fixture.terminal.waitFor(text: seen)
        }
        fixture.terminal.type("q\r")
        let ending = await task.value
        XCTAssertEqual(ending, .left)
        XCTAssertEqual(items.rows.map(\.id), ["i9", "i12", "i3"])
        await fixture.finish()
    }
}
