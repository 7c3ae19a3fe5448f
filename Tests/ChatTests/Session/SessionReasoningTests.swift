import AgentCore
import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// What a compatible server thought before its tool calls goes back with them from a
/// conversation that was opened again, and to no other server.
final class SessionReasoningTests: XCTestCase {
    private final class ThinkingServer: Sendable {
        private let bodies = Mutex<[String]>([])

        var last: String { bodies.withLock { $0.last ?? "" } }

        func answer(_ request: HTTPRequest) throws -> (status: Int, type: String, body: String) {
            if request.url.hasSuffix("/models") {
                return (200, "application/json", #"{"object":"list","data":[{"id":"r1"}]}"#)
            }
            guard request.url.hasSuffix("/chat/completions"), case .bytes(let bytes) = request.body
            else { return (404, "application/json", "{}") }
            let body = String(decoding: bytes, as: UTF8.self)
            let isFirst = bodies.withLock { bodies in
                bodies.append(body)
                return bodies.count == 1
            }
            let call =
                #"{"index":0,"id":"c1","type":"function","function":{"name":"list_reminders","arguments":"{}"}}"#
            let chunks =
                isFirst
                ? [
                    #"{"delta":{"role":"assistant","reasoning_content":"Look first."}}"#,
                    #"{"delta":{"tool_calls":[\#(call)]}}"#,
                    #"{"delta":{},"finish_reason":"tool_calls"}"#,
                ]
                : [#"{"delta":{"content":"None."}}"#, #"{"delta":{},"finish_reason":"stop"}"#]
            let events = chunks.map { "data: {\"choices\":[\($0)]}\n\n" }
            return (200, "text/event-stream", events.joined() + "data: [DONE]\n\n")
        }
    }

    func testItGoesBackAfterAResumeToTheSameServerOnly() async throws {
        let server = ThinkingServer()
        let transport = RoutedTransport()
        transport.set("127.0.0.1") { try server.answer($0) }
        func rig(_ port: Int, _ folder: TemporaryFolder? = nil) throws -> ChatRig {
            try ChatRig(
                configuration: #"""
                    {"provider": "local", "local": {"base_url": "http://127.0.0.1:\#(port)/v1", "model": "r1"}}
                    """#, folder: folder, transport: transport)
        }
        let first = try rig(8080)
        let session = try await first.session()
        _ = try await session.send("which reminders do I have?", asksModel: true) { _ in }
        XCTAssert(server.last.contains(#""reasoning_content":"Look first.""#), server.last)
        let record = await session.record
        await first.services.close()

        for (port, goesBack) in [(8080, true), (8081, false)] {
            let rig = try rig(port, first.folder)
            let again = try await rig.session()
            _ = try await again.open(try XCTUnwrap(record))
            _ = try await again.send("and now?", asksModel: true) { _ in }
            XCTAssert(server.last.contains("list_reminders"), server.last)
            XCTAssertEqual(
                server.last.contains(#""reasoning_content":"Look first.""#), goesBack, "\(port)")
            await rig.services.close()
        }
    }
}
