import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// The web at the prompt and in the shell: the vendor's search, and pages that may not be
/// fetched.
final class WebTests: XCTestCase {
    private static func stream(_ events: [String]) -> ProviderServer.Reply {
        .stream(events.map { "data: \($0)\n\n" }.joined())
    }

    private static let claudeSearch = stream([
        #"{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":10,"output_tokens":1}}}"#,
        #"{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"oslo ferry"}}}"#,
        #"{"type":"content_block_stop","index":0}"#,
        #"{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}}"#,
        #"{"type":"content_block_stop","index":1}"#,
        #"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"It leaves at 14:00."}}"#,
        #"{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"url":"https://ferry.example/","title":"Ferry"}}}"#,
        #"{"type":"content_block_stop","index":2}"#,
        #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#,
        #"{"type":"message_stop"}"#,
    ])

    private static let openAISearch = stream([
        #"{"type":"response.output_item.done","output_index":0,"item":{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"oslo ferry"}}}"#,
        #"{"type":"response.output_item.done","output_index":1,"item":{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"It leaves at 14:00.","annotations":[{"type":"url_citation","url":"https://ferry.example/","title":"Ferry"}]}]}}"#,
        #"{"type":"response.completed","response":{"id":"r","status":"completed","output":[],"usage":{"input_tokens":10,"output_tokens":5}}}"#,
    ])

    func testASearchIsAskedForShownAndCitedAndAWriteAfterItAsks() throws {
        for (format, search) in [
            (WireFormat.messages, Self.claudeSearch), (.responses, Self.openAISearch),
        ] {
            let server = try ProviderServer(
                format,
                [
                    .toolCall("allow_web_search", #"{"query":"oslo ferry"}"#), search,
                    .toolCall("create_reminder", #"{"title":"ferry"}"#, id: "call_2"),
                    .text("As you like."),
                ])
            let chat = try ChatProgram(server)
            let provider = format == .messages ? "claude" : "openai"
            let repl = try ChatTerminal(chat, ["--provider", provider])
            try repl.waitForPrompt(after: "/help")
            repl.enter("when does the ferry go?")
            try repl.answer("send", to: "Type send", until: "1. Ferry")
            try repl.waitForPrompt(after: "1. Ferry")
            let screen = repl.terminal.screen.text
            XCTAssertTrue(screen.contains("⚙ web search “oslo ferry”"), screen)
            XCTAssertTrue(screen.contains("searches of this conversation"), screen)
            repl.enter("remind me of it")
            try repl.answer("n", to: "contains untrusted text", until: "As you like.")
            try repl.waitForPrompt(after: "As you like.")
            repl.leave()
            XCTAssertEqual(server.violations, [])
            XCTAssertEqual(try chat.json(["reminders", "list", "--json"]).arrayValue?.count, 0)
            let exported = try chat.run(["conversations", "export"]).text
            XCTAssertTrue(exported.contains("1. [Ferry](https://ferry.example/)"), exported)
            server.finish()
        }
    }
}
