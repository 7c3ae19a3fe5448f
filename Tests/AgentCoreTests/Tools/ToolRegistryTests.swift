import XCTest

@testable import AgentCore
@testable import Base

final class ToolRegistryTests: XCTestCase {
    private let registry = ToolRegistry(servers: [RigServer(timeline: Timeline())])

    private func prepare(_ arguments: String, name: String = "note") -> Result<
        PreparedCall, ToolError
    > {
        registry.prepare(ToolCall(id: "1", name: name, arguments: arguments))
    }

    func testToolsHaveOneOwner() {
        XCTAssertEqual(registry.tools.map(\.name), RigServer.names)
        XCTAssertEqual(registry.server(ofTool: "note")?.name, "rig")
        XCTAssertNil(registry.server(ofTool: "Note"))
        XCTAssertEqual(registry.tool(named: "wipe")?.toolClass, .destroy)
    }

    func testAValidCallKeepsItsWordsAndLosesItsNulls() throws {
        let call = try prepare(#"{"title":"a","n":null,"exact":true}"#).get()
        XCTAssertEqual(call.tool.name, "note")
        XCTAssertEqual(call.arguments.names, ["title", "exact"])
        XCTAssertEqual(call.arguments["title"], "a")
    }

    func testNoArgumentsAreAnEmptyObject() {
        XCTAssertEqual(
            prepare(""),
            .failure(.invalidArguments([.init(path: "$.title", problem: "is missing")])))
    }

    func testWhyACallMayNotRun() {
        XCTAssertEqual(prepare("{}", name: "nope"), .failure(.toolNotFound(name: "nope")))
        XCTAssertEqual(
            prepare("{"), .failure(.unreadableArguments(reason: "unexpectedEnd at byte 1")))
        XCTAssertEqual(
            prepare("[]"), .failure(.unreadableArguments(reason: "not a JSON object")))
        XCTAssertEqual(
            prepare(#"{"title":1,"n":10,"x":0}"#),
            .failure(
                .invalidArguments([
                    .init(path: "$.title", problem: "must be a string"),
                    .init(path: "$.n", problem: "must be from 1 to 9"),
                    .init(path: "$.x", problem: "is not a parameter of this tool"),
                ])))
    }

    func testWhatTheModelIsTold() {
        let table: [(ToolError, String)] = [
            (.toolNotFound(name: "x"), "There is no tool named x."),
            (
                .invalidArguments([
                    .init(path: "$.n", problem: "must be an integer"),
                    .init(path: "$.x", problem: "is missing"),
                ]), "Invalid arguments: $.n must be an integer; $.x is missing."
            ),
            (
                .unreadableArguments(reason: "unexpectedEnd at byte 1"),
                "The arguments are not valid JSON: unexpectedEnd at byte 1."
            ),
            (.noMatch(query: "milk"), "Nothing matches \"milk\"."),
            (
                .ambiguous(query: "milk", candidates: ["a", "b"]),
                "\"milk\" matches several.\nAsk which one is meant, or use its id:\na\nb"
            ),
            (.failed("It is done already."), "It is done already."),
        ]
        for (error, text) in table { XCTAssertEqual(error.modelText, text) }
        let many = ToolError.ambiguous(query: "x", candidates: (0..<50).map { "\($0)" })
        XCTAssertEqual(many.modelText.split(separator: "\n").count, 22)
    }
}
