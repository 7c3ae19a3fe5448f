import XCTest

@testable import chat

final class EarlyTypingTests: XCTestCase {
    private let mark = "\u{1B}[200~"
    private let end = "\u{1B}[201~"

    private func early(_ before: String, _ pieces: [String]) -> EarlyTyping {
        var keys = KeyDecoder()
        keys.feed(before.utf8)
        var early = EarlyTyping(after: keys)
        for piece in pieces { early.feed(Array(piece.utf8)) }
        return early
    }

    func testAPasteEndsOnlyWithItsMarkWhereverItBegan() {
        for (before, pieces) in [
            ("", [mark + "a\ny\n"]), (mark + "a", ["\ny\n"]), ("x" + mark, ["y\r"]),
            ("", [mark, "y", "\r", "\u{1B}[20"]),
        ] {
            var typing = early(before, pieces)
            XCTAssertTrue(typing.isMidPaste, before + pieces.joined())
            typing.feed(Array((pieces.last == "\u{1B}[20" ? "1~" : end).utf8))
            XCTAssertFalse(typing.isMidPaste, before + pieces.joined())
            XCTAssertFalse(typing.isMidSequence, before + pieces.joined())
        }
    }

    func testTheMarkOfAPasteMayComeInPieces() {
        var typing = early("", ["\u{1B}"])
        XCTAssertTrue(typing.isMidSequence)
        typing.feed(Array("[200".utf8))
        XCTAssertTrue(typing.isMidSequence)
        typing.feed(Array("~y\r".utf8))
        XCTAssertTrue(typing.isMidPaste)
    }

    func testOnlyWhatLooksLikeAnAnswerIsDropped() {
        let question = Question(.yes)
        for text in ["y", "y\r", "yes\nno\n", "\r", ""] {
            XCTAssertTrue(early("", [text]).isFor(question), text)
        }
        for text in ["hello", "y\rhello", mark + "y" + end] {
            XCTAssertFalse(early("", [text]).isFor(question), text)
        }
        XCTAssertFalse(early(mark + "a", ["y" + end]).isFor(question))
    }
}
