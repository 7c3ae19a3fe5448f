import XCTest

@testable import AgentCore
@testable import Base
@testable import MCP

/// What servers say, as values: definitions, results, texts.
final class MCPForeignValuesTests: XCTestCase {
    private func definition(_ value: JSONValue) throws -> MCPToolDefinition {
        try MCPToolDefinition(value)
    }

    func testAHashDependsOnEveryWordAndNotOnTheOrderOfMembers() throws {
        let one = try definition(
            ["name": "a", "description": "x", "inputSchema": ["type": "object", "title": "t"]])
        let same = try definition(
            ["inputSchema": ["title": "t", "type": "object"], "description": "x", "name": "a"])
        XCTAssertEqual(one, same)
        XCTAssertEqual(one.hash, same.hash)
        for other: JSONValue in [
            ["name": "a", "description": "x ", "inputSchema": ["type": "object", "title": "t"]],
            ["name": "a", "description": "x", "inputSchema": ["type": "object", "title": "T"]],
            ["name": "a", "description": "x", "inputSchema": ["type": "object"]],
            [
                "name": "a", "description": "x", "inputSchema": ["type": "object", "title": "t"],
                "annotations": ["readOnlyHint": true],
            ],
        ] { XCTAssertNotEqual(try definition(other).hash, one.hash) }
    }

    func testWhatIsNoUsableToolIsLeftOut() {
        for value: JSONValue in [
            [:], ["name": ""], ["name": 7], ["name": "a", "inputSchema": "text"],
            ["name": "a", "description": .string(String(repeating: "x", count: 40_000))],
            ["name": .string(String(repeating: "x", count: 129))],
        ] { XCTAssertThrowsError(try MCPToolDefinition(value)) }
        XCTAssertNoThrow(try MCPToolDefinition(["name": "a"]))
    }

    /// Whatever the server says of itself, the class is ours; the schema is what every
    /// provider takes, without hidden words.
    func testAToolHasOurClassAndASchemaThatProvidersTake() throws {
        let tool = try definition([
            "name": "a", "description": "do\u{E0049}\u{202E} it",
            "annotations": ["readOnlyHint": true],
            "inputSchema": [
                "$schema": "x", "anyOf": [[:]],
                "properties": ["p": ["type": "string", "description": "q\u{E0041}\u{1B}r"]],
                "required": ["p"],
            ],
        ]).tool(named: "s__a", of: "s", .outward)
        XCTAssertEqual(tool.toolClass, .outward)
        XCTAssertEqual(tool.description, "do it")
        XCTAssertEqual(
            tool.inputSchema.json,
            [
                "type": "object",
                "properties": ["p": ["description": "qr", "type": "string"]], "required": ["p"],
            ])
        XCTAssertEqual(tool.inputSchema.violations(in: [:]).map(\.path), ["$.p"])
        XCTAssertEqual(tool.inputSchema.violations(in: ["p": 1, "more": true]), [])
        XCTAssertEqual(tool.inputSchema.violations(in: []).count, 1)
    }

    func testEveryPlaceOfADefinitionIsALine() throws {
        let lines = try definition([
            "name": "a", "description": "d",
            "inputSchema": [
                "type": "object",
                "properties": ["p": ["enum": ["one", "two"], "default": "<IMPORTANT>"]],
            ], "outputSchema": ["anyOf": [["const": "hidden"]]],
        ]).lines.map { "\($0.place)=\($0.value)" }
        XCTAssertEqual(
            Set(lines),
            [
                "description=d", "inputSchema.type=object",
                #"inputSchema.properties.p.enum=["one","two"]"#,
                "inputSchema.properties.p.default=<IMPORTANT>",
                "outputSchema.anyOf[0].const=hidden",
            ])
    }

    func testForeignTextLosesWhatIsNotSeenAndKeepsWhatLanguagesNeed() {
        for (text, clean) in [
            ("plain\n\ttext", "plain\n\ttext"), ("a\r\nb", "a\nb"), ("a\u{1B}[31mb", "a[31mb"),
            ("a\u{9B}b\u{7}", "ab"), ("x\u{E0041}\u{E007F}y", "xy"), ("a\u{202E}b\u{2066}", "ab"),
            ("👩‍👩‍👧 می‌خواهم", "👩‍👩‍👧 می‌خواهم"),
            (
                "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!",
                "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}!"
            ),
        ] { XCTAssertEqual(UntrustedText.cleaned(text), clean) }
        XCTAssertEqual(UntrustedText.line(" a \n b\tc ", limit: 3), "a b…")
    }

    func testAResultOfManyPartsIsBoundedAndNamed() {
        let many = (0..<100).map {
            JSONValue.object(
                JSONObject([.init("type", "text"), .init("text", JSONValue.string("\($0)"))]))
        }
        let result = MCPCallResult(JSONObject([.init("content", .array(many))]))
        XCTAssert(result.text.hasSuffix("63\n[36 more parts are left out]"), result.text)
        let picture: JSONValue = ["type": "image", "data": "AAAA", "mimeType": "image/PNG"]
        let pictures = MCPCallResult(
            JSONObject([.init("content", .array(Array(repeating: picture, count: 6)))]))
        XCTAssertEqual(pictures.pictures.count, 4)
        XCTAssertEqual(pictures.pictures.first?.mediaType, "image/png")
        for bad: JSONValue in [
            ["type": "image", "data": "!!", "mimeType": "image/png"],
            ["type": "image", "data": "AAAA", "mimeType": "image/svg+xml"], ["type": "audio"],
            ["type": "\u{1B}"], [:],
        ] {
            let result = MCPCallResult(JSONObject([.init("content", [bad])]))
            XCTAssertEqual(result.pictures, [])
            XCTAssert(result.text.hasPrefix("["), result.text)
        }
        XCTAssertEqual(MCPCallResult(JSONObject()).text, "Done; no output.")
        XCTAssertEqual(
            MCPCallResult(JSONObject([.init("structuredContent", ["a": 1]), .init("content", [])]))
                .text, #"{"a":1}"#)
    }
}
