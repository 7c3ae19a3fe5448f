import Glibc
import TestSupport
import XCTest

@testable import Base
@testable import MCP

/// The requirements of the official conformance suite (modelcontextprotocol/conformance,
/// "server" scenarios, November 2026) that apply to a server with tools, under their
/// names there, over the HTTP endpoint. What asks for resources, prompts, completion,
/// logging, sampling, elicitation, tasks, OAuth, or other content than text does not
/// apply: we declare none of it.
final class MCPConformanceTests: XCTestCase {
    private typealias Row = (id: String, holds: () throws -> Bool)

    private let timeline = Timeline()
    private let steps = (0..<3).map { _ in Gate() }

    private func makeRig() throws -> HTTPRig {
        let clock = ManualClock()
        return try HTTPRig(ConformanceTools(timeline: timeline, clock: clock, steps: steps), clock)
    }

    /// Prints `passed/total`, and fails for each that does not hold.
    private func report(_ revisions: String, _ rows: [Row]) {
        let failed = rows.filter { row in
            do { return try !row.holds() } catch { return true }
        }
        print("MCP conformance, \(revisions): \(rows.count - failed.count)/\(rows.count)")
        for row in failed { XCTFail("\(revisions): \(row.id)") }
        XCTAssertEqual(Set(rows.map(\.id)).count, rows.count, "a name stands twice")
    }

    // MARK: - 2025-11-25 and older

    func testRevisionsWithInitialize() throws {
        let rig = try makeRig()
        let session = try rig.initialize()
        let initialized = { (version: String) in
            try rig.exchange(
                HTTPRig.legacy("initialize", ["protocolVersion": .string(version)], session: nil)
            ).json["result"] ?? .null
        }
        let ask = { (method: String, params: JSONValue, headers: [String: String?]) in
            try rig.exchange(
                HTTPRig.legacy(method, params, id: 7, session: session, headers: headers))
        }
        let call = { (tool: String) in
            try ask("tools/call", ["name": .string(tool), "arguments": [:]], [:])
        }
        let notify = { (id: JSONValue) in
            try rig.exchange(
                HTTPRig.legacy(
                    "notifications/cancelled", ["requestId": id, "reason": "x"], id: nil,
                    session: session)
            ).status == 202
        }
        var rows: [Row] = MCPProtocol.legacyVersions.map { version in
            (
                "server-initialize \(version)",
                {
                    let result = try initialized(version)
                    return result["protocolVersion"] == .string(version)
                        && result["serverInfo"]?["name"] == "chat"
                        && result["serverInfo"]?["version"] != nil
                        && result["capabilities"]?["tools"] != nil
                }
            )
        }
        for (name, value) in [
            ("malformed", "invalid-protocol-version"), ("unsupported-past", "2000-01-01"),
            ("unsupported-future", "2099-01-01"),
        ] {
            let id = "server-protocol-version-header-\(name)"
            let headers = ["MCP-Protocol-Version": value]
            rows.append(
                (
                    id,
                    {
                        try rig.exchange(
                            HTTPRig.legacy("tools/list", session: nil, headers: headers)
                        ).status == 400
                    }
                ))
            rows.append((id + "-post-init", { try ask("tools/list", [:], headers).status == 400 }))
        }
        rows += [
            ("ping", { try ask("ping", [:], [:]).json["result"] == [:] }),
            (
                "server-initialize, unknown revision",
                { try initialized("2099-01-01")["protocolVersion"] == "2025-11-25" }
            ), ("tools-list", { Self.areTools(try ask("tools/list", [:], [:]).json["result"]) }),
            (
                "tools-call-simple-text",
                {
                    try call("test_simple_text").said
                        == "This is a simple text response for testing."
                }
            ), ("tools-call-error", { Self.isFailure(try call("test_error_handling")) }),
            (
                "json-rpc-batch-rejected",
                {
                    let batch = #"[{"jsonrpc":"2.0","id":901,"method":"ping"}]"#
                    let answer = try rig.exchange(
                        HTTPRig.request("POST", "/mcp", ["Mcp-Session-Id": session], body: batch))
                    return answer.status == 400 && answer.code != nil
                }
            ),
            (
                "method not found",
                { try ask("resources/list", [:], [:]).code == JSONRPCError.methodNotFound }
            ),
            (
                "session id required after initialize",
                { try rig.exchange(HTTPRig.legacy("tools/list", session: nil)).status == 400 }
            ),
            (
                "GET without a stream is 405",
                { try rig.exchange(HTTPRig.request("GET")).status == 405 }
            ),
        ]
        rows += hosts(rig) {
            HTTPRig.legacy(
                "initialize", ["protocolVersion": "2024-11-05"], session: nil, headers: $0)
        }
        rows += progress(rig) { HTTPRig.legacy("tools/call", .object($0), id: 8, session: session) }
        rows += cancellation(rig, session, notify: notify) {
            try call("test_simple_text").said != nil
        }
        rows += isolation(rig)
        rows += ending(rig)
        report("2025-11-25 and older", rows)
    }

