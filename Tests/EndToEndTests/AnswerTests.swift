import AgentCore
import Base
import TestSupport
import XCTest

/// One answer from the command line, on each wire format, from the bytes of
/// the server to the bytes on stdout.
final class AnswerTests: XCTestCase {
    private static let formats: [WireFormat] = [.responses, .chat, .messages]

    /// The rest of it is sent only when its beginning was read.
    func testAnAnswerStreamsToStdoutOnEveryWireFormat() throws {
        for format in Self.formats {
            let rest = Gate()
            let server = try ProviderServer(
                format, [.paused(after: "Hello, ", until: rest, rest: "wörld 🌍")])
            let chat = try ChatProgram(server)
            let program = try chat.start(["--provider", server.provider, "-p", "greet me"])
            program.endInput()
            try program.waitFor(output: "Hello, ")
            rest.open()
            try program.finish().assertAnswer("Hello, wörld 🌍\n")
            XCTAssertEqual(try server.messages(0), ["user: greet me"])
            XCTAssertEqual(
                try chat.conversation(),
                ["user: greet me (done)", "assistant: Hello, wörld 🌍 (done)"])
            // A title is for a conversation at the prompt.
            XCTAssertEqual(server.titleRequests.count, 0)
            server.finish()
        }
    }

    func testPipedTextGoesWithThePromptAndJSONHasExactlyItsFields() throws {
        let server = try ProviderServer(.messages, [.text("hej")])
        let chat = try ChatProgram(server)
        let result = try chat.run(["-p", "translate", "--output", "json"], input: "hi\n")
        XCTAssertEqual(result.errorText, "")
        XCTAssertEqual(result.exit, 0)
        let json = try JSONParser.parse(result.output)
        XCTAssertEqual(
            json.objectValue?.names,
            [
                "text", "model", "provider", "conversation", "usage", "cost", "stopReason",
                "toolCalls",
            ])
        XCTAssertEqual(json["text"], "hej")
        XCTAssertEqual(json["provider"], "claude")
        XCTAssertEqual(json["model"], "claude-sonnet-5-5")
        XCTAssertEqual(json["stopReason"], "end")
        XCTAssertEqual(json["toolCalls"], [])
        XCTAssertEqual(
            json["usage"], ["input": 10, "cachedInput": 0, "output": 1, "reasoning": 0])
        let list = try chat.json(["conversations", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(list.map { $0["id"] }, [json["conversation"]])
        let request = String(decoding: server.requests[0].body, as: UTF8.self)
        XCTAssert(request.contains("translate") && request.contains("hi\\n"), request)
        server.finish()
    }

    func testStreamJSONIsOneEventInEachLine() throws {
        let server = try ProviderServer(
            .chat, [.toolCall("list_reminders", "{}"), .text("None", ".")])
        let chat = try ChatProgram(server)
        let result = try chat.run(
            ["--provider", "local", "-p", "which?", "--output", "stream-json", "--web"])
        XCTAssertEqual(result.exit, 0)
        XCTAssert(result.errorText.contains("--web has no effect here"), result.errorText)
        let lines = try result.text.split(separator: "\n").map { try JSONParser.parse(String($0)) }
        // Deltas that arrive together are one line.
        let texts = lines.filter { $0["type"] == "text" }
        XCTAssertEqual(texts.compactMap { $0["text"]?.stringValue }.joined(), "None.")
        XCTAssertEqual(
            lines.filter { $0["type"] != "text" }.map { $0["type"]?.stringValue },
            ["request", "answered", "tool_call", "tool_result", "request", "answered", "result"])
        XCTAssertEqual(lines[2]["name"], "list_reminders")
        XCTAssertEqual(lines[3]["isError"], false)
        XCTAssertEqual(lines.last?["text"], "None.")
        XCTAssertEqual(
            lines.last?["toolCalls"]?.arrayValue?.map { $0["name"] }, ["list_reminders"])
        server.finish()
    }

    func testContinueSendsTheWholeConversationOnEveryWireFormat() throws {
        for format in Self.formats {
            let server = try ProviderServer(
                format,
                [
                    .toolCall("create_reminder", #"{"title":"buy milk"}"#), .text("Done."),
                    .text("Yes."),
                ])
            let chat = try ChatProgram(server)
            let first = try chat.run(["--provider", server.provider, "-p", "note it"])
            first.assertAnswer("Done.\n")
            try chat.run(["-c", "-p", "sure?"]).assertAnswer("Yes.\n")
            XCTAssertEqual(
                try server.messages(2).filter { !$0.hasSuffix(": ") },
                ["user: note it", "assistant: Done.", "user: sure?"])
            server.finish()
        }
    }

    func testTheModelIsSaidOnTheCommandLineOrInTheEnvironment() throws {
        let server = try ProviderServer(.messages, [.text("a"), .text("b")])
        let chat = try ChatProgram(server)
        try chat.run(["-m", "claude-haiku-5-5", "-p", "x"]).assertAnswer("a\n")
        chat.variables["CHAT_MODEL"] = "claude/claude-opus-5-5"
        try chat.run(["-p", "x"]).assertAnswer("b\n")
        let models = try server.requests.map { try JSONParser.parse($0.body)["model"] }
        XCTAssertEqual(models, ["claude-haiku-5-5", "claude-opus-5-5"])
        server.finish()
    }
}
