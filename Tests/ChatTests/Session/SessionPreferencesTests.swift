import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import Texts
import XCTest

@testable import ChatKit
@testable import chat

/// What goes into requests of a conversation, and what may be spent on it.
final class SessionPreferencesTests: XCTestCase {
    private func rig(_ configuration: String? = nil) throws -> ChatRig {
        let rig = try ChatRig(variables: ChatRig.claude, configuration: configuration)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude("Hello."))
        return rig
    }

    private func session(
        _ rig: ChatRig, preferences: ConversationPreferences = .init(),
        confirm: (@Sendable (Budget.Excess) async -> Bool)? = nil, mayExceed: Bool = false
    ) async throws -> Session {
        try await Session(
            services: rig.services,
            options: Session.Options(
                kind: .repl, preferences: preferences,
                policy: ApprovalPolicy(isInteractive: false), approver: .refusing,
                confirmSpending: confirm, mayExceedBudget: mayExceed))
    }

    func testEffortThinkingAndRoleAreKeptWithTheConversation() async throws {
        let rig = try rig(#"{ "roles": { "poet": { "system": "Rhyme.", "effort": "low" } } }"#)
        let first = try await session(rig)
        try await first.openNew()
        let found = try await rig.services.prompts.prompt("poet")
        let role = try XCTUnwrap(found)
        try await first.change {
            ($0.role, $0.system, $0.effort) = (role.name, role.system, role.effort)
        }
        _ = try await first.send("Hi") { _ in }
        try await first.change { $0.thinking = .off }
        let record = await first.record
        let wanted = ConversationPreferences(
            role: "poet", system: role.system, effort: .low, thinking: .off)
        let kept = try await rig.services.store().conversation(try XCTUnwrap(record?.id))
        XCTAssertEqual(kept?.preferences, wanted)
        try await first.openNew()
        let none = await first.preferences
        XCTAssertEqual(none, .init(), "a new conversation starts from the configuration")

        // The words of a flag go before those that were kept, at launch only.
        let second = try await session(rig, preferences: .init(effort: .max))
        let stored = try XCTUnwrap(kept)
        _ = try await second.open(stored)
        let (effort, system) = (await second.effort, await second.system)
        XCTAssertEqual(effort, .max)
        XCTAssertEqual(system, role.system)
        await rig.services.close()
    }

    func testARequestCarriesThem() async throws {
        let rig = try rig(#"{ "effort": "high", "thinking": "off" }"#)
        let bodies = Mutex<[JSONValue]>([])
        rig.transport.set("api.anthropic.com") { request in
            if case .bytes(let bytes) = request.body {
                bodies.withLock { $0.append((try? JSONParser.parse(bytes)) ?? .null) }
            }
            return try await RoutedTransport.claude("Hello.")(request)
        }
        let session = try await session(rig, preferences: .init(system: "Be terse."))
        try await session.openNew()
        _ = try await session.send("Hi") { _ in }
        try await session.change { $0.effort = .low }
        _ = try await session.send("Again") { _ in }
        let sent = bodies.withLock { $0 }
        XCTAssertEqual(sent.map { $0["output_config"]?["effort"] }, ["high", "low"])
        XCTAssertEqual(sent.map { $0["thinking"]?["display"] }, ["omitted", "omitted"])
        XCTAssertEqual(
            sent.map { $0["system"]?.arrayValue?.first?["text"] }, ["Be terse.", "Be terse."])
        let tokens = await session.lengths.reported?.tokens
        XCTAssertEqual(tokens, 15)
        await rig.services.close()
    }

    func testAnotherRoleFollowsTheConversationAndLeavesItsBeginning() async throws {
        let rig = try rig()
        let bodies = Mutex<[JSONValue]>([])
        rig.transport.set("api.anthropic.com") { request in
            if case .bytes(let bytes) = request.body {
                bodies.withLock { $0.append((try? JSONParser.parse(bytes)) ?? .null) }
            }
            return try await RoutedTransport.claude("Hello.")(request)
        }
        let session = try await session(rig, preferences: .init(system: "Be terse."))
        try await session.openNew()
        _ = try await session.send("Hi", asksModel: true) { _ in }
        try await session.change { $0.system = "Rhyme." }
        let appends = await session.appendsSystem
        XCTAssertTrue(appends)
        for text in ["Again", "And again"] {
            _ = try await session.send(text, asksModel: true) { _ in }
        }
        let sent = bodies.withLock { $0 }
        XCTAssertEqual(
            sent.map { $0["system"]?.arrayValue?.first?["text"] },
            ["Be terse.", "Be terse.", "Be terse."])
        XCTAssertEqual(
            sent.map { ($0["messages"]?.arrayValue ?? []).compactMap { $0["role"]?.stringValue } },
            [
                ["user"], ["user", "assistant", "user", "system"],
                ["user", "assistant", "user", "system", "assistant", "user"],
            ])
        let id = await session.record?.id
        let exported = try await rig.services.store().turns(of: XCTUnwrap(id), last: 9)
        XCTAssertFalse(
            exported.contains { $0.turn.messages.contains { $0.text.contains("Rhyme") } })
        await rig.services.close()
    }

    func testWhatAPromptAsksForHoldsForOneAnswerAndARolesForAll() async throws {
        let rig = try rig(#"{ "max_tokens": 5000 }"#)
        try FileManager.default.createDirectory(
            atPath: rig.folder.path + "/roles", withIntermediateDirectories: false)
        try rig.folder.write(
            Array("---\ntemperature: 0.5\nmax_tokens: 900\n---\nRhyme.".utf8), to: "roles/poet.md")
        let bodies = Mutex<[JSONValue]>([])
        rig.transport.set("api.anthropic.com") { request in
            if case .bytes(let bytes) = request.body {
                bodies.withLock { $0.append((try? JSONParser.parse(bytes)) ?? .null) }
            }
            return try await RoutedTransport.claude("Hello.")(request)
        }
        let session = try await session(rig)
        try await session.openNew()
        await session.answer(with: AnswerSettings(effort: .low, maxOutputTokens: 70))
        _ = try await session.send("Hi") { _ in }
        await session.answer(with: AnswerSettings())
        _ = try await session.send("Again") { _ in }
        try await session.change { $0.role = "poet" }
        _ = try await session.send("As a poet") { _ in }
        let sent = bodies.withLock { $0 }
        XCTAssertEqual(sent.map { $0["max_tokens"] }, [70, 5_000, 900])
        XCTAssertEqual(sent.map { $0["output_config"]?["effort"] }, ["low", nil, nil])
        let temperature = await session.temperature
        XCTAssertEqual(temperature, 0.5)
        await rig.services.close()
    }

    func testABudgetAsksBeforeItIsPassedAndRemembersAYes() async throws {
        // 10 in and 5 out of the script cost 70 millionths.
        let rig = try rig(#"{ "budget": { "conversation": 0.0001 } }"#)
        let questions = Mutex<[Int]>([])
        let answer = Mutex(true)
        let session = try await session(
            rig,
            confirm: { excess in
                questions.withLock { $0.append(excess.spent.micros) }
                return answer.withLock { $0 }
            })
        try await session.openNew()
        for _ in 0..<5 { _ = try await session.send("Hi") { _ in } }
        XCTAssertEqual(questions.withLock { $0 }, [70, 140, 210, 280])
        answer.withLock { $0 = false }
        do {
            _ = try await session.send("One more") { _ in }
            _ = try await session.send("One more") { _ in }
            XCTFail("it was sent")
        } catch SessionError.overBudget(let excess) {
            XCTAssertEqual(excess.cap.micros, 100)
        }
        let turns = try await session.lastTurns(9)
        XCTAssertEqual(turns.last?.turn.messages.map(\.text), ["Hi", "Hello."])
        await rig.services.close()
    }

    func testWithoutAPersonABudgetIsAnErrorThatSaysTheWay() async throws {
        let rig = try rig(#"{ "budget": { "day": 0.00001 } }"#)
        let strict = try await session(rig)
        try await strict.openNew()
        _ = try await strict.send("Hi") { _ in }
        do {
            _ = try await strict.send("Again") { _ in }
            XCTFail("it was sent")
        } catch {
            let diagnostic = ErrorDescriber().describe(error)
            XCTAssertEqual(diagnostic.exit, .refused)
            XCTAssertTrue(diagnostic.todo?.contains("--over-budget") == true)
        }
        let free = try await session(rig, mayExceed: true)
        try await free.openNew()
        _ = try await free.send("Again") { _ in }
        // The next day starts from nothing.
        rig.clock.advance(by: .seconds(86_400))
        try await strict.openNew()
        _ = try await strict.send("Morning") { _ in }
        await rig.services.close()
    }
}
