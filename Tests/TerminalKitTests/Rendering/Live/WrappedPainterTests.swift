import TestSupport
import XCTest

@testable import TerminalKit

/// Prose that is broken between words while it grows and while its window
/// changes: nothing is cut, nothing stands twice.
final class WrappedPainterTests: XCTestCase {
    private let style = Style(usesColor: false, usesUnicode: true)

    private func prose(_ text: String, indent: Int = 0) -> RichLine {
        RichLine(text, margin: [RichLine.Span(String(repeating: " ", count: indent))])
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func cooked(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    }

    // MARK: - What is written

    func testAWordThatOutgrowsItsRowIsMovedAndNothingElse() {
        var painter = LivePainter(style: style, wrap: .words)
        let size = ScreenSize(columns: 12, rows: 24)
        XCTAssertEqual(text(painter.paint(live: [prose("one two th")], on: size)), "one two th")
        XCTAssertEqual(text(painter.paint(live: [prose("one two thr")], on: size)), "r")
        XCTAssertEqual(
            text(painter.paint(live: [prose("one two three")], on: size)),
            "\u{1B}[4D\u{1B}[J\nthree")
        XCTAssertEqual(text(painter.paint(live: [prose("one two three four")], on: size)), " four")
        XCTAssertEqual(
            text(painter.paint(finished: [prose("one two three four")], on: size)), "\n")
        XCTAssertEqual(text(painter.paint(live: [prose("next")], on: size)), "next")
    }

    func testFurtherRowsHang() {
        var painter = LivePainter(style: style, wrap: .words)
        let size = ScreenSize(columns: 12, rows: 24)
        XCTAssertEqual(
            text(painter.paint(live: [prose("• one two three", indent: 2)], on: size)),
            "• one two\n  three")
        XCTAssertEqual(
            text(painter.paint(live: [prose("• one two three fours", indent: 2)], on: size)),
            "\n  fours")
    }

    func testWhatKeepsItsFormIsLeftToTheTerminal() {
        var painter = LivePainter(style: style, wrap: .words)
        let size = ScreenSize(columns: 8, rows: 24)
        XCTAssertEqual(
            text(painter.paint(finished: [RichLine("let value = 1")], on: size)),
            "let value = 1\n")
    }

    func testFinishedTextIsWrittenAnewOnlyForAnotherWidth() {
        var painter = LivePainter(style: style, wrap: .words)
        let live = [prose("four five six")]
        let narrow = ScreenSize(columns: 9, rows: 24)
        let wide = ScreenSize(columns: 20, rows: 24)
        XCTAssertEqual(
            text(
                painter.paint(
                    finished: [prose("one two three"), RichLine()], live: live, on: narrow)),
            "one two\nthree\n\nfour five\nsix")
        XCTAssertEqual(
            text(painter.paint(live: live, on: ScreenSize(columns: 9, rows: 12))), "")
        XCTAssertEqual(
            text(painter.paint(live: live, on: wide)),
            "\r\u{1B}[4A\u{1B}[7C\u{1B}[J three\n\nfour five six")
        painter.settle()
        // The row above the cursor may have left the screen: it is not touched.
        XCTAssertEqual(text(painter.paint(live: live, on: narrow)), "\r\u{1B}[Jsix")
    }

    // MARK: - Any document

    private static let words = [
        "a", "an", "the", "streaming", "well-known", "naïve", "漢字", "仮名交じり", "。", "😀",
        "👩‍👩‍👧", "(aside)", "https://example.com/a/long/path", "שלום", "e\u{301}", "—", "it’s",
    ]

    /// - Parameter isMeasured: without what terminals measure differently.
    private func document(_ random: inout SplitMix, isMeasured: Bool = false) -> String {
        let words = Self.words.filter { !isMeasured || !$0.unicodeScalars.contains("\u{200D}") }
        var text = ""
        for _ in 0..<Int.random(in: 2...7, using: &random) {
            let mark =
                ["", "", "# ", "- ", "  - ", "> ", "> - ", "1. ", "```\n"]
                .randomElement(using: &random) ?? ""
            text += mark
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let word = words.randomElement(using: &random) ?? ""
                let look = ["\(word)", "\(word)", "**\(word)**", "`\(word) x`", "[\(word)](u)"]
                text += (look.randomElement(using: &random) ?? "") + " "
            }
            // The screen of the tests does not tell such a space from an empty cell.
            text.removeLast()
            text += mark.hasPrefix("`") ? "\n```\n\n" : "\n\n"
        }
        return text
    }

    /// The rows of a text that is printed once.
    private func printed(_ text: String, rows: Int, columns: Int) -> [String] {
        var screen = Screen(rows: rows, columns: columns)
        let lines = MarkdownStream.lines(text, columns: columns, usesUnicode: true)
        for line in lines.flatMap({ $0.rows(columns: columns, .words) }) {
            screen.feed(PaintedLine(line).bytes + [0x0D, 0x0A])
        }
        return screen.transcript
    }

