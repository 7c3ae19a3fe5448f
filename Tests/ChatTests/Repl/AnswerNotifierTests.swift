import XCTest

@testable import ChatKit
@testable import TerminalKit
@testable import chat

final class AnswerNotifierTests: XCTestCase {
    func testOnlyALongAnswerToSomebodyWhoLooksElsewhereIsTold() {
        let bell = AnswerNotifier(way: .bell, variables: [:])
        XCTAssertTrue(bell.isDue(seconds: 12, isFocused: false))
        XCTAssertTrue(bell.isDue(seconds: 12, isFocused: nil))
        XCTAssertFalse(bell.isDue(seconds: 12, isFocused: true))
        XCTAssertFalse(bell.isDue(seconds: 3, isFocused: false))
        XCTAssertFalse(AnswerNotifier(way: .off, variables: [:]).isDue(seconds: 99, isFocused: nil))
    }

    func testTitleCannotEndTheSequenceItIsIn() {
        let title = "a\u{1B}\\\u{07}\u{9C};b"
        let kitty = AnswerNotifier(way: .terminal, variables: ["TERM": "xterm-kitty"])
            .bytes(title: title)
        let text = String(decoding: kitty, as: UTF8.self)
        XCTAssertEqual(text.filter { $0 == "\u{1B}" }.count, 4)
        XCTAssertFalse(text.contains("\u{07}") || text.contains("\u{9C}"))
        XCTAssertEqual(AnswerNotifier(way: .bell, variables: [:]).bytes(title: title), [0x07])
        XCTAssertEqual(AnswerNotifier(way: .desktop, variables: [:]).bytes(title: title), [])
    }

    func testWindowTitleIsCleanAndShort() {
        let bytes = WindowTitle.bytes("x\u{1B}]52;c;AAAA\u{07}" + String(repeating: "会", count: 99))
        let text = String(decoding: bytes, as: UTF8.self)
        XCTAssertTrue(text.hasPrefix("\u{1B}]2;x\\x1b]52;c;AAAA\\x07会"))
        XCTAssertTrue(text.hasSuffix("…\u{1B}\\"))
        XCTAssertEqual(text.filter { $0 == "\u{1B}" }.count, 2)
    }
}
