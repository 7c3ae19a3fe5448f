import Foundation
import TestSupport
import XCTest

@testable import TerminalKit

/// Seeded random documents; ten times as many with CHAT_FULL=1.
final class RandomDocumentTests: XCTestCase {
    private var isFull: Bool { ProcessInfo.processInfo.environment["CHAT_FULL"] != nil }

    /// What is left differs on purpose. cmark-gfm's copy of the algorithms for
    /// emphasis and code is older than the specification, so where a text has
    /// none of GitHub's extensions, the younger cmark decides. Both take a list
    /// for tight when the empty line follows a rule, or a definition alone. And
    /// both are older than the rule that a symbol counts as punctuation.
    func testRandomDocumentsGiveTheHTMLOfTheReferenceParser() throws {
        let count = isFull ? 20_000 : 2_000
        let texts = (0..<count).map { index -> String in
            var random = RandomMarkdown(seed: 30_000 + UInt64(index))
            return Self.withoutSymbols(random.document())
        }
        let extensions = "-e table -e strikethrough -e tasklist -e autolink"
        let theirs = try MarkdownOracle.html(of: texts, by: "cmark-gfm", extensions)
        let other = zip(texts, theirs).filter { MarkdownOracle.ours($0) != $1 }.map(\.0)
        let younger = try MarkdownOracle.html(of: other, by: "cmark")
        let wrong = zip(other, younger).filter { MarkdownOracle.ours($0) != $1 }.map(\.0)
        let same = count - wrong.count
        print("cmark-gfm: \(same) of \(count) random documents give the same HTML")
        if let shortest = wrong.min(by: { $0.utf8.count < $1.utf8.count }) {
            print("the shortest other one:", shortest, separator: "\n")
        }
        XCTAssertGreaterThanOrEqual(same * 1000 / count, 955)
    }

    private static func withoutSymbols(_ text: String) -> String {
        text.replacingOccurrences(of: "🙂", with: "%")
    }

    func testAnyCutOfAnyDocumentGivesTheSameLines() {
        for seed in 0..<UInt64(isFull ? 3_000 : 150) {
            var random = RandomMarkdown(seed: seed)
            let text = random.document()
            let whole = MarkdownStream.lines(text, columns: 60, usesUnicode: true)
            XCTAssertEqual(StreamedMarkdown.lines(text, by: 1, columns: 60), whole, "seed \(seed)")
            for _ in 0..<2 {
                let pieces = StreamedMarkdown.pieces(text, using: &random.random)
                XCTAssertEqual(
                    StreamedMarkdown.lines(pieces, columns: 60), whole, "seed \(seed) \(pieces)")
            }
        }
    }

    func testNothingThatIsReceivedTrapsOrReachesTheScreenUnchecked() {
        for seed in 0..<UInt64(isFull ? 100_000 : 2_000) {
            var random = RandomMarkdown(seed: seed)
            let text = HostileText.text(random.soup())
            let whole = MarkdownStream.lines(text, columns: 20, usesUnicode: true)
            let pieces = StreamedMarkdown.pieces(text, using: &random.random)
            XCTAssertEqual(StreamedMarkdown.lines(pieces, columns: 20), whole, "seed \(seed)")
            for line in whole {
                XCTAssertEqual(HostileText.text(line.text), line.text, "seed \(seed)")
                XCTAssertFalse(line.text.contains("\n"), "seed \(seed)")
            }
            _ = MarkdownDocument(text).html()
            _ = MarkdownCode.blocks(in: text)
        }
    }

    func testRandomBytesDoNotTrap() {
        var random = SplitMix(seed: 4)
        for _ in 0..<(isFull ? 50_000 : 500) {
            let bytes = (0..<Int.random(in: 0...120, using: &random)).map { _ in
                random.once(in: 3)
                    ? UInt8.random(in: 0...255, using: &random)
                    : "*_`[]()<>|-#\n &!~:".utf8.randomElement(using: &random) ?? 0
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = MarkdownStream.lines(text, columns: 30, usesUnicode: false)
            _ = MarkdownDocument(text).html()
        }
    }
}
