import Foundation
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import MCP

/// The HTTP endpoint over real sockets, with hosts that behave and others that do not.
final class MCPHTTPServerTests: XCTestCase {
    /// Calls that wait at a gate and note how they end; "browse" answers at once.
    private struct WaitingCalls {
        let timeline = Timeline()
        let started = Gate()
        let gate = Gate()

        var server: RigServer {
            var server = RigServer(timeline: timeline)
            server.act = { [started, gate, timeline] name, _ in
                if name == "browse" { return ToolOutput(text: "quick") }
                started.open()
                let ended = Gate()
                await withTaskCancellationHandler {
                    let opener = Task {
                        await gate.wait()
                        ended.open()
                    }
                    await ended.wait()
                    opener.cancel()
                } onCancel: {
                    ended.open()
                }
                timeline.note(Task.isCancelled ? "stopped" : "finished")
                try Task.checkCancellation()
                return ToolOutput(text: "done \(name)")
            }
            return server
        }
    }

    private let calls = WaitingCalls()
    private var timeline: Timeline { calls.timeline }
    private var started: Gate { calls.started }
    private var gate: Gate { calls.gate }
    private var waiting: RigServer { calls.server }
    override func tearDown() { gate.open() }

    private var quick: RigServer { RigServer(timeline: timeline) }

    func testAHostOfEachEraIsServed() throws {
        let rig = try HTTPRig(quick)
        let modern = try rig.client()
        modern.send(HTTPRig.modern("server/discover"))
        XCTAssertEqual(modern.answer()?.json["result"]?["resultType"], "complete")
        modern.send(HTTPRig.modern("tools/call", HTTPRig.call("note"), id: "two"))
        let answer = modern.answer()
        XCTAssertEqual(answer?.status, 200)
        XCTAssertEqual(answer?.headers["content-type"], "application/json")
        XCTAssertNil(answer?.headers["mcp-session-id"])
        XCTAssertEqual(answer?.json["id"], "two")
        XCTAssertEqual(answer?.said, "done note")

        let session = try rig.initialize()
        let list = try rig.exchange(HTTPRig.legacy("tools/list", session: session))
        XCTAssertEqual(list.json["result"]?["tools"]?.arrayValue?.count, 3)
        XCTAssertNil(list.json["result"]?["resultType"])
        let called = try rig.exchange(
            HTTPRig.legacy("tools/call", .object(HTTPRig.call("look")), session: session))
        XCTAssertEqual(called.said, "done look")
        let withheld = try rig.exchange(
            HTTPRig.legacy("tools/call", .object(HTTPRig.call("wipe")), session: session))
        XCTAssertEqual(withheld.code, -32602)
        XCTAssertEqual(timeline.count("run wipe"), 0)

        let end = HTTPRig.request("DELETE", "/mcp", ["Mcp-Session-Id": session])
        XCTAssertEqual(try rig.exchange(end).status, 200)
        XCTAssertEqual(try rig.exchange(end).status, 404)
        XCTAssertEqual(
            try rig.exchange(HTTPRig.legacy("tools/list", session: session)).status, 404)
    }

