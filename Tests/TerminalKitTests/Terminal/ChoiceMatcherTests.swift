import XCTest

@testable import TerminalKit

/// Answers to numbered choices.
final class ChoiceMatcherTests: XCTestCase {
    func testANumberOrWordsOfOneAlonePick() {
        let labels = ["call mom · Fri 6 Mar 17:00", "call dad · Sat 7 Mar 17:00", "all of them"]
        let picks: [(String, Int)] = [
            (" 2 ", 1), ("2.", 1), ("two", 1), ("one", 0), ("das dritte", 2),
            ("number 2, please", 1), ("the first one", 0), ("third", 2),
            ("the last", 2), ("die zweite bitte", 1), ("Mom", 0), ("saturday", 1), ("sat", 1),
            ("dad 17:00", 1), ("all", 2), ("Call mom, Fri!", 0),
        ]
        for (line, index) in picks {
            XCTAssertEqual(ChoiceMatcher.choice(line, of: labels), index, line)
        }
        XCTAssertEqual(
            ChoiceMatcher.choice("call mom", of: ["call mom dentist · Sat", "call mom · Fri"]), 1)
        for line in [
            "", "0", "4", "-1", "y", "1 2", "99999999999999999999", "\(Int.min)", "call", "17:00",
            "ninth",
            "call mom on monday", "mo", "the one", "…", "mom\nmom", "undo that", "last week",
        ] {
            XCTAssertNil(ChoiceMatcher.choice(line, of: labels), line)
        }
    }
}
