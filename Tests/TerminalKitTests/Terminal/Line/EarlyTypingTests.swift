import XCTest

@testable import TerminalKit

final class EarlyTypingTests: XCTestCase {
    private let mark = "\u{1B}[200~"
    private let end = "\u{1B}[201~"

    private func early(_ before: String, _ pieces: [String]) -> EarlyTyping {
        var keys = KeyDecoder()
        keys.feed(before.utf8)
        var early = EarlyTyping(after: keys, at: 0)
        for piece in pieces { early.feed(Array(piece.utf8), at: 0) }
        return early
    }

    func testAPasteEndsOnlyWithItsMarkWhereverItBegan() {
        for (before, pieces) in [
            ("", [mark + "a\ny\n"]), (mark + "a", ["\ny\n"]), ("x" + mark, ["y\r"]),
            ("", [mark, "y", "\r", "\u{1B}[20"]),
        ] {
            var typing = early(before, pieces)
            XCTAssertTrue(typing.isMidPaste, before + pieces.joined())
            typing.feed(Array((pieces.last == "\u{1B}[20" ? "1~" : end).utf8), at: 0)
            XCTAssertFalse(typing.isMidPaste, before + pieces.joined())
            XCTAssertFalse(typing.isMidSequence, before + pieces.joined())
        }
    }

    func testTheQuietTimeBeginsAnewWithEveryKey() {
        var typing = EarlyTyping(after: KeyDecoder(), at: 10)
        XCTAssertEqual(typing.rest(at: 10.1), 0.2, accuracy: 1e-9)
        typing.feed([], at: 10.25)
        XCTAssertEqual(typing.rest(at: 10.25), 0.05, accuracy: 1e-9)
        // "may" and Enter: its last letter is no answer.
        for (letter, time) in zip("ma".utf8, [10.2, 10.45]) {
            XCTAssertGreaterThan(typing.rest(at: time), 0)
            typing.feed([letter], at: time)
        }
        XCTAssertGreaterThan(typing.rest(at: 10.7), 0)
        XCTAssertEqual(typing.rest(at: 10.76), 0)
    }

    /// Terminals repeat a held key about every 30 ms.
    func testAHeldKeyKeepsAQuestionFromBeingAnswered() {
        var typing = EarlyTyping(after: KeyDecoder(), at: 10)
        for repetition in 1...400 {
            let now = 10 + 0.03 * Double(repetition)
            XCTAssertGreaterThan(typing.rest(at: now), 0.2)
            typing.feed(Array("y".utf8), at: now)
        }
        XCTAssertEqual(typing.rest(at: 22 + 0.31), 0)
        XCTAssertTrue(typing.isFor(Question(.yes)), "it is not the next message either")
    }

    func testTheMarkOfAPasteMayComeInPieces() {
        var typing = early("", ["\u{1B}"])
        XCTAssertTrue(typing.isMidSequence)
        typing.feed(Array("[200".utf8), at: 0)
        XCTAssertTrue(typing.isMidSequence)
        typing.feed(Array("~y\r".utf8), at: 0)
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
