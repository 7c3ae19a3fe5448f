import XCTest

@testable import Persistence

final class SearchSnippetTests: XCTestCase {
    /// Matches in brackets.
    private func shown(_ text: String, _ query: String, limit: Int = 40) -> String {
        SearchSnippet(text, finding: SearchQuery(query), limit: limit).spans
            .map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
    }

    func testMatchesAreMarkedWhateverTheirCaseAndAccents() {
        XCTAssertEqual(shown("Crème  Brûlée\nrecipe", "creme brul"), "[Crème] [Brûlée] recipe")
        XCTAssertEqual(shown("the ferry to Oslo", "\"ferry to\""), "the [ferry to] Oslo")
        XCTAssertEqual(shown("to go to Oslo", "\"to oslo\""), "to go [to Oslo]")
        XCTAssertEqual(shown("明日の会議は三時です", "会議"), "明日の[会議]は三時です")
        XCTAssertEqual(shown("nothing here", "zebra"), "nothing here")
        XCTAssertEqual(shown("", "zebra"), "")
    }

    func testALongTextIsCutAroundTheMatches() {
        let text = String(repeating: "word ", count: 50) + "a zebra and a lion " + "end"
        XCTAssertEqual(
            shown(text, "lion zebra"), "…word word word a [zebra] and a [lion] end")
        XCTAssertEqual(
            shown("zebra " + String(repeating: "word ", count: 50), "zebra"),
            "[zebra] word word word word word word word…")
    }
}
