import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

/// `HTTPProvider` with a scripted transport. Above 400 lines because each refusal of a server is one
/// case of the same request.
final class HTTPProviderTests: XCTestCase {
    private final class Received: Sendable {
        private let batches = Mutex<[[ProviderEvent]]>([])
        var all: [[ProviderEvent]] { batches.withLock { $0 } }
        func add(_ batch: [ProviderEvent]) { batches.withLock { $0.append(batch) } }
    }

    private static let environment = Environment(
        now: { Date(timeIntervalSince1970: 784_111_777) }, uptime: { 0 }, sleep: { _ in },
        uuid: { "00000000-0000-0000-0000-000000000001" }, random: { 0 }, variables: [:])

    private func provider(
        _ transport: StubTransport, _ name: ProviderName, _ format: WireFormat, _ base: String,
        key: String? = "sk-secret"
    ) throws -> HTTPProvider {
        HTTPProvider(
            endpoint: ProviderEndpoint(name: name, format: format, base: try BaseURL(base)),
            key: { key }, person: { PersonalData() }, transport: transport,
            environment: Self.environment)
    }

    private func claude(_ transport: StubTransport) throws -> HTTPProvider {
        try provider(transport, .claude, .messages, "https://api.anthropic.com")
    }

    private func request(_ model: String = "m", temperature: Double? = nil) -> ModelRequest {
        ModelRequest(
            model: model, system: "s",
            turns: [Turn(status: .open, messages: [.user("hi")])], temperature: temperature)
    }

    private func failure(
        _ provider: HTTPProvider, _ request: ModelRequest, _ received: Received = Received()
    ) async -> ProviderError? {
        do {
            _ = try await provider.respond(to: request) { received.add($0) }
            XCTFail("an answer")
        } catch let error as ProviderError {
            return error
        } catch {
            XCTFail("\(error)")
        }
        return nil
    }

    func testEachFormatGoesToItsAddressWithItsHeaders() async throws {
        let cases: [(ProviderName, WireFormat, String, String, [HTTPHeader])] = [
            (
                .openai, .responses, "https://api.openai.com/v1/",
                "https://api.openai.com/v1/responses",
                [HTTPHeader("Authorization", "Bearer sk-secret")]
            ),
            (
                .local, .chat, "http://127.0.0.1:11434/v1",
                "http://127.0.0.1:11434/v1/chat/completions",
                [HTTPHeader("Authorization", "Bearer sk-secret")]
            ),
            (
                .claude, .messages, "https://api.anthropic.com",
                "https://api.anthropic.com/v1/messages",
                [
                    HTTPHeader("anthropic-version", "2023-06-01"),
                    HTTPHeader("x-api-key", "sk-secret"),
                ]
            ),
        ]
        for (name, format, base, url, headers) in cases {
            let transport = StubTransport([
                .stream(
                    [WireScript.text(["a", "b"], format: format)],
                    headers: [HTTPHeader("X-Request-Id", "req_7")])
            ])
            let received = Received()
            let completion = try await provider(transport, name, format, base)
                .respond(to: request()) { received.add($0) }
            XCTAssertEqual(
                completion,
                ModelAnswer(
                    message: Message(
                        role: .assistant, parts: [.text("ab")],
                        origin: ModelOrigin(provider: name, format: format, model: "m")),
                    stop: .end, usage: Usage(input: 10, output: 2), requestID: "req_7"))
            XCTAssertEqual(received.all, [[.text("ab")]], "one batch for one chunk")
            let sent = try XCTUnwrap(transport.requests.first)
            XCTAssertEqual(sent.method, "POST")
            XCTAssertEqual(sent.url, url)
            XCTAssertEqual(Array(sent.headers.prefix(headers.count)), headers)
            XCTAssertNil(sent.limits.total)
            XCTAssertEqual(
                ConversationValidator.violations(in: transport.sentJSON[0], format: format), [])
        }
    }

    func testClaudeIsAskedForLateToolsOnlyWhereThereAreSome() async throws {
        let tools = ["find_tools", "water"].map {
            Tool(name: $0, title: $0, description: "Does it.", toolClass: .read)
        }
        for (first, betas) in [(1, ["inline-tools-2026-09-15"]), (2, [])] {
            let transport = StubTransport([.stream([WireScript.text(["a"], format: .messages)])])
            var request = request("claude-opus-5")
            (request.tools, request.firstTools) = (tools, first)
            _ = try await claude(transport).respond(to: request) { _ in }
            XCTAssertEqual(
                transport.requests[0].headers.filter { $0.name == "anthropic-beta" }.map(\.value),
                betas)
        }
    }

