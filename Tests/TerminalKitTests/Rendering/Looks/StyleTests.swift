import Base
import XCTest

@testable import TerminalKit

/// Colours only where they are wanted; widths as a terminal counts them.
final class StyleTests: XCTestCase {
    private let line = StyledLine([
        .init("✓ "), .init("done\u{1B}[0m", .success), .init(" ·", .dim),
    ])

    func testColoursAndForeignText() {
        let style = Style(usesColor: true, usesUnicode: true)
        XCTAssertEqual(
            style.text(line), "✓ \u{1B}[32mdone\\x1b[0m\u{1B}[0m\u{1B}[2m ·\u{1B}[0m")
        XCTAssertEqual(style.bytes(StyledLine("x")), [0x78, 0x0A])
    }

    func testPlainASCII() {
        let style = Style(usesColor: false, usesUnicode: false)
        XCTAssertEqual(style.text(line), "+ done\\x1b[0m -")
        XCTAssertEqual(style.text(StyledLine("naïve …")), "naïve ...")
        XCTAssertEqual(style.text(StyledLine("▎ run ↻ ⏰ ── ☐")), "| run ~ ! -- o")
    }

    func testWhereColoursAndUnicodeAreUsed() {
        let cases: [(Bool, [String: String], Bool, Bool)] = [
            (true, ["TERM": "xterm"], true, true),
            (false, ["TERM": "xterm"], false, true),
            (true, ["TERM": "dumb"], false, true),
            (true, [:], false, true),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], false, true),
            (true, ["TERM": "xterm", "NO_COLOR": ""], true, true),
            (true, ["TERM": "xterm", "LANG": "C"], true, false),
            (true, ["TERM": "xterm", "LANG": "C", "LC_ALL": "en_US.UTF-8"], true, true),
            (true, ["TERM": "xterm", "LC_ALL": "", "LANG": "de_DE.utf8"], true, true),
        ]
        for (isTerminal, variables, color, unicode) in cases {
            var style = Style(usesColor: color, usesUnicode: unicode)
            style.isForPipe = !isTerminal
            XCTAssertEqual(
                Style(isTerminal: isTerminal, variables: variables), style, "\(variables)")
        }
    }

    func testAPipeKeepsTheInvisibleLettersOfWriting() {
        let line = StyledLine("a\u{200B}\u{200F}\u{AD}\u{202E}")
        let variables = ["TERM": "xterm", "NO_COLOR": "1"]
        XCTAssertEqual(
            Style(isTerminal: false, variables: variables).text(line),
            "a\u{200B}\u{200F}\u{AD}<U+202E>")
        XCTAssertEqual(
            Style(isTerminal: true, variables: variables).text(line),
            "a<U+200B><U+200F><U+00AD><U+202E>")
    }
}
