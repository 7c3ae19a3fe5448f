import XCTest

@testable import Documents

final class PageProseTests: XCTestCase {
    private func text(_ page: String) -> String { PageProse(Array(page.utf8)).text }

    func testParagraphsHaveABlankLineBetweenThem() {
        XCTAssertEqual(
            text(
                """
                <html><head><title>No text</title><style>p{}</style></head><body>
                <h1>One</h1><p>It was
                   dark&nbsp;&mdash; <em>very</em>.</p><p>&nbsp;</p>
                <p>A line<br/>and <b>another</b></p><hr/><ul><li>x</li><li><p>y</p></li></ul>
                <pre>  as
                 it is</pre></body></html>
                """),
            "One\n\nIt was dark — very.\n\nA line\nand another\n\n* * *\n\nx\n\ny\n\n  as\n it is")
    }

    func testAPictureCutsNoTextAndMayBeAnInitial() {
        XCTAssertEqual(
            text("<p><img src='a.png' alt='A'/>lice was <img src='b.png' alt='A boat'>tired.</p>"),
            "Alice was tired.")
    }

    func testNotesAndTheirMarksAreNotRead() {
        XCTAssertEqual(
            text(
                """
                <p>One<a epub:type="noteref" href="#n1">1</a> two<sup><a href="#n2">2</a></sup> \
                three<a href="#n3"><sup>*</sup></a> four<a href="#n4">[4]</a> in \
                <a href="#y">1984</a>, 2<sup>10</sup>.</p>
                <aside epub:type="footnote" id="n1"><p>A note.</p></aside>
                <div class="footnotes"><div>Another.</div></div><section role="doc-endnotes">x</section>
                <p>End.<span class="pagenum">12</span></p>
                """),
            "One two three four in 1984, 210.\n\nEnd.")
    }

    func testAnElementThatNeverEndsIsRead() {
        XCTAssertEqual(
            text("<p>One</p><aside epub:type='footnote'><p>Two</p><p>Three</p>"),
            "One\n\nTwo\n\nThree")
        XCTAssertEqual(text("<head><title>T<body><p>One</p>"), "One")
    }

    func testQuotationElementsHaveTheirMarks() {
        XCTAssertEqual(
            text("<p><q>He said <q>no</q></q>, she said.</p>"), "“He said ‘no’”, she said.")
    }

    func testHeadingsAndAnchorsArePlacesInTheText() {
        let page = PageProse(
            Array(
                """
                <p>é</p><h2 id="c1">One<br/>Two</h2><p>a <a id="here"></a>b</p><a name="c2"></a>
                <div class="pagenum" id="p3">3</div><h2><a id="c3"/>Three</h2><p>c</p><p id="end"/>
                """.utf8))
        XCTAssertEqual(page.text, "é\n\nOne\nTwo\n\na b\n\nThree\n\nc")
        XCTAssertEqual(
            page.headings,
            [
                .init(level: 2, title: "One Two", start: 4),
                .init(level: 2, title: "Three", start: 18),
            ])
        XCTAssertEqual(
            page.anchors, ["c1": 4, "here": 15, "c2": 18, "p3": 18, "c3": 18, "end": 26])
    }

    func testWhatThePageSaysOfItself() {
        let page = PageProse(
            Array(
                """
                <html lang="fr"><head><title>Le
                 Titre</title><meta name="author" content="A. Lee"></head>
                <body epub:type="frontmatter cover"><p>x</p></body></html>
                """.utf8))
        XCTAssertEqual(page.title, "Le Titre")
        XCTAssertEqual(page.author, "A. Lee")
        XCTAssertEqual(page.language, "fr")
        XCTAssertEqual(page.kinds, ["frontmatter", "cover"])
    }
}
