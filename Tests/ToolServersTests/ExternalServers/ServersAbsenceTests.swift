import AgentCore
import Base
import Foundation
import MCP
import Synchronization
import TestSupport
import XCTest

@testable import Outside

/// Nothing bad of a server disables the rest: a tool that cannot be offered, a slow start, a
/// forgotten session, work that takes long, a result that is not as promised.
final class ServersAbsenceTests: XCTestCase {
    private var made: ServersRig?

    private var rig: ServersRig {
        guard let made else { preconditionFailure("every test begins with setUp") }
        return made
    }

    override func setUp() async throws { made = try ServersRig() }
    override func tearDown() async throws { await made?.end() }

    func testAToolThatCannotBeOfferedIsLeftOutAndNamed() async throws {
        let sentence = "The tool bad of own is left out: its part has the unknown type \"file\"."
        let report = try await rig.run(
            ["add", "own", "--yes", "--"] + rig.command(["bad-schema"]))
        XCTAssertEqual(report.outcome, .ok)
        XCTAssert(report.text.contains(sentence), report.text)
        let (offer, notices) = try await rig.servers.extend(.init(), for: nil)
        XCTAssertEqual(notices, [sentence])
        XCTAssert(offer.tools.contains { $0.name == "echo" })
        XCTAssertFalse(offer.tools.contains { $0.name == "bad" })
        let again = try await rig.servers.extend(offer, for: nil)
        XCTAssertEqual(again.notices, [])
        let overview = try await rig.another().overview()
        XCTAssertEqual(overview.map(\.leftOut), [[sentence]])
        XCTAssertEqual(overview.first?.tools.count, offer.tools.count)
    }

    func testEachNewToolIsShownInTwoLinesAndWholeWhenAsked() async throws {
        let shown = ShownLines()
        try await rig.run(
            ["add", "own", "--yes", "--"] + rig.command([]), shown: shown)
        let lines = shown.all
        let place = try XCTUnwrap(lines.firstIndex { $0.contains("own__echo") })
        XCTAssertEqual(
            lines[place...].prefix(2), ["  + own__echo  Says it again.", "    text string"])
        XCTAssertEqual(lines[place + 2], "  + own__fail")
        XCTAssertEqual(lines[place + 3], "    no arguments")
        XCTAssert(shown.text.contains("--whole shows every word"), shown.text)
        try await rig.run(["remove", "own"])
        let whole = ShownLines()
        try await rig.run(
            ["add", "own", "--yes", "--whole", "--"] + rig.command([]), shown: whole)
        XCTAssert(
            whole.text.contains("annotations  destructiveHint false · readOnlyHint true"),
            whole.text)
        XCTAssertFalse(whole.text.contains("--whole"))
    }

    func testSkillsAreRefusedInASentence() async throws {
        let refusal = "Its skills are not supported; its tools are."
        let with = try await rig.checkNew("own", ["modern", "skills"])
        XCTAssertEqual(with.lines.last?.text, "  " + refusal)
        let without = try await rig.checkNew("own", ["modern"])
        XCTAssertFalse(without.text.contains("skills"), without.text)
    }

    // MARK: - Slow starts

    /// A server that takes its time, and one that answers.
    private func slow(_ clock: ManualClock) async throws -> ExternalServers {
        try await rig.add("own")
        await rig.servers.stop()
        let late = ServerEntry(name: "slow", command: rig.command(["never"]), variables: [:])
        try await rig.book.setEntry("slow", late)
        try await rig.book.setPin("slow", rig.pin(late))
        return rig.another(environment: clock.environment)
    }

    func testEscEndsTheWaitAndTheNextMessageDoesNotWaitAgain() async throws {
        let clock = ManualClock(variables: rig.variables)
        let servers = try await slow(clock)
        XCTAssertFalse(servers.goOnWithout())
        let shown = ShownLines()
        async let extended = servers.extend(
            .init(), for: nil, emit: Emitter { progress in shown.add([progress.title]) })
        while shown.all.last != "starting slow …" { await Task.yield() }
        XCTAssertEqual(shown.all.first, "starting own, slow …")
        XCTAssert(servers.goOnWithout())
        let (offer, notices) = try await extended
        XCTAssertEqual(offer.servers, ["own"])
        XCTAssertEqual(
            notices, ["The server slow has not started yet; its tools join when it has."])
        var absent = await servers.absent
        XCTAssertEqual(absent, ["slow"])
        let again = try await servers.extend(offer, for: nil)
        XCTAssertEqual(again.notices, [])
        absent = await servers.absent
        XCTAssertEqual(absent, ["slow"])
        await servers.stop(patience: .milliseconds(50))
    }

    func testTheWaitIsShownByTheSecondAndEndsByItself() async throws {
        let clock = ManualClock(variables: rig.variables)
        let servers = try await slow(clock)
        let shown = ShownLines()
        async let extended = servers.extend(
            .init(), for: nil,
            emit: Emitter { progress in shown.add([progress.title] + progress.facts) })
        while !shown.all.contains("starting slow …") { await Task.yield() }
        for second in 1...15 {
            // Each second sleeps anew: a clock that went on before that would leave one out.
            while clock.sleeps.count(where: { $0 == .seconds(1) }) < second { await Task.yield() }
            clock.advance(by: .seconds(1))
            while !shown.all.contains("\(second) s"), second < 15 { await Task.yield() }
        }
        let (offer, _) = try await extended
        XCTAssertEqual(offer.servers, ["own"])
        XCTAssertEqual(shown.all.prefix(2), ["starting own, slow …", "0 s"])
        await servers.stop(patience: .milliseconds(50))
    }

