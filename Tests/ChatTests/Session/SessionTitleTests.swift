import AgentCore
import Base
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// Titles that a model gives: when it is asked, and what never happens.
final class SessionTitleTests: XCTestCase {
    private static let first = "What is the cheapest ferry to Oslo?"

    /// A network that answers messages and requests for titles, and keeps them.
    private final class Network: Sendable {
        let titles = Mutex<[String]>([])
        let title: RoutedTransport.Route

        init(_ title: @escaping RoutedTransport.Route) { self.title = title }

        var asked: [String] { titles.withLock { $0 } }

        func route(_ answer: @escaping RoutedTransport.Route) -> RoutedTransport.Route {
            { [self] request in
                guard case .bytes(let bytes) = request.body else {
                    return try await answer(request)
                }
                let text = String(decoding: bytes, as: UTF8.self)
                guard text.contains("Give this conversation a title") else {
                    return try await answer(request)
                }
                titles.withLock { $0.append(text) }
                return try await title(request)
            }
        }
    }

    private let network = Network(RoutedTransport.claude("**Ferry to Oslo.**"))

    private func rig(
        _ configuration: String? = nil, answer: @escaping RoutedTransport.Route
    ) throws -> ChatRig {
        let rig = try ChatRig(variables: ChatRig.claude, configuration: configuration)
        rig.transport.set("api.anthropic.com", network.route(answer))
        rig.transport.set("127.0.0.1", network.route(RoutedTransport.local("Hello.")))
        return rig
    }

    private func rig(_ configuration: String? = nil) throws -> ChatRig {
        try rig(configuration, answer: RoutedTransport.claude("Hello."))
    }

    /// Sends a message, as the prompt does it.
    private func say(_ text: String, _ session: Session) async throws {
        let answer = try await session.send(text) { _ in }
        await session.giveTitle(after: answer)
    }

    private func title(_ session: Session) async throws -> String? {
        guard let id = await session.record?.id else { return nil }
        return try await session.store.conversation(id)?.title
    }

    func testTheFirstAnswerBringsATitleThatIsCountedAndTheFirstWordsStillFindIt() async throws {
        let rig = try rig()
        let session = try await rig.session()
        try await session.openNew()
        try await say(Self.first, session)
        let given = [try await title(session), await session.record?.title]
        XCTAssertEqual(given, ["Ferry to Oslo", "Ferry to Oslo"])
        let found = try await ConversationFinder(services: rig.services).find("cheapest")
        let id = await session.record?.id
        XCTAssertEqual(found.id, id)
        let usage = try await session.store.usage(of: found.id)
        XCTAssertEqual(usage.map(\.turns), [1])
        XCTAssertEqual(usage.map(\.usage), [Usage(input: 20, output: 10)])
        let asked = try XCTUnwrap(network.asked.first)
        XCTAssertTrue(asked.contains(Self.first) && asked.contains("Hello."), asked)
        // Once.
        try await say("And back?", session)
        XCTAssertEqual(network.asked.count, 1)
        await rig.services.close()
    }

