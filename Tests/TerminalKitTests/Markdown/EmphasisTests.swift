import Foundation
import TestSupport
import XCTest

/// What may open and close emphasis (CommonMark 0.31.2, 6.2): the neighbours of
/// a run of marks decide, and symbols count as punctuation.
final class EmphasisTests: XCTestCase {
    private func html(_ markdown: String) -> String { MarkdownOracle.ours(markdown + "\n") }

    func testASymbolBesideARunCountsAsPunctuation() {
        for (markdown, wanted) in [
            // As models write it.
            ("**Status:**✅ done", "<strong>Status:</strong>✅ done"),
            ("✅**Done:** yes", "✅<strong>Done:</strong> yes"),
            ("**Price:**€5", "<strong>Price:</strong>€5"),
            ("**(a)**→**(b)**", "<strong>(a)</strong>→<strong>(b)</strong>"),
            ("a→**b**→c", "a→<strong>b</strong>→c"),
            ("__Total:__±3", "<strong>Total:</strong>±3"),
            // Each of the four categories, next to a letter on the other side.
            ("a*+b*", "a*+b*"), ("a*∑b*", "a*∑b*"), ("a*€b*", "a*€b*"),
            ("a*´b*", "a*´b*"), ("a*☃b*", "a*☃b*"), ("a*👍b*", "a*👍b*"),
            ("_€_5", "_€_5"), ("_a_€", "<em>a</em>€"), ("€_a_", "€<em>a</em>"),
            // What is neither symbol nor punctuation is a letter to the rule.
            ("a*中b*", "a<em>中b</em>"), ("a*１b*", "a<em>１b</em>"),
            ("**名前：**太郎", "**名前：**太郎"),
            // White space of Unicode.
            ("*\u{3000}a*", "*\u{3000}a*"), ("a *b\u{2003}*", "a *b\u{2003}*"),
        ] {
            XCTAssertEqual(html(markdown), "<p>\(wanted)</p>\n", markdown)
        }
    }

    /// cmark 0.30 knows punctuation only, so it is given a `%` for each symbol:
    /// by the rules of 0.31 both mean the same. Its search for the other end of
    /// a `_` run forgets those of another length, so a line has one length only.
    func testRandomMarksAroundSymbolsAreReadAsAroundPunctuation() throws {
        let words = ["a", "b", "é", "中", " ", "\u{A0}", "(", ".", "“", "—"]
        let symbols = ["€", "✅", "→", "±", "👍", "´", "©", "🇳"]
        var random = SplitMix(seed: 31)
        var lines: [String] = []
        while lines.count < 4_000 {
            let low = ["_", "__"][lines.count % 2]
            let marks = ["*", "**", "***", low, low, low]
            let tokens = (0..<Int.random(in: 3...12, using: &random)).compactMap { _ in
                (random.once(in: 2) ? marks : random.once(in: 3) ? symbols : words)
                    .randomElement(using: &random)
            }
            // No other block begins with a letter, and no line break is cut off.
            let line = "x" + tokens.joined() + "x"
            let runs = line.split { $0 != "_" }
            if runs.allSatisfy({ $0 == low }) { lines.append(line) }
        }
        let plain = { (text: String) in
            symbols.reduce(text) { $0.replacingOccurrences(of: $1, with: "%", options: .literal) }
        }
        let texts = lines.joined(separator: "\n\n") + "\n"
        let theirs = try MarkdownOracle.html(of: [plain(texts)], by: "cmark")[0]
        let ours = plain(MarkdownOracle.ours(texts))
        for (line, pair) in zip(
            lines, zip(ours.split(separator: "\n"), theirs.split(separator: "\n")))
        where pair.0 != pair.1 {
            XCTFail("\(line)\n\(pair.0)\n\(pair.1)")
        }
        XCTAssertEqual(ours.split(separator: "\n").count, lines.count)
    }
}
