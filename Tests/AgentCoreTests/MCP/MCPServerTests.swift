import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import MCP
@testable import Privacy

/// The server with a channel in memory: what runs when, and what is written.
final class MCPServerTests: XCTestCase {
    /// The host's end: lines in, lines out.
    private final class Host: Sendable {
        private let input: AsyncStream<MessageLines.Line>
        private let feed: AsyncStream<MessageLines.Line>.Continuation
        private let output: AsyncStream<JSONValue>
        private let answers: AsyncStream<JSONValue>.Continuation
        private let takes = Atomic(true)

        init() {
            (input, feed) = AsyncStream.makeStream()
            (output, answers) = AsyncStream.makeStream()
        }

        func say(_ text: String) { feed.yield(.message(Array(text.utf8))) }
        func call(_ id: Int, _ tool: String, token: String? = nil) {
            let meta = token.map { #","_meta":{"progressToken":"\#($0)"}"# } ?? ""
            say(
                #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)""#
                    + #","arguments":{"title":"t\#(id)"}\#(meta)}}"#)
        }
        func cancel(_ id: Int) {
            say(
                #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#
            )
        }
        func end() { feed.finish() }
        func stopReading() { takes.store(false, ordering: .relaxed) }

        func next() async -> JSONValue? {
            var iterator = output.makeAsyncIterator()
            return await iterator.next()
        }

        var channel: MCPServer.Channel {
            MCPServer.Channel(
                next: { [input] in
                    var iterator = input.makeAsyncIterator()
                    return await iterator.next()
                },
                send: { [self] message in
                    guard takes.load(ordering: .relaxed) else { return false }
                    answers.yield(message.json)
                    return true
                }, close: { [feed] in feed.finish() })
        }
    }

    private let host = Host()
    private let clock = ManualClock()
    private let timeline = Timeline()

    private func start(
        _ server: RigServer, redaction: HostRedaction? = nil,
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) -> Task<Void, Never> {
        host.say(
            #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#
        )
        let registry = ToolRegistry(servers: [server])
        let mcp = MCPServer(
            session: MCPSession(
                identity: MCPIdentity(name: "chat", version: "1"), instructions: "",
                tools: registry.tools, withheld: []),
            runner: ToolRunner(
                registry: registry, environment: clock.environment, log: { _ in },
                person: { PersonalData() }, describe: { _ in "it broke" }),
            channel: host.channel, environment: clock.environment, redaction: redaction, note: note)
        return Task { await mcp.run() }
    }

    private func text(_ answer: JSONValue?) -> String? {
        answer?["result"]?["content"]?[0]?["text"]?.stringValue
    }

    func testReadsRunTogetherAndACallWaitsForTheWritesBeforeIt() async throws {
        let gates = ["note": Gate(), "look": Gate()]
        var server = RigServer(timeline: timeline)
        server.act = { name, _ in
            await gates[name]?.wait()
            return ToolOutput(text: name)
        }
        let running = start(server)
        _ = await host.next()
        host.call(1, "look")
        host.call(2, "browse")
        let first = await host.next()
        XCTAssertEqual(first?["id"], 2)
        host.call(3, "note")
        host.call(4, "browse")
        host.say(#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#)
        // The read behind the write waits, the ping does not.
        let ping = await host.next()
        XCTAssertEqual(ping?["id"], 5)
        gates["note"]?.open()
        let write = await host.next()
        let behind = await host.next()
        XCTAssertEqual([write?["id"], behind?["id"]], [3, 4])
        gates["look"]?.open()
        let last = await host.next()
        XCTAssertEqual(last?["id"], 1)
        host.end()
        await running.value
    }

    func testTheStoresAreToldThatTextOfOthersMayComeAndFromWhom() async throws {
        let seen = Mutex<[String]>([])
        var server = RigServer(timeline: timeline)
        server.act = { _, _ in
            seen.withLock {
                $0.append(
                    "\(ToolCallContext.hasUntrustedText) \(ToolCallContext.caller?.model ?? "")")
            }
            return ToolOutput(text: "x")
        }
        let running = start(server)
        host.call(1, "note")
        host.end()
        await running.value
        XCTAssertEqual(seen.withLock { $0 }, ["true MCP host"])
    }

    func testArgumentsAreCheckedAndFaultsAreToldToTheUserAlone() async throws {
        struct Broken: Error {}
        let notes = Mutex<[String]>([])
        var server = RigServer(timeline: timeline)
        server.act = { _, _ in throw Broken() }
        let running = start(server) { note in notes.withLock { $0.append(note) } }
        _ = await host.next()
        host.say(
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"n":0}}}"#
        )
        let invalid = await host.next()
        XCTAssertEqual(invalid?["result"]?["isError"], true)
        XCTAssertEqual(text(invalid)?.hasPrefix("Invalid arguments: $"), true)
        host.call(2, "look")
        let broken = await host.next()
        XCTAssertEqual(text(broken), "The tool failed on this machine.")
        host.end()
        await running.value
        XCTAssertEqual(notes.withLock { $0 }, ["✗ look: it broke"])
        XCTAssertEqual(timeline.count("run"), 1)
    }

