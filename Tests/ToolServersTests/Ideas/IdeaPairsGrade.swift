import TestSupport
import XCTest

@testable import Texts

/// Pairs of ideas by somebody who had not seen how likeness is measured.
final class IdeaPairsGrade: XCTestCase {
    /// The pairs that are marked as nearly the same, by class; how many there are.
    private func marked() throws -> [String: (marked: [String], all: Int)] {
        var table: [String: (marked: [String], all: Int)] = [:]
        for row in try WritingSets.rows("ideas.tsv") {
            let (first, second) = (row[2] + "\n" + row[3], row[4] + "\n" + row[5])
            let isMarked = Similarity.likeness(of: first, to: second) >= Similarity.threshold
            XCTAssertEqual(
                Similarity.likeness(of: first, to: second),
                Similarity.likeness(of: second, to: first), accuracy: 1e-9)
            var entry = table["\(row[0]) \(row[1])"] ?? ([], 0)
            if isMarked { entry.marked.append(row[2]) }
            entry.all += 1
            table["\(row[0]) \(row[1])"] = entry
        }
        return table
    }

    func testAnIdeaThatIsToldAgainIsMarked() throws {
        let table = try marked()
        for (kind, least) in [("same copy", 1.0), ("same edited", 0.9), ("same reworded", 0.6)] {
            let (marked, all) = try XCTUnwrap(table[kind])
            Grade.check(
                "ideas, \(kind): marked", right: marked.count, of: all, atLeast: least,
                "\(table)")
        }
    }

    /// A wrong mark is worse than a missing one: it spoils a new idea.
    func testAnotherIdeaIsNotMarked() throws {
        let table = try marked()
        for (kind, least) in [
            ("other unrelated", 1.0), ("other topic", 0.95), ("other template", 0.5),
        ] {
            let (marked, all) = try XCTUnwrap(table[kind])
            Grade.check(
                "ideas, \(kind): not marked", right: all - marked.count, of: all,
                atLeast: least, "\(marked)")
        }
    }
}