    func testNoTitleIsAskedForWhereNoneIsWanted() async throws {
        let cases: [(String?, ProviderName, Int)] = [
            (nil, .local, 0), (#"{"conversation_titles": "off"}"#, .claude, 0),
            (#"{"conversation_titles": "always"}"#, .local, 1),
        ]
        for (configuration, provider, count) in cases {
            let rig = try rig(configuration)
            let session = try await rig.session(flags: .init(provider: provider))
            try await session.openNew()
            let before = network.asked.count
            try await say(Self.first, session)
            XCTAssertEqual(network.asked.count - before, count, "\(provider)")
            await rig.services.close()
        }
    }

    func testAFailedOrStoppedFirstAnswerBringsNoneAndNeitherDoesTheSecond() async throws {
        let answers = Mutex<[RoutedTransport.Route]>([
            { _ in (403, "application/json", #"{"error":{"message":"no"}}"#) }
        ])
        let rig = try rig { request in
            let next = answers.withLock { $0.popLast() }
            return try await (next ?? RoutedTransport.claude("Hello."))(request)
        }
        let session = try await rig.session()
        try await session.openNew()
        try await say(Self.first, session)
        try await say("Once more", session)
        XCTAssertEqual(network.asked, [])

        let stopped = try self.rig { _ in throw CancellationError() }
        let other = try await stopped.session()
        try await other.openNew()
        try await say(Self.first, other)
        XCTAssertEqual(network.asked, [])
        await rig.services.close()
        await stopped.services.close()
    }

    func testATitleOfTheUserStaysWhetherItWasThereOrCameMeanwhile() async throws {
        let rig = try rig()
        let session = try await rig.session()
        try await session.openNew()
        let answer = try await session.send(Self.first) { _ in }
        _ = try await session.rename("Mine")
        await session.giveTitle(after: answer)
        XCTAssertEqual(network.asked, [])

        let box = Mutex<Session?>(nil)
        let late = try ChatRig(variables: ChatRig.claude)
        let renaming = Network { request in
            _ = try await box.withLock { $0 }?.rename("Mine")
            return try await RoutedTransport.claude("Ferry")(request)
        }
        late.transport.set("api.anthropic.com", renaming.route(RoutedTransport.claude("Hello.")))
        let other = try await late.session()
        box.withLock { $0 = other }
        try await other.openNew()
        try await say(Self.first, other)
        let kept = [try await title(session), try await title(other)]
        XCTAssertEqual(kept, ["Mine", "Mine"])
        XCTAssertEqual(renaming.asked.count, 1)
        box.withLock { $0 = nil }
        await rig.services.close()
        await late.services.close()
    }

    func testAFailureIsOneLineInTheLogAndNoSecondRequest() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        let refusing = Network { _ in (529, "application/json", "{}") }
        rig.transport.set("api.anthropic.com", refusing.route(RoutedTransport.claude("Hello.")))
        let session = try await rig.session()
        try await session.openNew()
        try await say(Self.first, session)
        let kept = try await title(session)
        XCTAssertEqual(kept, Self.first)
        XCTAssertEqual(refusing.asked.count, 1)
        let log = try String(contentsOfFile: rig.services.paths.log, encoding: .utf8)
        XCTAssertTrue(log.contains("no title: Claude is overloaded (529)."), log)
        XCTAssertFalse(log.contains("ferry"), log)
        await rig.services.close()
    }

    func testASpentBudgetAsksNobodyAndSendsNothing() async throws {
        let rig = try rig(#"{"budget": {"conversation": 0.000001}}"#)
        let session = try await rig.session()
        try await session.openNew()
        try await say(Self.first, session)
        XCTAssertEqual(network.asked, [])
        await rig.services.close()
    }

    func testWhatModelsPutAroundATitleIsTakenOff() {
        let table = [
            ("Ferry to Oslo", "Ferry to Oslo"), ("\"Ferry to Oslo.\"\n", "Ferry to Oslo"),
            ("# Fähre\nmore", "Fähre"), ("„Die Fähre“", "Die Fähre"),
            ("**Ferry** to `Oslo`", "Ferry to Oslo"), ("\n \n", ""), ("...", ""),
            (
                String(repeating: "long ", count: 40),
                String(repeating: "long ", count: 11) + "long…"
            ),
        ]
        for (said, title) in table { XCTAssertEqual(TitleRecipe.title(in: said), title) }
    }
}

/// What a tool server gets to write with: the session's model, its budget and
/// its count.
final class SessionTextGeneratorTests: XCTestCase {
    private let recipe = TextRecipe(
        purpose: "test", system: "s", input: "i", maxOutputTokens: 100, privacy: .public)

    private func failure(_ generator: SessionTextGenerator) async throws -> GenerationError {
        do {
            let made = try await generator.generate(recipe, emit: nil)
            XCTFail("\(made)")
        } catch let error as GenerationError {
            return error
        }
        throw CancellationError()
    }

    func testItAsksTheModelOfTheOpenConversationAndCountsForIt() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude("Hello."))
        rig.transport.set("127.0.0.1", RoutedTransport.local("From here."))
        let session = try await rig.session(flags: .init(provider: .local))
        try await session.openNew()
        _ = try await session.send("Hi") { _ in }
        let made = try await rig.services.generator.generate(recipe, emit: nil)
        XCTAssertEqual(made.text, "From here.")
        XCTAssertEqual(made.model.provider, .local)
        let record = await session.record
        let id = try XCTUnwrap(record?.id)
        let turns = try await session.store.turns(of: id, last: 9)
        XCTAssertEqual(turns.count, 1, "no conversation is touched")
        await rig.services.close()
    }

    func testInTheShellItAsksWhomANewConversationWouldAndTheDayCountsIt() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude("Hello."))
        let made = try await rig.services.generator.generate(recipe, emit: nil)
        XCTAssertEqual(made.text, "Hello.")
        let store = try rig.services.store()
        let usage = try await store.usage(since: .distantPast)
        XCTAssertEqual(usage.map(\.usage), [Usage(input: 10, output: 5)])
        let byConversation = try await store.usageByConversation(since: .distantPast, limit: 9)
        XCTAssertEqual(byConversation, [])
        let listed = try await store.list(limit: 9)
        XCTAssertEqual(listed, [])
        await rig.services.close()
    }

