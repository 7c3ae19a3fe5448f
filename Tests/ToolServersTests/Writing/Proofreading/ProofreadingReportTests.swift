import Base
import XCTest

@testable import Texts

final class ProofreadingReportTests: XCTestCase {
    private func report(
        _ text: String, _ proofreading: Proofreading?, behind: String = "",
        language: String? = nil, _ packages: PackageManager = .apt
    ) -> ProofreadingReport {
        var result = WritingResult(original: text, text: text, isLocal: true)
        result.proofreading = proofreading
        return ProofreadingReport(result, behind: behind, language: language, packages)
    }

    private func word(_ word: String, in text: String, _ suggestions: [String] = []) throws
        -> ProofreadingRemark
    {
        let range = try XCTUnwrap(text.range(of: word))
        let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        return ProofreadingRemark(
            kind: .unknownWord(suggestions: suggestions), range: start..<start + word.utf8.count,
            text: word)
    }

    func testAPlaceIsNamedByItsLineInTheWholeText() throws {
        let text = "One.\nTwo frobs.\n\nThree (four.\n"
        let sign = ProofreadingRemark(kind: .unmatched, range: 23..<24, text: "(")
        let found = report(
            text,
            Proofreading(
                corrections: [], remarks: [try word("frobs", in: text, ["frogs"]), sign],
                language: "en"), behind: "Before.\n\n")
        XCTAssertEqual(
            found.lines.map(\.text),
            [
                "  line 4: \"frobs\" is not in the dictionary; perhaps frogs",
                "  line 6: ( has no counterpart",
            ])
        XCTAssertEqual(
            found.json,
            [
                [
                    "kind": "word", "line": 4, "text": "frobs", "suggestions": ["frogs"],
                    "sentence": "\"frobs\" is not in the dictionary; perhaps frogs",
                ],
                ["kind": "sign", "line": 6, "text": "(", "sentence": "( has no counterpart"],
            ])
    }

    func testAfterFiveLinesComesHowManyMoreThereAre() throws {
        let words = (0..<9).map { "frob\($0)" }
        let text = words.joined(separator: "\n")
        let found = report(
            text,
            Proofreading(
                corrections: [], remarks: try words.map { try word($0, in: text) }, language: "en"))
        XCTAssertEqual(found.lines.count, 6)
        XCTAssertEqual(found.lines.last?.text, "  … and 4 more")
        XCTAssertEqual(found.json.arrayValue?.count, 9)
    }

    func testWhatWasNotCheckedIsSaidOnceWithWhatInstallsIt() {
        func line(_ missing: Speller.Missing, _ packages: PackageManager = .apt) -> [String] {
            report(
                "Some text.",
                Proofreading(
                    corrections: [], remarks: [], language: "en", missingSpelling: missing),
                packages
            ).lines.map(\.text)
        }
        XCTAssertEqual(
            line(.program),
            [
                "  Spelling not checked, no hunspell: "
                    + "sudo apt install hunspell hunspell-en-us"
            ])
        XCTAssertEqual(
            line(.dictionary("de")),
            [
                "  Spelling not checked, no German dictionary: "
                    + "sudo apt install hunspell-de-de"
            ])
        XCTAssertEqual(
            line(.dictionary("de"), .dnf),
            ["  Spelling not checked, no German dictionary."])
    }

    func testALanguageThatIsNotKnownIsSaid() {
        let none = Proofreading(corrections: [], remarks: [], language: nil)
        XCTAssertEqual(
            report("Xyzzy plugh.", none).lines.map(\.text),
            ["  The language was not recognised; --language en or de names it."])
        XCTAssertEqual(
            report("Xyzzy plugh.", none, language: "fr").lines.map(\.text),
            ["  Without a model only English and German are proofread."])
        // A model did it: there is nothing to say.
        XCTAssertEqual(report("Xyzzy plugh.", nil).lines, [])
        XCTAssertEqual(report("Xyzzy plugh.", nil).json, [])
    }
}
