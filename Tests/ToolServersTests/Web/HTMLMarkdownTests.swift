import Base
import XCTest

@testable import Outside

final class HTMLMarkdownTests: XCTestCase {
    private func markdown(_ html: String) -> String {
        HTMLMarkdown([UInt8](html.utf8), address: "https://example.org/a/page").text
    }

    private func check(_ table: [(html: String, text: String)], line: UInt = #line) {
        for (html, text) in table { XCTAssertEqual(markdown(html), text, html, line: line) }
    }

    func testWordsInALineAreMarkedAndTheirSpaceIsOne() {
        check([
            (
                "a <b>bold</b> <i>word</i>\n  and\t<code>x &lt; y</code>",
                "a **bold** *word* and `x < y`"
            ),
            ("<strong> a </strong>b", "**a** b"), ("<b></b>a<b> </b>b", "a b"),
            ("<del>old</del>", "~~old~~"), ("a<br>b<br/>c", "a\nb\nc"),
            ("<b>a<i>b</b>c</i>", "**a*b****c*"),
            ("<code>a`b</code>", "`` a`b ``"), ("soft&shy;hyphen&nbsp;x\u{200B}y", "softhyphen xy"),
            ("<b>open <p>next", "**open**\n\n**next**"), ("a<sup>2</sup>", "a2"),
            ("<q>said</q>", "\"said\""), ("<img alt='a cat' src=x><img src=y>", "[image: a cat]"),
        ])
    }

    func testBlocksStandApart() {
        check([
            (
                "<h1>One</h1><p>a</p><h3>Three</h3>b<div>c</div>d",
                "# One\n\na\n\n### Three\n\nb\n\nc\n\nd"
            ),
            ("<h2>A<br>B</h2>", "## A B"), ("a<hr>b", "a\n\n---\n\nb"),
            ("<blockquote>a<p>b</blockquote>c", "> a\n\n> b\n\nc"),
            (
                "<pre><code class='language-swift'>let a = 1\n  b &amp; c\n</code></pre>",
                "```swift\nlet a = 1\n  b & c\n```"
            ),
            ("<pre class=lang-py>x\n\n  y</pre>", "```py\nx\n\n  y\n```"),
            ("<pre>```\n</pre>", "`````\n```\n`````"), ("<pre> \n </pre>a", "a"),
        ])
    }

    func testListsNestAndCount() {
        check([
            ("<ul><li>a<li>b<ul><li>c</li></ul></li><li>d</ul>e", "- a\n- b\n  - c\n- d\n\ne"),
            ("<ol start=9><li>a</li><li>b<p>more</p></li></ol>", "9. a\n10. b\n\n    more"),
            ("<ol><li><p>a</p><li><p>b</p></ol>", "1. a\n2. b"),
            ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\n: b\n\nc\n: d"),
            ("<ul><li><blockquote>a</blockquote></ul>", "- > a"), ("</ul></li><li>a", "- a"),
        ])
    }

    func testLinksAreWholeAndLeadToPages() {
        check([
            ("<a href='/x'>a</a>", "[a](https://example.org/x)"),
            ("<a href='b?c=1#d'> a b </a>!", "[a b](https://example.org/a/b?c=1#d) !"),
            ("<a href='//other.org'>a</a>", "[a](https://other.org)"),
            ("<a href='?q'>a</a>", "[a](https://example.org/a/page?q)"),
            ("<a href='https://w.org/Foo_(bar)'>a</a>", "[a](https://w.org/Foo_%28bar%29)"),
            ("<a href='https://w.org/'>https://w.org/</a>", "https://w.org/"),
            ("<a href='../../../x'>a</a>", "[a](https://example.org/x)"),
            ("<a href='./y'>a</a>", "[a](https://example.org/a/y)"),
            ("<a href='#top'>top</a>", "top"), ("<a href='javascript:x()'>a</a>", "a"),
            ("<a href='mailto:a@b.c'>mail</a>", "mail"), ("<a href='JAVA\nSCRIPT:x'>a</a>", "a"),
            ("<a href=/x></a>b", "b"),
            (
                "<a href=/x><h3>Head</h3><p>text</a>",
                "### [Head](https://example.org/x)\n\n[text](https://example.org/x)"
            ),
            (
                "<a href=/1>a<a href=/2>b</a>",
                "[a](https://example.org/1)[b](https://example.org/2)"
            ),
            ("<base href='https://cdn.org/d/'><a href=x>a</a>", "[a](https://cdn.org/d/x)"),
        ])
    }

