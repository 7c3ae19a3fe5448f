import XCTest

@testable import AgentCore
@testable import Base

/// What a compatible server sent beside its calls goes back with them, and to nobody else.
final class ChatReasoningTests: XCTestCase {
    private let origin = ModelOrigin(provider: .local, format: .chat, model: "m")

    /// The answer to these deltas from `here:1`.
    private func answer(_ deltas: [String]) throws -> Message {
        let source = AnswerSource(origin: origin, host: "here:1", newID: { "made" })
        var decoder = OpenAIChatStreamDecoder(source: source)
        var events: [ProviderEvent] = []
        for delta in deltas {
            let data = #"{"choices":[{"index":0,"delta":\#(delta)}]}"#
            try decoder.decode(
                ServerSentEvent(data: Array(data.utf8)), into: &events)
        }
        try decoder.decode(
            whole: JSONParser.parse(#"{"choices":[{"finish_reason":"tool_calls"}]}"#),
            into: &events)
        return try decoder.finish().message
    }

    /// What a request to that server and model says of the answer.
    private func sent(
        _ answer: Message, to server: String = "here:1", model: String = "m"
    ) throws -> String {
        let turn = Turn(status: .done, messages: [.user("hi"), answer])
        let target = ModelOrigin(provider: .local, format: .chat, model: model)
        let body = OpenAIChatRequest.body(
            ModelRequest(model: model, system: "", turns: [turn]),
            messages: RequestHistory.messages(of: [turn], for: target, at: server),
            isVendor: false)
        return JSONWriter.string(try XCTUnwrap(body["messages"]?[1]))
    }

    private let call =
        #"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}]}"#
    private let plain =
        #"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","#
        + #""function":{"name":"x","arguments":"{}"}}]}"#

    func testReasoningContentGoesBackWithItsCallsToItsServerAndModel() throws {
        let answer = try answer([
            #"{"reasoning_content":"Hm, "}"#, #"{"reasoning_content":"so."}"#, call,
        ])
        XCTAssertEqual(
            try sent(answer), plain.dropLast() + #","reasoning_content":"Hm, so."}"#)
        XCTAssertEqual(try sent(answer, to: "there:1"), plain)
        XCTAssertEqual(try sent(answer, model: "n"), plain)
    }

    func testReasoningDetailsAreJoinedByTheirIndex() throws {
        let answer = try answer([
            #"{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"Hm, "}]}"#,
            #"{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"so."}]}"#,
            #"{"reasoning_details":[{"type":"reasoning.text","index":0,"signature":"s"}]}"#,
            #"{"reasoning_details":[{"type":"reasoning.encrypted","index":1,"data":"d"}]}"#, call,
        ])
        XCTAssertEqual(
            try sent(answer),
            plain.dropLast()
                + #","reasoning_details":[{"type":"reasoning.text","index":0,"text":"Hm, so.","#
                + #""signature":"s"},{"type":"reasoning.encrypted","index":1,"data":"d"}]}"#)
    }

    func testTheSignatureOfEachCallGoesBackWithIt() throws {
        let signed =
            #"{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"},"#
            + #""extra_content":{"google":{"thought_signature":"s"}}},"#
            + #"{"index":1,"id":"b","function":{"name":"y","arguments":"{}"}}]}"#
        let answer = try answer([signed])
        XCTAssertEqual(
            try sent(answer),
            plain.dropLast(3) + #","extra_content":{"google":{"thought_signature":"s"}}},"#
                + #"{"id":"b","type":"function","function":{"name":"y","arguments":"{}"}}]}"#)
        XCTAssertFalse(try sent(answer, to: "there:1").contains("signature"))
    }

    func testAnAnswerWithoutCallsSendsNothingBack() throws {
        let answer = try answer([#"{"reasoning_content":"Hm"}"#, #"{"content":"Yes"}"#])
        XCTAssertEqual(answer.parts, [.thinking(Thinking(text: "Hm")), .text("Yes")])
    }

    func testAServerThatMissesOrRefusesReasoningIsObeyed() throws {
        func learnt(_ sentence: String) -> RequestAdjustments {
            var adjustments = RequestAdjustments()
            let error = ProviderError(
                reason: .badRequest, provider: .local, host: "here:1", status: 400,
                message: ServerText(sentence, hiding: nil))
            XCTAssertTrue(adjustments.learn(from: error, body: [:], format: .chat))
            XCTAssertFalse(adjustments.learn(from: error, body: [:], format: .chat))
            return adjustments
        }
        let missed = learnt(
            "The `reasoning_content` in the thinking mode must be passed back to the API.")
        XCTAssertTrue(missed.fillsReasoning)
        XCTAssertTrue(missed.sendsThinking)
        let refused = learnt("messages.1.reasoning_content: Extra inputs are not permitted")
        XCTAssertFalse(refused.sendsThinking)
        XCTAssertFalse(refused.fillsReasoning)
    }
}
