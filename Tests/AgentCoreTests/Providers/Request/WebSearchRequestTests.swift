import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

/// Searches of the web in requests: offered, sent back as they came, or left out whole.
final class WebSearchRequestTests: XCTestCase {
    private let claude = ModelOrigin(provider: .claude, format: .messages, model: "m")
    private let openAI = ModelOrigin(provider: .openai, format: .responses, model: "m")

    private func use(_ id: String) -> Part {
        .opaque([
            "type": "server_tool_use", "id": .string(id), "name": "web_search",
            "input": ["query": "q"],
        ])
    }

    private func found(_ id: String) -> Part {
        .opaque([
            "type": "web_search_tool_result", "tool_use_id": .string(id),
            "content": [["type": "web_search_result", "encrypted_content": "x"]],
        ])
    }

    private func turn(
        _ answers: [[Part]], by origin: ModelOrigin, _ status: Turn.Status = .done
    ) -> Turn {
        Turn(
            status: status,
            messages: [.user("q")]
                + answers.map { Message(role: .assistant, parts: $0, origin: origin) })
    }

    private func request(_ turns: [Turn], searches: Bool) -> ModelRequest {
        var request = ModelRequest(
            model: "m", system: "", turns: turns, tools: [RequestHistoryTests.tool])
        request.searchesWeb = searches
        return request
    }

    private func blocks(_ body: JSONValue) -> [String] {
        let items =
            body["input"]?.arrayValue
            ?? (body["messages"]?.arrayValue ?? []).flatMap {
                $0["content"]?.arrayValue ?? []
            }
        return items.map { $0["type"]?.stringValue ?? $0["role"]?.stringValue ?? "" }
    }

