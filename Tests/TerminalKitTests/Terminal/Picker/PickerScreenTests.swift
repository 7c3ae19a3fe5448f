import Base
import Foundation
import TestSupport
import XCTest

@testable import TerminalKit

/// Whole screens of the picker, and the picker on a real pseudo-terminal.
final class PickerScreenTests: XCTestCase {
    private static let items = [
        PickerItem(
            id: "1", title: "Trip to Oslo", detail: "yesterday",
            snippet: "… the night train to Oslo leaves at 23:04 from track nine …"),
        PickerItem(
            id: "2", title: "日本語の勉強を毎日続けるための計画を立てる", detail: "2 days ago",
            snippet: "漢字 and 👩‍👩‍👧 Oslo"),
        PickerItem(id: "3", title: "evil\u{1B}[2J title", detail: "in \u{7}March"),
        PickerItem(id: "4", title: "Crème brûlée", detail: "2025"),
    ]

    private static func draw(
        _ area: inout ScreenArea, _ state: PickerState, _ size: ScreenSize, _ style: Style
    ) -> [UInt8] {
        let cursor = state.cursor(on: size)
        return area.draw(state.lines(on: size), row: cursor.row, column: cursor.column, style)
    }

    private func screen(_ columns: Int, _ style: Style, typing: String = "") -> String {
        var state = PickerState(
            PickerRequest(heading: "Resume a conversation", items: Self.items))
        var screen = Screen(rows: 16, columns: columns)
        var drawn = ScreenArea()
        screen.feed(Array("the talk above\r\n".utf8))
        let size = ScreenSize(columns: columns, rows: 16)
        screen.feed(Self.draw(&drawn, state, size, style))
        for character in typing { _ = state.take(.character(character), on: size) }
        screen.feed(Self.draw(&drawn, state, size, style))
        XCTAssertEqual(screen.unknown, [])
        let text = screen.text + "\n(cursor \(screen.cursor.row), \(screen.cursor.column))\n"
        screen.feed(drawn.erase(columns: columns))
        XCTAssertEqual(screen.lines, ["the talk above"])
        XCTAssertEqual(screen.cursor.row, 1)
        XCTAssertEqual(screen.cursor.column, 0)
        return text
    }

    func testScreensAtTwoWidthsWithWideCharacters() throws {
        let plain = Style(usesColor: true, usesUnicode: true)
        var text = ""
        for columns in [80, 40] {
            for typing in ["", "oslo", "zzz"] {
                text += "== \(columns) columns, \"\(typing)\"\n"
                text += screen(columns, plain, typing: typing)
            }
        }
        try GoldenFile.check(text, "picker.txt")
    }

    func testWithoutUnicodeTheOwnGlyphsAreASCII() {
        let text = screen(80, Style(usesColor: false, usesUnicode: false), typing: "brulee")
        XCTAssertTrue(text.contains("  > Crème brûlée  2025\n"), text)
        XCTAssertTrue(text.contains("Up/Down"), text)
    }

    func testANarrowerWindowFoldsWhatIsErased() {
        let state = PickerState(PickerRequest(heading: "Resume", items: Self.items))
        var drawn = ScreenArea()
        let style = Style(usesColor: false, usesUnicode: true)
        _ = Self.draw(&drawn, state, ScreenSize(), style)
        // "  Resume · 4" takes two rows of eight columns, the query's stays.
        XCTAssertEqual(
            String(decoding: drawn.erase(columns: 8), as: UTF8.self), "\r\u{1B}[2A\u{1B}[J")
        XCTAssertEqual(drawn.erase(columns: 8), [])
    }

    // MARK: On a terminal

    private func pick(
        _ request: PickerRequest, rows: Int = 24,
        configure: (inout TerminalSession.Options) -> Void = { _ in },
        _ body: (TerminalSessionTests.Fixture) async throws -> Void
    ) async throws -> (String?, [String]) {
        let fixture = try TerminalSessionTests.Fixture(rows: rows, configure: configure)
        let session = fixture.session
        await session.write("the talk above\n")
        let task = Task { await session.pick(request, .system(variables: [:])) }
        try await body(fixture)
        let answer = await task.value
        await session.flush()
        try fixture.terminal.waitFor("the end of the list") { !$0.text.contains("Esc leaves") }
        let lines = fixture.terminal.screen.lines
        await fixture.finish()
        return (answer, lines)
    }

