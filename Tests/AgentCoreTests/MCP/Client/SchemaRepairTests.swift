import XCTest

@testable import Base
@testable import MCP

/// Schemas that providers refuse: what is sent in their place, and which are not sent at all.
final class SchemaRepairTests: XCTestCase {
    private func repaired(_ schema: JSONValue) throws -> JSONObject {
        try SchemaRepair.offered(schema).schema
    }

    /// The schema of one parameter, `p`.
    private func parameter(_ schema: JSONValue) throws -> JSONValue? {
        try repaired(["type": "object", "properties": ["p": schema]])["properties"]?["p"]
    }

    func testWhatIsMalformedIsSentAsItIsMeant() throws {
        let cases = [
            (#"{"type":"array"}"#, #"{"type":"array","items":{}}"#),
            (#"{"type":"array","items":null}"#, #"{"type":"array","items":{}}"#),
            (#"{"items":{"type":"string"}}"#, #"{"items":{"type":"string"},"type":"array"}"#),
            (#"{"type":["array","null"]}"#, #"{"type":["array","null"],"items":{}}"#),
            (
                #"{"type":"array","items":[{"type":"string"},{"type":"integer"}]}"#,
                #"{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"integer"}]}}"#
            ),
            (#"{"type":"string","required":true}"#, #"{"type":"string"}"#),
            (#"{"type":"string","enum":null}"#, #"{"type":"string"}"#),
            (#"{"type":"string","enum":[]}"#, #"{"type":"string"}"#),
            (#"{"enum":["a","a","b"]}"#, #"{"enum":["a","b"]}"#),
            (#"{"enum":"a"}"#, #"{"enum":["a"]}"#), (#"{"type":"any"}"#, "{}"),
            (#"{"type":"STRING"}"#, #"{"type":"string"}"#),
            (#"{"type":["String","NULL"]}"#, #"{"type":["string","null"]}"#),
            (#"{"type":"int"}"#, #"{"type":"integer"}"#), (#"{"type":null}"#, "{}"),
            ("null", "{}"), ("true", "{}"), (#""string""#, #"{"type":"string"}"#),
            (#"{"anyOf":[],"oneOf":null,"description":null}"#, "{}"),
            (
                #"{"type":"number","minimum":0,"exclusiveMinimum":true}"#,
                #"{"type":"number","exclusiveMinimum":0}"#
            ),
            (
                #"{"type":"string","minLength":"2","examples":"x"}"#,
                #"{"type":"string","examples":["x"]}"#
            ),
            (#"{"default":null}"#, #"{"default":null}"#),
            (
                #"{"properties":{"q":null},"required":"q"}"#,
                #"{"type":"object","properties":{"q":{}},"required":["q"]}"#
            ),
            (#"{"type":"object","properties":[]}"#, #"{"type":"object","properties":{}}"#),
        ]
        for (schema, sent) in cases {
            let found = try parameter(JSONParser.parse(schema))
            XCTAssertEqual(
                found.map(MCPToolDefinition.hash),
                MCPToolDefinition.hash(try JSONParser.parse(sent)),
                "\(schema) → \(found.map(JSONWriter.string) ?? "none")")
        }
    }

    func testRequiredIsAListOfNamesThatExist() throws {
        for (schema, required) in [
            (#"{"properties":{"a":{}},"required":null}"#, []),
            (#"{"properties":{"a":{}},"required":"a"}"#, ["a"]),
            (#"{"properties":{"a":{}},"required":true}"#, []),
            (#"{"properties":{"a":{}},"required":["a","a",7]}"#, ["a"]),
            (#"{"properties":{"a":{"required":true},"b":{"required":false}}}"#, ["a"]),
            (#"{"properties":{"a":false},"required":["a"]}"#, []),
            (#"{"properties":{"a":{}},"required":["b"],"additionalProperties":false}"#, []),
        ] {
            let names = try repaired(JSONParser.parse(schema))["required"]?.arrayValue ?? []
            XCTAssertEqual(names.compactMap(\.stringValue), required, schema)
        }
        let both = try repaired(["properties": ["a": [:]], "required": ["b"]])
        XCTAssertEqual(both["properties"]?["b"], [:])
    }

    /// `$ref` and `$defs` are not in every format; what contains itself ends as its type.
    func testReferencesAreWrittenOut() throws {
        let sent = try repaired([
            "$ref": "#/$defs/Input",
            "$defs": [
                "Input": [
                    "type": "object",
                    "properties": [
                        "place": ["$ref": "#/definitions/Place~1Point", "description": "where"],
                        "tree": ["$ref": "#/$defs/Tree"],
                    ], "required": ["place"],
                ],
                "Tree": [
                    "type": "object",
                    "properties": ["leaves": ["type": "array", "items": ["$ref": "#/$defs/Tree"]]],
                ],
            ],
            "definitions": ["Place/Point": ["type": "string"]],
        ])
        XCTAssertEqual(
            MCPToolDefinition.hash(.object(sent)),
            MCPToolDefinition.hash([
                "type": "object", "required": ["place"],
                "properties": [
                    "place": ["type": "string", "description": "where"],
                    "tree": [
                        "type": "object",
                        "properties": ["leaves": ["type": "array", "items": ["type": "object"]]],
                    ],
                ],
            ]))
    }

    func testAlternativesAtTheRootBecomeOneObject() throws {
        let sent = try repaired([
            "allOf": [["properties": ["a": ["type": "string"]], "required": ["a"]]],
            "oneOf": [
                ["properties": ["b": [:], "c": [:]], "required": ["b", "c"]],
                ["properties": ["b": [:]], "required": ["b"]],
            ],
        ])
        XCTAssertEqual(sent["properties"]?.objectValue?.names, ["a", "b", "c"])
        XCTAssertEqual(sent["required"], ["a", "b"])
        XCTAssertEqual(sent.names.sorted(), ["properties", "required", "type"])
    }

    func testNamesThatAreRefusedAreChangedAndTakenBack() throws {
        let long = String(repeating: "x", count: 70)
        let (schema, renamed) = try SchemaRepair.offered([
            "properties": [
                "$filter": ["type": "string"],
                "plain": ["properties": .object(JSONObject([.init(long, [:])]))],
            ] as JSONValue, "required": ["$filter"],
        ])
        let names = schema["properties"]?.objectValue?.names ?? []
        XCTAssertEqual(names.count, 2)
        XCTAssertEqual(schema["required"], [.string(names[0])])
        XCTAssert(names[0].hasPrefix("_filter_"), names[0])
        let inner = try XCTUnwrap(schema["properties"]?["plain"]?["properties"]?.objectValue?.names)
        XCTAssertEqual(inner.first?.count, 64)
        let given = JSONValue.object(
            JSONObject([
                .init(names[0], "a"), .init("plain", .object(JSONObject([.init(inner[0], [1])]))),
            ]))
        XCTAssertEqual(
            SchemaRepair.restored(given, renamed),
            .object(
                JSONObject([
                    .init("$filter", "a"),
                    .init("plain", .object(JSONObject([.init(long, [1])]))),
                ])))
    }

    func testWhatHasNoCertainMeaningIsNotSent() {
        var deep: JSONValue = [:]
        for _ in 0..<40 { deep = ["properties": ["p": deep]] }
        for schema: JSONValue in [
            "text", [], ["type": "string"], deep, ["properties": ["p": 7]],
            ["properties": ["p": ["type": "file"]]], ["properties": ["p": ["type": 7]]],
            ["properties": [["name": "p"]]], ["properties": ["p": ["enum": ["a": 1]]]],
            ["properties": ["p": ["$ref": "https://example.org/p.json"]]],
            ["properties": ["p": ["$ref": "#/$defs/None"]]],
        ] {
            XCTAssertThrowsError(try SchemaRepair.offered(schema), "\(schema)")
        }
    }

    // MARK: - Results

    func testAStructuredResultIsHeldAgainstItsSchema() throws {
        let schema: JSONValue = [
            "type": "object", "required": ["degrees"], "additionalProperties": false,
            "properties": [
                "degrees": ["type": "number", "maximum": 60],
                "sky": ["$ref": "#/$defs/Sky"],
                "hours": ["type": "array", "items": ["type": "integer"], "minItems": 1],
            ],
            "$defs": ["Sky": ["enum": ["clear", "cloudy"]]],
        ]
        for (value, problem): (JSONValue, String?) in [
            (["degrees": 21], nil),
            (["degrees": .number("21.5"), "sky": "clear", "hours": [1, 2]], nil),
            (["degrees": "21"], "$.degrees is not of the type number"),
            ([:], "$.degrees is missing"), ([], "$ is not of the type object"),
            (["degrees": 61], "$.degrees is more than it may be"),
            (["degrees": 1, "sky": "green"], "$.sky is none of the values that are allowed"),
            (["degrees": 1, "hours": [1, "2"]], "$.hours[1] is not of the type integer"),
            (["degrees": 1, "hours": []], "the count of $.hours is less than it may be"),
            (["degrees": 1, "more": 1], "$.more is not allowed"),
        ] { XCTAssertEqual(SchemaCheck.problem(in: value, of: schema), problem) }
        let tool = try MCPToolDefinition(["name": "a", "outputSchema": schema])
        XCTAssertNil(tool.outputProblem(in: JSONObject()))
        XCTAssertNotNil(tool.outputProblem(in: JSONObject([.init("structuredContent", [:])])))
    }
}