    /// A text in pieces on a screen whose size may change before each of them.
    private func stream(
        _ pieces: [String], on sizes: (Int) -> ScreenSize, isRefolded: Bool = true,
        footer: (Int) -> [RichLine] = { _ in [] }
    ) -> Screen {
        var style = style
        style.isRefolded = isRefolded
        var size = sizes(0)
        var painter = LivePainter(style: style, wrap: .words)
        var screen = Screen(rows: size.rows, columns: size.columns)
        screen.isRefolded = isRefolded
        screen.feed(cooked(Array("above\n".utf8)))
        var stream = MarkdownStream(columns: size.columns, usesUnicode: true)
        for (index, piece) in pieces.enumerated() {
            let new = sizes(index)
            if new != size {
                screen.resize(rows: new.rows, columns: new.columns)
                size = new
                stream.columns = new.columns
            }
            let update = stream.feed(piece)
            screen.feed(
                cooked(
                    painter.paint(
                        finished: update.finished, live: update.live, footer: footer(index),
                        on: size)))
        }
        screen.feed(cooked(painter.paint(finished: stream.finish().finished, on: size)))
        painter.settle()
        XCTAssertTrue(painter.isEmpty)
        XCTAssertEqual(screen.unknown, [])
        XCTAssertEqual(screen.cursor.column, 0)
        return screen
    }

    func testEverySplitGivesTheScreenOfTheWholeText() {
        let text = """
            # A title of some words
            Prose that **goes over** a few rows, with `inline code here` and 漢字仮名交じり文。

            - one item that hangs, [a link](https://example.com) and more
              - nested 「括弧」 of two rows
            > quoted words that go on
            """
        let scalars = Array(text.unicodeScalars)
        func string(_ part: ArraySlice<Unicode.Scalar>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: part)
            return String(view)
        }
        for columns in [14, 40] {
            let size = ScreenSize(columns: columns, rows: 50)
            let whole = ["above"] + printed(text, rows: 50, columns: columns)
            for cut in 0...scalars.count {
                let pieces = [string(scalars[..<cut]), string(scalars[cut...])]
                XCTAssertEqual(stream(pieces, on: { _ in size }).transcript, whole, "cut at \(cut)")
            }
            XCTAssertEqual(
                stream(StreamedMarkdown.pieces(text, by: 1), on: { _ in size }).transcript, whole)
        }
    }

    func testAnyDocumentEndsAsIfItHadBeenPrintedOnce() {
        for seed in 0..<UInt64(40) {
            var random = SplitMix(seed: seed)
            let text = document(&random)
            let pieces = StreamedMarkdown.pieces(text, using: &random)
            // Some are longer than the screen.
            let size = ScreenSize(columns: 16 + Int(seed), rows: seed % 2 == 0 ? 60 : 12)
            let shown = stream(
                pieces, on: { _ in size },
                footer: { $0 % 5 == 0 ? [RichLine("… a footer that is much too long")] : [] })
            XCTAssertEqual(
                shown.transcript,
                ["above"] + printed(text, rows: size.rows, columns: size.columns), "seed \(seed)")
        }
    }

    /// The letters of a screen, without spaces and the signs of quotes.
    private func letters(_ lines: some Sequence<String>) -> String {
        String(lines.joined().filter { $0 != " " && $0 != "│" })
    }

    /// Cut behind spaces: what is shown of a link before its end may have left the
    /// screen when it turns out to be one.
    private func pieces(_ text: String) -> [String] {
        text.split(separator: " ", omittingEmptySubsequences: false).map { $0 + " " }
    }

    /// A document on a screen whose width changes every few pieces.
    private func resized(
        seed: UInt64, rows: Int, isRefolded: Bool, isGrowing: Bool = false,
        isMeasured: Bool = true
    ) -> (shown: [String], whole: [String]) {
        var random = SplitMix(seed: seed)
        let text = document(&random, isMeasured: isMeasured)
        let pieces = pieces(text)
        var widths = (0...pieces.count / 8).map { _ in Int.random(in: 14...70, using: &random) }
        if isGrowing { widths.sort() }
        let shown = stream(
            pieces, on: { ScreenSize(columns: widths[$0 / 8], rows: rows) },
            isRefolded: isRefolded)
        let last = widths[(pieces.count - 1) / 8]
        return (shown.transcript, ["above"] + printed(text, rows: rows, columns: last))
    }

    func testAResizeInAnyDirectionLosesAndDoublesNothing() {
        for seed in 0..<UInt64(15) {
            for rows in [9, 30, 300] {
                let (shown, whole) = resized(
                    seed: seed, rows: rows, isRefolded: true, isMeasured: true)
                // What has left the screen keeps the width of its time.
                XCTAssertEqual(letters(shown), letters(whole), "seed \(seed), \(rows) rows")
            }
        }
    }

    func testAWindowThatGrowsHasItsAnswerInNewLines() {
        for seed in 0..<UInt64(20) {
            let (shown, whole) = resized(
                seed: seed, rows: 300, isRefolded: true, isGrowing: true)
            XCTAssertEqual(shown, whole, "seed \(seed)")
        }
    }

    func testATerminalThatCutsItsRowsGetsThemAgain() {
        for seed in 0..<UInt64(20) {
            let (shown, whole) = resized(seed: seed, rows: 300, isRefolded: false)
            XCTAssertEqual(shown, whole, "seed \(seed)")
        }
    }
}