    private let request = PickerRequest(heading: "Resume a conversation", items: items)

    func testItIsErasedWhenAnItemIsTaken() async throws {
        let (answer, lines) = try await pick(request) { fixture in
            try fixture.terminal.waitFor("the list") { $0.text.contains("Esc leaves") }
            fixture.terminal.type("osl\u{1B}[B\r")
        }
        XCTAssertEqual(answer, "2")
        XCTAssertEqual(lines, ["the talk above"])
    }

    func testEscapeAloneLeaves() async throws {
        let (answer, lines) = try await pick(request) { fixture in
            try fixture.terminal.waitFor("the list") { $0.text.contains("Esc leaves") }
            fixture.terminal.type("\u{1B}")
        }
        XCTAssertNil(answer)
        XCTAssertEqual(lines, ["the talk above"])
    }

    func testOutputAppearsAboveWhilePicking() async throws {
        let (answer, lines) = try await pick(request) { fixture in
            try fixture.terminal.waitFor("the list") { $0.text.contains("Esc leaves") }
            await fixture.session.write("⏰ call mom\n")
            try fixture.terminal.waitFor("the alert") {
                $0.lines.starts(with: [
                    "the talk above", "⏰ call mom", "  Resume a conversation · 4",
                ])
                    && $0.text.contains("Esc leaves")
            }
            fixture.terminal.type("\r")
        }
        XCTAssertEqual(answer, "1")
        XCTAssertEqual(lines, ["the talk above", "⏰ call mom"])
    }

    func testASearchAnswersTheLatestQueryOnly() async throws {
        let gate = Gate()
        var request = request
        request.search = { query in
            if query == "x" { await gate.wait() }
            return [PickerItem(id: "found " + query, title: "Found \(query)")]
        }
        let (answer, _) = try await pick(request) { fixture in
            try fixture.terminal.waitFor("the list") { $0.text.contains("Esc leaves") }
            fixture.terminal.type("x")
            try fixture.terminal.waitFor("the wait") { $0.text.contains("searching …") }
            fixture.terminal.type("y")
            try fixture.terminal.waitFor("the result") { $0.text.contains("Found xy") }
            gate.open()
            fixture.terminal.type("\r")
        }
        XCTAssertEqual(answer, "found xy")
    }

    func testTheHistoryIsSearchedAndAnEntryComesIntoTheLine() async throws {
        let history = MemoryHistory(["call mom", "日本語 two\nlines", "call dad"])
        let fixture = try TerminalSessionTests.Fixture { $0.history = history }
        let prompt = try await fixture.prompt()
        fixture.terminal.type("ca\u{12}")
        try fixture.terminal.waitFor("the list") {
            $0.lines == [
                "  History · 2 found", "  > ca", "  ▸ call dad", "    call mom",
                "  ↑↓ / Ctrl-N Ctrl-P move · type to search · Enter picks · Esc leaves",
            ]
        }
        fixture.terminal.type("\u{1B}")
        try fixture.terminal.waitFor("the line as it was") { $0.lines == ["> ca"] }
        fixture.terminal.type("\u{12}\u{1B}[B\r")
        try fixture.terminal.waitFor("the entry") { $0.lines == ["> call mom"] }
        fixture.terminal.type("!\r")
        let result = await prompt.value
        XCTAssertEqual(result, .line("call mom!"))
        // Another instance adds one; it is there at the next prompt.
        history.addFromElsewhere("from elsewhere")
        let next = try await fixture.prompt()
        fixture.terminal.type(String(repeating: "\u{1B}[A", count: 5) + "\r")
        let second = await next.value
        XCTAssertEqual(second, .line("from elsewhere"))
        await fixture.finish()
    }

    func testATerminalThatCannotMoveItsCursorGetsNumbers() async throws {
        let (answer, lines) = try await pick(request, configure: { $0.term = "dumb" }) {
            try $0.terminal.waitFor("the question") { $0.text.contains("1–4, words") }
            $0.terminal.type("oslo\r")
            try $0.terminal.waitFor("the second") { $0.text.contains("1–2, words") }
            $0.terminal.type("2\r")
        }
        XCTAssertEqual(answer, "2")
        XCTAssertEqual(
            lines.first { $0.contains("evil") }, "  3  evil\\x1b[2J title  in \\x07March")
    }
}
