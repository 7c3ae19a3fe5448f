import Foundation
import TestSupport
import XCTest

@testable import TerminalKit

/// Texts made to be slow, in processor time. The limits are those of a debug
/// build, ten times what was measured: a square would be a thousand times.
final class MarkdownSpeedTests: XCTestCase {
    private let hard: [(name: String, text: String)] = [
        ("stars", String(repeating: "*a ", count: 10_000)),
        ("underscores", String(repeating: "_a**", count: 10_000)),
        ("brackets", String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)),
        ("links", String(repeating: "[a](", count: 10_000)),
        ("titles", String(repeating: "[a](b 'c ", count: 5_000)),
        ("backticks", (1...200).map { String(repeating: "`", count: $0) + " " }.joined()),
        ("comments", String(repeating: "<!-- ", count: 10_000)),
        ("tags", String(repeating: "<a b=\"", count: 10_000)),
        ("quotes", String(repeating: ">", count: 10_000) + "a"),
        ("lists", (0..<300).map { String(repeating: " ", count: 2 * $0) + "- a\n" }.joined()),
        ("definitions", String(repeating: "[a]: b 'c\n", count: 5_000)),
        ("open lines", String(repeating: "*a line\n", count: 5_000)),
        ("one line", String(repeating: "x", count: 100_000)),
        ("one paragraph", String(repeating: "some *words* ", count: 8_000)),
        ("a long table", "|a|b|\n|-|-|\n" + String(repeating: "| x | y |\n", count: 5_000)),
        (
            "a wide table",
            String(repeating: "|a", count: 2_000) + "\n" + String(repeating: "|-", count: 2_000)
                + "\n" + String(repeating: "|\n", count: 2_000)
        ),
    ]

    func testHardTextsTakeTimeThatGrowsWithTheirLength() {
        for (name, text) in hard {
            let time = ProcessorTime.measure { _ = MarkdownDocument(text).html() }
            XCTAssertLessThan(time, .seconds(4), "\(name) as a tree")
        }
    }

    /// In pieces of a thousand bytes: each costs at most what is not final.
    func testHardTextsStreamInTimeThatGrowsWithTheirLength() {
        for (name, text) in hard {
            let time = ProcessorTime.measure { _ = StreamedMarkdown.lines(text, by: 1_000) }
            XCTAssertLessThan(time, .seconds(4), "\(name) as a stream")
        }
    }

    /// For a look by hand: MEASURE=1, and a release build for true numbers.
    func testMixedTextStreamsWithinItsBudget() {
        var random = RandomMarkdown(seed: 1)
        let isMeasured = ProcessInfo.processInfo.environment["MEASURE"] != nil
        var text = ""
        while text.utf8.count < (isMeasured ? 100_000 : 10_000) { text += random.document() + "\n" }
        let pieces = StreamedMarkdown.pieces(text, by: 5)
        let time = ProcessorTime.measure { _ = StreamedMarkdown.lines(pieces) }
        print("Markdown: \(pieces.count) pieces, \(time / pieces.count) each")
        XCTAssertLessThan(time / pieces.count, .milliseconds(2))
    }
}
