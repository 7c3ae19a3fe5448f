import Base
import TestSupport
import XCTest

@testable import TerminalKit

/// Where rows of prose end.
final class ProseRowsTests: XCTestCase {
    /// The rows of a line, `margin` columns before each but the first.
    private func rows(
        _ text: String, _ columns: Int, margin: Int = 0, look: RichLine.Look = RichLine.Look()
    ) -> [String] {
        let line = PaintedLine(RichLine(text, look))
        return ProseRows.rows(of: line, margin: margin, columns: columns).map {
            String(decoding: line.bytes[$0.start..<$0.end], as: UTF8.self)
        }
    }

    func testRowsEndBetweenWords() {
        let table: [(text: String, columns: Int, rows: [String])] = [
            ("", 10, [""]),
            ("one two", 10, ["one two"]),
            ("one two three", 10, ["one two", "three"]),
            ("exactly te n", 10, ["exactly te", "n"]),
            ("a  b   c", 4, ["a  b", "c"]),
            ("trailing   ", 9, ["trailing"]),
            ("  kept at the start", 10, ["  kept at", "the start"]),
            // A word wider than a row begins a row and is cut at the edge.
            ("see https://example.com/a/b now", 12, ["see", "https://exam", "ple.com/a/b", "now"]),
            ("abcdefghijkl", 5, ["abcde", "fghij", "kl"]),
            // A hyphen divides a word, but no option, number, name or address.
            ("a well-known fact", 8, ["a well-", "known", "fact"]),
            ("use --verbose", 8, ["use", "--verbos", "e"]),
            ("on 2024-11-23 at", 10, ["on", "2024-11-23", "at"]),
            ("at a.b/c-d", 9, ["at", "a.b/c-d"]),
            ("yes—or maybe", 6, ["yes—or", "maybe"]),
            ("say yes—or", 8, ["say yes—", "or"]),
            ("pages 10–20", 8, ["pages", "10–20"]),
            ("10\u{A0}km to go", 6, ["10\u{A0}km", "to go"]),
            // Signs that stay with their word.
            ("vraiment ? oui", 10, ["vraiment ?", "oui"]),
            ("c'est vrai ?", 10, ["c'est", "vrai ?"]),
            ("il dit « oui » ici", 9, ["il dit", "« oui »", "ici"]),
            ("it (works) so", 7, ["it", "(works)", "so"]),
        ]
        for (text, columns, expected) in table {
            XCTAssertEqual(rows(text, columns), expected, text)
        }
    }

    func testScriptsWithoutSpacesBreakBetweenTheirCharacters() {
        let table: [(text: String, columns: Int, rows: [String])] = [
            ("漢字仮名交", 4, ["漢字", "仮名", "交"]),
            // No full stop, comma, closing bracket, long or small kana begins a row.
            ("漢字。", 4, ["漢", "字。"]),
            ("東京は、夜", 6, ["東京", "は、夜"]),
            ("「漢字」と", 6, ["「漢", "字」と"]),
            ("カッター", 4, ["カッ", "ター"]),
            ("サッカー", 6, ["サッ", "カー"]),
            // No opening bracket ends one.
            ("漢字（注）", 6, ["漢字", "（注）"]),
            ("中文 and 日本語", 9, ["中文 and", "日本語"]),
            ("用Swift写的", 7, ["用Swift", "写的"]),
            ("안녕하세요", 4, ["안녕", "하세", "요"]),
            ("go 👩‍👩‍👧👍🏽🇩🇪", 5, ["go 👩‍👩‍👧", "👍🏽🇩🇪"]),
            ("cafe\u{301} x", 4, ["cafe\u{301}", "x"]),
            ("漢", 1, ["漢"]),
        ]
        for (text, columns, expected) in table {
            XCTAssertEqual(rows(text, columns), expected, text)
        }
    }

    func testANameInCodeIsNotDividedAtItsHyphens() {
        XCTAssertEqual(rows("so apt-get", 8), ["so apt-", "get"])
        XCTAssertEqual(rows("so apt-get", 8, look: RichLine.Look(.code)), ["so", "apt-get"])
    }

    func testFurtherRowsLeaveRoomForTheirMargin() {
        XCTAssertEqual(rows("• one two three", 9, margin: 2), ["• one two", "three"])
        XCTAssertEqual(rows("• a bc def gh", 6, margin: 2), ["• a bc", "def", "gh"])
        // A new row would give the word no more room than it has here.
        XCTAssertEqual(rows("• abcdefghij", 6, margin: 2), ["• abcd", "efgh", "ij"])
    }

