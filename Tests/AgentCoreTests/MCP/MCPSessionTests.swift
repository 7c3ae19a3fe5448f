import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import MCP

/// What is said to a host, message by message, in both eras.
final class MCPSessionTests: XCTestCase {
    private static let tools = RigServer(timeline: Timeline()).listTools()
    private var session = MCPSession(
        identity: MCPIdentity(name: "chat", version: "1"), instructions: "Be kind.",
        tools: tools.filter { $0.toolClass == .read || $0.toolClass == .write },
        withheld: tools.filter { $0.toolClass == .destroy || $0.toolClass == .outward })

    private static let meta = """
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
        "io.modelcontextprotocol/clientInfo":{"name":"host","version":"2"},\
        "io.modelcontextprotocol/clientCapabilities":{}}
        """

    private func receive(_ text: String) -> [MCPSession.Action] {
        session.receive(.message(Array(text.utf8)))
    }

    private func request(_ id: String, _ method: String, _ params: String) -> [MCPSession.Action] {
        receive(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params)}}"#)
    }

    private func notify(_ method: String, _ params: String = "") -> [MCPSession.Action] {
        receive(#"{"jsonrpc":"2.0","method":"\#(method)","params":{\#(params)}}"#)
    }

    /// What is sent, as JSON: the only action.
    private func answer(
        _ actions: [MCPSession.Action], file: StaticString = #filePath, line: UInt = #line
    ) throws -> JSONValue {
        guard actions.count == 1, case .send(let message)? = actions.first else {
            XCTFail("\(actions)", file: file, line: line)
            return .null
        }
        return try JSONParser.parse(message.line)
    }

    private func initialize(_ version: String = "2025-11-25") throws -> JSONValue {
        try answer(
            request(
                "0", "initialize",
                #""protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"old"}"#))
    }

    private func call(_ actions: [MCPSession.Action]) -> MCPSession.Call? {
        if case .run(let call)? = actions.first { call } else { nil }
    }

    // MARK: - The legacy era

    func testInitializeAgreesOnAVersionThatBothKnow() throws {
        for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
            let result = try initialize(version)["result"]
            XCTAssertEqual(result?["protocolVersion"], .string(version))
            XCTAssertEqual(result?["capabilities"], ["tools": [:]])
            XCTAssertEqual(result?["serverInfo"], ["name": "chat", "version": "1"])
            XCTAssertEqual(result?["instructions"], "Be kind.")
            XCTAssertNil(result?["resultType"])
        }
        XCTAssertEqual(
            try initialize("2031-01-01")["result"]?["protocolVersion"], "2025-11-25")
        XCTAssertEqual(
            try answer(request("1", "initialize", ""))["error"]?["code"], -32602)
    }

    func testBeforeInitializeOnlyPingIsAnswered() throws {
        XCTAssertEqual(try answer(request("1", "ping", ""))["result"], [:])
        for method in ["tools/list", "tools/call", "server/discover", "nonsense"] {
            XCTAssertEqual(try answer(request("1", method, ""))["error"]?["code"], -32602)
        }
        XCTAssertEqual(notify("notifications/initialized"), [])
    }

    func testToolsAreListedWithHintsThatFollowFromTheirClass() throws {
        _ = try initialize()
        let result = try answer(request("1", "tools/list", ""))["result"]
        let tools = result?["tools"]?.arrayValue ?? []
        XCTAssertEqual(tools.map { $0["name"] }, ["look", "browse", "note"])
        XCTAssertEqual(
            tools.first?["annotations"], ["readOnlyHint": true, "openWorldHint": false])
        XCTAssertEqual(
            tools.last?["annotations"],
            [
                "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
                "openWorldHint": false,
            ])
        XCTAssertEqual(tools.first?["inputSchema"]?["type"], "object")
        XCTAssertNil(result?["nextCursor"])
        XCTAssertNil(result?["ttlMs"])
        XCTAssertEqual(
            try answer(request("2", "tools/list", #""cursor":"x""#))["error"]?["code"], -32602)
        XCTAssertEqual(
            Self.tools.suffix(2).map { $0.mcp["annotations"]?["destructiveHint"] }, [true, false])
        XCTAssertEqual(
            Self.tools.suffix(2).map { $0.mcp["annotations"]?["openWorldHint"] }, [false, true])
    }

    func testACallIsRunAndAnsweredOnce() throws {
        _ = try initialize()
        let call = try XCTUnwrap(
            call(request(#""c""#, "tools/call", #""name":"look","arguments":{"title":"x"}"#)))
        XCTAssertEqual(call.tool.name, "look")
        XCTAssertEqual(call.arguments, JSONObject([.init("title", "x")]))
        XCTAssertEqual(call.host, "old")
        let result = ToolResult(callID: "1", name: "look", text: "seen", isError: true)
        XCTAssertEqual(
            session.finished(call.number, result)?.json,
            [
                "jsonrpc": "2.0", "id": "c",
                "result": [
                    "content": [["type": "text", "text": "seen"]], "isError": true,
                ],
            ])
        XCTAssertNil(session.finished(call.number, result))
    }

    func testWhatIsNotOfferedCannotBeCalled() throws {
        _ = try initialize()
        for (params, words) in [
            (#""name":"wipe""#, "because it deletes"), (#""name":"mail""#, "--allow mail"),
            (#""name":"LOOK""#, "Unknown tool: LOOK"), (#""name":"lооk""#, "Unknown tool"),
            (#""name":7"#, "\"name\" is missing"), ("", "\"name\" is missing"),
            (#""name":"look","arguments":[1]"#, "must be an object"),
        ] {
            let error = try answer(request("1", "tools/call", params))["error"]
            XCTAssertEqual(error?["code"], -32602, params)
            XCTAssert(
                error?["message"]?.stringValue?.contains(words) == true, "\(params) \(error ?? nil)"
            )
        }
    }

    func testMethodsOfWhatWeDoNotDeclareAreUnknown() throws {
        _ = try initialize()
        for method in [
            "resources/list", "prompts/list", "logging/setLevel", "completion/complete",
            "server/discover", "subscriptions/listen", "x\ny",
        ] {
            XCTAssertEqual(
                try answer(request("1", method.replacing("\n", with: "\\n"), ""))["error"]?["code"],
                -32601, method)
        }
    }

    func testACancelledCallIsNotAnsweredAndItsIdMayBeUsedAgain() throws {
        _ = try initialize()
        let first = try XCTUnwrap(call(request("5", "tools/call", #""name":"look""#)))
        XCTAssertEqual(
            notify("notifications/cancelled", #""requestId":5,"reason":"no""#),
            [.cancel(number: first.number)])
        let second = try XCTUnwrap(call(request("5", "tools/call", #""name":"look""#)))
        let result = ToolResult(callID: "", name: "look", text: "x")
        XCTAssertNil(session.finished(first.number, result))
        XCTAssertNotNil(session.finished(second.number, result))
        XCTAssertEqual(notify("notifications/cancelled", #""requestId":5"#), [])
        XCTAssertEqual(notify("notifications/cancelled", #""requestId":{}"#), [])
    }

    func testAnIdInUseIsRefusedAndTheCallGoesOn() throws {
        _ = try initialize()
        let first = try XCTUnwrap(call(request("5", "tools/call", #""name":"look""#)))
        XCTAssertEqual(
            try answer(request("5", "tools/call", #""name":"note""#))["error"]?["code"], -32600)
        XCTAssertNotNil(
            session.finished(first.number, ToolResult(callID: "", name: "look", text: "x")))
    }

    func testProgressGoesUpAndIsBoundedInTime() throws {
        _ = try initialize()
        let call = try XCTUnwrap(
            call(request("5", "tools/call", #""name":"look","_meta":{"progressToken":"p"}"#)))
        var progress = ToolProgress(activity: "Reading", title: "Secret title")
        progress.fraction = 0.5
        XCTAssertEqual(
            session.progressed(call.number, progress, at: 1)?.json["params"],
            ["progressToken": "p", "progress": JSONValue(0.5), "total": 1, "message": "Reading"])
        progress.fraction = 0.75
        XCTAssertNil(session.progressed(call.number, progress, at: 1.05))
        progress.fraction = 0.4
        XCTAssertNil(session.progressed(call.number, progress, at: 2))
        progress.fraction = 1
        XCTAssertNotNil(session.progressed(call.number, progress, at: 3))
        _ = session.finished(call.number, ToolResult(callID: "", name: "look", text: "x"))
        XCTAssertNil(session.progressed(call.number, progress, at: 9))
        // Without a token nothing is told.
        let quiet = try XCTUnwrap(self.call(request("6", "tools/call", #""name":"look""#)))
        XCTAssertNil(session.progressed(quiet.number, progress, at: 20))
    }

    // MARK: - The modern era

    func testDiscoverTellsVersionsCapabilitiesAndWhoWeAre() throws {
        let result = try answer(request("1", "server/discover", Self.meta))["result"]
        XCTAssertEqual(result?["resultType"], "complete")
        XCTAssertEqual(
            result?["supportedVersions"],
            ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
        XCTAssertEqual(result?["capabilities"], ["tools": [:]])
        XCTAssertEqual(
            result?["_meta"]?["io.modelcontextprotocol/serverInfo"],
            ["name": "chat", "version": "1"])
        XCTAssertEqual(result?["cacheScope"], "private")
        XCTAssertNotNil(result?["ttlMs"]?.integerValue)
    }

    func testAModernRequestNeedsNothingBeforeIt() throws {
        let list = try answer(request("1", "tools/list", Self.meta))["result"]
        XCTAssertEqual(list?["resultType"], "complete")
        XCTAssertEqual(list?["tools"]?.arrayValue?.count, 3)
        XCTAssertNotNil(list?["ttlMs"])
        let call = try XCTUnwrap(call(request("2", "tools/call", #""name":"note",\#(Self.meta)"#)))
        XCTAssertEqual(call.host, "host")
        let result = session.finished(
            call.number, ToolResult(callID: "", name: "note", text: "x"))?.json["result"]
        XCTAssertEqual(result?["resultType"], "complete")
        XCTAssertEqual(result?["isError"], false)
        // Ping went with the handshake.
        XCTAssertEqual(try answer(request("3", "ping", Self.meta))["error"]?["code"], -32601)
    }

    func testAVersionThatWeDoNotSpeakNamesThoseThatWeDo() throws {
        let meta = Self.meta.replacing("2026-07-28", with: "1900-01-01")
        let error = try answer(request("1", "tools/list", meta))["error"]
        XCTAssertEqual(error?["code"], -32022)
        XCTAssertEqual(error?["data"]?["requested"], "1900-01-01")
        XCTAssertEqual(error?["data"]?["supported"]?.arrayValue?.first, "2026-07-28")
        let bare = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        XCTAssertEqual(try answer(request("1", "tools/list", bare))["error"]?["code"], -32602)
    }

    func testBothErasMayBeMixed() throws {
        _ = try initialize()
        XCTAssertNil(try answer(request("1", "tools/list", ""))["result"]?["resultType"])
        XCTAssertEqual(
            try answer(request("2", "tools/list", Self.meta))["result"]?["resultType"], "complete")
    }

    func testASubscriptionIsAcknowledgedAndEndedInOrder() throws {
        let filter = #""notifications":{"toolsListChanged":true},\#(Self.meta)"#
        let key = "io.modelcontextprotocol/subscriptionId"
        let acknowledged = try answer(request("9", "subscriptions/listen", filter))
        XCTAssertEqual(acknowledged["method"], "notifications/subscriptions/acknowledged")
        XCTAssertEqual(acknowledged["params"]?["notifications"], [:])
        XCTAssertEqual(acknowledged["params"]?["_meta"]?[key], 9)
        _ = request("10", "subscriptions/listen", filter)
        XCTAssertEqual(notify("notifications/cancelled", #""requestId":10"#), [])
        let ends = session.ended().map(\.json)
        XCTAssertEqual(ends.map { $0["id"] }, [9])
        XCTAssertEqual(ends.first?["result"]?["_meta"]?[key], 9)
        XCTAssertEqual(session.ended(), [])
    }

    // MARK: - Junk

    func testJunkIsAnsweredAndForgotten() throws {
        XCTAssertEqual(try answer(receive("Hello?"))["error"]?["code"], -32700)
        XCTAssertEqual(
            try answer(session.receive(.tooLong(limit: 10)))["error"]?["code"], -32600)
        XCTAssertEqual(receive(#"{"jsonrpc":"2.0","id":1,"result":{}}"#), [])
        XCTAssertEqual(receive(#"{"jsonrpc":"2.0","method":"nonsense"}"#), [])
        XCTAssertEqual(try answer(request("1", "ping", ""))["result"], [:])
    }

    /// 10,000 damaged messages: none is run that was not a call, none is lost.
    func testDamagedMessagesNeitherTrapNorRunAnything() throws {
        _ = try initialize()
        let good = Array(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{}}}"#
                .utf8)
        var random = SplitMix(seed: 17)
        for _ in 0..<10_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            for action in session.receive(.message(bytes)) {
                switch action {
                case .run(let call):
                    XCTAssertEqual(call.tool.name, "look")
                    _ = session.finished(
                        call.number, ToolResult(callID: "", name: "look", text: ""))
                case .send(let message): XCTAssertFalse(message.line.dropLast().contains(0x0A))
                case .cancel: XCTFail("nothing was cancelled")
                }
            }
        }
    }
}
