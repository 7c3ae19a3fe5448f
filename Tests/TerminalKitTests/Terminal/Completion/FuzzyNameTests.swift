import XCTest

@testable import TerminalKit

/// How names are found by a few of their letters.
final class FuzzyNameTests: XCTestCase {
    private func found(_ query: String, in names: [String]) -> [String] {
        names.ranked(by: FuzzyName.query(query)) { FuzzyName($0) }.map(\.element)
    }

    func testBeginningsOfWordsComeFirstAndEqualsKeepTheirOrder() {
        let cases: [(String, [String], [String])] = [
            ("", ["b", "a"], ["b", "a"]),
            ("mod", ["amodel", "models", "model"], ["model", "models", "amodel"]),
            ("model", ["models", "model"], ["model", "models"]),
            (
                "rs", ["readers", "remind someone", "parse"],
                ["remind someone", "readers", "parse"]
            ),
            ("mdl", ["model", "amdl", "middle"], ["middle", "model", "amdl"]),
            ("inder", ["reminders", "binder"], ["binder", "reminders"]),
            ("ms", ["main.swift", "mains"], ["main.swift", "mains"]),
            (
                "tcs", ["TabCompletionState.swift", "testcases"],
                [
                    "TabCompletionState.swift", "testcases",
                ]
            ),
            ("v2", ["v12", "plan v2"], ["plan v2"]),
            ("dl", ["model"], []), ("ms", ["my notes"], []), ("mno", ["my notes"], ["my notes"]),
            ("modell", ["model"], []), ("xyz", ["model", "x"], []),
        ]
        for (query, names, wanted) in cases {
            XCTAssertEqual(found(query, in: names), wanted, query)
        }
    }

    func testCaseAndAccentsDoNotCount() {
        XCTAssertEqual(found("CREME", in: ["Crème brûlée", "cream"]), ["Crème brûlée"])
        XCTAssertEqual(found("strasse", in: ["Straße"]), ["Straße"])
        XCTAssertEqual(found("日本", in: ["日本語", "本日"]), ["日本語"])
        XCTAssertTrue(FuzzyName("Éclair.txt").begins(with: FuzzyName.query("ecl")))
    }

    func testAVeryLongNameIsSearchedInItsBeginningOnly() {
        let name = String(repeating: "a", count: 100_000) + "z"
        XCTAssertNotNil(FuzzyName(name).score(FuzzyName.query("aaa")))
        XCTAssertNil(FuzzyName(name).score(FuzzyName.query("az")))
        XCTAssertNotNil(FuzzyName("ab").score(FuzzyName.query("ab")))
        XCTAssertNil(FuzzyName("").score(FuzzyName.query("a")))
    }
}
