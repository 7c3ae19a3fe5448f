import Base
import TestSupport
import XCTest

@testable import TerminalKit

/// Whole screens of the writing tools.
final class WritingViewTests: XCTestCase {
    private typealias Version = WritingAssistant.Version

    private static let drafts: [(String, LineSelection)] = [
        ("a draft", LineSelection(text: "teh cat sat on teh mat, and teh dog lay by teh door")),
        (
            "a region",
            LineSelection(
                before: "日本語 first.\n", text: "teh 漢字 and teh 👩‍👩‍👧 family", after: "\nand the rest")
        ),
    ]

    private func lines(
        _ selection: LineSelection, _ step: String, _ size: ScreenSize, _ style: Style
    ) -> [StyledLine] {
        var state = WritingState(selection)
        state.tools = WritingState.keyed(ScriptedAssistant.usual)
        var version = ScriptedAssistant.version(of: selection.text, isLocal: step == "local")
        switch step {
        case "menu": break
        case "working":
            _ = state.take(.character("f"), on: ScreenSize())
            state.note(.init(part: "part 1 of 2", text: "The cat sat\non the"))
        default:
            _ = state.take(.character("p"), on: ScreenSize())
            if step == "rewrite" {
                version.warning = "This changes more than a third of the words: it is a rewrite."
                version.pieces += [
                    .change(old: "", new: " now"), .same("."),
                    .change(old: " evil\u{1B}[2J\n", new: ""),
                ]
            }
            state.show(version)
            if step == "decided" {
                _ = state.take(.character("y"), on: ScreenSize())
            }
            if step == "rewrite" {
                for _ in 0..<9 { _ = state.take(.right, on: ScreenSize()) }
            }
        }
        return WritingView(state, prompt: StyledLine("> ", .accent), size: size, style: style).lines
    }

    func testScreensAtTwoWidths() throws {
        let style = Style(usesColor: true, usesUnicode: true)
        let plain = Style(usesColor: false, usesUnicode: true)
        var text = ""
        for columns in [80, 40] {
            for (name, selection) in Self.drafts {
                for step in ["menu", "working", "local", "decided", "rewrite"] {
                    text += "== \(name), \(step), \(columns) columns\n"
                    let size = ScreenSize(columns: columns, rows: 12)
                    let lines = lines(selection, step, size, plain)
                    var screen = Screen(rows: 12, columns: columns)
                    var area = ScreenArea()
                    screen.feed(area.draw(lines, plain))
                    XCTAssertEqual(screen.unknown, [])
                    text += screen.text + "\n"
                }
            }
        }
        text += "== colours\n"
        for step in ["menu", "decided"] {
            for (_, selection) in Self.drafts {
                let lines = lines(selection, step, ScreenSize(), style)
                text +=
                    lines.map { style.text($0) }.joined(separator: "\n")
                    .replacing("\u{1B}", with: "^") + "\n"
            }
        }
        try GoldenFile.check(text, "writing-tools.txt")
    }

    func testTheMenuIsOneLineDownToFortyColumns() {
        let plain = Style(usesColor: false, usesUnicode: true)
        func menu(_ columns: Int) -> String? {
            let size = ScreenSize(columns: columns, rows: 12)
            let lines = lines(LineSelection(text: "teh cat sat"), "menu", size, plain)
            XCTAssertEqual(lines.count, 2, "\(columns)")
            return lines.last?.text
        }
        for columns in 40...90 {
            XCTAssertLessThan(DisplayWidth.of(menu(columns) ?? ""), columns)
        }
        XCTAssertEqual(menu(60), "  Proofread  Rewrite  Friendly  prOfessional  Concise")
        XCTAssertEqual(menu(50), "  Proofread Rewrite Friendly prOfessional Concise")
        XCTAssertEqual(menu(40), "  Proof. Rewrite Friendly prOf. Concise")
    }

    func testAnyWindowShowsTheChangeToDecideOnAndTheKeys() {
        let style = Style(usesColor: false, usesUnicode: true)
        let words = (0..<400).map { $0 % 7 == 0 ? "teh" : "word\($0)" }.joined(separator: " ")
        let version = ScriptedAssistant.version(of: words)
        for (columns, rows) in [(80, 24), (40, 10), (20, 5), (30, 3), (200, 60)] {
            var state = WritingState(LineSelection(text: words))
            state.tools = WritingState.keyed(ScriptedAssistant.usual)
            _ = state.take(.character("p"), on: ScreenSize())
            state.show(version)
            for _ in 0..<version.changeCount {
                let size = ScreenSize(columns: columns, rows: rows)
                let lines = WritingView(
                    state, prompt: StyledLine("> "), size: size, style: style
                ).lines
                XCTAssertLessThanOrEqual(lines.count, max(3, rows - 1))
                if rows > 3 {
                    XCTAssertTrue(lines.contains { $0.text.contains("▸") }, "\(columns)")
                }
                for line in lines {
                    XCTAssertLessThan(DisplayWidth.of(line.text), columns, line.text)
                }
                _ = state.take(.right, on: ScreenSize())
            }
        }
    }
}