    func testALineShowsItsMarginBeforeEachFurtherRowAndKeepsItsLooks() {
        let code = RichLine.Look(.code)
        let line = RichLine(
            [RichLine.Span("│ run "), RichLine.Span("swift build now", code), RichLine.Span(".")],
            margin: [RichLine.Span("│ ", RichLine.Look(.text, .dim))])
        let rows = line.rows(columns: 13, .words)
        XCTAssertEqual(
            rows,
            [
                RichLine([RichLine.Span("│ run "), RichLine.Span("swift", code)]),
                RichLine([
                    RichLine.Span("│ ", RichLine.Look(.text, .dim)),
                    RichLine.Span("build now", code), RichLine.Span("."),
                ]),
            ])
        XCTAssertEqual(line.rows(columns: 13, .terminal), [line])
        XCTAssertEqual(line.height(columns: 13, .words), 2)
        XCTAssertEqual(RichLine("no prose at all").rows(columns: 5, .words).count, 1)
    }

    func testAWindowHardlyWiderThanTheMarginHasLessOfIt() {
        let line = RichLine(
            "one two", margin: [RichLine.Span(String(repeating: " ", count: 20))])
        XCTAssertEqual(line.rows(columns: 6, .words).map(\.text), ["one", "two"])
        XCTAssertEqual(
            RichLine("eleven words", margin: line.margin).rows(columns: 11, .words).map(\.text),
            ["eleven", "   words"])
    }

    // MARK: - Any text

    private static let alphabet: [String] = [
        "a", "b", "word", "long-word", " ", " ", "  ", "e\u{301}", "ü", "漢", "字", "。", "「", "」",
        "😀", "👩‍👩‍👧", "שלום", "…", "한", "(", ")", "-", "—", "\u{A0}", "https://x.y/z", "!", "«", "»",
    ]

    private func randomText(_ random: inout SplitMix) -> String {
        (0..<Int.random(in: 0...60, using: &random)).reduce(into: "") { text, _ in
            text += Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &random)]
        }
    }

    func testNothingButSpacesIsLeftOutAndARowIsFullOnlyOnce() {
        var random = SplitMix(seed: 18)
        for _ in 0..<2_000 {
            let text = randomText(&random)
            let columns = Int.random(in: 2...40, using: &random)
            let margin = Int.random(in: 0...(columns / 2), using: &random)
            let line = PaintedLine(RichLine(text))
            let rows = ProseRows.rows(of: line, margin: margin, columns: columns)
            XCTAssertEqual(rows.first?.start, 0)
            var end = 0
            for (index, row) in rows.enumerated() {
                let left = line.bytes[end..<row.start]
                XCTAssertTrue(left.allSatisfy { $0 == 0x20 }, "“\(text)” at \(columns)")
                let before = index > 0 ? margin : 0
                let shown = String(decoding: line.bytes[row.start..<row.end], as: UTF8.self)
                let width = before + DisplayWidth.of(shown)
                XCTAssertTrue(
                    width <= columns || shown.count == 1, "“\(shown)” is wider than \(columns)")
                if index > 0 {
                    // From any row on, the rows are the same.
                    XCTAssertEqual(
                        ProseRows.rows(
                            of: line, from: row.start, margin: margin, columns: columns
                        ).map(\.start), rows[index...].map(\.start), "“\(text)” at \(columns)")
                }
                end = row.end
            }
            XCTAssertTrue(line.bytes[end...].allSatisfy { $0 == 0x20 }, text)
        }
    }

    /// What was full stays as it is while the line grows: only the last word
    /// before the end may still go to the next row.
    func testARowThatIsFullStaysAsTheLineGrows() {
        var random = SplitMix(seed: 5)
        for _ in 0..<200 {
            let text = randomText(&random)
            let columns = Int.random(in: 6...30, using: &random)
            var before: [ProseRows.Row] = []
            var part = ""
            for character in text {
                part.append(character)
                let rows = ProseRows.rows(
                    of: PaintedLine(RichLine(part)), margin: 2, columns: columns)
                XCTAssertEqual(
                    Array(before.dropLast(2)), Array(rows.prefix(max(0, before.count - 2))),
                    "“\(part)” at \(columns)")
                before = rows
            }
        }
    }
}
