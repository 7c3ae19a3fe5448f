import XCTest

@testable import ToolServers

final class SpokenLengthTests: XCTestCase {
    func testLengthsAsPeopleTypeThem() {
        let cases: [(String, String?)] = [
            ("30m", "PT30M"), ("1h30m", "PT1H30M"), ("90", "PT1H30M"), ("1.5h", "PT1H30M"),
            ("an hour", "PT1H"), ("an hour and a half", "PT1H30M"), ("half an hour", "PT30M"),
            ("two and a half hours", "PT2H30M"), ("a half hour", "PT30M"),
            ("an hour and half", "PT1H30M"), ("2 hours", "PT2H"), ("a week", "P1W"),
            ("2 days", "P2D"),
            ("a day and 2 hours", "PT26H"), ("1 hour 15 minutes", "PT1H15M"),
            ("a couple of hours", "PT2H"),
            ("", nil), ("soon", nil), ("0", nil), ("3 apples", nil), ("99999999 days", nil),
            ("-5", "PT5M"), ("1e9", nil),
        ]
        for (text, wanted) in cases {
            XCTAssertEqual(SpokenLength(text)?.duration.text, wanted, text)
        }
    }
}
