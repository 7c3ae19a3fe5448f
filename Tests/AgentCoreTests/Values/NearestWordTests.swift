import XCTest

@testable import Base

final class NearestWordTests: XCTestCase {
    private let commands = ["reminders", "conversations", "keys", "models", "config", "usage"]

    func testTyposFindTheirWord() {
        let table = [
            "remidners": "reminders", "reminder": "reminders", "key": "keys", "modles": "models",
            "conf": "config", "usgae": "usage", "Conversation": "conversations",
        ]
        for (typed, meant) in table {
            XCTAssertEqual(NearestWord.find(typed, among: commands), meant, typed)
        }
    }

    func testNothingIsNearAnUnrelatedWord() {
        for word in ["banana", "x", "", "translate"] {
            XCTAssertNil(NearestWord.find(word, among: commands), word)
        }
    }

    func testTheRankingIsNearestFirst() {
        XCTAssertEqual(
            NearestWord.rank(
                "claude-sonet-5",
                among: ["claude-opus-5-5", "claude-sonnet-5-5", "claude-sonnet-5"],
                limit: 2),
            ["claude-sonnet-5", "claude-sonnet-5-5"])
    }
}