    func testWithoutAModelItSaysWhatIsMissingWithExitCodeFour() async throws {
        let rig = try ChatRig()
        let none = try await failure(rig.services.generator)
        XCTAssertEqual(none.reason, .noModel)
        let said = rig.services.diagnostics.describe(none)
        XCTAssertEqual(said.what, "No model is connected.")
        XCTAssertEqual(
            said.todo, "Connect one: \(Diagnostic.connecting).".replacing("chat ", with: "/"))
        XCTAssertEqual(said.exit, .needsKeyOrNetwork)
        let session = try await rig.session(flags: .init(provider: .claude))
        let noKey = try await failure(rig.services.generator)
        XCTAssertEqual(noKey.reason, .noModel)
        XCTAssertEqual(rig.services.diagnostics.describe(noKey).exit, .needsKeyOrNetwork)
        XCTAssertEqual(
            rig.services.diagnostics.describe(noKey).what, "There is no key for Claude.")
        withExtendedLifetime(session) {}
        await rig.services.close()
    }

    func testASpentBudgetIsAnErrorAndNothingIsSent() async throws {
        let rig = try ChatRig(
            variables: ChatRig.claude, configuration: #"{"budget": {"day": 0.000001}}"#)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude("Hello."))
        _ = try await rig.services.generator.generate(recipe, emit: nil)
        let sent = rig.transport.urls.count
        let error = try await failure(rig.services.generator)
        XCTAssertEqual(error.reason, .overBudget)
        XCTAssertEqual(rig.services.diagnostics.describe(error).exit, .refused)
        XCTAssertEqual(rig.transport.urls.count, sent)
        await rig.services.close()
    }

    /// Writes a limerick, as a tool server of a later day might.
    private struct PoetServer: ToolServer {
        let generator: any TextGenerator
        let name = "poet"
        let description = "Writes."

        func listTools() -> [Tool] {
            [
                Tool(
                    name: "limerick", title: "Limerick", description: "Writes one.",
                    inputSchema: .object([.init("about", .string(), isRequired: true)]),
                    toolClass: .read)
            ]
        }

        func callTool(
            _ name: String, arguments: JSONObject, emit: Emitter
        ) async throws -> ToolOutput {
            let recipe = TextRecipe(
                purpose: "limerick", system: "Write a limerick.",
                input: arguments["about"]?.stringValue ?? "", maxOutputTokens: 300,
                privacy: .public)
            let text = Mutex("")
            let made = try await generator.generate(recipe) { piece in
                var progress = ToolProgress(activity: "Writing", title: "a limerick")
                progress.text = text.withLock {
                    $0 += piece
                    return $0
                }
                emit(progress)
            }
            return ToolOutput(text: made.text)
        }
    }

    func testAToolHasTextWrittenInTheMiddleOfATurn() async throws {
        let rig = try ChatRig(variables: ChatRig.claude, server: PoetServer.init)
        let steps = Mutex<[String]>([])
        rig.transport.set("api.anthropic.com") { request in
            guard case .bytes(let bytes) = request.body else { return (500, "", "") }
            let body = String(decoding: bytes, as: UTF8.self)
            let stream: [UInt8]
            if body.contains("Write a limerick.") {
                steps.withLock { $0.append("text") }
                stream = WireScript.text(["There once ", "was a ferry"], format: .messages)
            } else if body.contains("tool_result") {
                steps.withLock { $0.append("result") }
                stream = WireScript.text(["Here it is."], format: .messages)
            } else {
                steps.withLock { $0.append("call") }
                stream = WireScript.toolCall(
                    "limerick", arguments: #"{"about":"ferries"}"#, format: .messages)
            }
            return (200, "text/event-stream", String(decoding: stream, as: UTF8.self))
        }
        let session = try await rig.session()
        try await session.openNew()
        let shown = Mutex<[String]>([])
        _ = try await session.send("A limerick about ferries") { event in
            if case .toolProgress(let progress?, _) = event {
                shown.withLock { $0.append(progress.text) }
            }
        }
        XCTAssertEqual(steps.withLock { $0 }, ["call", "text", "result"])
        XCTAssertEqual(shown.withLock { $0.last }, "There once was a ferry")
        let record = await session.record
        let id = try XCTUnwrap(record?.id)
        let turns = try await session.store.turns(of: id, last: 9)
        let results = turns.flatMap(\.turn.messages).flatMap(\.parts).compactMap { part in
            if case .toolResult(let result) = part { result.text } else { nil }
        }
        XCTAssertEqual(results, ["There once was a ferry"])
        let usage = try await session.store.usage(of: id)
        let all = usage.reduce(Usage()) { $0 + $1.usage }
        XCTAssertEqual(usage.map(\.turns), [1])
        XCTAssertEqual(all.input, 30, "two requests of the turn and the one of the tool")
        await rig.services.close()
    }
}
