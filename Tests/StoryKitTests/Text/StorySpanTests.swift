import TestSupport
import XCTest

@testable import StoryKit

final class StorySpanTests: XCTestCase {
    /// Whatever a text is, its spans put together are it, byte for byte.
    private func assertTiles(
        _ source: String, _ style: QuoteStyle? = nil, file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let text = StoryText(source, style: style)
        var position = 0
        for span in text.spans {
            XCTAssertEqual(
                span.range.lowerBound, position, source.debugDescription, file: file, line: line)
            XCTAssertFalse(span.range.isEmpty, source.debugDescription, file: file, line: line)
            position = span.range.upperBound
        }
        XCTAssertEqual(position, source.utf8.count, source.debugDescription, file: file, line: line)
        XCTAssertEqual(
            text.spans.map { text.text(of: $0.range) }.joined(), source, file: file, line: line)
        XCTAssertEqual(text.spans.count, text.spanTokens.count, file: file, line: line)
    }

    func testSpansTileEveryText() {
        var random = SplitMix(seed: 16)
        let pieces = [
            "“", "”", "\"", "‘", "’", "'", "«", "»", "„", "—", "--", "–", "`", " ", " ", "\n",
            "\n\n",
            "\r\n", "\t", "_", ".", ",", "!", "?", "…", "said", "Alice", "Mr.", "NAME:", "HAMLET.",
            "I", "he", "don't", "'tis", "é", "Ж", "日本", "🙂", "e\u{301}", "\u{a0}", "\u{feff}", "\0",
            "(", ")", "[", "]", "*", "-", "1",
        ]
        for _ in 0..<400 {
            let source = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            assertTiles(source)
            assertTiles(source, QuoteStyle.allCases.randomElement(using: &random))
        }
    }
}
