import XCTest

@testable import Base
@testable import MCP

/// `MCPClientSession`: every event and what follows from it.
final class MCPClientSessionTests: XCTestCase {
    private func session() -> MCPClientSession {
        MCPClientSession(identity: MCPIdentity(name: "chat", version: "1"))
    }

    private func method(_ actions: [MCPClientSession.Action]) -> [String] {
        actions.compactMap { action in
            switch action {
            case .send(.request(_, let method, _)), .send(.notification(let method, _)): method
            case .ready(let facts): "ready \(facts.revision)"
            case .over: "over"
            default: nil
            }
        }
    }

    private func answer(_ id: Int64, _ result: JSONValue) -> JSONRPCMessage {
        .result(id: .integer(id), result)
    }

    private let discovered: JSONValue = [
        "resultType": "complete", "supportedVersions": ["2026-07-28", "2025-11-25"],
        "capabilities": ["tools": ["listChanged": true], "prompts": [:]],
    ]

    private func ready(_ era: MCPClientSession.Era) -> MCPClientSession {
        var session = session()
        _ = session.start(era: era)
        _ = session.receive(
            answer(1, era == .modern ? discovered : ["protocolVersion": "2025-06-18"]))
        XCTAssertEqual(session.era, era)
        return session
    }

    private func failure(
        _ id: Int64, _ code: Int, _ data: JSONValue? = nil
    ) -> JSONRPCMessage { .failure(id: .integer(id), JSONRPCError(code, "no", data: data)) }

    func testAModernServerNeedsNoHandshake() {
        var session = session()
        XCTAssertEqual(method(session.start()), ["server/discover"])
        let actions = session.receive(answer(1, discovered))
        XCTAssertEqual(method(actions), ["ready 2026-07-28"])
        guard case .ready(let facts)? = actions.first else { return XCTFail("not ready") }
        XCTAssertTrue(facts.hasTools)
        XCTAssertTrue(facts.tellsChanges)
        let (_, message) = session.request("tools/list")
        guard case .request(_, _, let params) = message else { return XCTFail("no request") }
        XCTAssertEqual(
            params["_meta"]?["io.modelcontextprotocol/protocolVersion"], "2026-07-28")
        XCTAssertEqual(
            params["_meta"]?["io.modelcontextprotocol/clientCapabilities"],
            ["extensions": ["io.modelcontextprotocol/tasks": [:]]])
    }

    func testAnyOtherErrorAndSilenceLeadToTheHandshake() {
        for code in [-32601, -32602, -32600, 0, -32000] {
            var session = session()
            _ = session.start()
            XCTAssertEqual(method(session.receive(failure(1, code))), ["initialize"])
            XCTAssertEqual(
                method(session.receive(answer(2, ["protocolVersion": "2024-11-05"]))),
                ["notifications/initialized", "ready 2024-11-05"])
            XCTAssertEqual(session.era, .legacy)
        }
        var silent = session()
        _ = silent.start()
        XCTAssertEqual(method(silent.probeWasSilent()), ["initialize"])
        XCTAssertEqual(method(silent.probeWasSilent()), [])
        XCTAssertEqual(
            method(silent.receive(answer(2, ["protocolVersion": "2025-11-25"]))),
            ["notifications/initialized", "ready 2025-11-25"])
        // The late refusal of the probe changes nothing.
        XCTAssertEqual(silent.receive(failure(1, -32601)), [])
    }

    func testALateDiscoveryIsTakenWhetherOrNotTheHandshakeWasRefused() {
        for isRefused in [false, true] {
            var session = session()
            _ = session.start()
            _ = session.probeWasSilent()
            if isRefused { XCTAssertEqual(session.receive(failure(2, -32601)), []) }
            XCTAssertEqual(method(session.receive(answer(1, discovered))), ["ready 2026-07-28"])
            XCTAssertEqual(session.era, .modern)
        }
    }

    func testTheVersionsOfAnErrorDecide() {
        var older = session()
        _ = older.start()
        XCTAssertEqual(
            method(older.receive(failure(1, -32022, ["supported": ["2025-11-25"]]))),
            ["initialize"])
        var other = session()
        _ = other.start()
        XCTAssertEqual(
            other.receive(failure(1, -32022, ["supported": ["2030-01-01"]])),
            [.over(.unsupportedVersion(["2030-01-01"]))])
        var demanding = session()
        _ = demanding.start()
        XCTAssertEqual(method(demanding.receive(failure(1, -32021))), ["over"])
        var unknown = session()
        _ = unknown.start(era: .legacy)
        XCTAssertEqual(
            unknown.receive(answer(1, ["protocolVersion": "1999-01-01"])),
            [.over(.unsupportedVersion(["1999-01-01"]))])
        var refusing = session()
        _ = refusing.start(era: .legacy)
        XCTAssertEqual(
            refusing.receive(failure(1, -32603)), [.over(.refused(JSONRPCError(-32603, "no")))])
    }

