import XCTest

@testable import AgentCore

final class JSONValueTests: XCTestCase {
    func testMembersAreReadReplacedAddedAndRemovedInPlace() {
        var object = JSONObject([.init("a", 1), .init("b", 2), .init("a", 3)])
        XCTAssertEqual(object["a"], 3, "the last of a repeated name counts")
        object["b"] = 4
        object["c"] = 5
        object["a"] = nil
        XCTAssertEqual(
            object, JSONObject([.init("a", 1), .init("b", 4), .init("c", 5)]))
        object["missing"] = nil
        XCTAssertEqual(object.names, ["a", "b", "c"])
    }

    func testAccessorsReturnNilForOtherKinds() {
        let value: JSONValue = ["s": "x", "n": 1, "l": [1, 2]]
        XCTAssertEqual(value["s"]?.stringValue, "x")
        XCTAssertNil(value["n"]?.stringValue)
        XCTAssertNil(value["s"]?.integerValue)
        XCTAssertEqual(value["l"]?[1], 2)
        XCTAssertNil(value["l"]?[2])
        XCTAssertNil(value["l"]?[-1])
        XCTAssertNil(value["l"]?["x"])
        XCTAssertEqual(value["n"]?.doubleValue, 1)
        XCTAssertNil(JSONValue("x").boolValue)
    }

    func testCompactLeavesOutWhatIsNil() {
        XCTAssertEqual(
            JSONWriter.string(.compact(["a": 1, "b": nil, "c": .null])), #"{"a":1,"c":null}"#)
    }

    func testNumbersThatJSONLacksAreNull() {
        XCTAssertEqual(JSONWriter.string(JSONValue(Double.nan)), "null")
        XCTAssertEqual(JSONWriter.string(JSONValue(-Double.infinity)), "null")
        XCTAssertEqual(JSONWriter.string(JSONValue(0.5)), "0.5")
        XCTAssertEqual(JSONWriter.string(JSONValue(1e300)), "1e+300")
        XCTAssertEqual(JSONWriter.string(JSONValue(Double.leastNonzeroMagnitude)), "5e-324")
    }

    func testControlCharactersAreEscapedAndTheRestIsNot() {
        XCTAssertEqual(
            JSONWriter.string("\u{0}\u{1B}\n\r\t\"\\/é\u{7F}"),
            #""\u0000\u001b\n\r\t\"\\/é\u007f""#)
    }

    func testPrettyOutputIsIndented() {
        let value: JSONValue = ["a": [1, ["b": []]], "c": .object(JSONObject())]
        XCTAssertEqual(
            JSONWriter.pretty(value),
            """
            {
              "a": [
                1,
                {
                  "b": []
                }
              ],
              "c": {}
            }
            """)
    }
}