    func testACancelledCallStopsAndIsNotAnswered() async throws {
        let started = Gate()
        let pause = clock.environment.sleep
        var server = RigServer(timeline: timeline)
        server.act = { name, _ in
            if name == "browse" { return ToolOutput(text: "x") }
            started.open()
            try await pause(.seconds(1000))
            return ToolOutput(text: "late")
        }
        let running = start(server)
        _ = await host.next()
        host.call(1, "look")
        await started.wait()
        host.cancel(1)
        host.call(2, "browse")
        let answer = await host.next()
        XCTAssertEqual(answer?["id"], 2)
        host.end()
        await running.value
    }

    func testAtTheEndOfTheInputCallsGetAMomentAndAreThenStopped() async throws {
        let started = Gate()
        let pause = clock.environment.sleep
        var server = RigServer(timeline: timeline)
        server.act = { _, _ in
            started.open()
            try await pause(.seconds(1000))
            return ToolOutput(text: "late")
        }
        let running = start(server)
        _ = await host.next()
        host.call(1, "look")
        await started.wait()
        host.end()
        await clock.waitForSleeps(2)
        clock.advance(by: .milliseconds(1500))
        let answer = await host.next()
        XCTAssertEqual(answer?["result"]?["isError"], true)
        await running.value
    }

    func testAHostThatStopsReadingEndsIt() async throws {
        let running = start(RigServer(timeline: timeline))
        _ = await host.next()
        host.stopReading()
        host.call(1, "look")
        await running.value
    }

    func testProgressIsToldWhereItWasAskedFor() async throws {
        var server = RigServer(timeline: timeline)
        server.progress = ToolProgress(activity: "Looking", title: "x")
        let running = start(server)
        _ = await host.next()
        host.call(1, "look", token: "p")
        let progress = await host.next()
        XCTAssertEqual(progress?["method"], "notifications/progress")
        XCTAssertEqual(
            progress?["params"],
            ["progressToken": "p", "progress": JSONValue(1.0), "message": "Looking"])
        let answer = await host.next()
        XCTAssertEqual(answer?["id"], 1)
        host.call(2, "look")
        let quiet = await host.next()
        XCTAssertEqual(quiet?["id"], 2)
        host.end()
        await running.value
    }

    /// A hundred calls at once, more than run together.
    func testAFloodOfCallsIsAnsweredWhole() async throws {
        let running = start(RigServer(timeline: timeline))
        _ = await host.next()
        for id in 1...300 { host.call(id, id % 3 == 0 ? "note" : "look") }
        var seen: Set<Int> = []
        for _ in 1...300 { seen.insert(await host.next()?["id"]?.integerValue ?? 0) }
        XCTAssertEqual(seen, Set(1...300))
        host.end()
        await running.value
    }

    func testWithRedactionTheHostGetsPlaceholdersAndMayUseThem() async throws {
        let asked = Mutex<[String]>([])
        var server = RigServer(timeline: timeline)
        server.act = { _, arguments in
            let title = arguments["title"]?.stringValue ?? ""
            asked.withLock { $0.append(title) }
            return ToolOutput(text: "Ida Berg will come, 2027-03-04T09:30:00+01:00")
        }
        let person = PersonalData([PersonalData.Entry(.name, "Ida Berg")])
        let running = start(server, redaction: HostRedaction(person: { person }))
        _ = await host.next()
        host.call(1, "look")
        let answer = await host.next()
        XCTAssertEqual(text(answer), "[NAME] will come, 2027-03-04T09:30:00")
        host.say(
            #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"note","arguments":{"title":"Call [NAME]"}}}"#
        )
        _ = await host.next()
        XCTAssertEqual(asked.withLock { $0 }, ["t1", "Call Ida Berg"])
        host.end()
        await running.value
    }

    func testWithoutAReadableProfileNothingIsGiven() async throws {
        struct Unreadable: Error {}
        let server = RigServer(timeline: timeline)
        let running = start(server, redaction: HostRedaction(person: { throw Unreadable() }))
        _ = await host.next()
        host.call(1, "look")
        let answer = await host.next()
        XCTAssertEqual(answer?["result"]?["isError"], true)
        XCTAssertEqual(text(answer)?.contains("done look"), false)
        host.end()
        await running.value
    }
}