    func testNamesThatNoServerCanHaveAreKnownBeforeAnythingStarts() async throws {
        try await rig.add("own")
        let waiting = ServerEntry(name: "other", command: rig.command([]), variables: [:])
        try await rig.book.setEntry("other", waiting)
        let unknown = try await rig.another().unknown(
            among: ["own__echo", "own__ecko", "other__anything", "none__x", "add_reminder"])
        XCTAssertEqual(unknown, ["add_reminder", "none__x", "own__ecko"])
    }

    // MARK: - Sessions

    func testASessionThatWasForgottenIsBegunAgainAndTheCallRepeatedOnce() async throws {
        let calls = Mutex<[String]>([])
        let sessions = Mutex(0)
        let server = try LoopbackServer { request in
            let message = (try? JSONParser.parse(request.body)) ?? .null
            func json(_ result: JSONValue, _ headers: [HTTPHeader] = []) -> ServerScript {
                .response(
                    200, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
                    body: JSONWriter.bytes(
                        ["jsonrpc": "2.0", "id": message["id"] ?? 0, "result": result]))
            }
            switch message["method"]?.stringValue {
            case "server/discover": return .text(400, "no session")
            case "initialize":
                let number = sessions.withLock { sessions in
                    sessions += 1
                    return sessions
                }
                return json(
                    ["protocolVersion": "2025-06-18", "capabilities": ["tools": [:]]],
                    [HTTPHeader("Mcp-Session-Id", "s-\(number)")])
            case "tools/list": return json(["tools": [["name": "echo"], ["name": "lost"]]])
            case "tools/call":
                let session = request[header: "Mcp-Session-Id"] ?? ""
                let name = message["params"]?["name"]?.stringValue ?? ""
                calls.withLock { $0.append("\(name) \(session)") }
                if session == "s-1" || name == "lost" {
                    return .response(
                        name == "lost" ? 410 : 404, headers: [],
                        body: JSONWriter.bytes([
                            "jsonrpc": "2.0", "id": nil,
                            "error": ["code": -32001, "message": "Session not found"],
                        ]))
                }
                return json(["content": [["type": "text", "text": "here"]]])
            default: return .text(request.method == "POST" ? 202 : 405, "")
            }
        }
        defer { server.stop() }
        try await rig.run(["add", "web", "--yes", "--url", server.url("/mcp")])
        let (offer, _) = try await rig.servers.extend(.init(), for: nil)
        let tools = ExternalTools(rig.servers, offer)
        let said = try await tools.callTool("web__echo", arguments: JSONObject())
        XCTAssertEqual(said.text, "here")
        XCTAssertEqual(calls.withLock { $0 }, ["echo s-1", "echo s-2"])
        await XCTAssertThrows(
            try await tools.callTool("web__lost", arguments: JSONObject()), "ended the session")
        XCTAssertEqual(calls.withLock { $0.suffix(2) }, ["lost s-2", "lost s-3"])
    }

    // MARK: - Tasks and structured results

    func testATaskIsPolledUntilItHasEnded() async throws {
        for words in [["modern", "task"], ["task"]] {
            let name = words.count == 2 ? "modern" : "older"
            try await rig.add(name, words)
            let (offer, _) = try await rig.servers.extend(.init(), for: nil)
            let told = ShownLines()
            let output = try await ExternalTools(rig.servers, offer).callTool(
                "\(name)__job", arguments: JSONObject(),
                emit: Emitter { progress in told.add([progress.part]) })
            XCTAssertEqual(output, ToolOutput(text: "made", isUntrusted: true), name)
            XCTAssertEqual(told.all.last, "half", name)
        }
    }

    func testATaskThatFailsOrAsksSaysSo() async throws {
        for (end, words) in [
            ("failed", "no ink"), ("cancelled", "was cancelled"),
            ("input_required", "asks for input"),
            ("odd", "unknown state"),
        ] {
            let name = end.filter(\.isLetter)
            try await rig.add(name, ["modern", "task=\(end)"])
            let (offer, _) = try await rig.servers.extend(.init(), for: nil)
            let tools = ExternalTools(rig.servers, offer)
            do {
                let output = try await tools.callTool("\(name)__job", arguments: JSONObject())
                XCTAssert(output.isError && output.text.contains(words), output.text)
            } catch {
                let said = Diagnostic(of: error).what
                XCTAssert(said.contains(words), said)
            }
        }
    }

    func testATaskEndsWithItsTurn() async throws {
        let file = rig.folder.path("cancelled")
        let polled = rig.folder.path("polled")
        try await rig.add(
            "own", ["modern", "task", "endless", "cancelled=\(file)", "waiting=\(polled)"])
        let (offer, _) = try await rig.servers.extend(.init(), for: nil)
        let tools = ExternalTools(rig.servers, offer)
        let call = Task { try await tools.callTool("own__job", arguments: JSONObject()) }
        await rig.waitForFile(polled)
        call.cancel()
        do {
            _ = try await call.value
            XCTFail("not stopped")
        } catch is CancellationError {}
        await rig.waitForFile(file)
    }

    func testAResultThatIsNotAsPromisedIsAnError() async throws {
        try await rig.add("own", ["promises"])
        let (offer, _) = try await rig.servers.extend(.init(), for: nil)
        let output = try await ExternalTools(rig.servers, offer).callTool(
            "own__structured", arguments: JSONObject())
        XCTAssert(output.isError)
        XCTAssert(output.text.contains("$.degrees is not of the type string"), output.text)
        XCTAssert(output.text.hasSuffix(#"{"degrees":21}"#), output.text)
    }
}
