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