    func testAnswersThatNobodyWaitsForDoNothing() {
        var session = ready(.legacy)
        let (number, _) = session.request("tools/list")
        XCTAssertEqual(session.receive(answer(77, [:])), [])
        XCTAssertEqual(session.receive(.result(id: .string("2"), [:])), [])
        XCTAssertEqual(session.receive(.failure(id: nil, JSONRPCError(-32700, "x"))), [])
        let id = Int64(number)
        XCTAssertEqual(
            session.receive(answer(id, ["a": 1])),
            [.answered(number: number, .result(JSONObject([.init("a", 1)])))])
        XCTAssertEqual(session.receive(answer(id, ["a": 2])), [])
    }

    func testWhatAServerAsksForIsRefusedAndAPingAnswered() {
        var session = ready(.legacy)
        XCTAssertEqual(
            session.receive(.request(id: .string("s"), method: "ping", params: JSONObject())),
            [.send(.result(id: .string("s"), [:]))])
        for method in ["sampling/createMessage", "elicitation/create", "roots/list", "x"] {
            let actions = session.receive(
                .request(id: .integer(9), method: method, params: JSONObject()))
            guard case .send(.failure(.integer(9)?, let error))? = actions.first else {
                return XCTFail("\(actions)")
            }
            XCTAssertEqual(error.code, -32601)
        }
    }

    func testProgressHasToGrowAndEndsWithTheAnswer() {
        var session = ready(.modern)
        let (number, message) = session.request("tools/call", wantsProgress: true)
        guard case .request(_, _, let params) = message else { return XCTFail("no request") }
        XCTAssertEqual(params["_meta"]?["progressToken"], JSONValue(number))
        func progress(_ value: JSONValue) -> [MCPClientSession.Action] {
            session.receive(
                .notification(
                    method: "notifications/progress",
                    params: JSONObject([
                        .init("progressToken", JSONValue(number)), .init("progress", value),
                        .init("message", "a\u{1B}[2Jb"),
                    ])))
        }
        guard case .progressed(number, let told)? = progress(1).first else {
            return XCTFail("not reported")
        }
        XCTAssertEqual(told.message, "a[2Jb")
        XCTAssertEqual(progress(1), [])
        XCTAssertEqual(progress(0), [])
        XCTAssertEqual(progress("x"), [])
        XCTAssertEqual(progress(2).count, 1)
        _ = session.receive(answer(Int64(number), [:]))
        XCTAssertEqual(progress(3), [])
    }

    func testResultsOfAnUnknownKindAndQuestionsAreInvalid() {
        var session = ready(.modern)
        func result(_ value: JSONValue) -> MCPClientSession.Action? {
            let (number, _) = session.request("tools/call")
            return session.receive(answer(Int64(number), value)).first
        }
        for value: JSONValue in [
            ["resultType": "poem"], [1], "text", ["resultType": "task"],
            ["resultType": "input_required", "inputRequests": ["who": [:]]],
        ] {
            guard case .answered(_, .invalid)? = result(value) else {
                return XCTFail("\(value)")
            }
        }
        guard
            case .answered(_, .result)? = result(
                ["resultType": "input_required", "requestState": "1"])
        else { return XCTFail("a plain retry") }
    }

    func testACancelledRequestIsToldAndItsAnswerIgnored() {
        var session = ready(.legacy)
        let (number, _) = session.request("tools/call")
        guard
            case .send(.notification("notifications/cancelled", let params))? =
                session.cancel(number, reason: "enough").first
        else { return XCTFail("not told") }
        XCTAssertEqual(params["requestId"], JSONValue(number))
        XCTAssertEqual(session.receive(answer(Int64(number), [:])), [])
        XCTAssertEqual(session.cancel(number, reason: "again"), [])
    }

    func testChangesAreAskedForOnceOfAModernServer() {
        var legacy = ready(.legacy)
        XCTAssertEqual(legacy.listen(), [])
        let changed = JSONRPCMessage.notification(
            method: "notifications/tools/list_changed", params: JSONObject())
        XCTAssertEqual(legacy.receive(changed), [.toolsChanged])
        var modern = ready(.modern)
        XCTAssertEqual(method(modern.listen()), ["subscriptions/listen"])
        XCTAssertEqual(modern.listen(), [])
        XCTAssertEqual(modern.receive(changed), [.toolsChanged])
        XCTAssertTrue(modern.isListening)
        XCTAssertEqual(modern.receive(answer(2, ["resultType": "complete"])), [])
        XCTAssertFalse(modern.isListening)
    }
}
