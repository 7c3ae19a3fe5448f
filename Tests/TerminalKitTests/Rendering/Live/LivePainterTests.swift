import TestSupport
import XCTest

@testable import TerminalKit

/// The screen at the end is that of the lines printed once, whatever was
/// painted on the way; and little is written for it.
final class LivePainterTests: XCTestCase {
    private let style = Style(usesColor: false, usesUnicode: true)

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// As the terminal's line discipline passes it on.
    private func cooked(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    }

    private func lines(_ texts: String...) -> [RichLine] { texts.map { RichLine($0) } }

    // MARK: - What is written

    func testTextThatGrowsIsOnlyAppended() {
        var painter = LivePainter(style: style)
        let size = ScreenSize(columns: 80, rows: 24)
        XCTAssertEqual(text(painter.paint(live: lines("Hel"), on: size)), "Hel")
        XCTAssertEqual(text(painter.paint(live: lines("Hello"), on: size)), "lo")
        XCTAssertEqual(text(painter.paint(live: lines("Hello"), on: size)), "")
        XCTAssertEqual(
            text(painter.paint(finished: lines("Hello you", ""), live: lines("Bo"), on: size)),
            " you\n\nBo")
        XCTAssertEqual(text(painter.paint(finished: lines("Bo"), on: size)), "\n")
        XCTAssertTrue(painter.isEmpty)
    }

    func testAChangeGoesBackToTheFirstLetterThatDiffers() {
        var painter = LivePainter(style: style)
        let size = ScreenSize(columns: 10, rows: 24)
        _ = painter.paint(live: lines("one **two"), on: size)
        XCTAssertEqual(
            text(painter.paint(live: lines("one two"), on: size)), "\u{1B}[5D\u{1B}[Jtwo")
        _ = painter.paint(live: lines("0123456789abcde"), on: size)
        XCTAssertEqual(
            text(painter.paint(live: lines("012345x"), on: size)),
            "\r\u{1B}[1A\u{1B}[6C\u{1B}[Jx")
        _ = painter.paint(live: lines("a", "b", "c"), on: size)
        XCTAssertEqual(
            text(painter.paint(live: lines("a", "x"), on: size)), "\r\u{1B}[1A\u{1B}[Jx")
        XCTAssertEqual(text(painter.paint(live: [], on: size)), "\r\u{1B}[1A\u{1B}[J")
    }

    func testAFooterBelowTextThatTheTerminalMeasuresDifferentlyDoesNoHarm() {
        // The screen of the tests gives the heart and the keycaps one column.
        let whole = "I ❤️ it, 1️⃣ and 2️⃣, to the end"
        for rows in [3, 24] {
            var painter = LivePainter(style: style)
            let size = ScreenSize(columns: 60, rows: rows)
            var screen = Screen(rows: rows, columns: 60)
            screen.feed(cooked(bytes("above\n")))
            for count in [3, 7, 9, 20, whole.unicodeScalars.count] {
                var part = ""
                part.unicodeScalars.append(contentsOf: whole.unicodeScalars.prefix(count))
                for seconds in 1...2 {
                    let footer = lines("waiting \(seconds) s")
                    screen.feed(
                        cooked(painter.paint(live: lines(part), footer: footer, on: size)))
                }
            }
            screen.feed(cooked(painter.paint(finished: lines(whole), on: size)))
            var once = Screen(rows: rows, columns: 60)
            once.feed(cooked(bytes("above\n\(whole)\n")))
            XCTAssertEqual(
                screen.transcript.filter { !$0.isEmpty }, once.transcript.filter { !$0.isEmpty })
            XCTAssertEqual(screen.unknown, [])
        }
    }

    func testAChangeAtTheStartOfARowRewritesTheLetterBeforeSoThatTheTerminalFolds() {
        var painter = LivePainter(style: style)
        let size = ScreenSize(columns: 10, rows: 24)
        _ = painter.paint(live: lines("0123456789ab"), on: size)
        XCTAssertEqual(
            text(painter.paint(live: lines("0123456789xy"), on: size)),
            "\r\u{1B}[1A\u{1B}[9C\u{1B}[J9xy")
        _ = painter.paint(live: lines("0123456789", "f"), on: size)
        XCTAssertEqual(
            text(painter.paint(live: lines("0123456789"), on: size)),
            "\r\u{1B}[1A\u{1B}[9C\u{1B}[J9")
    }

