import XCTest

@testable import Base

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

    func testWhatActsOnAScreenIsEscapedInWhatIsShownAndNowhereElse() throws {
        let scalars = [
            0x80, 0x9B, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E,
            0x2066, 0x2069,
        ].compactMap(Unicode.Scalar.init(_:))
        var acting = ""
        acting.unicodeScalars.append(contentsOf: scalars)
        let escaped = scalars.map {
            "\\u" + String(String(0x10000 + $0.value, radix: 16).dropFirst())
        }.joined()
        // The neighbours of each range, and a family with joiners.
        let plain = "\u{7E}\u{A0}é\u{200C}\u{2027}\u{202F}\u{2065}\u{206A}שָׁלוֹם 👩‍👧"
        let value: JSONValue = .object(
            JSONObject([.init(acting, .string(plain + acting + "\u{1B}\""))]))
        XCTAssertEqual(
            String(decoding: JSONWriter.shown(value), as: UTF8.self),
            #"{"\#(escaped)":"\#(plain)\#(escaped)\u001b\""}"#)
        for shown in [JSONWriter.shown(value), Array(JSONWriter.pretty(value).utf8)] {
            XCTAssertEqual(try JSONParser.parse(shown), value, "nothing is lost")
            let text = String(decoding: shown, as: UTF8.self)
            XCTAssertFalse(text.unicodeScalars.contains { scalars.contains($0) })
        }
        XCTAssertEqual(
            JSONWriter.string(value), #"{"\#(acting)":"\#(plain)\#(acting)\u001b\""}"#)
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
