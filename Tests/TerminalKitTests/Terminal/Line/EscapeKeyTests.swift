import TestSupport
import XCTest

@testable import TerminalKit

/// What Esc does to the line editor and to a question.
final class EscapeKeyTests: XCTestCase {
    /// A line whose keys are given; what was in it, and how it ended.
    private func line(
        _ keys: [Key], as kind: LineEditor.Keys = .emacs, takesClipboard: Bool = false
    ) throws -> LineResult {
        let terminal = try PseudoTerminal()
        defer { terminal.end() }
        let editor = try XCTUnwrap(
            LineEditor(
                input: terminal.slave, output: terminal.slave, term: "xterm", keys: kind,
                history: nil))
        var rest = keys[...]
        editor.nextKey = { rest.popFirst() }
        return editor.readLine(prompt: "> ", takesClipboard: takesClipboard)
    }

    private func typed(_ text: String) -> [Key] { text.unicodeScalars.map { .character($0) } }

    func testEscArmsNoSecondKeyAtThePrompt() throws {
        // Alt-r, Alt-e, Alt-s, Alt-b, Alt-d, Alt-1 and Ctrl-X Ctrl-R are bound.
        for text in ["remind me", "edit", "so", "b", "d", "1", "\u{12}"] {
            let result = try line([.escape] + typed(text) + typed("\n"))
            XCTAssertEqual(result, text == "\u{12}" ? .line("") : .line(text), text)
        }
        // What was begun is over.
        XCTAssertEqual(
            try line(typed("a\u{18}") + [.escape] + typed("\u{05}b\n")), .line("ab"))
    }

    func testAltKeysStillWork() throws {
        let r = Key.character("r")
        XCTAssertEqual(try line(typed("so") + [.alt(r)]), .dictate("so"))
        XCTAssertEqual(try line(typed("so") + [.alt(.character("e"))]), .edit("so"))
        XCTAssertEqual(
            try line(typed("one two") + [.alt(.character("b"))] + typed("x\n")), .line("one xtwo"))
        XCTAssertEqual(
            try line(typed("one two") + [.alt(.left)] + typed("x\n")), .line("one xtwo"))
        XCTAssertEqual(
            try line(typed("one two") + [.alt(.home)] + typed("x\n")), .line("xone two"))
    }

    func testCtrlVEndsTheLineAtItsCursorWhereTheClipboardIsTaken() throws {
        let keys = typed("one two") + [.wordLeft] + typed("\u{16}")
        for kind in [LineEditor.Keys.emacs, .vi] {
            XCTAssertEqual(
                try line(keys, as: kind, takesClipboard: true),
                .paste(before: "one ", after: "two"))
            XCTAssertEqual(try line(keys + typed("x\n"), as: kind), .line("one xtwo"))
        }
        XCTAssertEqual(
            try line(typed("\u{16}"), takesClipboard: true), .paste(before: "", after: ""))
    }

    func testEscIsVisInVisKeys() throws {
        XCTAssertEqual(
            try line(typed("one two") + [.escape] + typed("bix\n"), as: .vi), .line("one xtwo"))
        // Right behind it is no Alt there.
        XCTAssertEqual(
            try line(typed("one two") + [.alt(.character("b"))] + typed("ix\n"), as: .vi),
            .line("one xtwo"))
        XCTAssertEqual(
            try line(typed("one") + [.alt(.left)] + typed("ix\n"), as: .vi), .line("oxne"))
    }

    func testEscLeavesAListAndNoOtherQuestion() {
        var list = Question(.choice(["one", "two"]))
        XCTAssertEqual(list.take(.character("1")).answer, nil)
        XCTAssertEqual(list.take(.escape).answer, .no)
        // A line that is asked for is not written then.
        var line = Question(.line)
        XCTAssertEqual(line.take(.escape).answer, .no)
        for mode in [
            Question.Mode.yes, .approval(word: "delete", canGrant: false, letters: ""), .hidden,
        ] {
            var question = Question(mode)
            _ = question.take(.character("y"))
            let (echo, answer) = question.take(.escape)
            XCTAssertEqual(echo, "")
            XCTAssertNil(answer)
            XCTAssertFalse(question.isEmpty)
            XCTAssertNil(question.take(.alt(.character("x"))).answer)
        }
    }
}
