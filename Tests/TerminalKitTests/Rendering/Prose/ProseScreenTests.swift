import Base
import TestSupport
import XCTest

@testable import TerminalKit

/// How prose stands on screens of three widths, with the looks marked.
final class ProseScreenTests: XCTestCase {
    private static let text = #"""
        # A trip to Oslo, with the night train and a few words more than a narrow window has room for

        Take the **night train** from *Bergen*; it is `cheap` and leaves at 23:05 on every day but Sunday. The [timetable](https://example.com/times/of/the/night/train) is long, and `inline code that goes over the end of a row` keeps its look, as does a [link whose text is longer than what is left](/u).

        - pack light, since the train has little room for anything that is larger than a small bag
          1. socks, and a book: 漢字と日本語の組版、つまり「禁則処理」について書かれたものを持って行く。
          2. a well-known guide, `apt-get install` and --a-long-option
             > quoted in an item, which hangs behind both of its marks
        - [x] buy tickets — both ways
        - [ ] call Bo 👍🏽 🇩🇪 cafe\#u{301}, who said « n'oublie pas ! » and hung up

        > A quote with **weight** over several lines, which go on and on until the edge has been met.
        >
        > - and an item in it that is long enough to be broken over two rows
        > > deeper still, where less room is left for the words of the quote

        中文段落不用空格，所以可以在任何两个汉字之间换行，但是句号、逗号和右括号（像这样）不能出现在行首。
        한국어는 띄어쓰기가 있지만 글자 사이에서도 줄을 바꿀 수 있다.

        ```swift
        struct Trip { let price = 180, name = "Oslo", note = "a line of code that is long" }
        ```

        | Day | What | Price |
        |:---|---|---:|
        | Monday | Vigeland park, a long cell that needs more rows | 0 |

        https://example.com/an/address/that/is/longer/than/a/row/of/eighty/columns/and/has/to/break.html

        Hard break\
        and <b>tags</b>, the end.
        """#

    private func lines(_ columns: Int) -> [RichLine] {
        MarkdownStream.lines(Self.text, columns: columns, usesUnicode: true)
    }

    private func rows(_ columns: Int) -> [RichLine] {
        lines(columns).flatMap { $0.rows(columns: columns, .words) }
    }

    func testANarrowScreen() throws {
        try GoldenFile.check(StreamedMarkdown.marked(rows(40)), "prose-40.txt")
    }

    func testAnOrdinaryScreen() throws {
        try GoldenFile.check(StreamedMarkdown.marked(rows(80)), "prose-80.txt")
    }

    func testAWideScreen() throws {
        try GoldenFile.check(StreamedMarkdown.marked(rows(200)), "prose-200.txt")
    }

    private func screen(_ lines: [RichLine], _ wrap: Wrap, columns: Int) -> [String] {
        var painter = LivePainter(style: Style(usesColor: true, usesUnicode: true), wrap: wrap)
        let size = ScreenSize(columns: columns, rows: 100)
        var screen = Screen(rows: 100, columns: columns)
        let bytes = painter.paint(finished: lines, on: size)
        screen.feed(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
        XCTAssertEqual(screen.unknown, [])
        return screen.transcript
    }

    func testTheScreenHasTheRowsAndNoRowIsWiderThanIt() {
        for columns in [12, 40, 80, 200] {
            // The screen leaves out the spaces that code ends with.
            let rows = rows(columns).filter { $0.height(columns: columns, .words) == 1 }
            let shown = screen(lines(columns), .words, columns: columns)
            for row in rows { XCTAssertTrue(shown.contains(row.text), row.text) }
            for line in lines(columns) where line.margin != nil {
                for row in line.rows(columns: columns, .words) {
                    XCTAssertLessThanOrEqual(DisplayWidth.of(row.text), columns, row.text)
                }
            }
        }
    }

    func testWithItsBreaksJoinedTheScreenHasTheTextThatTheTerminalShows() {
        func letters(_ lines: [String]) -> String {
            String(lines.joined().filter { $0 != " " && $0 != "│" })
        }
        for columns in [12, 23, 40, 80, 200] {
            XCTAssertEqual(
                letters(screen(lines(columns), .words, columns: columns)),
                letters(screen(lines(columns), .terminal, columns: columns)), "\(columns)")
        }
    }
}
