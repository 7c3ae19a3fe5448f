import XCTest

@testable import chat

/// What Tab inserts, how candidates are lined up, and how a prompt is encoded.
final class CompletionTests: XCTestCase {
    private func completion(_ replacing: String, _ texts: [String]) -> Completion {
        Completion(replacing: replacing, candidates: texts.map { .init($0) })
    }

    func testInsertionIsTheCommonPartOrTheOnlyCandidate() {
        XCTAssertEqual(completion("/m", ["/model", "/models"]).insertion, "/model")
        XCTAssertNil(completion("/model", ["/model", "/models"]).insertion)
        XCTAssertEqual(completion("/k", ["/keys"]).insertion, "/keys ")
        XCTAssertEqual(
            Completion(replacing: "s", candidates: [.init("src/", isComplete: false)]).insertion,
            "src/")
        XCTAssertNil(
            Completion(replacing: "src/", candidates: [.init("src/", isComplete: false)]).insertion)
        XCTAssertNil(Completion.none.insertion)
        XCTAssertNil(completion("é", ["éa", "éb"]).insertion)
    }

    func testRowsAreAlignedColumnsReadDownwards() {
        let some = completion("", ["alpha", "日本", "c", "delta", "e"])
        XCTAssertEqual(some.rows(columns: 16), ["alpha  delta", "日本   e", "c"])
        XCTAssertEqual(some.rows(columns: 1), ["alpha", "日本", "c", "delta", "e"])
        XCTAssertEqual(completion("", ["a\u{1B}[2J"]).rows(columns: 80), ["a\\x1b[2J"])
        XCTAssertEqual(Completion.none.rows(columns: 80), [])
    }

    func testPromptColoursStandBetweenMarkersAndNeverLast() {
        func marked(_ text: String) -> String {
            let scalars = PromptText(text).marked.compactMap(Unicode.Scalar.init)
            return String(String.UnicodeScalarView(scalars))
        }
        XCTAssertEqual(marked("> "), "> ")
        XCTAssertEqual(marked("\u{1B}[1m>\u{1B}[0m "), "\u{1}\u{1B}[1m\u{1}>\u{1}\u{1B}[0m\u{1} ")
        XCTAssertEqual(
            marked("\u{1B}[1m\u{1B}[36m> \u{1B}[0m"),
            "\u{1}\u{1B}[1m\u{1B}[36m\u{1}>\u{1}\u{1B}[0m\u{1} ")
        XCTAssertEqual(PromptText("\u{1B}[1m>\u{1B}[0m ").plain, "> ")
        XCTAssertEqual(marked("\u{1B}[1m"), "")
    }

    func testRowsOfALineAreThoseOfTheEditor() {
        func place(_ text: String, columns: Int) -> [Int] {
            var layout = LineLayout(columns: columns) { $0 < 0x20 ? -1 : $0 > 0x2E80 ? 2 : 1 }
            for scalar in text.unicodeScalars { layout.add(scalar.value) }
            return [layout.row, layout.column]
        }
        XCTAssertEqual(place("", columns: 10), [0, 0])
        XCTAssertEqual(place("0123456789", columns: 10), [1, 0])
        XCTAssertEqual(place("a\tb", columns: 20), [0, 9])
        XCTAssertEqual(place("a\nb", columns: 20), [1, 1])
        XCTAssertEqual(place("日本語日本", columns: 9), [1, 2])
        XCTAssertEqual(place("\u{1}x", columns: 20), [0, 3])
        XCTAssertEqual(place("ab", columns: 1), [0, 2])
    }
}
