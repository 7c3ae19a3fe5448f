import TestSupport
import XCTest

@testable import Texts

/// What the offline proofreader may not touch, and what it has to find, on
/// texts by somebody who had not seen its rules. `Benchmarks/writing.py --wrong`
/// prints each that is not right.
final class ProofreadingGrade: XCTestCase {
    private static let rules = Proofreader(speller: nil)

    /// With hunspell.
    /// - Throws: `XCTSkip` where it or a dictionary is not installed.
    private func spelling(_ language: String) throws -> Proofreader {
        let speller = Speller(variables: TestMachine.variables)
        if let missing = speller.missing(for: language) {
            let packages = Speller.packages(for: missing).joined(separator: " ")
            throw XCTSkip("needs the package \(packages)")
        }
        return Proofreader(speller: speller)
    }

    /// Each by itself, several at a time: a dictionary is another program.
    private func corrected(
        _ texts: [String], _ proofreader: Proofreader, _ language: String? = nil
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var new = texts
            for (index, text) in texts.enumerated() {
                if index >= 4, let (done, text) = try await group.next() { new[done] = text }
                group.addTask {
                    let found = try await proofreader.corrections(in: text, language: language)
                    return (index, Correction.applied(found, to: text).text)
                }
            }
            for try await (done, text) in group { new[done] = text }
            return new
        }
    }

    private func checkUntouched(
        _ name: String, _ how: String, by proofreader: Proofreader,
        _ language: String? = nil, line: UInt = #line
    ) async throws {
        let texts = Grade.sample(
            try name.hasSuffix(".txt")
                ? WritingSets.blocks(name)
                : WritingSets.rows(name).map { (kind: $0[0], text: $0[1]) })
        let all = try await corrected(texts.map(\.text), proofreader, language)
        let changed = zip(texts, all).filter { $0.text != $1 }.map { old, new in
            "\(old.kind): \(old.text)\n→ \(new)"
        }
        Grade.check(
            "\(name), \(how): left alone", right: texts.count - changed.count,
            of: texts.count, atLeast: 1, changed.joined(separator: "\n"), line: line)
    }

    func testNothingIsCorrectedInWhatIsRight() async throws {
        for name in ["clean-en.tsv", "clean-de.tsv", "technical-en.txt", "technical-de.txt"] {
            try await checkUntouched(name, "by rules", by: Self.rules)
        }
    }

    func testADictionaryCorrectsNothingInWhatIsRight() async throws {
        let english = try spelling("en")
        try await checkUntouched("clean-en.tsv", "with a dictionary", by: english)
        try await checkUntouched("technical-en.txt", "with a dictionary", by: english)
        let german = try spelling("de")
        try await checkUntouched("clean-de.tsv", "with a dictionary", by: german, "de")
        try await checkUntouched("technical-de.txt", "with a dictionary", by: german)
    }

    private func checkFixed(
        _ set: String, atLeast least: Double, by proofreader: Proofreader,
        _ isMeant: ([String]) -> Bool,
        line: UInt = #line
    ) async throws {
        let rows = Grade.sample(try WritingSets.rows("errors-en.tsv").filter(isMeant))
        let all = try await corrected(rows.map { $0[2] }, proofreader)
        let missed = zip(rows, all).filter { $0[3] != $1 }.map { "\($0[2]) → \($1)" }
        let again = try await corrected(all, Self.rules)
        XCTAssertEqual(again, all, line: line)
        Grade.check(
            "errors-en.tsv: \(set)", right: rows.count - missed.count,
            of: rows.count, atLeast: least, "\(missed)", line: line)
    }

    func testFourInFiveMistakesAreFound() async throws {
        try await checkFixed("found by rules", atLeast: 0.8, by: Self.rules) { $0[1] == "own" }
    }

    func testWithADictionaryFourInFiveOfAllAreFound() async throws {
        let english = try spelling("en")
        try await checkFixed("found with a dictionary", atLeast: 0.8, by: english) { _ in true }
    }
}
