import Foundation
import TestSupport
import XCTest

@testable import Texts

/// What no writing tool may change, found, hidden and verified.
final class ProtectedTextTests: XCTestCase {
    private func spans(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return ProtectedText(text).spans.map {
            "\($0.kind.rawValue): " + String(decoding: bytes[$0.range], as: UTF8.self)
        }
    }

    func testEveryKindIsFound() {
        for (text, wanted) in [
            ("---\ntitle: teh\n---\n\nteh cat", ["front matter: ---\ntitle: teh\n---"]),
            ("+++\na = 1\n+++\nx", ["front matter: +++\na = 1\n+++"]),
            ("a\n```swift\nlet teh = 1\n\n```\nb", ["code block: ```swift\nlet teh = 1\n\n```"]),
            ("~~~\n```\n~~~\nb", ["code block: ~~~\n```\n~~~"]),
            ("````\n```\n````", ["code block: ````\n```\n````"]),
            ("```\nnever closed\nteh", ["code block: ```\nnever closed\nteh"]),
            (
                "text\n\n    indented teh\n\n    more\n\nend",
                ["code block:     indented teh\n\n    more"]
            ),
            ("use `teh` and ``a ` b`` here", ["inline code: `teh`", "inline code: ``a ` b``"]),
            ("an odd ` tick", []),
            ("> teh quote\n> more\nend", ["quote: > teh quote\n> more"]),
            (
                "see [teh docs](http://x.org/a_(b)) or ![i](i.png)",
                ["link: [teh docs](http://x.org/a_(b))", "link: ![i](i.png)"]
            ),
            ("[a][b] and [[Page]] and [^1]", ["link: [a][b]", "link: [[Page]]", "link: [^1]"]),
            ("[b]: http://x.org \"teh\"\n", ["link: [b]: http://x.org \"teh\""]),
            ("a [word] alone", []),
            (
                "go to https://x.org/teh?a=b, or (www.x.org).",
                ["address: https://x.org/teh?a=b", "address: www.x.org"]
            ),
            (
                "mail bo@x.example.org or <ida@x.org>.",
                ["address: bo@x.example.org", "address: <ida@x.org>"]
            ),
            (
                "<p class=\"teh\">some text</p> a < b and c > d",
                ["HTML tag: <p class=\"teh\">", "HTML tag: </p>"]
            ),
            ("a <code>teh</code> b", ["HTML tag: <code>teh</code>"]),
            ("<!-- teh\n\nnote -->\nb", ["HTML tag: <!-- teh\n\nnote -->"]),
            (
                "Dear {{name}}, {% if x %} ${teh} {id} %s %1$s %(n)s 100% done &nbsp;",
                [
                    "placeholder: {{name}}", "placeholder: {% if x %}", "placeholder: ${teh}",
                    "placeholder: {id}", "placeholder: %s", "placeholder: %1$s",
                    "placeholder: %(n)s", "placeholder: &nbsp;",
                ]
            ),
            ("a sign ⟦1⟧ of the user's", ["placeholder: ⟦1⟧"]),
            ("- item\n\n    more of it, no code", []),
            ("---\n\na rule, then text\n\n---\n", []),
        ] as [(String, [String])] {
            XCTAssertEqual(spans(text), wanted, text)
        }
    }

    func testBlocksKeepTheLineBreaksWithin() {
        XCTAssertEqual(
            spans("a\r\n```\r\nteh\r\n```\r\nb"), ["code block: ```\r\nteh\r\n```"])
    }

    func testAnAnswerGetsTheBytesBack() throws {
        let text = "teh `cat` sat.\n\n```\r\nteh\r\n```\n\nSee https://x.org now."
        let protected = ProtectedText(text)
        XCTAssertEqual(protected.masked, "teh ⟦1⟧ sat.\n\n⟦2⟧\n\nSee ⟦3⟧ now.")
        XCTAssertEqual(
            try protected.unmask("The ⟦ 1 ⟧ sat.\n\n⟦2⟧\n\nSee ⟦3⟧ now."),
            "The `cat` sat.\n\n```\r\nteh\r\n```\n\nSee https://x.org now.")
        XCTAssertEqual(protected.prose, "teh  sat.\n\n\n\nSee  now.")
        XCTAssertEqual(try protected.unmask(protected.masked), text)
    }

    /// A model may have seen through the token, or have been given the text whole.
    func testASpanThatIsWrittenAsItWasIsKept() throws {
        let protected = ProtectedText("teh `cat` sat.")
        XCTAssertEqual(try protected.unmask("The `cat` sat."), "The `cat` sat.")
    }

