import TestSupport
import XCTest

@testable import TerminalKit

/// How a text with every construct looks, with the looks marked.
final class MarkdownLinesTests: XCTestCase {
    private func check(_ columns: Int, usesUnicode: Bool, _ name: String) throws {
        let lines = MarkdownStream.lines(Self.text, columns: columns, usesUnicode: usesUnicode)
        for line in lines where !line.text.hasPrefix("  two") {
            XCTAssertNotEqual(line.text.last, " ", line.text)
        }
        try GoldenFile.check(StreamedMarkdown.marked(lines), name)
        XCTAssertEqual(
            StreamedMarkdown.lines(Self.text, by: 3, columns: columns),
            MarkdownStream.lines(Self.text, columns: columns, usesUnicode: true))
    }

    func testEveryConstructOnAWideScreen() throws {
        try check(80, usesUnicode: true, "markdown-80.txt")
    }

    func testEveryConstructOnANarrowScreen() throws {
        try check(40, usesUnicode: true, "markdown-40.txt")
    }

    func testEveryConstructWithoutUnicodeSigns() throws {
        try check(80, usesUnicode: false, "markdown-ascii.txt")
    }

    private static let text = #"""
        # Title with `code`
        Text **bold**, *italic*, ***both***, ~~gone~~, `code *not*`, \*escaped\*.
        A [link](https://example.com/a_b "title"), <https://auto.example>, www.bare.example,
        ![a picture](cat.png), [www.same.example](http://www.same.example).
        Hard break\
        and &copy; &lt;b&gt; <b>inline</b>.

        Setext
        ------
        ### Third level ###

        - one
        - two
          continued
          - nested
            1. deep
            2. deeper

               a paragraph in it
        * [ ] open
        * [x] done **well**

        9. nine
        10. ten

            ```swift
            let x = 1

              indented
            ```
        -
        1) ```
           code at once
           ```

        > quote *one*
        >
        > - in the quote
        > > deeper
        lazy

        > another

        ***

        | Name | Größe | 中文 | Notes |
        |:-----|------:|:---:|---|
        | a | 1 | 日本語 | `x\|y` and **bold** |
        | longer name | 12345 | 👩‍🚀🇩🇪 | a note that does not fit into the width of the screen |
        | שלום עולם | 2 | é | one<br>two |
        | too few |

        - | a | b |
          |---|---|
          | in a list | x |

        #### Code

            indented code

            more

        <div>
         *html*
        </div>

        emoji 👨‍👩‍👧‍👦 ❤️ 1️⃣, marks e̊, مرحبا بالعالم, 한국어
        """#
}