    func testOnlyALookThatChangesIsDrawnAgain() {
        var painter = LivePainter(style: Style(usesColor: true, usesUnicode: true))
        let size = ScreenSize(columns: 80, rows: 24)
        let bold = RichLine.Look(.text, .bold)
        XCTAssertEqual(text(painter.paint(live: lines("a bc"), on: size)), "a bc")
        let changed = RichLine([RichLine.Span("a "), RichLine.Span("bc", bold)])
        XCTAssertEqual(
            text(painter.paint(live: [changed], on: size)),
            "\u{1B}[2D\u{1B}[J\u{1B}[1mbc\u{1B}[0m")
        let longer = RichLine([RichLine.Span("a "), RichLine.Span("bcd", bold)])
        XCTAssertEqual(
            text(painter.paint(live: [longer], on: size)), "\u{1B}[1md\u{1B}[0m")
    }

    func testTheFooterStandsBelowAndMakesRoom() {
        var painter = LivePainter(style: style)
        let size = ScreenSize(columns: 10, rows: 24)
        let footer = lines("waiting for the rest")
        XCTAssertEqual(
            text(painter.paint(live: lines("abc"), footer: footer, on: size)),
            "abc\nwaiting for the re…")
        XCTAssertEqual(
            text(painter.paint(live: lines("abcd"), footer: footer, on: size)),
            "\r\u{1B}[2A\u{1B}[3C\u{1B}[Jd\nwaiting for the re…")
        XCTAssertEqual(
            text(painter.paint(finished: lines("abcd"), on: size)),
            "\r\u{1B}[2A\u{1B}[4C\u{1B}[J\n")
    }

    func testALineOfOursGoesAboveTheLinePainted() {
        var painter = LivePainter(style: style)
        let size = ScreenSize(columns: 10, rows: 24)
        _ = painter.paint(live: lines("half a line, folded"), on: size)
        XCTAssertEqual(
            text(painter.insert(bytes("!\n"), on: size)),
            "\r\u{1B}[1A\u{1B}[J!\nhalf a line, folded")
        XCTAssertEqual(text(painter.paint(live: lines("half a line, folded."), on: size)), ".")
    }

    func testWhatWasLeftStandsAndOnlyTheRestFollows() {
        var painter = LivePainter(style: style)
        let size = ScreenSize(columns: 20, rows: 24)
        _ = painter.paint(live: lines("an **unfinished"), footer: lines("…"), on: size)
        XCTAssertEqual(text(painter.leave()), "\r\u{1B}[1A\u{1B}[15C\u{1B}[J\n")
        XCTAssertEqual(
            text(painter.paint(finished: lines("an unfinished story"), on: size)), " story\n")
        _ = painter.paint(live: lines("whole"), on: size)
        XCTAssertEqual(text(painter.leave()), "\n")
        XCTAssertEqual(
            text(painter.paint(finished: lines("whole", "next"), on: size)), "next\n")
    }

    func testAfterAStopOnlyTheRestFollows() {
        var painter = LivePainter(style: style)
        var size = ScreenSize(columns: 20, rows: 24)
        _ = painter.paint(live: lines("one", "two"), footer: lines("…"), on: size)
        size.stops += 1
        XCTAssertEqual(
            text(painter.paint(finished: lines("one", "two more"), on: size)), " more\n")
    }

    func testTextTallerThanTheScreenIsNotTouchedAboveIt() {
        var painter = LivePainter(style: style)
        let size = ScreenSize(columns: 10, rows: 5)
        let long = String(repeating: "0123456789", count: 8)
        _ = painter.paint(live: lines("**" + long), on: size)
        // The stars are above the screen; what follows them is found again.
        XCTAssertEqual(text(painter.paint(live: lines(long + "!"), on: size)), "!")
        XCTAssertEqual(text(painter.paint(finished: lines(long + "!?"), on: size)), "?\n")
        XCTAssertEqual(text(painter.paint(finished: lines("next"), on: size)), "next\n")
    }

