import XCTest

@testable import Base

final class JSONSchemaTests: XCTestCase {
    private let schema = JSONSchema.object([
        .init("title", .string(description: "What"), isRequired: true),
        .init("priority", .integer(range: 1...9)),
        .init("ratio", .number()),
        .init("done", .boolean()),
        .init("kind", .string(choices: ["a", "b"])),
        .init("tags", .array(of: .string())),
        .init("place", .object([.init("city", .string(), isRequired: true)])),
    ])

    private func problems(_ text: String) throws -> [String] {
        schema.violations(in: try JSONParser.parse(text)).map { "\($0.path) \($0.problem)" }
    }

    func testArgumentsThatFitHaveNoViolations() throws {
        XCTAssertEqual(try problems(#"{"title":"x"}"#), [])
        XCTAssertEqual(
            try problems(
                #"{"title":"x","priority":9,"ratio":1,"done":false,"kind":"b","tags":["t"],"#
                    + #""place":{"city":"Oslo"}}"#), [])
        XCTAssertEqual(try problems(#"{"title":"x","priority":2.0,"ratio":0.5}"#), [])
        XCTAssertEqual(try problems(#"{"title":"x","priority":null}"#), [], "null means left out")
    }

    func testEveryViolationNamesItsPlace() throws {
        XCTAssertEqual(
            try problems(
                #"{"priority":10,"ratio":"1","done":1,"kind":"c","tags":["t",1],"#
                    + #""place":{"town":"Oslo"},"extra":1,"done":true}"#),
            [
                "$.priority must be from 1 to 9", "$.ratio must be a number",
                "$.done must be true or false", "$.kind must be one of a, b",
                "$.tags[1] must be a string", "$.place.town is not a parameter of this tool",
                "$.place.city is missing", "$.extra is not a parameter of this tool",
                "$.done is given twice", "$.title is missing",
            ])
    }

    func testTheWrongKindOfValueIsAViolation() throws {
        XCTAssertEqual(try problems("[]"), ["$ must be an object"])
        XCTAssertEqual(try problems("null"), ["$ must be an object"])
        XCTAssertEqual(try problems(#"{"title":null}"#), ["$.title must be a string"])
        XCTAssertEqual(
            try problems(#"{"title":"x","tags":"t"}"#), ["$.tags must be an array"])
        XCTAssertEqual(
            try problems(#"{"title":"x","priority":2.5}"#), ["$.priority must be an integer"])
        XCTAssertEqual(
            try problems(#"{"title":"x","ratio":1e400}"#), ["$.ratio must be a number"])
    }

    func testTheSchemaAsSentToProviders() {
        XCTAssertEqual(
            JSONWriter.string(schema.json),
            #"{"type":"object","properties":{"title":{"type":"string","description":"What"},"#
                + #""priority":{"type":"integer","minimum":1,"maximum":9},"#
                + #""ratio":{"type":"number"},"done":{"type":"boolean"},"#
                + #""kind":{"type":"string","enum":["a","b"]},"#
                + #""tags":{"type":"array","items":{"type":"string"}},"#
                + #""place":{"type":"object","properties":{"city":{"type":"string"}},"#
                + #""required":["city"]}},"required":["title"]}"#)
    }
}
