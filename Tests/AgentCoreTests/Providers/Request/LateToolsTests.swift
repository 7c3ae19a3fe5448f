import XCTest

@testable import AgentCore
@testable import Base

final class LateToolsTests: XCTestCase {
    private let tools = ["find_tools", "one", "two", "three"].map {
        Tool(name: $0, title: $0, description: "Does it.", toolClass: .read)
    }
    private var all: [String] { tools.map(\.name) }
    private let result = """
        You can call these now:
        three: Does it.
        one: Does it.
        Not given, because: two.
        """

    private func messages(_ text: String, isError: Bool = false) -> [Message] {
        let call = ToolCall(id: "c1", name: "find_tools", arguments: "{}")
        let result = ToolResult(callID: "c1", name: "find_tools", text: text, isError: isError)
        return [
            .user("do it"), Message(role: .assistant, parts: [.toolCall(call)]),
            Message(role: .tool, parts: [.toolResult(result)]),
        ]
    }

    private func body(
        _ messages: [Message], model: String = "gpt-6.2-sol", isVendor: Bool = true,
        _ adjustments: RequestAdjustments = RequestAdjustments()
    ) -> JSONValue {
        var request = ModelRequest(model: model, system: "", turns: [], tools: tools)
        request.firstTools = 2
        return OpenAIResponsesRequest.body(
            request, messages: messages, isVendor: isVendor, adjustments: adjustments)
    }

    private func names(_ tools: JSONValue?) -> [String] {
        (tools?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    func testAToolThatWasFoundStandsBehindItsResultAndTheHeadStays() {
        let body = body(messages(result))
        XCTAssertEqual(names(body["tools"]), ["find_tools", "one", "two"])
        let last = body["input"]?.arrayValue?.last
        XCTAssertEqual(last?["type"], "additional_tools")
        XCTAssertEqual(last?["role"], "developer")
        XCTAssertEqual(names(last?["tools"]), ["three"])
        // The next request has it at the same place.
        let next = self.body(messages(result) + [.user("and now?")])
        XCTAssertEqual(next["tools"], body["tools"])
        XCTAssertEqual(
            next["input"]?.arrayValue?.dropLast().map(JSONWriter.string),
            body["input"]?.arrayValue?.map(JSONWriter.string))
    }

    private func claude(
        _ messages: [Message], model: String = "claude-opus-5-5", isVendor: Bool = true,
        _ adjustments: RequestAdjustments = RequestAdjustments()
    ) -> JSONValue {
        var request = ModelRequest(model: model, system: "", turns: [], tools: tools)
        request.firstTools = 2
        return ClaudeRequest.body(
            request, messages: messages, isVendor: isVendor, adjustments: adjustments)
    }

    func testForClaudeItStandsInASystemMessageBetweenTheResultAndTheAnswer() {
        let body = claude(messages(result))
        XCTAssertEqual(names(body["tools"]), ["find_tools", "one", "two"])
        let last = body["messages"]?.arrayValue?.last
        XCTAssertEqual(last?["role"], "system")
        XCTAssertEqual(last?["content"]?.arrayValue?.count, 1)
        XCTAssertEqual(last?["content"]?[0]?["type"], "tool_addition")
        XCTAssertEqual(last?["content"]?[0]?["tool"]?["type"], "tool_definition")
        XCTAssertEqual(last?["content"]?[0]?["tool"]?["definition"]?["name"], "three")
        XCTAssertNotNil(last?["content"]?[0]?["tool"]?["definition"]?["input_schema"])
        // A system message precedes an answer, also where the turn ended before there was one.
        let next = claude(
            messages(result) + [.user("and now?"), Message(role: .assistant, parts: [.text("so")])])
        XCTAssertEqual(next["tools"], body["tools"])
        XCTAssertEqual(
            next["messages"]?.arrayValue?.compactMap { $0["role"]?.stringValue },
            ["user", "assistant", "user", "system", "assistant"])
        let elsewhere = [
            claude(messages(result), model: "claude-sonnet-5"),
            claude(messages(result), isVendor: false),
        ]
        for body in elsewhere { XCTAssertEqual(names(body["tools"]), all) }
    }

    func testClaudeGetsThemAtTheHeadOnceItRefusesThemOrSystemMessages() {
        for sentence in [
            "messages.3: `tool_addition` is not supported by this model",
            "role 'system' is not supported on this model",
            "Unexpected value(s) `inline-tools-2026-09-15` for the `anthropic-beta` header.",
        ] {
            var adjustments = RequestAdjustments()
            let error = ProviderError(
                reason: .badRequest, provider: .claude, host: "h", status: 400,
                message: ServerText(stringLiteral: sentence))
            let refused = claude(messages(result))
            XCTAssertTrue(
                adjustments.learn(from: error, body: refused, format: .messages), sentence)
            XCTAssertEqual(
                names(claude(messages(result), adjustments)["tools"]), all, sentence)
        }
    }

    func testOnlyJoiningsAtTheHeadAreCacheMisses() {
        var offer = ToolOffer()
        for names in [["find_tools", "two"], ["one", "three"], ["four"]] { offer.join(names) }
        XCTAssertEqual(offer.joinings, 2)
        XCTAssertEqual(offer.misses(appendedIn: []), 2)
        XCTAssertEqual(offer.misses(appendedIn: messages(result)), 1)
    }

    func testElsewhereAllToolsStandAtTheHead() {
        XCTAssertEqual(names(body(messages(result), model: "gpt-5.5")["tools"]), all)
        XCTAssertEqual(names(body(messages(result), isVendor: false)["tools"]), all)
        XCTAssertEqual(names(body(messages("three: Does it."))["tools"]), all)
        XCTAssertEqual(names(body(messages(result, isError: true))["tools"]), all)
        XCTAssertEqual(names(body([.user("hello")])["tools"]), all)
    }

    func testAServerThatRefusesThemGetsThemAtTheHead() {
        var adjustments = RequestAdjustments()
        let refused = body(messages(result))
        let error = ProviderError(
            reason: .badRequest, provider: .openai, host: "h", status: 400,
            message: "Invalid value: 'additional_tools'. Supported values are: 'message'.")
        XCTAssertTrue(adjustments.learn(from: error, body: refused, format: .responses))
        let repaired = body(messages(result), adjustments)
        XCTAssertEqual(names(repaired["tools"]), all)
        XCTAssertFalse(adjustments.learn(from: error, body: repaired, format: .responses))
    }
}