    func testTablesHaveRowsAndThoseThatArrangeTextAreText() {
        check([
            (
                "<table><tr><th>A<th>B<tr><td>1<td>2 | 3</table>",
                "| A | B |\n| --- | --- |\n| 1 | 2 \\| 3 |"
            ),
            (
                "<table><caption>C</caption><tr><td>a</td><td><p>b<p>c</td></tr><tr><td>d</table>",
                "C\n\n| a | b c |\n| --- | --- |\n| d |"
            ),
            ("<table><tr><td>only</table>", "only"), ("<table><tr><td>a<td>b</table>", "a  b"),
            (
                "<table><tr><td>x<table><tr><td>1<td>2<tr><td>3<td>4</table>y</table>",
                "x\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n\ny"
            ),
            ("<table><tr><td>a<td>b<tr><td>never ends", "| a | b |\n| --- | --- |\n| never ends |"),
            ("<table></table>a", "a"), ("<td>stray</td></tr></table>", "stray"),
        ])
    }

    func testWhatIsNotThePageIsLeftOut() {
        check([
            ("<script>x<p>y</script><style>b{}</style>a<noscript>no</noscript>", "a"),
            ("<head><title>T</title><meta name=x></head><body>a", "a"),
            ("<nav><ul><li>Home</nav>a<svg><text>x</text></svg>", "a"),
            ("<div role=navigation><div>x</div>y</div>a", "a"), ("<p hidden>secret</p>a", "a"),
            ("<div aria-hidden=true>x</div>a", "a"),
            ("<button>Go</button><select><option>x</select>a", "a"),
            // Text is not lost by a forgotten tag.
            ("<nav>Home<p>all the rest", "Home\n\nall the rest"), ("<div hidden>a", "a"),
        ])
    }

    func testOfAPageWithAMainPartThatPartIsRead() {
        let words = String(repeating: "word ", count: 60).trimmingSpace()
        check([
            (
                "<header>Site</header><main><h1>A</h1>\(words)</main><footer>Legal</footer>",
                "# A\n\n\(words)"
            ),
            ("<div>Menu</div><div role=main><p>\(words)</div>", words),
            ("<p>\(words)</p><main>short</main>", "\(words)\n\nshort"),
        ])
    }

    func testTheTitleIsOneLine() {
        let page = HTMLMarkdown(
            [UInt8]("<title>\n A\n&lt;B&gt; </title><svg><title>no</title></svg><p>x".utf8),
            address: "https://a.org/")
        XCTAssertEqual(page.title, "A <B>")
        XCTAssertEqual(page.text, "x")
    }

    // MARK: - Hostile pages

    func testAHundredThousandNestedTagsAreReadToTheirEnd() {
        for name in [
            "div", "b", "ul", "li", "blockquote", "table", "td", "a href=/x", "nav", "span hidden",
            "pre", "h1", "ol", "main",
        ] {
            let html = String(repeating: "<\(name)>", count: 100_000) + "end"
            let page = HTMLMarkdown([UInt8](html.utf8), address: "https://a.org/")
            XCTAssertTrue(page.text.contains("end"), name)
            XCTAssertLessThan(page.text.utf8.count, 10_000, name)
        }
        let closed =
            String(repeating: "<div><b><ul><li>", count: 25_000) + "end"
            + String(repeating: "</li></ul></b></div>", count: 25_000)
        XCTAssertTrue(markdown(closed).hasSuffix("end**"), String(markdown(closed).suffix(40)))
    }

    func testAPageIsNotMuchLongerAsMarkdown() {
        let base = "https://example.org/" + String(repeating: "d/", count: 900)
        let html = "<base href='\(base)'>" + String(repeating: "<a href=x>a</a>", count: 50_000)
        let page = HTMLMarkdown([UInt8](html.utf8), address: "https://example.org/", limit: 1 << 20)
        XCTAssertTrue(page.wasCut)
        XCTAssertLessThan(page.text.utf8.count, (1 << 20) + 4_096)
        let cells =
            "<table>" + String(repeating: "<tr><td>a<td><a href=\(base)>b</a>", count: 5_000)
        let table = HTMLMarkdown(
            [UInt8](cells.utf8), address: "https://example.org/", limit: 1 << 20)
        XCTAssertTrue(table.wasCut)
        XCTAssertLessThan(table.text.utf8.count, (1 << 21))
    }

    func testAnyCutOfAPageIsReadWithoutATrap() {
        let html = [UInt8](
            """
            <!doctype html><html lang=en><head><title>T</title><base href=/b/></head><body><nav>n</nav>
            <main><h1>H</h1><p>a <b>b <i>c</i></b> <a href="x">l</a></p><ul><li>1<ol><li>2</ol></ul>
            <table><tr><th>a<td>b<tr><td><table><tr><td>x</table></table><pre><code>y
            </code></pre><blockquote><p>q<hr></blockquote>&amp;&lt;</main><script>z</script></body>
            """.utf8)
        for end in html.indices {
            let page = HTMLMarkdown(Array(html[..<end]), address: "https://a.org/")
            XCTAssertLessThan(page.text.utf8.count, 2 * html.count)
            _ = HTMLMarkdown(Array(html[end...]), address: "").text
        }
    }
}
