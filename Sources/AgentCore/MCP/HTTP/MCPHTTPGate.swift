import Base

/// Checks who may use the HTTP endpoint, and whether the headers of a request match its
/// body (revision 2026-07-28, "Streamable HTTP"). Pure.
package struct MCPHTTPGate: Sendable {
    package static let path = "/mcp"
    static let headerMismatch = -32020

    private let token: [UInt8]

    package init(token: String) { self.token = Array(token.utf8) }

    /// The reason why a request is refused before its body is read; nil if it is allowed so far.
    ///
    /// Only loopback names and origins are allowed: a page in a browser can point a name of its own
    /// at this machine (DNS rebinding), but has no token.
    package func refusal(of head: HTTPRequestReader.Head) -> MCPHTTPAnswer? {
        guard Self.isLoopback(head.headers["host"] ?? "") else {
            return MCPHTTPAnswer(403, "Only for this machine: the Host has to be 127.0.0.1.")
        }
        if let origin = head.headers["origin"] {
            let place = ["http://", "https://"].first { origin.hasPrefix($0) }
            guard let place, Self.isLoopback(String(origin.dropFirst(place.count))) else {
                return MCPHTTPAnswer(403, "Requests of this origin are not allowed.")
            }
        }
        guard isAuthorized(head.headers["authorization"] ?? "") else {
            var answer = MCPHTTPAnswer(401, "The bearer token is missing or wrong.")
            answer.headers["WWW-Authenticate"] = "Bearer"
            return answer
        }
        guard head.target == Self.path else {
            return MCPHTTPAnswer(404, "The endpoint is \(Self.path).")
        }
        switch head.method {
        case "POST":
            let type = head.headers["content-type"]?.split(separator: ";").first ?? ""
            return type.trimmingSpace().lowercased() == "application/json"
                ? nil : MCPHTTPAnswer(415, "The body has to be application/json.")
        case "DELETE" where head.headers["mcp-session-id"] != nil: return nil
        default:
            var answer = MCPHTTPAnswer(405, "Only POST is supported.")
            answer.headers["Allow"] = "POST, DELETE"
            return answer
        }
    }

    /// A wrong token is compared to its end as well, so that the time reveals nothing.
    private func isAuthorized(_ header: String) -> Bool {
        let scheme = "bearer "
        guard header.prefix(scheme.count).lowercased() == scheme else { return false }
        let given = Array(header.dropFirst(scheme.count).utf8)
        guard given.count == token.count, !token.isEmpty else { return false }
        return zip(given, token).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// `127.0.0.1:7429`, `localhost`, `[::1]:80`.
    private static func isLoopback(_ place: String) -> Bool {
        let name =
            place.hasPrefix("[")
            ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }
        let port = place.dropFirst(name.count)
        let isPort =
            port.first == ":" && port.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
        return (port.isEmpty || isPort)
            && ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
    }

    /// The first header of a modern request that does not match its body.
    package static func mismatch(
        _ headers: [String: String], method: String, params: JSONObject
    ) -> JSONRPCError? {
        let version = params["_meta"]?[MCPProtocol.MetaKey.protocolVersion.rawValue]?.stringValue
        var expected = [("MCP-Protocol-Version", version), ("Mcp-Method", method)]
        if method == "tools/call" { expected.append(("Mcp-Name", params["name"]?.stringValue)) }
        for (name, value) in expected where decoded(headers[name.lowercased()]) != value {
            return JSONRPCError(
                headerMismatch, "Header mismatch: \(name) is missing or differs from the body.")
        }
        return nil
    }

    /// Decodes `=?base64?…?=`, the form of values that are not allowed in a header.
    private static func decoded(_ value: String?) -> String? {
        guard let value, value.hasPrefix("=?base64?"), value.hasSuffix("?="),
            let bytes = Base64.bytes(String(value.dropFirst(9).dropLast(2)))
        else { return value }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// An answer without a stream.
package struct MCPHTTPAnswer: Sendable, Equatable {
    package var status: Int
    package var headers: [String: String] = [:]
    /// JSON.
    package var body: [UInt8]

    package init(_ status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// A JSON-RPC error without a request.
    package init(_ status: Int, _ message: String) {
        let error = JSONRPCError(JSONRPCError.invalidRequest, message)
        self.init(status, body: JSONWriter.bytes(JSONRPCMessage.failure(id: nil, error).json))
    }

    /// This answer as the last one on its connection.
    var closing: Self {
        var answer = self
        answer.headers["Connection"] = "close"
        return answer
    }

    package var bytes: [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
        if !body.isEmpty { head += "Content-Type: application/json\r\n" }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            head += "\(name): \(value)\r\n"
        }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    /// The head of a stream of events, in chunks (RFC 9112 §7.1).
    static let streamHead = Array(
        ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
            + "X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\r\n").utf8)
    static let streamEnd = Array("0\r\n\r\n".utf8)

    /// One message as an event, in a chunk.
    static func event(_ message: JSONRPCMessage) -> [UInt8] {
        let event = Array("data: ".utf8) + message.line + [0x0A]
        return Array("\(String(event.count, radix: 16))\r\n".utf8) + event + Array("\r\n".utf8)
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 202: "Accepted"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Bad Request"
        }
    }
}