    func testControlCharactersThatCameThroughAreShown() {
        var painter = LivePainter(style: style)
        let line = RichLine([
            RichLine.Span("a\u{1B}[2J\u{9B}1m\u{202E}\r\n"), RichLine.Span("\tb"),
        ])
        XCTAssertEqual(
            text(painter.paint(finished: [line], on: ScreenSize())),
            "a\\x1b[2J\\x9b1m<U+202E>\\n    b\n")
    }

    // MARK: - Random documents

    private static let alphabet: [String] = [
        "a", "b", "c", " ", "the ", "e\u{301}", "ü", "漢", "字", "😀", "שלום", "क\u{94D}षि",
        "…", "한", "word", "(", "\u{5D0}\u{5B8}",
    ]

    private func randomText(_ random: inout SplitMix, upTo count: Int) -> String {
        (0..<Int(random.next() % UInt64(count + 1))).reduce(into: "") { text, _ in
            text += Self.alphabet[Int(random.next() % UInt64(Self.alphabet.count))]
        }
    }

    private func printed(_ lines: [RichLine], rows: Int, columns: Int) -> [String] {
        var screen = Screen(rows: rows, columns: columns)
        for line in lines { screen.feed(PaintedLine(line).bytes + [0x0D, 0x0A]) }
        return screen.transcript
    }

    /// A document in pieces, with a live part that changes within its last
    /// letters, footers and lines of ours in between.
    private func check(
        seed: UInt64, rows: Int, columns: Int, changing: Int, file: StaticString = #filePath,
        line: UInt = #line
    ) {
        var random = SplitMix(seed: seed)
        func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }
        var painter = LivePainter(style: style)
        var screen = Screen(rows: rows, columns: columns)
        let size = ScreenSize(columns: columns, rows: rows)
        func show(_ bytes: [UInt8]) {
            screen.feed(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
        }
        var expected = [RichLine("above")]
        show(bytes("above\n"))
        var waiting: [RichLine] = []
        for _ in 0..<12 {
            let whole = randomText(&random, upTo: chance(3) ? 150 : 12)
            var shown = ""
            for character in whole {
                shown.append(character)
                guard chance(6) else { continue }
                var live = shown
                if chance(3) {
                    live = String(live.dropLast(Int(random.next() % UInt64(changing + 1))))
                    live += randomText(&random, upTo: changing / 2)
                }
                let more = chance(8) ? [RichLine("| a table"), RichLine("| row")] : []
                show(
                    painter.paint(
                        finished: waiting, live: [RichLine(live)] + more,
                        footer: chance(3) ? [RichLine("… a footer that is much too long")] : [],
                        on: size))
                expected += waiting
                waiting = []
                if changing > 20, chance(15) {
                    expected.append(RichLine("! notice"))
                    show(painter.insert(bytes("! notice\n"), on: size))
                }
            }
            waiting.append(RichLine(whole))
        }
        show(painter.paint(finished: waiting, on: size))
        expected += waiting
        XCTAssertEqual(
            screen.transcript, printed(expected, rows: rows, columns: columns),
            "seed \(seed), \(columns) columns", file: file, line: line)
        XCTAssertEqual(screen.unknown, [], file: file, line: line)
        XCTAssertEqual(screen.cursor.column, 0, file: file, line: line)
    }

    func testAnyDocumentEndsAsIfItHadBeenPrintedOnce() {
        let columns = [20, 21, 37, 40, 79, 80, 120]
        for seed in 0..<UInt64(35) {
            check(
                seed: seed, rows: 60, columns: columns[Int(seed) % columns.count], changing: 60)
        }
    }

    func testOnASmallScreenWhatScrolledOffIsIntact() {
        for seed in 0..<UInt64(25) {
            check(seed: seed, rows: 12, columns: 20 + Int(seed), changing: 10)
        }
    }
}