    func testTheToolOfEachVendorIsOffered() {
        let turns = [Turn(status: .open, messages: [.user("q")])]
        for (origin, tool) in [
            (claude, #"{"type":"web_search_20250305","name":"web_search","max_uses":8}"#),
            (openAI, #"{"type":"web_search"}"#),
        ] {
            let with = RequestHistoryTests.body(request(turns, searches: true), origin)
            XCTAssertEqual(with["tools"]?.arrayValue?.last.map(JSONWriter.string), tool)
            XCTAssertEqual(with["tools"]?.arrayValue?.count, 2)
            let without = RequestHistoryTests.body(request(turns, searches: false), origin)
            XCTAssertEqual(without["tools"]?.arrayValue?.count, 1)
        }
        let local = ModelOrigin(provider: .local, format: .chat, model: "m")
        let body = RequestHistoryTests.body(request(turns, searches: true), local)
        XCTAssertEqual(body["tools"]?.arrayValue?.count, 1)
    }

    func testASearchGoesBackAsItCameAndItsLinksDoNot() {
        let turns = [
            turn(
                [[use("s1"), found("s1"), .text("a"), .text(.sources("\n\nSources: x"))]],
                by: claude),
            Turn(status: .open, messages: [.user("more")]),
        ]
        let body = RequestHistoryTests.body(request(turns, searches: true), claude)
        XCTAssertEqual(
            blocks(body), ["text", "server_tool_use", "web_search_tool_result", "text", "text"])
        XCTAssertEqual(
            body["messages"]?.arrayValue?[1]["content"]?.arrayValue?[1]["content"]?.arrayValue?[0],
            ["type": "web_search_result", "encrypted_content": "x"])
        XCTAssertFalse(JSONWriter.string(body).contains("Sources"))
        XCTAssertEqual(ConversationValidator.violations(in: body, format: .messages), [])
    }

    func testWithoutTheToolAndWithAnotherVendorOnlyTheAnswerGoesBack() {
        let turns = [
            turn([[use("s1"), found("s1"), .text("a")]], by: claude),
            turn([[.opaque(["type": "web_search_call", "id": "ws"]), .text("b")]], by: openAI),
            Turn(status: .open, messages: [.user("more")]),
        ]
        for (searches, origin, types) in [
            (false, claude, ["text", "text", "text", "text", "text"]),
            (
                true, claude,
                [
                    "text", "server_tool_use", "web_search_tool_result", "text", "text", "text",
                    "text",
                ]
            ),
            (false, openAI, ["user", "message", "user", "message", "user"]),
            (true, openAI, ["user", "message", "user", "web_search_call", "message", "user"]),
        ] {
            let body = RequestHistoryTests.body(request(turns, searches: searches), origin)
            XCTAssertEqual(blocks(body), types)
            XCTAssertEqual(
                ConversationValidator.violations(in: body, format: origin.format), [])
        }
    }

    func testAPausedSearchGoesOnAndAnInterruptedOneIsLeftOut() {
        let paused = turn([[.text("a"), use("s1")]], by: claude, .open)
        let going = RequestHistoryTests.body(request([paused], searches: true), claude)
        XCTAssertEqual(blocks(going), ["text", "text", "server_tool_use"])
        let resumed = turn(
            [[.text("a"), use("s1")], [found("s1"), .text("b"), use("s2")]], by: claude,
            .interrupted)
        let next = Turn(status: .open, messages: [.user("more")])
        let body = RequestHistoryTests.body(request([resumed, next], searches: true), claude)
        XCTAssertEqual(
            blocks(body),
            ["text", "text", "server_tool_use", "web_search_tool_result", "text", "text"])
        XCTAssertEqual(ConversationValidator.violations(in: body, format: .messages), [])
        let stray = turn([[found("s9"), .text("b")]], by: claude)
        let strayBody = RequestHistoryTests.body(request([stray, next], searches: true), claude)
        XCTAssertEqual(blocks(strayBody), ["text", "text", "text"])
    }

    func testAServerWithoutTheSearchIsAskedWithoutIt() {
        let tools: JSONValue = [["type": "function", "name": "x"], ["type": "web_search"]]
        let body: JSONValue = ["tools": tools]
        func error(_ message: String, _ parameter: String? = nil) -> ProviderError {
            var error = ProviderError(reason: .badRequest, provider: .openai, host: "h")
            error.status = 400
            error.message = ServerText(message, hiding: nil)
            error.parameter = ServerText(parameter, hiding: nil)
            return error
        }
        for (message, parameter) in [
            ("Hosted tool 'web_search' is not supported with m.", "tools"),
            ("Invalid value.", "tools[1].type"),
            ("Web search is not enabled for this organization", nil),
        ] {
            var adjustments = RequestAdjustments()
            XCTAssertTrue(
                adjustments.learn(from: error(message, parameter), body: body, format: .responses))
            XCTAssertFalse(adjustments.sends("web_search"))
            XCTAssertTrue(adjustments.sends("tools"))
            XCTAssertFalse(
                adjustments.learn(from: error(message, parameter), body: body, format: .responses))
        }
        var adjustments = RequestAdjustments()
        _ = adjustments.learn(
            from: error("Invalid schema", "tools[0].parameters"), body: body, format: .responses)
        XCTAssertTrue(adjustments.sends("web_search"))
    }

    func testASearchIsTextOfOthers() {
        XCTAssertTrue(turn([[use("s"), found("s"), .text("a")]], by: claude).hasUntrustedText)
        XCTAssertTrue(turn([[.opaque(["type": "web_search_call"])]], by: openAI).hasUntrustedText)
        XCTAssertFalse(turn([[.opaque(["type": "x"]), .text("a")]], by: openAI).hasUntrustedText)
    }

    func testLinksBelowAnAnswerAreEachOnceAndOnlyOfTheWeb() {
        var sources = WebSources()
        XCTAssertNil(sources.text)
        for (url, title) in [
            ("https://a.org/x", "A [b](c) `d`"), ("https://a.org/x", "again"),
            ("ftp://a.org", "no"),
            ("javascript:alert(1)", "no"), ("https://a.org/ü (x)", " two\nlines "),
            ("http://b.org/\n", "ctl"),
            ("HTTPS://c.org/" + String(repeating: "a", count: 2_100), "long"), ("http://b.org", ""),
        ] {
            sources.add(["url": .string(url), "title": .string(title)])
        }
        sources.add(["title": "no address"])
        XCTAssertEqual(
            sources.text,
            """


            Sources:

            1. [A (b)(c) 'd'](https://a.org/x)
            2. [two lines](https://a.org/%C3%BC%20%28x%29)
            3. [ctl](http://b.org/)
            4. [http://b.org](http://b.org)
            """)
        for number in 0..<50 { sources.add(["url": .string("https://n.org/\(number)")]) }
        XCTAssertEqual(sources.text?.split(separator: "\n").count, 21)
    }
}