    func testAMangledAnswerIsRefusedAndSaysWhy() {
        let protected = ProtectedText("teh `cat` and `dog`.\n\n> one\n\n```\nx = 1\n```\n\nend")
        for (answer, sentence) in [
            (
                "The and ⟦2⟧.\n\n⟦3⟧\n\n⟦4⟧\n\nend",
                "the inline code \"`cat`\" was changed or left out"
            ),
            (
                "The `cats` and ⟦2⟧.\n\n⟦3⟧\n\n⟦4⟧\n\nend",
                "the inline code \"`cat`\" was changed or left out"
            ),
            (
                "The ⟦1⟧ ⟦1⟧ and ⟦2⟧.\n\n⟦3⟧\n\n⟦4⟧\n\nend",
                "the inline code \"`cat`\" appears twice"
            ),
            (
                "The ⟦1⟧ and ⟦2⟧.\n\n⟦4⟧\n\n⟦3⟧\n\nend",
                "the quote \"> one\" was moved"
            ),
            (
                "The ⟦1⟧ and ⟦2⟧.\n\n⟦3⟧\n\n```\nx = 2\n```\n\nend",
                "the code block \"``` x = 1 ```\" was changed or left out"
            ),
            (
                "The ⟦1⟧ and ⟦2⟧, see https://y.org.\n\n⟦3⟧\n\n⟦4⟧\n\nend",
                "the address \"https://y.org\" was not in the text"
            ),
            (
                "The ⟦1⟧ and ⟦2⟧ ⟦9⟧.\n\n⟦3⟧\n\n⟦4⟧\n\nend",
                "the placeholder \"⟦9⟧\" was not in the text"
            ),
        ] {
            XCTAssertThrowsError(try protected.unmask(answer), answer) {
                XCTAssertEqual(($0 as? ProtectedText.Violation)?.sentence, sentence)
            }
        }
        // Inline spans may move with their sentence.
        XCTAssertNoThrow(try protected.unmask("⟦2⟧ and the ⟦1⟧.\n\n⟦3⟧\n\n⟦4⟧\n\nend"))
    }

    func testARangeIsComparedWithAllSpans() {
        let protected = ProtectedText("ab `cd` ef `gh`")
        XCTAssertFalse(protected.touches(0..<3))
        XCTAssertTrue(protected.touches(2..<4))
        XCTAssertTrue(protected.touches(4..<5))
        XCTAssertFalse(protected.touches(7..<11))
        XCTAssertTrue(protected.touches(14..<15))
        XCTAssertFalse(protected.touches(3..<3))
    }

    /// Whatever a text is: nothing traps, spans are in order and apart, and
    /// masking is undone exactly.
    func testAnyTextComesBackFromItsMask() throws {
        var random = SplitMix(seed: 14)
        let parts = [
            "`", "``", "```", "\n", "\n\n", "\r\n", "~~~", ">", " > ", "[", "]", "(", ")", "![",
            "<", ">", "<!--", "-->", "</", "{{", "}}", "{", "}", "${", "%s", "%(", "&", ";", "⟦",
            "⟧", "1", "2", "a", "Teh ", "é", "👩‍👩‍👧", "\\", "www.", "https://", "@", "x.org", "---\n",
            "    ", "\t", "- ", "1. ", "[a]: ", "\u{301}", "<pre>", "</pre>", "\0",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 1...25, using: &random)).map { _ in
                parts[Int.random(in: 0..<parts.count, using: &random)]
            }.joined()
            let protected = ProtectedText(text)
            var end = 0
            for span in protected.spans {
                XCTAssertGreaterThanOrEqual(span.range.lowerBound, end, text.debugDescription)
                XCTAssertFalse(span.range.isEmpty, text.debugDescription)
                end = span.range.upperBound
            }
            XCTAssertLessThanOrEqual(end, text.utf8.count)
            XCTAssertEqual(try protected.unmask(protected.masked), text, text.debugDescription)
        }
    }

    func testLongTextsOfOneSignTakeLinearTime() {
        for sign in [
            "`", "[", "![", "<", "{{", "(", "${", "[a](", "<!--", "a@", "%", "```\n", "> \n",
        ] {
            let text = String(repeating: sign, count: 100_000 / sign.utf8.count)
            _ = ProtectedText(text).spans
        }
    }
}
