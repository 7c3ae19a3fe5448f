import XCTest

@testable import TerminalKit

/// What Tab inserts, how candidates are lined up, and how a prompt is encoded.
final class TabCompletionTests: XCTestCase {
    private func completion(_ replacing: String, _ texts: [String]) -> TabCompletion {
        TabCompletion(replacing: replacing, candidates: texts.map { .init($0) })
    }

    func testInsertionIsTheCommonPartOrTheOnlyCandidate() {
        XCTAssertEqual(completion("/m", ["/model", "/models"]).insertion, "/model")
        XCTAssertNil(completion("/model", ["/model", "/models"]).insertion)
        XCTAssertEqual(completion("/k", ["/keys"]).insertion, "/keys ")
        XCTAssertEqual(
            TabCompletion(replacing: "s", candidates: [.init("src/", isComplete: false)]).insertion,
            "src/")
        XCTAssertNil(
            TabCompletion(replacing: "src/", candidates: [.init("src/", isComplete: false)])
                .insertion)
        XCTAssertNil(TabCompletion.none.insertion)
        XCTAssertNil(completion("é", ["éa", "éb"]).insertion)
    }

    func testRowsAreAlignedColumnsReadDownwards() {
        let some = completion("", ["alpha", "日本", "c", "delta", "e"])
        XCTAssertEqual(some.rows(columns: 16), ["alpha  delta", "日本   e", "c"])
        XCTAssertEqual(some.rows(columns: 1), ["alpha", "日本", "c", "delta", "e"])
        XCTAssertEqual(completion("", ["a\u{1B}[2J"]).rows(columns: 80), ["a\\x1b[2J"])
        XCTAssertEqual(TabCompletion.none.rows(columns: 80), [])
    }
}
