import XCTest

@testable import TerminalKit

/// What is seen while a text arrives.
final class MarkdownStreamTests: XCTestCase {
    private var stream = MarkdownStream(columns: 40, usesUnicode: true)

    override func setUp() {
        stream = MarkdownStream(columns: 40, usesUnicode: true)
    }

    /// What is live after each piece.
    private func live(_ pieces: String...) -> [String] {
        pieces.map { StreamedMarkdown.marked(stream.feed($0).live) }
    }

    func testTextIsVisibleAtOnce() {
        XCTAssertEqual(live("Hel", "lo, w"), ["Hel\n", "Hello, w\n"])
    }

    func testMarksAreHeldBackUntilTheNextCharacterSaysWhatTheyAre() {
        XCTAssertEqual(
            live("#", "# ", "T", "\n\n-", " ", "a", "\n1", ".", " b"),
            [
                "", "", "⟦bold heading⟧T⟦⟧\n", "", "", "\n• a\n", "\n• a\n", "\n• a\n", "1. b\n",
            ])
        XCTAssertEqual(live("\n\n``", "`", "te", "xt\n", "let").last, "let\n")
    }

    func testAnOpenMarkIsTakenAsClosedAtTheEnd() {
        XCTAssertEqual(
            live("a ", "*", "*", "b", "*", "*", " c"),
            [
                "a\n", "a\n", "a\n", "a ⟦bold⟧b⟦⟧\n", "a ⟦bold⟧b⟦⟧\n", "a ⟦bold⟧b⟦⟧\n",
                "a ⟦bold⟧b⟦⟧ c\n",
            ])
        XCTAssertEqual(live("\n\n`co", "de`."), ["\n⟦code⟧co⟦⟧\n", "\n⟦code⟧code⟦⟧.\n"])
    }

    func testAWrongGuessIsTakenBack() {
        XCTAssertEqual(live("*note").last, "⟦italic⟧note⟦⟧\n")
        let end = stream.feed(" this\n\n")
        XCTAssertEqual(end.finished.map(\.text), ["*note this"])
    }

    func testALinkShowsItsLabelBeforeItsAddressIsComplete() {
        XCTAssertEqual(
            live("[a", " b](", "http://e", ".com)"),
            [
                "[a\n", "⟦underline link⟧a b⟦⟧\n",
                "⟦underline link⟧a b⟦⟧⟦dim⟧ (http://e)⟦⟧\n",
                "⟦underline link⟧a b⟦⟧⟦dim⟧ (http://e.com)⟦⟧\n",
            ])
    }

    func testALineIsFinishedOnceNothingCanChangeIt() {
        XCTAssertEqual(stream.feed("one\n").finished, [])
        XCTAssertEqual(stream.feed("-").finished, [], "it may be a heading")
        XCTAssertEqual(stream.feed(" two").finished.map(\.text), ["one"])
        XCTAssertEqual(stream.feed("\n- three").finished.map(\.text), ["• two"])
        XCTAssertEqual(stream.feed("\n").finished, [])
        XCTAssertEqual(stream.finish().finished.map(\.text), ["• three"])
    }

    func testAParagraphWithAnOpenMarkWaitsForItsOtherEnd() {
        XCTAssertEqual(stream.feed("a **b\nc\nd").finished, [])
        XCTAssertEqual(stream.feed("** e\nf").finished.map(\.text), ["a b", "c", "d e"])
    }

    func testAParagraphThatStaysOpenIsGivenOutAllTheSame() {
        let update = stream.feed("*a\n" + String(repeating: "b\n", count: 200))
        XCTAssertGreaterThan(update.finished.count, 100)
        XCTAssertLessThanOrEqual(update.live.count, DocumentLayout.heldLines)
    }

    func testALineThatIsTooLongIsBrokenAtASpace() {
        let text = String(repeating: "word ", count: 2_000)
        let lines = MarkdownStream.lines(text, columns: 80, usesUnicode: true)
        XCTAssertEqual(lines.count, 3)
        XCTAssertEqual(lines.map(\.text).joined(separator: " ") + " ", text)
        XCTAssertEqual(StreamedMarkdown.lines(text, by: 97), lines)
        let wide = String(repeating: "中", count: 3_000)
        XCTAssertEqual(StreamedMarkdown.lines(wide, by: 31).map(\.text).joined(), wide)
    }

    func testATableIsLiveUntilItEnds() {
        XCTAssertEqual(live("| a | b |\n").last, "⟦bold⟧a⟦⟧⟦dim⟧ │ ⟦⟧⟦bold⟧b⟦⟧\n⟦dim⟧──┼──⟦⟧\n")
        let row = stream.feed("|--|--|\n| longer")
        XCTAssertEqual(row.finished, [])
        XCTAssertEqual(row.live.map(\.text), ["a      │ b", "───────┼──", "longer │"])
        let end = stream.feed(" | x |\n\nend")
        XCTAssertEqual(end.finished.map(\.text), ["a      │ b", "───────┼──", "longer │ x"])
        XCTAssertEqual(end.live.map(\.text), ["", "end"])
    }

    func testALongTableKeepsItsWidthsAndGivesOutItsRows() {
        let row = "| a | b |\n"
        let update = stream.feed("|h|i|\n|-|-|\n" + String(repeating: row, count: 60))
        XCTAssertGreaterThan(update.finished.count, 40)
        XCTAssertEqual(update.live, [])
        let last = stream.feed("| much longer | b |\n")
        XCTAssertEqual(last.finished.first?.text.hasPrefix("m"), true)
        XCTAssertGreaterThan(last.finished.count, 1, "it is wrapped")
    }

    func testNewColumnsAreThoseOfTheNextTable() {
        stream.columns = 20
        let text = "|a|b|\n|-|-|\n| many words in a cell | b |\n\n"
        let lines = stream.feed(text).finished.map(\.text)
        XCTAssertEqual(
            lines,
            [
                "a                │ b", "─────────────────┼──", "many words in a  │ b",
                "cell             │",
            ]
        )
    }

    func testCodeIsGivenOutAsItWasReceived() {
        let text = "1. a\n\n   ```sh\n   ls  \n\n     x\n   ```\n"
        XCTAssertEqual(
            MarkdownStream.lines(text, columns: 40, usesUnicode: true).map(\.text),
            ["1. a", "", "── sh · 1", "ls  ", "", "  x", "──"])
        XCTAssertEqual(MarkdownCode.blocks(in: text).map(\.language), ["sh"])
        XCTAssertEqual(MarkdownCode.blocks(in: text).map(\.text), ["ls  \n\n  x\n"])
    }

    func testALinkDefinedLaterIsTextAndOneDefinedBeforeIsALink() {
        let text = "[a]\n\n[a]: /u\n\n[a]\n"
        XCTAssertEqual(
            MarkdownStream.lines(text, columns: 40, usesUnicode: true).map(\.text),
            ["[a]", "", "a (/u)"])
        XCTAssertEqual(
            MarkdownDocument(text).html(),
            "<p><a href=\"/u\">a</a></p>\n<p><a href=\"/u\">a</a></p>\n")
    }

    func testTheStreamCanBeUsedAgainAfterItsEnd() {
        XCTAssertEqual(stream.feed("```\ncode").finished.map(\.text), ["── 1"])
        XCTAssertEqual(stream.finish().finished.map(\.text), ["code", "──"])
        XCTAssertEqual(stream.feed("*a*").live.map(\.text), ["a"])
        XCTAssertEqual(stream.finish().live, [])
    }
}