    func testWithoutAKeyNoAuthorizationIsSent() async throws {
        let transport = StubTransport([.stream([WireScript.text(["a"], format: .chat)])])
        _ = try await provider(transport, .local, .chat, "http://localhost:8080/v1", key: nil)
            .respond(to: request()) { _ in }
        XCTAssertFalse(transport.requests[0].headers.contains { $0.name == "Authorization" })
    }

    func testARefusedParameterIsLeftOutOnceAndRemembered() async throws {
        let refusal = StubTransport.Reply.json(
            #"{"error":{"message":"Unsupported value","type":"invalid_request_error","#
                + #""param":"reasoning.summary","code":"unsupported_value"}}"#, status: 400)
        let answer = StubTransport.Reply.stream([WireScript.text(["a"], format: .responses)])
        let transport = StubTransport([refusal, answer, answer])
        let openAI = try provider(transport, .openai, .responses, "https://api.openai.com/v1")
        _ = try await openAI.respond(to: request("gpt-6.2-sol")) { _ in }
        _ = try await openAI.respond(to: request("gpt-6.2-sol")) { _ in }
        XCTAssertEqual(transport.sentJSON.map { $0["reasoning"] != nil }, [true, false, false])
    }

    func testAFieldThatAListOfDetailsForbidsIsLeftOut() async throws {
        let transport = StubTransport([
            .json(
                #"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"#
                    + #""msg":"Extra inputs are not permitted"}]}"#, status: 422),
            .stream([WireScript.text(["a"], format: .chat)]),
        ])
        let local = try provider(transport, .local, .chat, "https://example.test/v1")
        _ = try await local.respond(to: request()) { _ in }
        XCTAssertEqual(transport.sentJSON.map { $0["stream_options"] != nil }, [true, false])
    }

    func testTheSameRefusalTwiceIsAnError() async throws {
        let refusal = StubTransport.Reply.json(
            #"{"error":{"message":"no","type":"invalid_request_error","param":"temperature"}}"#,
            status: 400)
        let transport = StubTransport([refusal, refusal])
        let local = try provider(transport, .local, .chat, "http://127.0.0.1:1/v1")
        let error = await failure(local, request(temperature: 1))
        XCTAssertEqual(error?.reason, .badRequest)
        XCTAssertEqual(error?.parameter, "temperature")
        XCTAssertEqual(transport.requests.count, 2)
    }

    func testTheOtherNameOfTheOutputLimitIsTried() async throws {
        let transport = StubTransport([
            .json(
                #"{"error":{"message":"Use 'max_completion_tokens' instead of 'max_tokens'.","#
                    + #""param":"max_tokens","code":"unsupported_parameter"}}"#, status: 400),
            .stream([WireScript.text(["a"], format: .chat)]),
        ])
        let local = try provider(transport, .local, .chat, "https://example.test/v1")
        _ = try await local.respond(to: request()) { _ in }
        XCTAssertEqual(transport.sentJSON[1]["max_completion_tokens"], 32_000)
        XCTAssertNil(transport.sentJSON[1]["max_tokens"])
    }

    func testASmallWindowIsAskedAgainWithoutAnOutputLimit() async throws {
        let transport = StubTransport([
            .json(
                #"{"object":"error","message":"This model's maximum context length is 8192 tokens."}"#,
                status: 400), .stream([WireScript.text(["a"], format: .chat)]),
        ])
        let local = try provider(transport, .local, .chat, "http://127.0.0.1:8000/v1")
        _ = try await local.respond(to: request()) { _ in }
        XCTAssertNil(transport.sentJSON[1]["max_tokens"])
        XCTAssertNil(transport.sentJSON[1]["max_completion_tokens"])
    }

    func testAModelWithoutToolsIsAskedAgainWithoutThem() async throws {
        let transport = StubTransport([
            .json(#"{"error":{"message":"gemma:2b does not support tools"}}"#, status: 400),
            .stream([WireScript.text(["a"], format: .chat)]),
        ])
        let local = try provider(transport, .local, .chat, "http://127.0.0.1:11434/v1")
        var request = request()
        request.tools = [RequestHistoryTests.tool]
        _ = try await local.respond(to: request) { _ in }
        XCTAssertEqual(transport.sentJSON.map { $0["tools"] != nil }, [true, false])
    }

    func testAKeyThatCouldEndAHeaderIsNeverSent() async throws {
        let transport = StubTransport([])
        let claude = try provider(
            transport, .claude, .messages, "https://api.anthropic.com", key: "sk\r\nX-Evil: 1")
        let error = await failure(claude, request())
        XCTAssertEqual(error?.reason, .keyRejected)
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testAnOutputLimitAboveTheModelsIsLowered() async throws {
        let transport = StubTransport([
            .json(
                #"{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: "#
                    + #"32000 > 8192, which is the maximum allowed number of output tokens"}}"#,
                status: 400), .stream([WireScript.text(["a"], format: .messages)]),
        ])
        _ = try await claude(transport).respond(to: request()) { _ in }
        XCTAssertEqual(transport.sentJSON[1]["max_tokens"], 8192)
    }

    func testThinkingIsStrippedOnceWhenItsPrefixDoesNotMatch() async throws {
        let transport = StubTransport([
            .json(
                #"{"type":"error","error":{"type":"invalid_request_error","message":"#
                    + #""messages.1.content.0: `thinking` block prefix mismatch"}}"#, status: 400),
            .stream([WireScript.text(["a"], format: .messages)]),
        ])
        let origin = ModelOrigin(provider: .claude, format: .messages, model: "claude-opus-5-5")
        let item: JSONValue = ["type": "thinking", "thinking": "t", "signature": "s"]
        let turns = [
            Turn(
                status: .done,
                messages: [
                    .user("q"),
                    Message(
                        role: .assistant,
                        parts: [.thinking(Thinking(text: "t", item: item)), .text("a")],
                        origin: origin),
                ]), Turn(status: .open, messages: [.user("again")]),
        ]
        _ = try await claude(transport).respond(
            to: ModelRequest(model: origin.model, system: "", turns: turns)
        ) { _ in }
        XCTAssertEqual(
            transport.sentJSON.map { $0["messages"]?[1]?["content"]?.arrayValue?.count }, [2, 1])
    }

    func testAServerWithoutResponsesIsAskedInChatAndThatIsRemembered() async throws {
        let answer = StubTransport.Reply.stream([WireScript.text(["a"], format: .chat)])
        let transport = StubTransport([.json("404 page not found", status: 404), answer, answer])
        let openAI = try provider(transport, .openai, .responses, "https://example.test/v1")
        let completion = try await openAI.respond(to: request()) { _ in }
        XCTAssertEqual(completion.message.origin?.format, .chat)
        _ = try await openAI.respond(to: request()) { _ in }
        XCTAssertEqual(
            transport.requests.map { String($0.url.dropFirst(23)) },
            ["/responses", "/chat/completions", "/chat/completions"])
    }

    func testTheVendorOrAnUnknownModelIsNotAskedInChat() async throws {
        let unknown = #"{"error":{"message":"x","code":"model_not_found","param":null}}"#
        for (base, body) in [
            ("https://api.openai.com/v1", "{}"), ("https://example.test/v1", unknown),
        ] {
            let transport = StubTransport([.json(body, status: 404)])
            let error = await failure(
                try provider(transport, .openai, .responses, base), request())
            XCTAssertEqual(error?.reason, body == unknown ? .modelNotFound : .endpointNotFound)
        }
    }

    func testErrorsCarryTheFactsButNeverTheKey() async throws {
        let transport = StubTransport([
            .json(
                #"{"type":"error","error":{"type":"rate_limit_error","message":"slow sk-secret"},"#
                    + #""request_id":"req_b"}"#, status: 429,
                headers: [
                    HTTPHeader("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT"),
                    HTTPHeader("request-id", "req_h"), HTTPHeader("x-should-retry", "false"),
                ])
        ])
        let error = await failure(try claude(transport), request())
        XCTAssertEqual(
            error,
            ProviderError(
                reason: .rateLimited, provider: .claude, host: "api.anthropic.com", status: 429,
                code: "rate_limit_error", message: "slow [key]", requestID: "req_b",
                retryAfter: 10, shouldRetry: false))
    }

    func testNothingThatAServerSaysHoldsTheKeyThatWasSentToIt() async throws {
        let fields =
            #""type":"sk-secret","code":"sk-secret","param":"sk-secret","message":"sk-secret""#
        let body = #"{"type":"error","error":{\#(fields)},"request_id":"r sk-secret"}"#
        let echo = HTTPHeader("request-id", "h sk-secret")
        let replies: [StubTransport.Reply] = [
            .json(body, status: 400, headers: [echo]),
            .json(body, headers: [echo]),
            .stream([Array("data: \(body)\n\n".utf8)]),
            StubTransport.Reply(
                status: 500, headers: [echo],
                chunks: [Array((String(repeating: "x", count: 195) + " sk-secret").utf8)]),
        ]
        for reply in replies {
            let error = await failure(try claude(StubTransport([reply])), request())
            XCTAssertFalse("\(String(describing: error))".contains("sk-"), "\(error as Any)")
            XCTAssertNotNil(error)
        }
    }

    func testAPageIsNotAJSONErrorAndIsBounded() async throws {
        // Tags are no reason that a person can read; a sentence is.
        let pages: [(String, Int?)] = [
            ("<html>" + String(repeating: "x", count: 100_000), nil),
            (String(repeating: "x", count: 100_000), 201),
        ]
        let reasons: [(Int, ProviderError.Reason)] = [
            (404, .endpointNotFound), (502, .serverFailure), (413, .badRequest),
            (302, .redirected), (204, .malformed),
        ]
        for ((status, reason), (page, length)) in reasons.flatMap({ row in
            pages.map { (row, $0) }
        }) {
            let transport = StubTransport([
                StubTransport.Reply(
                    status: status, headers: [HTTPHeader("Content-Type", "text/html")],
                    chunks: [Array(page.utf8)])
            ])
            let error = await failure(try claude(transport), request())
            XCTAssertEqual(error?.reason, reason)
            XCTAssertEqual(error?.message?.text.unicodeScalars.count, length)
        }
    }

    func testWhatWasShownIsDeliveredBeforeTheStreamBreaks() async throws {
        let stream = WireScript.text(["a", "b"], format: .messages)
        let lost = TransportError(
            reason: .connectionLost, host: "api.anthropic.com", detail: "", afterResponse: true)
        let error =
            ": x\n\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n"
        let half = Array(stream.prefix(stream.count - 60))
        let cases: [(StubTransport.Reply, ProviderError.Reason)] = [
            (.stream([half]), .brokenStream),
            (.stream([half], bodyError: lost), .transport(lost)),
            (.stream([half + Array("\n\n".utf8) + Array(error.utf8)]), .malformed),
            (.stream([half, [0x0A, 0x0A]]), .malformed),
        ]
        for (reply, reason) in cases {
            let received = Received()
            let error = await failure(try claude(StubTransport([reply])), request(), received)
            XCTAssertEqual(error?.reason, reason)
            XCTAssertEqual(received.all.first?.first.map { "\($0)".prefix(7) }, "text(\"a")
        }
    }

    func testAConnectionThatBreaksAfterTheEndMarkIsAnAnswer() async throws {
        let lost = TransportError(reason: .connectionLost, host: "", detail: "")
        let transport = StubTransport([
            .stream([WireScript.text(["a"], format: .messages)], bodyError: lost)
        ])
        let completion = try await claude(transport).respond(to: request()) { _ in }
        XCTAssertEqual(completion.message.text, "a")
    }

    func testFailuresOfTheTransportAreTheProvidersErrors() async throws {
        let refused = TransportError(reason: .connectionRefused, host: "h", detail: "")
        let transport = StubTransport([StubTransport.Reply(error: refused)])
        let error = await failure(try claude(transport), request())
        XCTAssertEqual(error?.reason, .transport(refused))
    }

    func testListsAreReadInEveryForm() async throws {
        let anthropic = StubTransport([
            .json(
                #"{"data":[{"id":"sk-secret"},{"id":"y","display_name":"for sk-secret"},"#
                    + #"{"type":"model","id":"claude-x","display_name":"X","#
                    + #""max_input_tokens":9,"max_tokens":8}],"has_more":false}"#)
        ])
        let list = try await claude(anthropic).models()
        XCTAssertEqual(
            list, [ModelInfo(id: "claude-x", displayName: "X", maxInput: 9, maxOutput: 8)])
        XCTAssertEqual(
            anthropic.requests[0].url, "https://api.anthropic.com/v1/models?limit=1000")
        let openAI = StubTransport([
            .json(
                #"{"object":"list","data":[{"id":"gpt-6.2-sol"},{"id":"whisper-1"},"#
                    + #"{"id":"gpt-4o-transcribe"},{"id":"o3"}]}"#)
        ])
        let vendor = try await provider(openAI, .openai, .responses, "https://api.openai.com/v1")
            .models()
        XCTAssertEqual(
            vendor.map(\.id), ["gpt-6.2-sol", "whisper-1", "gpt-4o-transcribe", "o3"])
    }

    func testACancelledTaskThrowsCancellation() async throws {
        let transport = StubTransport([.stream([WireScript.text(["a"], format: .messages)])])
        let claude = try claude(transport)
        let request = request()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await claude.respond(to: request) { _ in }
        }
        do {
            _ = try await task.value
            XCTFail("an answer")
        } catch {
            XCTAssertTrue(error is CancellationError)
        }
    }

    func testOfflineFailsWithoutANetwork() async throws {
        let received = Received()
        do {
            _ = try await OfflineProvider().respond(to: request()) { received.add($0) }
            XCTFail("an answer")
        } catch let error as ProviderError {
            XCTAssertEqual(error.reason, .offline)
        }
        XCTAssertEqual(received.all, [])
    }
}
