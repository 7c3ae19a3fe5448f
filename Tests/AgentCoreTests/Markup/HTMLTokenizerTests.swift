import Base
import TestSupport
import XCTest

final class HTMLTokenizerTests: XCTestCase {
    /// Tokens in one line each: `+p class=x`, `-p`, `"text"`.
    private func tokens(_ text: String) -> [String] {
        var tokenizer = HTMLTokenizer(text)
        var found: [String] = []
        while let token = tokenizer.next() {
            switch token {
            case .text(let bytes): found.append("\"\(String(decoding: bytes, as: UTF8.self))\"")
            case .verbatim(let bytes): found.append("[\(String(decoding: bytes, as: UTF8.self))]")
            case .close(let name): found.append("-\(name)")
            case .declaration(let name): found.append("!\(name)")
            case .open(let tag):
                let attributes = tag.attributes.map { " \($0.name)=\($0.value)" }.joined()
                found.append("\(tag.isEmpty ? "/" : "+")\(tag.name)\(attributes)")
            }
        }
        return found
    }

    func testTagsTextAndWhatIsLeftOut() {
        XCTAssertEqual(
            tokens(
                "<?xml version=\"1.0\"?><!DOCTYPE html [<!ENTITY a \"b\">]><!-- <p> --><P Class='a b' "
                    + "id=x hidden>A &amp; B<br/></p><![CDATA[<&amp;>]]><script>a<b</b></script>c"),
            [
                "!doctype", "+p class=a b id=x hidden=", "\"A &amp; B\"", "/br", "-p",
                "[<&amp;>]", "+script", "\"c\"",
            ])
    }

    func testWhatIsNoTagIsText() {
        XCTAssertEqual(tokens("a < b & c <3 > d"), ["\"a < b & c <3 > d\""])
        XCTAssertEqual(tokens("x <b and <i>y</i>"), ["\"x \"", "\"<b and \"", "+i", "\"y\"", "-i"])
        XCTAssertEqual(tokens("end <"), ["\"end <\""])
        XCTAssertEqual(tokens("a</ b>c</"), ["\"a\"", "\"</ b>c\"", "\"</\""])
        XCTAssertEqual(tokens("a <p class=\"x b"), ["\"a \"", "\"<p class=\"x b\""])
    }

    func testForgottenBracketsAndQuotationMarksLoseNoText() {
        XCTAssertEqual(
            tokens("<p class=\"x\" <em>y</em>"), ["+p class=x", "+em", "\"y\"", "-em"])
        XCTAssertEqual(
            tokens("<p class=\"x>one</p><p id=\"y\">two</p>"),
            ["+p class=x", "\"one\"", "-p", "+p id=y", "\"two\"", "-p"])
        XCTAssertEqual(tokens("<a href=x.html#y/>z"), ["+a href=x.html#y/", "\"z\""])
        XCTAssertEqual(tokens("<script/>text"), ["/script", "\"text\""])
    }

    func testReferencesAreDecodedAsBrowsersDo() {
        func decoded(_ text: String) -> String { CharacterReference.text(Array(text.utf8)[...]) }
        XCTAssertEqual(
            decoded("&eacute;&mdash;&#8220;&#x201D;&nbsp;|&CounterClockwiseContourIntegral;"),
            "é—“”\u{A0}|∳")
        XCTAssertEqual(decoded("&copy 2020 &amp &#65 &#150;&#x80;"), "© 2020 & A –€")
        XCTAssertEqual(
            decoded("AT&T &unknown; &div 2 &; &#; &#x; &"), "AT&T &unknown; &div 2 &; &#; &#x; &")
        XCTAssertEqual(decoded("&#0;&#xD800;&#1114112;"), "\u{FFFD}\u{FFFD}\u{FFFD}")
    }

    /// Every cut and every wrong byte: it ends, and text outside of brackets stays.
    func testAnyBytesAreReadToTheEnd() {
        var random = SplitMix(seed: 16)
        let pieces = [
            "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "<p", " a=\"", "'", "&amp;", "&#x",
            "<script>", "</script", "text", "é", " ", "=", "/", "<!DOCTYPE [", "]", "?",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            _ = tokens(text)
        }
    }

    func testRepeatedOpeningsCostNoMoreThanTheirLength() {
        for piece in ["<![", "</a", "<a b='", "<a b=", "<!x", "<p c=\"x\" ", "<!doctype [>", "<b "]
        {
            var tokenizer = HTMLTokenizer(String(repeating: piece, count: 60_000))
            var count = 0
            while tokenizer.next() != nil { count += 1 }
            XCTAssertLessThanOrEqual(count, 130_000, piece)
        }
    }
}
