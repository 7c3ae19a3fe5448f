import XCTest

@testable import TerminalKit

/// What is typed while an answer streams.
final class TypeAheadTests: XCTestCase {
    private func typed(_ text: String) -> TypeAhead {
        var decoder = KeyDecoder()
        decoder.feed(text.utf8)
        var ahead = TypeAhead()
        while let key = decoder.next() { ahead.take(key) }
        return ahead
    }

    func testMessagesAndADraftAreKeptInOrder() {
        let cases: [(String, [String], String)] = [
            ("", [], ""),
            ("half", [], "half"),
            ("one\rtwo\rthr", ["one", "two"], "thr"),
            ("a\n b\r", ["a\n b"], ""),
            ("a\\\rb\r", ["a\nb"], ""),
            ("a\\\\\r", ["a\\\\"], ""),
            ("ab\u{7F}c", [], "ac"),
            ("👩‍👩‍👧\u{7F}x", [], "x"),
            ("one two\u{17}\r", ["one "], ""),
            ("rubbish\u{15}ok\r", ["ok"], ""),
            (" \r\r", [], ""),
            ("\u{1B}[200~a\rb\u{1B}[201~!", [], "a\nb!"),
            ("one\rtwo\r\u{1B}[A!", ["one"], "two!"),
        ]
        for (text, queued, draft) in cases {
            XCTAssertEqual(
                typed(text), TypeAhead(queued: queued, draft: draft), text.debugDescription)
        }
    }

    func testKeysThatNeedAnEditorAreKeptForIt() {
        var ahead = typed("one\rac\u{1B}[Db\r")
        XCTAssertEqual(ahead.takeMessage(), "one")
        XCTAssertNil(ahead.takeMessage())
        let rest = ahead.takeDraft()
        XCTAssertEqual(rest.text, "ac")
        XCTAssertEqual(rest.keys, [.left, .character("b"), .character("\n")])
        XCTAssertTrue(ahead.isEmpty)
    }

    func testControlCMakesOneDraftOfWhatWaits() {
        var ahead = typed("one\rtwo\rthree")
        ahead.recall()
        XCTAssertEqual(ahead, TypeAhead(draft: "one\ntwo\nthree"))
        var kept = typed("half")
        kept.recall()
        XCTAssertEqual(kept, TypeAhead(draft: "half"))
        var replayed = typed("a\u{1B}[Db\r")
        replayed.recall()
        XCTAssertEqual(replayed.later, [.left, .character("b"), .lineBreak])
    }
}
