import XCTest

@testable import Base

final class WordWrapTests: XCTestCase {
    func testTextIsBrokenBetweenWordsAndWhatIsLongerIsCut() {
        XCTAssertEqual(WordWrap.texts("one two three", width: 7), ["one two", "three"])
        XCTAssertEqual(WordWrap.texts("see abcdefghij", width: 6), ["see", "abcdef", "ghij"])
        XCTAssertEqual(WordWrap.texts("東京都庁", width: 5), ["東京", "都庁"])
        XCTAssertEqual(WordWrap.texts("東", width: 1), ["東"])
        XCTAssertEqual(WordWrap.texts("", width: 9), [""])
    }

    func testRowsBreakBetweenWordsAndKeepTheirStyles() {
        let line = StyledLine([
            .init("✓ l5 ", .success), .init("Senior Backend Engineer"), .init(" · 246 words", .dim),
        ])
        let rows = line.folded(to: 24)
        XCTAssertEqual(rows.map(\.text), ["✓ l5 Senior Backend", "  Engineer · 246 words"])
        XCTAssertEqual(rows[0].spans.map(\.style), [.success, .plain])
        XCTAssertEqual(rows[1].spans.last?.style, .dim)
        XCTAssertEqual(line.folded(to: 80), [line])
    }

    func testRowsHangBelowTheTextBehindAMark() {
        XCTAssertEqual(
            StyledLine("  ✓ water the plants · tomorrow").folded(to: 20).map(\.text),
            ["  ✓ water the plants", "    · tomorrow"])
        XCTAssertEqual(
            StyledLine("  ! one two three").folded(to: 11).map(\.text),
            ["  ! one two", "    three"])
    }

    func testAHintBreaksBetweenItsCommandsAlone() {
        let line = StyledLine("  chat letter edit l5 · chat letter export l5 -o FILE", .hint)
        XCTAssertEqual(
            line.folded(to: 37).map(\.text),
            ["  chat letter edit l5", "  chat letter export l5 -o FILE"])
        XCTAssertEqual(
            StyledLine("Nothing is known of it; chat letter show l5 does").folded(to: 30)
                .map(\.text), ["Nothing is known of it;", "  chat letter show l5 does"])
    }

    /// A table's last column is where its words go on, if it does not begin too far right.
    func testRowsOfATableHangBelowItsLastColumn() {
        let table = StyledLine.table(
            [[.init("buy"), .init("milk and bread and butter")], [.init("b"), .init("c")]],
            columns: 1, indent: "  ")
        XCTAssertEqual(
            table.flatMap { $0.folded(to: 22) }.map(\.text),
            ["  buy  milk and bread", "       and butter", "  b    c"])
        let wide = StyledLine("a-name-that-is-long  one two three")
        XCTAssertEqual(
            wide.folded(to: 26).map(\.text), ["a-name-that-is-long  one", "  two three"])
        XCTAssertEqual(
            StyledLine("  list_reminders     read     List reminders").folded(to: 38).map(\.text),
            ["  list_reminders     read     List", "    reminders"])
        XCTAssertEqual(
            StyledLine("chat: one two three").folded(to: 14).map(\.text),
            ["chat: one two", "      three"])
    }

    /// By the rules of answers: no row begins with a full stop, no option is divided.
    func testRowsEndWhereThoseOfAnswersDo() {
        XCTAssertEqual(
            StyledLine("東京都庁は、大きい。").folded(to: 9).map(\.text), ["東京都庁", "  は、大", "  きい。"])
        XCTAssertEqual(
            StyledLine("with --over-budget it").folded(to: 12).map(\.text),
            ["with", "  --over-budget", "  it"])
        XCTAssertEqual(StyledLine("a b").folded(to: 2).map(\.text), ["a", " b"])
    }

    func testAWordLongerThanARowStaysWhole() {
        XCTAssertEqual(
            StyledLine("see aaaaaaaaaaaaaaaaaaaaaaaa").folded(to: 16).map(\.text),
            ["see", "  aaaaaaaaaaaaaaaaaaaaaaaa"])
    }
}