    private func cancellation(
        _ rig: HTTPRig, _ session: String, notify: @escaping (JSONValue) throws -> Bool,
        isHealthy: @escaping () throws -> Bool
    ) -> [Row] {
        [
            (
                "cancellation-unknown-request-stability",
                { try notify("nonexistent-request-99999") && isHealthy() }
            ),
            (
                "cancellation-in-progress-request",
                { [timeline] in
                    let client = try rig.client()
                    client.send(
                        HTTPRig.legacy(
                            "tools/call", ["name": "test_tool_slow"], id: 31, session: session))
                    while timeline.count("started") == 0 { sched_yield() }
                    guard try notify(31), client.answer()?.body == [] else { return false }
                    return try timeline.count("stopped") == 1 && isHealthy()
                }
            ),
            (
                "cancellation-rapid-burst-stability",
                { try (0..<5).allSatisfy { try notify(.string("burst-\($0)")) } && isHealthy() }
            ),
        ]
    }

    /// Two hosts with the same ids at the same time.
    private func isolation(_ rig: HTTPRig) -> [Row] {
        let exchange = { (isStream: Bool) in
            let clients = try (0..<8).map { _ in (try rig.client(), try rig.initialize(id: 1)) }
            for (number, (client, session)) in clients.enumerated() {
                var params = HTTPRig.call(
                    "test_simple_text", ["label": .string("host \(number)")])
                if isStream { params["_meta"] = ["progressToken": "same"] }
                client.send(HTTPRig.legacy("tools/call", .object(params), id: 2, session: session))
            }
            return clients.enumerated().reversed().allSatisfy { number, client in
                let answer = client.0.answer()
                return answer?.said == "host \(number)" && answer?.json["id"] == 2
            }
        }
        return [
            (
                "session-isolation-init",
                { try Set((0..<2).map { _ in try rig.initialize(id: 1) }).count == 2 }
            ), ("session-isolation", { try exchange(false) }),
            ("notification-isolation", { try exchange(true) }),
            ("server-sse-multiple-streams", { try exchange(false) && exchange(true) }),
        ]
    }

    private func ending(_ rig: HTTPRig) -> [Row] {
        let end = { (session: String) in
            try rig.exchange(HTTPRig.request("DELETE", "/mcp", ["Mcp-Session-Id": session])).status
        }
        return [
            ("server-session-initialized-accepted", { try !rig.initialize().isEmpty }),
            ("server-session-delete-accepted", { try end(try rig.initialize()) == 200 }),
            (
                "server-session-terminated-returns-404",
                {
                    let session = try rig.initialize()
                    guard try end(session) == 200 else { return false }
                    return try rig.exchange(HTTPRig.legacy("tools/list", session: session)).status
                        == 404
                }
            ),
        ]
    }

    // MARK: - 2026-07-28

