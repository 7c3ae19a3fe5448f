import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import MCP

/// Streamable HTTP against real sockets: what is sent in each era, and servers that refuse,
/// redirect, forget, or break off.
final class HTTPServerChannelTests: XCTestCase {
    private let transport = CurlTransport()

    override func tearDown() { transport.shutDown() }

    private func client(
        _ server: LoopbackServer, headers: [HTTPHeader] = []
    ) -> MCPClient {
        MCPClient(
            server: "own", identity: MCPIdentity(name: "chat", version: "1"),
            channel: HTTPServerChannel(
                url: server.url("/mcp"), headers: headers, transport: transport),
            environment: .system(variables: [:]))
    }

    private static func json(_ value: JSONValue, headers: [HTTPHeader] = []) -> ServerScript {
        .response(
            200, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
            body: JSONWriter.bytes(value))
    }

    private static func answer(_ id: JSONValue?, _ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id ?? 0, "result": result]
    }

    private static func message(_ request: RecordedRequest) -> JSONValue {
        (try? JSONParser.parse(request.body)) ?? .null
    }

    /// Answers as a server of that era would.
    private func server(
        isModern: Bool, tools: @escaping @Sendable (JSONValue) -> ServerScript
    ) throws -> LoopbackServer {
        try LoopbackServer { request in
            let message = Self.message(request)
            switch message["method"]?.stringValue {
            case "server/discover" where isModern:
                return Self.json(
                    Self.answer(
                        message["id"],
                        [
                            "supportedVersions": ["2026-07-28"], "capabilities": ["tools": [:]],
                        ]))
            case "server/discover": return .text(400, "Bad Request: no session")
            case "initialize":
                return Self.json(
                    Self.answer(
                        message["id"],
                        ["protocolVersion": "2025-06-18", "capabilities": ["tools": [:]]]),
                    headers: [HTTPHeader("Mcp-Session-Id", "s-1")])
            case "tools/list": return tools(message)
            default: return .text(request.method == "POST" ? 202 : 405, "")
            }
        }
    }

    func testAModernServerGetsWhatIsInTheBodyInHeadersToo() async throws {
        let server = try server(isModern: true) { message in
            .sse(
                ": keep-alive\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n"
                    + "data: \(JSONWriter.string(Self.answer(message["id"], ["tools": []])))\n\n")
        }
        defer { server.stop() }
        let client = client(server, headers: [HTTPHeader("Authorization", "Bearer t-1")])
        let facts = try await client.start()
        XCTAssertEqual(facts.revision, "2026-07-28")
        let tools = try await client.tools()
        XCTAssertEqual(tools, [])
        let request = try XCTUnwrap(server.requests.last)
        XCTAssertEqual(request[header: "MCP-Protocol-Version"], "2026-07-28")
        XCTAssertEqual(request[header: "Mcp-Method"], "tools/list")
        XCTAssertEqual(request[header: "Authorization"], "Bearer t-1")
        XCTAssertEqual(request[header: "Accept"], "application/json, text/event-stream")
        XCTAssertNil(request[header: "Mcp-Session-Id"])
        await client.close()
    }

    func testAnOlderServerGetsItsSessionAndItsVersion() async throws {
        let server = try server(isModern: false) { Self.json(Self.answer($0["id"], ["tools": []])) }
        defer { server.stop() }
        let client = client(server)
        let facts = try await client.start()
        XCTAssertEqual(facts.revision, "2025-06-18")
        _ = try await client.tools()
        await client.close()
        let requests = server.requests
        let list = try XCTUnwrap(requests.first { Self.message($0)["method"] == "tools/list" })
        XCTAssertEqual(list[header: "Mcp-Session-Id"], "s-1")
        XCTAssertEqual(list[header: "MCP-Protocol-Version"], "2025-06-18")
        XCTAssertNil(list[header: "Mcp-Method"])
        XCTAssert(
            requests.contains { $0.method == "DELETE" && $0[header: "Mcp-Session-Id"] == "s-1" })
    }

    /// I13: a server that wants OAuth, or sends us elsewhere, is not followed anywhere.
    func testASignInAndARedirectAreRefusedWithoutAnotherRequest() async throws {
        let elsewhere = try LoopbackServer(always: .text(200, "{}"))
        defer { elsewhere.stop() }
        let target = elsewhere.url("/metadata")
        for (script, reason): (ServerScript, MCPClientError.Reason?) in [
            (
                .response(
                    401,
                    headers: [
                        HTTPHeader("WWW-Authenticate", "Bearer resource_metadata=\"\(target)\"")
                    ], body: []), .wantsSignIn(hadToken: true)
            ),
            (.response(307, headers: [HTTPHeader("Location", target)], body: []), nil),
        ] {
            let server = try LoopbackServer(always: script)
            defer { server.stop() }
            let client = client(server, headers: [HTTPHeader("Authorization", "Bearer t-1")])
            do {
                _ = try await client.start()
                XCTFail("started")
            } catch let error as MCPClientError {
                if let reason { XCTAssertEqual(error.reason, reason) }
                XCTAssertFalse(error.diagnostic.what.contains("t-1"))
            }
        }
        XCTAssertEqual(elsewhere.requests.count, 0)
    }

    func testTheTokenIsInNoErrorOfAServer() async throws {
        let token = "canary-Zq8vN3xT5bL7wR2mK9pJ4hG6"
        let spellings = [token, token.uppercased(), Base64.text(Array("x:\(token)".utf8))]
        for (index, spelling) in spellings.enumerated() {
            let server = try server(isModern: index % 2 == 0) { message in
                let failure: JSONValue = [
                    "jsonrpc": "2.0", "id": message["id"] ?? 0,
                    "error": ["code": -32000, "message": .string("bad \(spelling)")],
                ]
                return index == 0
                    ? .sse("data: \(JSONWriter.string(failure))\n\n") : Self.json(failure)
            }
            defer { server.stop() }
            let client = client(
                server, headers: [HTTPHeader("Authorization", "Bearer \(token)")])
            _ = try await client.start()
            do {
                _ = try await client.tools()
                XCTFail("an answer")
            } catch let error as MCPClientError {
                let said = error.diagnostic.what
                XCTAssert(said.contains("[key]"), said)
                XCTAssertFalse(said.lowercased().contains("bl7wr2"), said)
            }
            await client.close()
        }
    }

    func testASessionThatIsGoneEndsTheConnection() async throws {
        let failure: JSONValue = [
            "jsonrpc": "2.0", "id": nil, "error": ["code": -32001, "message": "Session not found"],
        ]
        let body = JSONWriter.bytes(failure)
        for script in [
            ServerScript.text(404, "no such session"), .response(404, headers: [], body: body),
            .response(410, headers: [], body: body),
        ] {
            let server = try server(isModern: false) { _ in script }
            defer { server.stop() }
            let client = client(server)
            _ = try await client.start()
            do {
                _ = try await client.tools()
                XCTFail("an answer")
            } catch let error as MCPClientError {
                XCTAssertEqual(error.reason, .sessionGone)
            }
            await client.close()
            let ending = await client.ending
            XCTAssertNotNil(ending)
        }
    }

    func testAStreamThatBreaksOffIsALostRequestAndNothingIsSentAgain() async throws {
        let server = try server(isModern: true) { _ in
            ServerScript([ServerScript.sseHead(), .chunk(Array(": hello\n\n".utf8)), .lastChunk])
        }
        defer { server.stop() }
        let client = client(server)
        _ = try await client.start()
        do {
            _ = try await client.tools()
            XCTFail("an answer")
        } catch let error as MCPClientError {
            guard case .invalidAnswer = error.reason else { return XCTFail("\(error)") }
        }
        XCTAssertEqual(
            server.requests.count { Self.message($0)["method"] == "tools/list" }, 1)
        await client.close()
    }

    /// To a modern server the end of the response says that a call is not wanted any more.
    func testACancelledRequestEndsItsResponse() async throws {
        let sent = Gate()
        let closed = Gate()
        let server = try LoopbackServer(onClose: { closed.open() }) { request in
            let message = Self.message(request)
            if message["method"] == "server/discover" {
                return Self.json(
                    Self.answer(
                        message["id"], ["supportedVersions": ["2026-07-28"], "capabilities": [:]]))
            }
            return ServerScript([ServerScript.sseHead(), .open(sent), .stall])
        }
        defer { server.stop() }
        let client = client(server)
        _ = try await client.start()
        let call = Task { try await client.request("tools/call") }
        await sent.wait()
        call.cancel()
        do {
            _ = try await call.value
            XCTFail("an answer")
        } catch is CancellationError {}
        await closed.wait()
        XCTAssertEqual(server.requests.count, 2)
        await client.close()
    }
}
