import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import MCP

/// The HTTP endpoint on a real port, with tools of every class, and requests to it.
final class HTTPRig {
    static let token = "0123456789abcdef"

    let clock: ManualClock
    let listener: HTTPListener
    private let running: Task<Void, Never>
    private let end = Gate()
    private var lastID = 0

    /// - Parameter isTimed: with the real clock for the limits of time.
    init(
        _ server: any ToolServer, _ clock: ManualClock = ManualClock(),
        limits: HTTPListener.Limits = .init(), isTimed: Bool = false
    ) throws {
        self.clock = clock
        let environment = clock.environment
        let registry = ToolRegistry(servers: [server])
        let isOffered = { (tool: Tool) in [.read, .write].contains(tool.toolClass) }
        let service = MCPHTTPService(
            gate: MCPHTTPGate(token: Self.token),
            session: MCPSession(
                identity: MCPIdentity(name: "chat", version: "1"), instructions: "Be kind.",
                tools: registry.tools.filter(isOffered),
                withheld: registry.tools.filter { !isOffered($0) }),
            environment: environment
        ) { session, channel in
            MCPServer(
                session: session,
                runner: ToolRunner(
                    registry: registry, environment: environment, log: { _ in },
                    describe: { _ in "it broke" }),
                channel: channel, environment: environment, grace: .zero)
        }
        let listener = try HTTPListener(
            port: 0, limits: limits,
            uptime: isTimed ? Base.Environment.systemUptime : environment.uptime)
        self.listener = listener
        running = Task { [end] in
            await listener.run(service)
            end.open()
        }
    }

    deinit { listener.close() }

    /// Until all connections are closed.
    func finish() {
        listener.close()
        end.block()
    }

    func client(isIPv6: Bool = false) throws -> RawHTTPClient {
        try RawHTTPClient(port: listener.port, isIPv6: isIPv6)
    }

    // MARK: - Requests

    static func request(
        _ method: String = "POST", _ target: String = "/mcp", _ headers: [String: String?] = [:],
        body: String? = nil
    ) -> String {
        var all: [String: String?] = [
            "Host": "127.0.0.1:7429", "Authorization": "Bearer \(token)",
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            "Content-Length": body.map { "\($0.utf8.count)" },
        ]
        for (name, value) in headers { all[name] = value }
        let lines = all.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
        return "\(method) \(target) HTTP/1.1\r\n\(lines.sorted().joined())\r\n\(body ?? "")"
    }

    static let modernMeta = JSONObject([
        .init("io.modelcontextprotocol/protocolVersion", "2026-07-28"),
        .init("io.modelcontextprotocol/clientCapabilities", [:]),
        .init("io.modelcontextprotocol/clientInfo", ["name": "rig", "version": "1"]),
    ])

    /// The bytes of a request of the modern era.
    static func modern(
        _ method: String, _ params: JSONObject = JSONObject(), id: JSONValue = 1,
        meta: JSONObject = modernMeta, headers: [String: String?] = [:]
    ) -> String {
        var params = params
        var meta = meta
        for member in params["_meta"]?.objectValue?.members ?? [] {
            meta[member.name] = member.value
        }
        params["_meta"] = .object(meta)
        let message: JSONValue = [
            "jsonrpc": "2.0", "id": id, "method": .string(method), "params": .object(params),
        ]
        var all: [String: String?] = [
            "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method,
            "Mcp-Name": params["name"]?.stringValue,
        ]
        for (name, value) in headers { all[name] = value }
        return request("POST", "/mcp", all, body: JSONWriter.string(message))
    }

    /// The bytes of a request of the legacy era.
    static func legacy(
        _ method: String, _ params: JSONValue = [:], id: JSONValue? = 1, session: String?,
        headers: [String: String?] = [:]
    ) -> String {
        let message = JSONValue.compact([
            "jsonrpc": "2.0", "id": id, "method": .string(method), "params": params,
        ])
        var all = headers
        all["Mcp-Session-Id"] = session
        return request("POST", "/mcp", all, body: JSONWriter.string(message))
    }

    static func call(
        _ tool: String, token: String? = nil, _ arguments: JSONValue = ["title": "t"]
    ) -> JSONObject {
        JSONObject(
            [
                .init("name", .string(tool)), .init("arguments", arguments),
                token.map { .init("_meta", ["progressToken": .string($0)]) },
            ].compactMap(\.self))
    }

    /// Sends on a connection of its own.
    func exchange(_ request: String) throws -> RawHTTPClient.Answer {
        let client = try client()
        client.send(request)
        return try XCTUnwrap(client.answer(), "no answer to \(request)")
    }

    /// Begins a session of the legacy era.
    func initialize(version: String = "2025-11-25", id: JSONValue = 1) throws -> String {
        let answer = try exchange(
            Self.legacy(
                "initialize",
                [
                    "protocolVersion": .string(version), "capabilities": [:],
                    "clientInfo": ["name": "rig", "version": "1"],
                ], id: id, session: nil))
        let session = try XCTUnwrap(answer.headers["mcp-session-id"], answer.text)
        XCTAssertEqual(
            try exchange(
                Self.legacy("notifications/initialized", id: nil, session: session)
            ).status, 202)
        return session
    }
}

extension RawHTTPClient.Answer {
    var json: JSONValue { (try? JSONParser.parse(body)) ?? .null }
    /// What the tool said.
    var said: String? { json["result"]?["content"]?[0]?["text"]?.stringValue }
    var code: Int? { json["error"]?["code"]?.integerValue }
}