    func testItListensOnBothLoopbackAddressesAndOnNoOther() throws {
        let rig = try HTTPRig(quick)
        let client: RawHTTPClient
        do {
            client = try rig.client(isIPv6: true)
        } catch {
            throw XCTSkip("this machine has no ::1")
        }
        client.send(HTTPRig.modern("tools/list", headers: ["Host": "[::1]:\(rig.listener.port)"]))
        XCTAssertEqual(client.answer()?.status, 200)
        var addresses: Set<String> = []
        for file in ["/proc/net/tcp", "/proc/net/tcp6"] {
            let port = String(format: ":%04X", rig.listener.port)
            for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count > 3, words[3] == "0A", words[1].hasSuffix(port) else { continue }
                addresses.insert(String(words[1].dropLast(5)))
            }
        }
        XCTAssertEqual(addresses, ["0100007F", "00000000000000000000000001000000"])
    }

    func testAPortThatIsInUseIsAnErrorOfItsOwn() throws {
        let rig = try HTTPRig(quick)
        let port = rig.listener.port
        XCTAssertThrowsError(
            try HTTPListener(port: port, uptime: Base.Environment.systemUptime)
        ) { XCTAssertEqual($0 as? HTTPListener.Failure, .init(port: port, code: EADDRINUSE)) }
    }

    func testProgressComesAsEventsBeforeTheAnswer() throws {
        var server = quick
        server.progress = ToolProgress(activity: "Looking", title: "x")
        let rig = try HTTPRig(server)
        let client = try rig.client()
        for _ in 0..<2 {
            client.send(HTTPRig.modern("tools/call", HTTPRig.call("look", token: "p")))
            XCTAssertEqual(client.head()?.headers["content-type"], "text/event-stream")
            let progress = try JSONParser.parse(client.event() ?? "")
            XCTAssertEqual(progress["method"], "notifications/progress")
            XCTAssertEqual(progress["params"]?["progressToken"], "p")
            let answer = try JSONParser.parse(client.event() ?? "")
            XCTAssertEqual(answer["result"]?["content"]?[0]?["text"], "done look")
            XCTAssertNil(client.event())
        }
        // Without a token nothing but the answer.
        client.send(HTTPRig.modern("tools/call", HTTPRig.call("look")))
        XCTAssertEqual(client.answer()?.headers["content-type"], "application/json")
    }

    // MARK: - Ends

    func testWhoClosesTheConnectionHasCancelledInTheModernEra() throws {
        for isHalf in [false, true] {
            let calls = WaitingCalls()
            let rig = try HTTPRig(calls.server)
            let client = try rig.client()
            client.send(HTTPRig.modern("tools/call", HTTPRig.call("look")))
            calls.started.block()
            if isHalf { client.endSending() } else { client.close() }
            rig.finish()
            XCTAssertEqual(calls.timeline.all, ["run look", "stopped"])
            calls.gate.open()
        }
    }

    func testALostConnectionDoesNotCancelInTheLegacyEra() throws {
        let rig = try HTTPRig(waiting)
        let session = try rig.initialize()
        let client = try rig.client()
        client.send(
            HTTPRig.legacy("tools/call", .object(HTTPRig.call("note")), id: 5, session: session))
        started.block()
        client.close()
        let other = try rig.exchange(
            HTTPRig.legacy("tools/call", .object(HTTPRig.call("browse")), session: session))
        XCTAssertEqual(other.said, "quick")
        gate.open()
        rig.finish()
        XCTAssertEqual(timeline.all, ["run note", "run browse", "finished"])
    }

    func testACancellationOfTheLegacyEraStopsItsCallAlone() throws {
        let rig = try HTTPRig(waiting)
        let session = try rig.initialize()
        let other = try rig.initialize()
        let client = try rig.client()
        client.send(
            HTTPRig.legacy("tools/call", .object(HTTPRig.call("look")), id: 5, session: session))
        started.block()
        func cancel(_ id: JSONValue, _ session: String) throws -> Int {
            try rig.exchange(
                HTTPRig.legacy(
                    "notifications/cancelled", ["requestId": id], id: nil, session: session)
            ).status
        }
        XCTAssertEqual(try cancel(6, session), 202)
        XCTAssertEqual(try cancel(5, other), 202)
        XCTAssertEqual(try cancel(5, "unknown"), 404)
        XCTAssertEqual(timeline.all, ["run look"])
        XCTAssertEqual(try cancel(5, session), 202)
        // The stream ends without an answer; the connection is as good as before.
        XCTAssertEqual(client.answer()?.text, "")
        XCTAssertEqual(timeline.all, ["run look", "stopped"])
        client.send(
            HTTPRig.legacy("tools/call", .object(HTTPRig.call("browse")), session: session))
        XCTAssertEqual(client.answer()?.said, "quick")
    }

    func testAtTheEndCallsGetAMomentAndListenersAreTold() throws {
        let rig = try HTTPRig(waiting)
        let call = try rig.client()
        call.send(HTTPRig.modern("tools/call", HTTPRig.call("look")))
        started.block()
        let listening = try rig.client()
        listening.send(
            HTTPRig.modern(
                "subscriptions/listen", JSONObject([.init("notifications", [:])]), id: "L"))
        XCTAssertEqual(listening.head()?.headers["content-type"], "text/event-stream")
        XCTAssertEqual(
            try JSONParser.parse(listening.event() ?? "")["method"],
            "notifications/subscriptions/acknowledged")
        let idle = try rig.client()
        rig.listener.close()
        gate.open()
        XCTAssertEqual(call.answer()?.said, "done look")
        XCTAssertEqual(try JSONParser.parse(listening.event() ?? "")["id"], "L")
        XCTAssertNil(listening.event())
        rig.finish()
        XCTAssert(idle.isEnded())
        XCTAssertThrowsError(try rig.client())
    }

    func testACallThatDoesNotFinishIsStoppedAtTheEnd() throws {
        let rig = try HTTPRig(waiting)
        let client = try rig.client()
        client.send(HTTPRig.modern("tools/call", HTTPRig.call("look")))
        started.block()
        rig.listener.close()
        let clock = rig.clock
        Task {
            await clock.waitForSleeps(1)
            clock.advance(by: .milliseconds(1500))
        }
        let answer = client.answer()
        XCTAssertEqual(answer?.json["result"]?["isError"], true, answer?.text ?? "none")
        rig.finish()
        XCTAssertEqual(timeline.all, ["run look", "stopped"])
    }

    // MARK: - Hosts that do not behave

    func testARequestMayComeInAnyPieces() throws {
        let rig = try HTTPRig(quick)
        let client = try rig.client()
        let request = Array(HTTPRig.modern("tools/call", HTTPRig.call("look")).utf8)
        for cut in 0...request.count {
            client.send(request[..<cut])
            client.send(request[cut...])
            XCTAssertEqual(client.answer()?.said, "done look", "\(cut)")
        }
        for byte in request { client.send([byte]) }
        XCTAssertEqual(client.answer()?.said, "done look")
        // Several at once are answered one after the other.
        client.send(request + request + request)
        for _ in 0..<3 { XCTAssertEqual(client.answer()?.said, "done look") }
    }

    func testWhatIsWrongIsRefusedAndTheNextHostIsServed() throws {
        let rig = try HTTPRig(quick)
        let body = "{}"
        let long = String(repeating: "x", count: 6 << 20)
        typealias Row = (String, Int)
        let rows: [Row] = [
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", 400), ("hello\r\n\r\n", 400),
            ("GET /mcp HTTP/1.0\r\n\r\n", 505),
            (HTTPRig.request("POST", "/mcp", ["A": String(repeating: "x", count: 40_000)]), 431),
            (HTTPRig.request("POST", "/mcp", ["Content-Length": nil]), 411),
            (HTTPRig.request("POST", "/mcp", ["Transfer-Encoding": "chunked"]), 411),
            (HTTPRig.request("POST", "/mcp", ["Content-Length": "99999999999"]), 413),
            (HTTPRig.request(body: long), 413),
            (HTTPRig.request("POST", "/mcp", ["Authorization": nil], body: body), 401),
            (HTTPRig.request("POST", "/mcp", ["Authorization": "Bearer x"], body: body), 401),
            (HTTPRig.request("POST", "/mcp", ["Authorization": "Bearer x"], body: long), 413),
            (
                HTTPRig.request(
                    "POST", "/mcp", ["Authorization": "Bearer x"],
                    body: String(repeating: "x", count: 3 << 20)), 401
            ), (HTTPRig.request("POST", "/mcp", ["Host": "evil.example"], body: body), 403),
            (HTTPRig.request("POST", "/mcp", ["Origin": "http://evil.example"], body: body), 403),
            (HTTPRig.request("POST", "/other", body: body), 404),
            (HTTPRig.request("GET", "/mcp"), 405), (HTTPRig.request("OPTIONS", "/mcp"), 405),
            (HTTPRig.request("POST", "/mcp", ["Content-Type": "text/plain"], body: body), 415),
            (HTTPRig.request(body: "nonsense"), 400), (HTTPRig.request(body: "[]"), 400),
            (HTTPRig.request(body: ""), 400), (HTTPRig.request(body: "{}"), 400),
            (HTTPRig.request(body: String(repeating: "[", count: 200_000)), 400),
            (HTTPRig.request(body: #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#), 400),
            (HTTPRig.legacy("tools/list", session: "unknown"), 404),
        ]
        for (request, status) in rows {
            let client = try rig.client()
            client.send(request)
            let answer = client.answer()
            XCTAssertEqual(answer?.status, status, String(request.prefix(100)))
            XCTAssertNotNil(answer?.code, String(request.prefix(100)))
        }
        XCTAssertEqual(try rig.exchange(HTTPRig.modern("tools/list")).status, 200)
        XCTAssertEqual(timeline.all, [])
    }

    /// Neither a request that does not come to its end nor a connection without one is
    /// waited for without end.
    func testSlowHostsAreLeft() throws {
        var limits = HTTPListener.Limits()
        limits.requestSeconds = 0.2
        limits.idleSeconds = 0.2
        let rig = try HTTPRig(quick, limits: limits, isTimed: true)
        XCTAssert(try rig.client().isEnded())
        let request = HTTPRig.modern("tools/list")
        for length in [1, 20, request.utf8.count - 1] {
            let client = try rig.client()
            client.send(request.utf8.prefix(length))
            XCTAssertEqual(client.answer()?.status, 408)
            XCTAssert(client.isEnded())
        }
        let client = try rig.client()
        client.send(request)
        XCTAssertEqual(client.answer()?.status, 200)
        XCTAssert(client.isEnded())
    }

    func testAThousandConnectionsOfStrangersKeepNobodyOut() throws {
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        files.rlim_cur = files.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        try XCTSkipIf(files.rlim_cur < 2000, "a process may open only \(files.rlim_cur) files")
        let rig = try HTTPRig(quick)
        let trusted = try rig.client()
        trusted.send(HTTPRig.modern("tools/list"))
        XCTAssertEqual(trusted.answer()?.status, 200)
        let strangers = try (0..<1000).map { number in
            let client = try rig.client()
            // Some say nothing, some begin a request, some have no token.
            if number % 3 == 1 { client.send("POST /mcp HTTP/1.1\r\n") }
            if number % 3 == 2 {
                client.send(HTTPRig.request("POST", "/mcp", ["Authorization": "x"]))
            }
            return client
        }
        // The queue is in order: with this answer all before it were accepted.
        XCTAssertEqual(try rig.exchange(HTTPRig.modern("tools/list")).status, 200)
        trusted.send(HTTPRig.modern("tools/list"))
        XCTAssertEqual(trusted.answer()?.status, 200)
        // At most 31 places were left for them.
        for client in strangers.prefix(1000 - 31) {
            while client.answer() != nil {}
            XCTAssert(client.isEnded())
        }
    }

    func testMoreRequestsThanThereArePlacesAreRefusedUntilOneEnds() throws {
        var limits = HTTPListener.Limits()
        limits.connections = 2
        let rig = try HTTPRig(waiting, limits: limits)
        let clients = try (0..<2).map { _ in try rig.client() }
        for client in clients { client.send(HTTPRig.modern("tools/call", HTTPRig.call("look"))) }
        while timeline.count("run look") < 2 { sched_yield() }
        let third = try rig.client()
        XCTAssertEqual(third.answer()?.status, 503)
        XCTAssert(third.isEnded())
        gate.open()
        for client in clients { XCTAssertEqual(client.answer()?.said, "done look") }
        // A place is free a moment after its answer.
        var status = 503
        while status == 503 { status = try rig.exchange(HTTPRig.modern("tools/list")).status }
        XCTAssertEqual(status, 200)
    }

    /// The host takes nothing of a flood of answers: it is left, others are served.
    func testAHostThatStopsReadingIsLeft() throws {
        var limits = HTTPListener.Limits()
        limits.writeSeconds = 1
        var server = quick
        server.act = { _, _ in ToolOutput(text: String(repeating: "x", count: 60_000)) }
        let rig = try HTTPRig(server, limits: limits)
        let deaf = try rig.client()
        let request = Array(HTTPRig.modern("tools/call", HTTPRig.call("look")).utf8)
        // Fills the buffers of both sides; ends once the server has closed.
        while deaf.send(request) {}
        XCTAssertEqual(try rig.exchange(HTTPRig.modern("tools/list")).status, 200)
        rig.finish()
    }

    func testSessionsAreForgottenTheOldestFirst() throws {
        let rig = try HTTPRig(quick)
        let client = try rig.client()
        var sessions: [String] = []
        for _ in 0..<257 {
            client.send(
                HTTPRig.legacy("initialize", ["protocolVersion": "2025-06-18"], session: nil))
            sessions.append(client.answer()?.headers["mcp-session-id"] ?? "")
        }
        XCTAssertEqual(Set(sessions).count, 257)
        func status(_ session: String) -> Int? {
            client.send(HTTPRig.legacy("ping", session: session))
            return client.answer()?.status
        }
        XCTAssertEqual(status(sessions[0]), 404)
        XCTAssertEqual(status(sessions[1]), 200)
        XCTAssertEqual(status(sessions[256]), 200)
    }
}
