import XCTest

@testable import Base
@testable import MCP

final class MCPHTTPGateTests: XCTestCase {
    private let gate = MCPHTTPGate(token: "abc123")

    private func status(
        _ method: String = "POST", _ target: String = "/mcp", _ changes: [String: String?] = [:]
    ) -> Int? {
        var headers = [
            "host": "127.0.0.1:7429", "authorization": "Bearer abc123",
            "content-type": "application/json",
        ]
        for (name, value) in changes { headers[name] = value }
        return gate.refusal(
            of: .init(method: method, target: target, headers: headers, bodyLength: 0))?.status
    }

    func testOnlyThisMachineItsPagesAndTheTokenAreLetIn() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]", "[::1]:7429", "localhost:"]
        {
            XCTAssertNil(status("POST", "/mcp", ["host": host]), host)
        }
        for host in [
            nil, "", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example",
            "localhost@evil.example", "localhost:80@evil", "[::1].evil.example", "[::1]x80", "::1",
            "0.0.0.0", "127.0.0.2", "[::]", "169.254.169.254", "127.0.0.1:7429, evil.example",
        ] {
            XCTAssertEqual(status("POST", "/mcp", ["host": host]), 403, host ?? "none")
        }
        for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:1"] {
            XCTAssertNil(status("POST", "/mcp", ["origin": origin]), origin)
        }
        for origin in [
            "null", "", "https://evil.example", "http://localhost.evil.example",
            "http://localhost/evil", "file://", "chrome-extension://abc", "http://127.0.0.1@evil",
        ] {
            XCTAssertEqual(status("POST", "/mcp", ["origin": origin]), 403, origin)
        }
        XCTAssertNil(status("POST", "/mcp", ["authorization": "bearer abc123"]))
        for token in [
            nil, "", "Bearer", "Bearer ", "Bearer abc12", "Bearer abc1234", "Bearer Abc123",
            "Basic abc123", "abc123", "Bearer  abc123",
        ] {
            XCTAssertEqual(
                status("POST", "/mcp", ["authorization": token]), 401, token ?? "none")
        }
    }

    func testAnEmptyTokenOpensNothing() {
        let head = HTTPRequestReader.Head(
            method: "POST", target: "/mcp",
            headers: [
                "host": "localhost", "authorization": "Bearer ", "content-type": "application/json",
            ], bodyLength: 0)
        XCTAssertEqual(MCPHTTPGate(token: "").refusal(of: head)?.status, 401)
    }

    func testThereIsOneEndpointAndItTakesJSON() {
        XCTAssertEqual(status("POST", "/"), 404)
        XCTAssertEqual(status("POST", "/mcp/"), 404)
        XCTAssertEqual(status("POST", "/mcp?x"), 404)
        for method in ["GET", "PUT", "OPTIONS", "HEAD", "CONNECT", "DELETE", "post"] {
            XCTAssertEqual(status(method), 405, method)
        }
        XCTAssertNil(status("DELETE", "/mcp", ["mcp-session-id": "x"]))
        XCTAssertNil(status("POST", "/mcp", ["content-type": "Application/JSON; charset=utf-8"]))
        // What a form of a page could send without asking first.
        for type in [nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
        {
            XCTAssertEqual(status("POST", "/mcp", ["content-type": type]), 415)
        }
    }

    func testHeadersOfTheModernEraHaveToSayWhatTheBodySays() {
        let params =
            ([
                "name": "über", "_meta": ["io.modelcontextprotocol/protocolVersion": "2026-07-28"],
            ] as JSONValue).objectValue ?? JSONObject()
        func isRefused(_ changes: [String: String?], method: String = "tools/call") -> Bool {
            var headers = [
                "mcp-protocol-version": "2026-07-28", "mcp-method": method,
                "mcp-name": "=?base64?w7xiZXI=?=",
            ]
            for (name, value) in changes { headers[name] = value }
            let error = MCPHTTPGate.mismatch(headers, method: method, params: params)
            XCTAssert(error == nil || error?.code == -32020)
            return error != nil
        }
        XCTAssertFalse(isRefused([:]))
        XCTAssertFalse(isRefused(["mcp-name": nil], method: "tools/list"))
        for change: [String: String?] in [
            ["mcp-protocol-version": nil], ["mcp-protocol-version": "2025-11-25"],
            ["mcp-method": nil], ["mcp-method": "TOOLS/CALL"], ["mcp-name": nil],
            ["mcp-name": "other"], ["mcp-name": "=?base64?!!!?="], ["mcp-name": ""],
        ] { XCTAssert(isRefused(change), "\(change)") }
    }
}
