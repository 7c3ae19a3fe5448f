import XCTest

@testable import AgentCore
@testable import Base

/// The bodies as they go over the wire, whole.
final class RequestBuilderTests: XCTestCase {
    private let result = ToolResult(
        callID: "call_9", name: "dir_size", text: "48211", isError: true)

    private func request(
        _ origin: ModelOrigin, thinking: JSONValue?, temperature: Double? = nil
    ) -> ModelRequest {
        let thought = thinking.map { [Part.thinking(Thinking(text: "Hm.", item: $0))] } ?? []
        return ModelRequest(
            model: origin.model, system: "Be terse.",
            turns: [
                Turn(
                    status: .open,
                    messages: [
                        .user("How big is build/?"),
                        Message(
                            role: .assistant,
                            parts: thought + [
                                .text(TextPart("I'll measure it.", phase: "commentary")),
                                .toolCall(
                                    ToolCall(
                                        id: "call_9", name: "dir_size",
                                        arguments: #"{"path": "build/"}"#, itemID: "fc_1")),
                            ], origin: origin),
                        Message(role: .tool, parts: [.toolResult(result)]),
                    ])
            ], tools: [RequestHistoryTests.tool], temperature: temperature)
    }

    private let schema =
        #"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#

    func testResponses() {
        let origin = ModelOrigin(provider: .openai, format: .responses, model: "gpt-6.2-sol")
        let body = RequestHistoryTests.body(
            request(origin, thinking: ["type": "reasoning", "id": "rs_1"], temperature: 0.5),
            origin)
        XCTAssertEqual(
            JSONWriter.string(body),
            #"{"model":"gpt-6.2-sol","input":[{"role":"developer","content":"Be terse."},"#
                + #"{"role":"user","#
                + #""content":[{"type":"input_text","text":"How big is build/?"}]},"#
                + #"{"type":"reasoning","id":"rs_1"},"#
                + #"{"type":"message","role":"assistant","content":[{"type":"output_text","#
                + #""text":"I'll measure it.","annotations":[]}],"phase":"commentary"},"#
                + #"{"type":"function_call","call_id":"call_9","name":"dir_size","#
                + #""arguments":"{\"path\": \"build/\"}"},"#
                + #"{"type":"function_call_output","call_id":"call_9","output":"48211"}],"#
                + #""tools":[{"type":"function","name":"dir_size","#
                + #""description":"Size of a folder in bytes","parameters":"# + schema
                + #","strict":false}],"reasoning":{"summary":"auto"},"#
                + #""include":["reasoning.encrypted_content"],"max_output_tokens":32000,"#
                + #""store":false,"stream":true,"stream_options":{"include_obfuscation":false}}"#)
    }

    func testChatForACompatibleServer() {
        let origin = ModelOrigin(provider: .local, format: .chat, model: "qwen")
        let body = RequestHistoryTests.body(
            request(origin, thinking: nil, temperature: 0.5), origin)
        XCTAssertEqual(
            JSONWriter.string(body),
            #"{"model":"qwen","messages":[{"role":"system","content":"Be terse."},"#
                + #"{"role":"user","content":"How big is build/?"},"#
                + #"{"role":"assistant","content":"I'll measure it.","tool_calls":["#
                + #"{"id":"call_9","type":"function","function":{"name":"dir_size","#
                + #""arguments":"{\"path\": \"build/\"}"}}]},"#
                + #"{"role":"tool","tool_call_id":"call_9","content":"48211"}],"#
                + #""tools":[{"type":"function","function":{"name":"dir_size","#
                + #""description":"Size of a folder in bytes","parameters":"# + schema
                + #"}}],"temperature":0.5,"stream":true,"#
                + #""stream_options":{"include_usage":true},"max_tokens":32000}"#)
    }

    func testChatForTheVendorUsesTheNewNameOfTheLimit() {
        let origin = ModelOrigin(provider: .openai, format: .chat, model: "gpt-5.6-luna")
        let body = OpenAIChatRequest.body(
            ModelRequest(
                model: origin.model, system: "",
                turns: [], maxOutputTokens: 100, temperature: 1),
            messages: [.user("hi")], isVendor: true)
        XCTAssertEqual(
            JSONWriter.string(body),
            #"{"model":"gpt-5.6-luna","messages":[{"role":"user","content":"hi"}],"#
                + #""stream":true,"stream_options":{"include_usage":true},"#
                + #""max_completion_tokens":100}"#)
    }

    func testQuestionsInARowAreOneMessageForCompatibleServersOnly() {
        let request = ModelRequest(model: "m", system: "", turns: [])
        let messages: [Message] = [.user("a"), .user("b")]
        let contents = [false, true].map { isVendor in
            OpenAIChatRequest.body(request, messages: messages, isVendor: isVendor)["messages"]?
                .arrayValue?.compactMap { $0["content"]?.stringValue }
        }
        XCTAssertEqual(contents, [["a\n\nb"], ["a", "b"]])
    }

    func testMessages() {
        let origin = ModelOrigin(provider: .claude, format: .messages, model: "claude-sonnet-5-5")
        let item: JSONValue = ["type": "thinking", "thinking": "Hm.", "signature": "s=="]
        let body = RequestHistoryTests.body(
            request(origin, thinking: item, temperature: 0.5), origin)
        XCTAssertEqual(
            JSONWriter.string(body),
            #"{"model":"claude-sonnet-5-5","max_tokens":32000,"#
                + #""system":[{"type":"text","text":"Be terse.","#
                + #""cache_control":{"type":"ephemeral"}}],"#
                + #""tools":[{"name":"dir_size","description":"Size of a folder in bytes","#
                + #""input_schema":"# + schema
                + #"}],"thinking":{"type":"adaptive","display":"summarized"},"#
                + #""messages":[{"role":"user","content":[{"type":"text","#
                + #""text":"How big is build/?","cache_control":{"type":"ephemeral"}}]},"#
                + #"{"role":"assistant","content":["#
                + #"{"type":"thinking","thinking":"Hm.","signature":"s=="},"#
                + #"{"type":"text","text":"I'll measure it."},"#
                + #"{"type":"tool_use","id":"call_9","name":"dir_size","input":{"path":"build/"}}]},"#
                + #"{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_9","#
                + #""content":"48211","is_error":true,"cache_control":{"type":"ephemeral"}}]}],"#
                + #""stream":true}"#)
    }

    func testOldClaudeModelsGetATemperatureAndNoThinking() {
        let body = ClaudeRequest.body(
            ModelRequest(
                model: "claude-haiku-4-5", system: "", turns: [], maxOutputTokens: 9,
                temperature: 1.5), messages: [.user("a"), .user("b")])
        XCTAssertEqual(
            JSONWriter.string(body),
            #"{"model":"claude-haiku-4-5","max_tokens":9,"temperature":1.0,"messages":["#
                + #"{"role":"user","content":[{"type":"text","text":"a"},"#
                + #"{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]}],"#
                + #""stream":true}"#)
    }

    func testATemperatureTakesThePlaceOfThinkingWhereAModelTakesBoth() {
        func body(_ temperature: Double?) -> JSONValue {
            ClaudeRequest.body(
                ModelRequest(
                    model: "claude-opus-4-6", system: "", turns: [], temperature: temperature),
                messages: [.user("a")])
        }
        XCTAssertNotNil(body(nil)["thinking"])
        XCTAssertNil(body(0.5)["thinking"])
        XCTAssertEqual(body(0.5)["temperature"]?.doubleValue, 0.5)
    }

    func testAttachmentsInEveryFormat() {
        let parts: [Part] = [
            .text("look"),
            .attachment(Attachment(name: "n.txt", mediaType: "text/plain", bytes: [0x68, 0x69])),
            .attachment(Attachment(name: "p.png", mediaType: "image/png", bytes: [1, 2, 3])),
            .attachment(Attachment(name: "a.mp3", mediaType: "audio/mpeg", bytes: [1])),
        ]
        let request = ModelRequest(model: "m", system: "", turns: [])
        let messages = [Message(role: .user, parts: parts)]
        let text = "File n.txt:\n```\nhi\n```"
        let note = "File a.mp3 (audio/mpeg) was attached; its content cannot be shown."
        XCTAssertEqual(
            OpenAIResponsesRequest.body(request, messages: messages, isVendor: false)["input"]?[0]?[
                "content"],
            [
                ["type": "input_text", "text": "look"],
                ["type": "input_text", "text": .string(text)],
                [
                    "type": "input_image", "detail": "auto",
                    "image_url": "data:image/png;base64,AQID",
                ], ["type": "input_text", "text": .string(note)],
            ])
        XCTAssertEqual(
            OpenAIChatRequest.body(request, messages: messages, isVendor: false)["messages"]?[0]?[
                "content"],
            [
                ["type": "text", "text": "look"], ["type": "text", "text": .string(text)],
                ["type": "image_url", "image_url": ["url": "data:image/png;base64,AQID"]],
                ["type": "text", "text": .string(note)],
            ])
        XCTAssertEqual(
            ClaudeRequest.body(request, messages: messages)["messages"]?[0]?["content"],
            [
                ["type": "text", "text": "look"], ["type": "text", "text": .string(text)],
                [
                    "type": "image",
                    "source": ["type": "base64", "media_type": "image/png", "data": "AQID"],
                ],
                [
                    "type": "text", "text": .string(note),
                    "cache_control": ["type": "ephemeral"],
                ],
            ])
    }

    func testAPDFGoesAsADocumentWhereTheFormatKnowsOne() {
        let pdf = Attachment(name: "d.pdf", mediaType: "application/pdf", bytes: [1])
        let messages = [Message(role: .user, parts: [.attachment(pdf)])]
        let request = ModelRequest(model: "m", system: "", turns: [])
        let bodies = [
            OpenAIResponsesRequest.body(request, messages: messages, isVendor: true)["input"],
            OpenAIChatRequest.body(request, messages: messages, isVendor: true)["messages"],
            ClaudeRequest.body(request, messages: messages)["messages"],
        ]
        XCTAssertEqual(
            bodies.map { $0?[0]?["content"]?[0]?["type"]?.stringValue },
            ["input_file", "file", "document"])
    }
}
