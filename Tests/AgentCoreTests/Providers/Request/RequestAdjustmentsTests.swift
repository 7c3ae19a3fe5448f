import XCTest

@testable import AgentCore
@testable import Base

final class RequestAdjustmentsTests: XCTestCase {
    private let body: JSONValue = [
        "model": "m", "temperature": 1, "include": ["x"], "reasoning": ["summary": "auto"],
        "max_output_tokens": 9, "tools": [["strict": false]], "store": false,
    ]

    /// The parameters that are left out after a 400 with these words.
    private func dropped(
        _ message: String?, parameter: String? = nil, status: Int = 400,
        reason: ProviderError.Reason = .badRequest
    ) -> Set<String> {
        var adjustments = RequestAdjustments()
        let error = ProviderError(
            reason: reason, provider: .openai, host: "h", status: status,
            message: ServerText(message, hiding: nil),
            parameter: ServerText(parameter, hiding: nil))
        let isLearnt = adjustments.learn(from: error, body: body, format: .responses)
        XCTAssertEqual(isLearnt, !adjustments.dropped.isEmpty)
        XCTAssertFalse(
            adjustments.learn(from: error, body: body, format: .responses), "only once")
        return adjustments.dropped
    }

    func testTheNamedParameterIsDropped() {
        XCTAssertEqual(dropped("no", parameter: "temperature"), ["temperature"])
        XCTAssertEqual(dropped("no", parameter: "reasoning.summary"), ["reasoning.summary"])
        XCTAssertEqual(dropped("no", parameter: "reasoning.context"), ["reasoning"])
        XCTAssertEqual(dropped("no", parameter: "include[0]"), ["include"])
        XCTAssertEqual(dropped("no", parameter: "tools[0].strict"), ["strict"])
        XCTAssertEqual(dropped("Unsupported parameter: max_output_tokens."), ["max_output_tokens"])
        XCTAssertEqual(dropped("`temperature` is deprecated", status: 422), ["temperature"])
        XCTAssertEqual(dropped("Unknown field 'store'"), ["store"])
    }

    func testToolsThatAServerDoesNotTakeAreLeftOut() {
        for message in [
            "registry.example/llama does not support tools",
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser",
            "tools param requires --jinja flag", "Function calling is not enabled for models/x",
        ] { XCTAssertEqual(dropped(message), ["tools"], message) }
        XCTAssertEqual(
            dropped(
                "No endpoints found that support tool use", status: 404,
                reason: .endpointNotFound), ["tools"])
        XCTAssertEqual(dropped("no", parameter: "tools"), ["tools"])
        // It speaks of what was sent, not of tools as such.
        XCTAssertEqual(dropped("tool_use ids were found without tool_result blocks"), [])
        XCTAssertEqual(dropped("Invalid schema for function 'x'"), [])
    }

    func testAnOutputLimitThatIsTooLargeIsLowered() {
        for (name, format) in [
            ("max_tokens", WireFormat.chat), ("max_output_tokens", .responses),
            ("max_tokens", .messages),
        ] {
            var adjustments = RequestAdjustments()
            let error = ProviderError(
                reason: .badRequest, provider: .openai, host: "h", status: 400,
                message: ServerText(
                    "\(name) is too large: 32000. This model supports at most 16384 completion tokens",
                    hiding: nil))
            let body: JSONValue = .object(JSONObject([.init(name, 32_000)]))
            XCTAssertTrue(adjustments.learn(from: error, body: body, format: format))
            XCTAssertEqual(adjustments.outputLimit, 16_384)
            XCTAssertEqual(adjustments.dropped, [])
            var request = ModelRequest(model: "m", system: "", turns: [])
            XCTAssertEqual(adjustments.ignored(of: request), [.maxTokens])
            request.maxOutputTokens = 32_000
            let sent = OpenAIChatRequest.body(
                request, messages: [], isVendor: false, adjustments: adjustments)
            XCTAssertEqual(sent["max_tokens"], 16_384)
        }
    }

    func testWhatWeDidNotSendOrCannotLeaveOutIsAnError() {
        XCTAssertEqual(dropped("no", parameter: "thinking"), [])
        XCTAssertEqual(dropped("no", parameter: "model"), [])
        XCTAssertEqual(dropped("no", parameter: "input[3].content"), [])
        XCTAssertEqual(dropped("You must include a message in the store."), [])
        XCTAssertEqual(dropped(nil), [])
        XCTAssertEqual(dropped("temperature", status: 500, reason: .serverFailure), [])
        XCTAssertEqual(dropped("temperature", reason: .contextTooLong), [])
    }
}
