import XCTest

@testable import AgentCore
@testable import Base

final class JSONInTextTests: XCTestCase {
    func testJSONIsFoundAloneInAFenceAndBetweenSentences() {
        let table: [(String, [JSONValue])] = [
            (#"{"a":1}"#, [["a": 1]]), (" 7 \n", [7]), (#""x""#, ["x"]),
            ("```json\n{\"a\":1}\n```", [["a": 1]]),
            ("Here you are:\n```\n[1, 2]\n```\nAnything else?", [[1, 2]]),
            (#"Use {braces} like so: {"a":"}{"} or [3]."#, [["a": "}{"], [3]]),
            (#"{"a":"\"}"} tail"#, [["a": "\"}"]]),
            (#"[not] {"half":"#, []), ("no brackets", []), ("", []),
        ]
        for (text, values) in table { XCTAssertEqual(JSONInText.values(in: text), values, text) }
    }

    func testBracketsWithoutEndAreTriedAFewTimesOnly() {
        let text = String(repeating: "[", count: 200_000) + "[1]"
        XCTAssertEqual(JSONInText.values(in: text), [])
    }
}
