import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// A local server with a small window, which counts what it is sent and refuses more, as
/// llama.cpp does.
final class SessionWindowTests: XCTestCase {
    private final class SmallServer: Sendable {
        private struct State {
            var bodies: [JSONValue] = []
            var refused = 0
        }

        private let state = Mutex(State())
        let window: Int

        init(window: Int) { self.window = window }

        var refused: Int { state.withLock { $0.refused } }
        var last: JSONValue { state.withLock { $0.bodies.last ?? .null } }

        /// In the vocabulary of a small model: three bytes and a third each.
        private static func tokens(_ body: JSONValue) -> Int {
            let words = JSONWriter.bytes(body["messages"] ?? .null).count
            let tools = JSONWriter.bytes(body["tools"] ?? .null).count
            return (words + tools) * 3 / 10
        }

        func answer(_ request: HTTPRequest) throws -> (status: Int, type: String, body: String) {
            if request.url.hasSuffix("/props") {
                return (
                    200, "application/json",
                    #"{"default_generation_settings": {"n_ctx": \#(window)}}"#
                )
            }
            if request.url.hasSuffix("/models") {
                return (200, "application/json", #"{"object":"list","data":[{"id":"smol"}]}"#)
            }
            guard request.url.hasSuffix("/chat/completions"), case .bytes(let bytes) = request.body
            else { return (404, "application/json", #"{"error":"not found"}"#) }
            let body = try JSONParser.parse(bytes)
            let size = Self.tokens(body)
            // The answer is part of the window.
            let asked = body["max_tokens"]?.integerValue ?? 0
            let isTooMuch = size + min(asked, 256) > window
            state.withLock { state in
                state.bodies.append(body)
                if isTooMuch { state.refused += 1 }
            }
            if isTooMuch {
                return (
                    400, "application/json",
                    #"{"error":{"code":400,"type":"exceed_context_size_error","message":"request (\#(size) tokens) exceeds the available context size (\#(window) tokens), try increasing it","n_prompt_tokens":\#(size),"n_ctx":\#(window)}}"#
                )
            }
            let text = String(repeating: "and so it went on ", count: 40)
            let events = [
                #"{"choices":[{"index":0,"delta":{"role":"assistant","content":"\#(text)"},"finish_reason":null}]}"#,
                #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":\#(size),"completion_tokens":180}}"#,
                "[DONE]",
            ]
            return (200, "text/event-stream", events.map { "data: \($0)\n\n" }.joined())
        }
    }

    private final class Notices: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        @Sendable func observe(_ event: AgentEvent) {
            guard case .compaction(let event) = event else { return }
            lines.withLock { $0.append(CompactionText.line(event).text) }
        }
    }

    private func rig(_ server: SmallServer) throws -> ChatRig {
        let transport = RoutedTransport()
        transport.set("127.0.0.1:11434") { try server.answer($0) }
        return try ChatRig(transport: transport)
    }

    private func session(_ rig: ChatRig) async throws -> Session {
        let session = try await rig.session(
            flags: ProviderChoice.Selection(provider: .local, model: "smol"))
        try await session.openNew()
        return session
    }

    func testFortyTurnsRunIntoNoLimit() async throws {
        let server = SmallServer(window: 4_096)
        let rig = try rig(server)
        let session = try await session(rig)
        for number in 1...40 {
            let words = String(repeating: "what came of the matter then ", count: number % 5 * 10)
            let answer = try await session.send("\(number). \(words)") { _ in }
            guard case .model(let outcome, _, _) = answer else { return XCTFail("\(answer)") }
            XCTAssertEqual(outcome.status, .done)
        }
        XCTAssertEqual(server.refused, 0)
        await rig.services.close()
    }

    func testALongFileIsShortenedAndTheQuestionIsNot() async throws {
        let server = SmallServer(window: 4_096)
        let rig = try rig(server)
        let session = try await session(rig)
        let notices = Notices()
        let file = Attachment(
            name: "changes.diff", mediaType: "text/plain",
            bytes: Array(String(repeating: "+ a line of a change\n", count: 4_000).utf8))
        let question = "What is wrong with it? " + String(repeating: "Look again. ", count: 100)
        let answer = try await session.send(
            question, attachments: [file], observe: notices.observe)
        guard case .model(let outcome, _, _) = answer else { return XCTFail("\(answer)") }
        XCTAssertEqual(outcome.status, .done)
        XCTAssertEqual(server.refused, 0)
        XCTAssertEqual(
            notices.all, ["  ! This model reads 4.1k tokens; not all is sent of: changes.diff."])
        let sent = JSONWriter.string(server.last["messages"] ?? .null)
        XCTAssertTrue(sent.contains(question))
        XCTAssertTrue(sent.contains("bytes left out"))
        // Stored as it came.
        let stored = try await session.lastTurns(1)
        XCTAssertTrue(stored[0].turn.messages[0].parts.contains(.attachment(file)))
        let window = await session.window(of: "smol", at: .local)
        XCTAssertEqual(window.limit, 4_096)
        await rig.services.close()
    }

    /// Ollama loads a model with the first request, and only then tells how large.
    func testTheServerIsAskedAgainAfterTheFirstAnswer() async throws {
        let isLoaded = Mutex(false)
        let rig = try ChatRig()
        rig.transport.set("127.0.0.1:11434") { request in
            let json: String
            if request.url.hasSuffix("/api/ps") {
                json =
                    isLoaded.withLock { $0 }
                    ? #"{"models":[{"name":"smol:latest","context_length":8192}]}"#
                    : #"{"models":[]}"#
            } else if request.url.hasSuffix("/api/show") {
                json = #"{"details":{},"parameters":"stop x"}"#
            } else {
                isLoaded.withLock { $0 = request.url.hasSuffix("/chat/completions") }
                return try await RoutedTransport.local("Hello.")(request)
            }
            return (200, "application/json", json)
        }
        await rig.services.connector.askWindow(of: "smol", at: .local)
        let before = await rig.services.connector.window(of: "smol", at: .local)
        XCTAssertEqual(before, 4_096)
        _ = try await session(rig).send("hello") { _ in }
        let after = await rig.services.connector.window(of: "smol", at: .local)
        XCTAssertEqual(after, 8_192)
        await rig.services.close()
    }

    func testTheAnswerGetsWhatIsLeft() async throws {
        let server = SmallServer(window: 4_096)
        let rig = try rig(server)
        _ = try await session(rig).send("What is a mutex?") { _ in }
        let most = server.last["max_tokens"]?.integerValue ?? 0
        XCTAssertLessThan(most, 4_096)
        XCTAssertGreaterThan(most, 1_000)
        await rig.services.close()
    }
}
