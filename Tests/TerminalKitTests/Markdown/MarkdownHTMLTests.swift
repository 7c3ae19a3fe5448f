import XCTest

@testable import TerminalKit

/// HTML for a file that a browser opens: nothing in the text can act.
final class MarkdownHTMLTests: XCTestCase {
    private func html(_ markdown: String) -> String { MarkdownDocument(markdown).html() }

    func testHTMLInTheTextIsShownAsText() {
        XCTAssertEqual(
            html("a <script>alert(1)</script> & \"b\"\n"),
            "<p>a <code class=\"html\">&lt;script&gt;</code>alert(1)"
                + "<code class=\"html\">&lt;/script&gt;</code> &amp; &quot;b&quot;</p>\n")
        XCTAssertEqual(
            html("<div onclick=\"x\">\n"),
            "<pre class=\"html\">&lt;div onclick=&quot;x&quot;&gt;</pre>\n")
    }

    func testAddressesThatCouldActLeadNowhere() {
        for address in [
            "javascript:alert(1)", "JavaScript:x", "data:text/html,x", "vbscript:x", "file:///etc",
            "java&#9;script:x", "javascript&colon;x",
        ] {
            XCTAssertEqual(html("[a](\(address))\n"), "<p><a href=\"\">a</a></p>\n", address)
            XCTAssertEqual(
                html("![a](\(address))\n"), "<p><img src=\"\" alt=\"a\" /></p>\n", address)
        }
        XCTAssertEqual(
            html("[a](<x\"onmouseover=y>)\n"), "<p><a href=\"x%22onmouseover=y\">a</a></p>\n")
    }

    func testALanguageCannotLeaveItsAttribute() {
        XCTAssertEqual(
            html("```a\"b>\nx\n```\n"),
            "<pre><code class=\"language-a&quot;b&gt;\">x\n</code></pre>\n")
    }

    func testACharacterReferenceIsNeverAControlCharacter() {
        XCTAssertEqual(
            html("&#27;[31m &#x9b; &#8238; &#0;\n"),
            "<p>\\x1b[31m \\x9b &lt;U+202E&gt; \u{FFFD}</p>\n")
        XCTAssertEqual(
            MarkdownStream.lines("&#27;[31m&#10;&#9;x", columns: 80, usesUnicode: true).map(\.text),
            ["\\x1b[31m  x"])
    }

    func testLinesMayEndAsOnOtherSystems() {
        XCTAssertEqual(
            html("a\r\n\r\n```\r\nb\r\n```\r\n"), "<p>a</p>\n<pre><code>b\n</code></pre>\n")
    }

    func testWhatIsNestedTooDeepIsText() {
        let quotes = html(String(repeating: ">", count: 10_000) + "a")
        XCTAssertTrue(quotes.contains("&gt;&gt;a"))
        XCTAssertEqual(
            quotes.components(separatedBy: "<blockquote>").count - 1, BlockParser.depthLimit)
        XCTAssertEqual(html(String(repeating: "[", count: 10_000)).utf8.count, 10_008)
    }
}