    func testTheStatelessRevision() throws {
        let rig = try makeRig()
        let ask = {
            (method: String, params: JSONObject, headers: [String: String?]) in
            try rig.exchange(HTTPRig.modern(method, params, id: 201, headers: headers))
        }
        let call = { (tool: String, headers: [String: String?]) in
            try ask("tools/call", HTTPRig.call(tool, [:]), headers)
        }
        let discover = { try ask("server/discover", JSONObject(), [:]).json["result"] ?? .null }
        let isHealthy = { try call("test_simple_text", [:]).said != nil }
        var rows: [Row] = []
        for (name, key) in [
            ("protocol-version", MCPProtocol.MetaKey.protocolVersion),
            ("client-capabilities", .clientCapabilities),
        ] {
            var meta = HTTPRig.modernMeta
            meta[key.rawValue] = nil
            let request = HTTPRig.modern("server/discover", id: 102, meta: meta)
            rows.append(
                (
                    "sep-2575-request-meta-invalid-missing-\(name)",
                    { Self.isInvalid(try rig.exchange(request), id: 102) }
                ))
        }
        for method in [
            "initialize", "ping", "logging/setLevel", "resources/subscribe",
            "resources/unsubscribe", "unknown/method",
        ] {
            rows.append(
                (
                    "sep-2575-http-server-method-not-found-404 \(method)",
                    {
                        let answer = try ask(method, JSONObject(), [:])
                        return answer.status == 404 && answer.code == JSONRPCError.methodNotFound
                    }
                ))
        }
        rows += [
            (
                "sep-2575-request-meta-invalid-missing-meta",
                {
                    let headers = [
                        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list",
                    ]
                    let request = HTTPRig.legacy(
                        "tools/list", id: 101, session: nil, headers: headers)
                    return Self.isInvalid(try rig.exchange(request), id: 101)
                }
            ),
            (
                "sep-2575-server-implements-discover",
                {
                    let result = try discover()
                    return result["supportedVersions"]?.arrayValue?.contains("2026-07-28") == true
                        && result["capabilities"]?["tools"] != nil
                        && result["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "chat"
                }
            ),
            (
                "sep-2575-server-declares-prompts-in-discover",
                {
                    let answer = try ask("prompts/list", JSONObject(), [:])
                    return try discover()["capabilities"]?["prompts"] == nil
                        && answer.code == JSONRPCError.methodNotFound
                }
            ),
            (
                "sep-2575-discover-capabilities-match-handlers",
                { Self.areTools(try ask("tools/list", JSONObject(), [:]).json["result"]) }
            ), ("sep-2575-http-server-no-independent-requests-on-stream", isHealthy),
            (
                "sep-2575-server-no-log-without-loglevel",
                { try !call("test_simple_text", [:]).text.contains("notifications/message") }
            ),
            (
                "sep-2575-http-server-error-jsonrpc-id",
                { try call("no_such_tool", [:]).json["id"] == 201 }
            ),
            (
                "tools-call-simple-text",
                { try call("test_simple_text", [:]).json["result"]?["resultType"] == "complete" }
            ), ("tools-call-error", { Self.isFailure(try call("test_error_handling", [:])) }),
            (
                "json-rpc-batch-rejected",
                {
                    let batch = #"[{"jsonrpc":"2.0","id":1,"method":"server/discover"}]"#
                    let answer = try rig.exchange(HTTPRig.request(body: batch))
                    return answer.status == 400 && answer.code != nil
                }
            ),
            (
                "sep-2549-tools-list-caching-hints",
                {
                    let list = try ask("tools/list", JSONObject(), [:]).json["result"]
                    return (list?["ttlMs"]?.integerValue ?? -1) >= 0
                        && ["public", "private"].contains(list?["cacheScope"] ?? .null)
                }
            ),
            (
                "sep-2567-server-accepts-requests-without-session-id",
                {
                    let answer = try ask("server/discover", JSONObject(), [:])
                    return answer.status == 200 && answer.headers["mcp-session-id"] == nil
                }
            ),
            (
                "sep-2567-tools-list-connection-invariant",
                {
                    let lists = try (0..<2).map { _ in
                        _ = try discover()
                        return try ask("tools/list", JSONObject(), [:]).json["result"]
                    }
                    return lists[0] == lists[1] && lists[0] != nil
                }
            ),
        ]
        rows += versions(rig)
        rows += headers(call: call, list: { try ask("tools/list", JSONObject(), $0) })
        rows += hosts(rig) { HTTPRig.modern("server/discover", headers: $0) }
        rows += progress(rig) { HTTPRig.modern("tools/call", $0, id: 8) }
        rows += subscriptions(rig)
        rows += closing(rig, isHealthy: isHealthy)
        report("2026-07-28", rows)
    }

    private func versions(_ rig: HTTPRig) -> [Row] {
        var meta = HTTPRig.modernMeta
        meta[MCPProtocol.MetaKey.protocolVersion.rawValue] = "v999.0.0"
        let unknown = HTTPRig.modern(
            "server/discover", id: 301, meta: meta, headers: ["MCP-Protocol-Version": "v999.0.0"])
        let mismatch = HTTPRig.modern("server/discover", id: 302, meta: meta)
        return [
            (
                "sep-2575-server-unsupported-version-error",
                {
                    let answer = try rig.exchange(unknown)
                    let data = answer.json["error"]?["data"]
                    return answer.code == JSONRPCError.unsupportedVersion
                        && data?["supported"]?.arrayValue?.contains("2026-07-28") == true
                        && data?["requested"] == "v999.0.0" && answer.json["id"] == 301
                }
            ),
            (
                "sep-2575-http-server-unsupported-version-400",
                { try rig.exchange(unknown).status == 400 }
            ),
            (
                "sep-2575-http-server-header-mismatch-400",
                {
                    let answer = try rig.exchange(mismatch)
                    return answer.status == 400 && answer.code == -32020
                }
            ),
        ]
    }

    private func headers(
        call: @escaping (String, [String: String?]) throws -> RawHTTPClient.Answer,
        list: @escaping ([String: String?]) throws -> RawHTTPClient.Answer
    ) -> [Row] {
        let tool = "test_simple_text"
        func isRefused(_ answer: RawHTTPClient.Answer) -> Bool {
            answer.status == 400 && answer.code == -32020
        }
        return [
            (
                "sep-2243 ServerRejectsMismatchedMethodHeader",
                { isRefused(try list(["Mcp-Method": "prompts/list"])) }
            ),
            (
                "sep-2243 ServerRejectsMissingMethodHeader",
                { isRefused(try list(["Mcp-Method": nil])) }
            ),
            (
                "sep-2243 ServerRejectsCaseMismatchValue",
                { isRefused(try list(["Mcp-Method": "TOOLS/LIST"])) }
            ),
            (
                "sep-2243 ServerRejectsMismatchedNameHeader",
                { isRefused(try call(tool, ["Mcp-Name": "wrong_tool_name"])) }
            ),
            (
                "sep-2243 ServerRejectsMissingNameHeader",
                { isRefused(try call(tool, ["Mcp-Name": nil])) }
            ),
            (
                "sep-2243-server-accepts-whitespace-header-value",
                { try call(tool, ["Mcp-Name": "  \(tool)  "]).said != nil }
            ),
            (
                "sep-2243 ServerAcceptsLowercaseHeaderName",
                { try list(["Mcp-Method": nil, "mcp-method": "tools/list"]).status == 200 }
            ),
            (
                "sep-2243 ServerAcceptsUppercaseHeaderName",
                { try list(["Mcp-Method": nil, "MCP-METHOD": "tools/list"]).status == 200 }
            ),
        ]
    }

    private func subscriptions(_ rig: HTTPRig) -> [Row] {
        let first = { (filter: JSONValue) in
            let client = try rig.client()
            client.send(
                HTTPRig.modern(
                    "subscriptions/listen", JSONObject([.init("notifications", filter)]), id: 9))
            guard client.head()?.headers["content-type"] == "text/event-stream" else {
                return JSONValue.null
            }
            return try JSONParser.parse(client.event() ?? "")
        }
        let key = "io.modelcontextprotocol/subscriptionId"
        return [
            (
                "sep-2575-server-sends-subscription-ack",
                {
                    try first(["toolsListChanged": true])["method"]
                        == "notifications/subscriptions/acknowledged"
                }
            ),
            (
                "sep-2575-server-tags-subscription-id",
                { try first(["toolsListChanged": true])["params"]?["_meta"]?[key] == 9 }
            ),
            (
                "sep-2575-server-honors-notification-filter",
                { try first(["promptsListChanged": true])["params"]?["notifications"] == [:] }
            ),
        ]
    }

    private func closing(_ rig: HTTPRig, isHealthy: @escaping () throws -> Bool) -> [Row] {
        let open = {
            let client = try rig.client()
            client.send(
                HTTPRig.modern("tools/call", HTTPRig.call("test_tool_slow", token: "p", [:])))
            return client
        }
        return [
            (
                "http-stream-cancel-closes-request",
                { [timeline] in
                    let before = timeline.count("stopped")
                    let client = try open()
                    guard client.head()?.headers["content-type"] == "text/event-stream",
                        client.event() != nil
                    else { return false }
                    client.close()
                    while timeline.count("stopped") == before { sched_yield() }
                    return try isHealthy()
                }
            ), ("http-stream-cancel-server-health", isHealthy),
            (
                "http-stream-cancel-rapid-burst",
                {
                    for _ in 0..<5 { try open().close() }
                    return try isHealthy()
                }
            ),
        ]
    }

    // MARK: - Of both eras

    private func hosts(
        _ rig: HTTPRig, _ request: @escaping ([String: String?]) -> String
    ) -> [Row] {
        [
            (
                "localhost-host-rebinding-rejected",
                { try rig.exchange(request(["Host": "evil.example.com"])).status == 403 }
            ),
            (
                "localhost-host-valid-accepted",
                {
                    try ["127.0.0.1:\(rig.listener.port)", "localhost", "[::1]"].allSatisfy {
                        try rig.exchange(request(["Host": $0])).status == 200
                    }
                }
            ),
            (
                "foreign Origin is 403",
                { try rig.exchange(request(["Origin": "https://evil.example"])).status == 403 }
            ),
        ]
    }

    private func progress(_ rig: HTTPRig, _ request: (JSONObject) -> String) -> [Row] {
        var withToken = HTTPRig.call("test_tool_with_progress", [:])
        withToken["_meta"] = ["progressToken": "unique-token"]
        let tokened = request(withToken)
        let plain = request(HTTPRig.call("test_tool_with_progress", [:]))
        var params: [JSONValue] = []
        do {
            let client = try rig.client()
            client.send(tokened)
            _ = client.head()
            for step in steps {
                let event = try JSONParser.parse(client.event() ?? "")
                if event["method"] == "notifications/progress" {
                    params.append(event["params"] ?? .null)
                }
                step.open()
            }
            let last = try JSONParser.parse(client.event() ?? "")
            let rest = client.event()
            let values = params.compactMap { $0["progress"]?.doubleValue }
            return [
                ("tools-call-with-progress", { params.count == 3 && last["result"] != nil }),
                (
                    "progress-values-non-decreasing",
                    {
                        values == values.sorted() && values.count == 3 && (values.last ?? 9) <= 1
                            && params.allSatisfy { $0["total"]?.doubleValue == 1 }
                    }
                ),
                (
                    "progress-token-matches-request",
                    { params.allSatisfy { $0["progressToken"] == "unique-token" } }
                ), ("progress-ceases-after-completion", { rest == nil }),
                (
                    "progress-no-token-no-notifications",
                    { try rig.exchange(plain).headers["content-type"] == "application/json" }
                ),
            ]
        } catch {
            return [("tools-call-with-progress", { throw error })]
        }
    }

    private static func areTools(_ result: JSONValue?) -> Bool {
        guard let tools = result?["tools"]?.arrayValue, !tools.isEmpty else { return false }
        return tools.allSatisfy {
            $0["name"]?.stringValue != nil && $0["description"]?.stringValue != nil
                && $0["inputSchema"]?["type"] == "object"
        }
    }

    private static func isFailure(_ answer: RawHTTPClient.Answer) -> Bool {
        answer.status == 200 && answer.json["result"]?["isError"] == true
            && answer.said?.contains("intentionally") == true
    }

    private static func isInvalid(_ answer: RawHTTPClient.Answer, id: JSONValue) -> Bool {
        answer.status == 400 && answer.code == JSONRPCError.invalidParams
            && answer.json["id"] == id
    }
}
