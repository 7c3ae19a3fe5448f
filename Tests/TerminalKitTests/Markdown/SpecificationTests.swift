import Foundation
import XCTest

@testable import TerminalKit

/// Every example of the CommonMark specification, judged by its own HTML.
final class SpecificationTests: XCTestCase {
    /// What we do otherwise, on purpose.
    private let exceptions: [Int: String] = [
        602: "bare addresses are links, as on GitHub",
        608: "bare addresses are links, as on GitHub",
        611: "bare addresses are links, as on GitHub",
    ]

    func testEveryExampleOfTheSpecificationGivesItsHTML() throws {
        var shares: [(section: String, right: Int, all: Int)] = []
        for example in try MarkdownOracle.specification() {
            let ours = MarkdownOracle.ours(example.markdown)
            let isRight = ours == MarkdownOracle.normalized(example.html)
            if shares.last?.section != example.section { shares.append((example.section, 0, 0)) }
            shares[shares.count - 1].all += 1
            if isRight { shares[shares.count - 1].right += 1 }
            if !isRight, exceptions[example.example] == nil {
                XCTFail("\(example.example): \(example.markdown)\n\(ours)\n\(example.html)")
            }
            if isRight, let reason = exceptions[example.example] {
                XCTFail("\(example.example) is no exception any more: \(reason)")
            }
        }
        for share in shares { print("\(share.section): \(share.right) of \(share.all)") }
        let right = shares.reduce(0) { $0 + $1.right }
        let all = shares.reduce(0) { $0 + $1.all }
        print("CommonMark: \(right) of \(all) examples, \(right * 1000 / max(1, all)) per mille")
        XCTAssertEqual(all, 652)
        XCTAssertEqual(all - right, exceptions.count)
    }

    /// The stream is the same parser: it must take all of it, in any pieces.
    func testEveryExampleStreamsAsItIsShownAtOnce() throws {
        for example in try MarkdownOracle.specification() {
            let whole = MarkdownStream.lines(example.markdown, columns: 40, usesUnicode: true)
            XCTAssertEqual(
                StreamedMarkdown.lines(example.markdown, by: 1, columns: 40), whole,
                "\(example.example)")
        }
    }
}
