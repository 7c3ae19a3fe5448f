import Base
import Foundation
import TestSupport
import XCTest

@testable import Texts

final class TextDiffTests: XCTestCase {
    private func pairs(_ old: String, _ new: String) -> [String] {
        TextDiff(old, new).changes.map { "\($0.old)>\($0.new)" }
    }

    func testChangesAreWords() {
        XCTAssertEqual(pairs("teh cat sat.", "The cat sat."), ["teh>The"])
        XCTAssertEqual(
            pairs("i has a apple today", "I have an apple today"), ["i has a>I have an"])
        XCTAssertEqual(pairs("teh cat saw teh dog", "The cat saw the dog"), ["teh>The", "teh>the"])
        XCTAssertEqual(pairs("one two", "one, two"), [">,"])
        XCTAssertEqual(pairs("the the cat", "the cat"), ["the >"])
        XCTAssertEqual(pairs("whats up", "what's up"), ["whats>what's"])
        XCTAssertEqual(pairs("same", "same"), [])
        XCTAssertEqual(pairs("", "new"), [">new"])
        XCTAssertEqual(pairs("a\r\nteh\r\n", "a\r\nthe\r\n"), ["teh>the"])
    }

    func testAcceptedChangesAreMadeAndOthersNot() {
        let diff = TextDiff("teh cat saw teh dog", "The cat saw the dog")
        XCTAssertEqual(diff.applying(accepted: []), "teh cat saw teh dog")
        XCTAssertEqual(diff.applying(accepted: [0]), "The cat saw teh dog")
        XCTAssertEqual(diff.applying(accepted: [1]), "teh cat saw the dog")
        XCTAssertEqual(diff.applying(accepted: [0, 1]), "The cat saw the dog")
    }

    func testAllOrNothingGivesBackBothVersionsByteForByte() {
        var random = SplitMix(seed: 4)
        let parts = [
            "a", "b", " ", "  ", "\n", "\n\n", "\r\n", "\r\n\r\n", ".", "é", "e\u{301}", "word",
            "\t",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...30, using: &random)).map { _ in
                parts[Int.random(in: 0..<parts.count, using: &random)]
            }.joined()
        }
        for _ in 0..<2_000 {
            let (old, new) = (text(), text())
            let diff = TextDiff(old, new)
            let all = Set(diff.changes.indices)
            XCTAssertEqual(Array(diff.applying(accepted: []).utf8), Array(old.utf8))
            XCTAssertEqual(Array(diff.applying(accepted: all).utf8), Array(new.utf8))
            XCTAssertEqual(TextDiff.paragraphs(old).joined(), old)
            XCTAssertEqual(TextDiff.tokens(old[...]).joined(), old)
        }
    }

    func testTheShareOfChangedWordsIgnoresCaseAndPunctuation() {
        XCTAssertEqual(
            TextDiff("whats the capital of france", "What's the capital of France?").changedShare, 0
        )
        XCTAssertEqual(TextDiff("one two three four", "one two three five").changedShare, 0.25)
        XCTAssertEqual(TextDiff("a b c d", "a b c d e f").changedShare, 0.5)
        let rewrite = TextDiff(
            "I think we should maybe meet tomorrow.", "Let us convene at your convenience.")
        XCTAssertGreaterThan(rewrite.changedShare, 0.9)
        XCTAssertTrue(AnswerGuards.isRewrite(rewrite))
        XCTAssertFalse(
            AnswerGuards.isRewrite(TextDiff("i has a apple", "I have an apple")))
    }

    func testALongTextThatChangedEverywhereIsComparedQuickly() {
        let old = (0..<2_000).map { "Paragraph \($0) of teh old text.\n\n" }.joined()
        let new = old.replacing("teh old", with: "the new")
        let diff = TextDiff(old, new)
        XCTAssertEqual(diff.changes.count, 2_000)
        XCTAssertEqual(diff.applying(accepted: Set(diff.changes.indices)), new)
        // Nothing in common, in one paragraph.
        let one = (0..<20_000).map { "a\($0) " }.joined()
        let two = (0..<20_000).map { "b\($0) " }.joined()
        XCTAssertEqual(TextDiff(one, two).changes.count, 1)
    }

    func testTheLinesShowWhatGoesAndWhatComes() {
        let diff = TextDiff("one\nteh cat\nmore\nlast wrd", "one\nThe cat\nmore\nlast word")
        XCTAssertEqual(
            diff.lines(isMarked: true).map(\.text),
            ["[-teh-]{+The+} cat", "…", "last [-wrd-]{+word+}"])
        XCTAssertEqual(
            diff.lines(isMarked: false)[0].spans,
            [.init("teh", .deleted), .init("The", .inserted), .init(" cat")])
    }

    func testTheUnifiedDiffIsTheOneOfDiff() throws {
        let cases = [
            ("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n", "a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nK\nl\n"),
            ("teh cat", "the cat"), ("a\n", "a\nb\n"), ("a\nb\n", "a\n"),
            ("a\r\nb\r\n", "a\r\nB\r\n"),
            ("a\nb", "a\nb\n"), ("x\n", "y\n"),
        ]
        let folder = FileManager.default.temporaryDirectory.appending(
            path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (old, new) in cases {
            try Data(old.utf8).write(to: folder.appending(path: "old"))
            try Data(new.utf8).write(to: folder.appending(path: "new"))
            let diff = Process.apart()
            diff.executableURL = URL(filePath: "/usr/bin/diff")
            diff.currentDirectoryURL = folder
            diff.arguments = ["-u", "--label", "a/f.txt", "--label", "b/f.txt", "old", "new"]
            let pipe = Pipe()
            diff.standardOutput = pipe
            try diff.run()
            let wanted = try pipe.fileHandleForReading.readToEnd() ?? Data()
            diff.waitUntilExit()
            XCTAssertEqual(
                TextDiff(old, new).unified(name: "f.txt"), String(decoding: wanted, as: UTF8.self),
                old.debugDescription)
        }
        XCTAssertEqual(TextDiff("a", "a").unified(name: "f"), "")
    }
}

extension TextDiff {
    /// The text with these changes made and the others not: all of them give
    /// `new`, none gives `old`, byte for byte.
    fileprivate func applying(accepted: Set<Int>) -> String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .same(let same): text += same
            case .change(let index):
                text += accepted.contains(index) ? changes[index].new : changes[index].old
            }
        }
        return text
    }
}
