import AgentCore
import Base
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// A provider that fails, with another one configured.
final class SessionFailoverTests: XCTestCase {
    private static let both = ChatRig.claude.merging(ChatRig.openai) { first, _ in first }

    private static func responses(_ text: String) -> RoutedTransport.Route {
        { request in
            guard case .bytes(let bytes) = request.body else { return (500, "text/plain", "") }
            let body = try JSONParser.parse(bytes)
            XCTAssertEqual(ConversationValidator.violations(in: body, format: .responses), [])
            return (
                200, "text/event-stream",
                String(decoding: WireScript.text([text], format: .responses), as: UTF8.self)
            )
        }
    }

    private func session(
        _ rig: ChatRig, confirm: (@Sendable ([StyledLine], String) async -> Bool)? = nil
    ) async throws -> Session {
        let session = try await Session(
            services: rig.services,
            options: Session.Options(
                kind: .repl, flags: ProviderChoice.Selection(provider: .claude),
                policy: ApprovalPolicy(isInteractive: false), approver: .refusing, confirm: confirm)
        )
        try await session.openNew()
        return session
    }

    private func outcome(_ answer: Session.Answer) throws -> (TurnOutcome, ProviderName) {
        guard case .model(let outcome, let provider, _) = answer else {
            throw SessionError.noModel(nearest: nil)
        }
        return (outcome, provider)
    }

    /// A quota failure is not tried again, so no time has to pass.
    private static let noMoney: RoutedTransport.Route = { _ in
        (429, "application/json", #"{"error":{"type":"insufficient_quota","message":"no"}}"#)
    }

    func testAYesAnswersTheSameMessageThereAndTheConversationStays() async throws {
        let rig = try ChatRig(variables: Self.both)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude("One."))
        rig.transport.set("api.openai.com", Self.responses("Two."))
        let questions = Mutex<[String]>([])
        let session = try await session(rig) { lines, question in
            questions.withLock { $0 += lines.map(\.text) + [question] }
            return true
        }
        _ = try await session.send("first") { _ in }
        rig.transport.set("api.anthropic.com", Self.noMoney)
        let (second, provider) = try outcome(try await session.send("second") { _ in })
        XCTAssertEqual(second.status, .done)
        XCTAssertEqual(provider, .openai)
        XCTAssertEqual(
            questions.withLock { $0 },
            [
                "  ! Claude says there is no money or quota left: no.",
                "    OpenAI can answer; the whole conversation goes to api.openai.com.",
                "  Go on with OpenAI? y or Enter for no: ",
            ])
        let record = await session.record
        XCTAssertEqual(record?.provider, .openai)
        // It is answered once, and its tokens are the other model's.
        let stored = try await rig.services.store().turns(of: record?.id ?? "", last: 10)
        XCTAssertEqual(
            stored.map { $0.turn.messages.map(\.text) }, [["first", "One."], ["second", "Two."]])
        XCTAssertEqual(stored.map(\.provider), [.claude, .openai])
        let (_, third) = try outcome(try await session.send("third") { _ in })
        XCTAssertEqual(third, .openai)
        await rig.services.close()
    }

    func testANoFailsAndChangesNothing() async throws {
        let rig = try ChatRig(variables: Self.both)
        rig.transport.set("api.anthropic.com", Self.noMoney)
        let session = try await session(rig) { _, _ in false }
        let (failed, provider) = try outcome(try await session.send("first") { _ in })
        XCTAssertEqual(failed.status, .failed)
        XCTAssertEqual(provider, .claude)
        XCTAssertFalse(rig.transport.urls.contains { $0.contains("openai") })
        await rig.services.close()
    }

    func testWhenTheOtherFailsTooTheConversationStaysWhereItWas() async throws {
        let rig = try ChatRig(variables: Self.both)
        rig.transport.set("api.anthropic.com", Self.noMoney)
        rig.transport.set("api.openai.com", Self.noMoney)
        let session = try await session(rig) { _, _ in true }
        let (failed, _) = try outcome(try await session.send("first") { _ in })
        XCTAssertEqual(failed.status, .failed)
        let record = await session.record
        XCTAssertEqual(record?.provider, .claude)
        XCTAssertEqual(rig.transport.urls.count, 2)
        await rig.services.close()
    }

    func testAutomaticallyOnlyFromCloudAndNeverFromThisMachine() {
        XCTAssertEqual(Failover.way(.auto, fromLocal: false, toLocal: false), .silent)
        XCTAssertEqual(Failover.way(.auto, fromLocal: false, toLocal: true), .silent)
        XCTAssertEqual(Failover.way(.auto, fromLocal: true, toLocal: false), .ask)
        XCTAssertEqual(Failover.way(.ask, fromLocal: false, toLocal: false), .ask)
    }

    func testOffAsksNobody() async throws {
        let rig = try ChatRig(variables: Self.both, configuration: #"{"failover": "off"}"#)
        rig.transport.set("api.anthropic.com", Self.noMoney)
        let session = try await session(rig) { _, _ in
            XCTFail("asked")
            return true
        }
        let (failed, _) = try outcome(try await session.send("first") { _ in })
        XCTAssertEqual(failed.status, .failed)
        await rig.services.close()
    }

    func testAutomaticallyALineSaysWhereItGoes() async throws {
        let rig = try ChatRig(variables: Self.both, configuration: #"{"failover": "auto"}"#)
        rig.transport.set("api.anthropic.com", Self.noMoney)
        rig.transport.set("api.openai.com", Self.responses("Two."))
        let session = try await session(rig)
        let lines = Mutex<[String]>([])
        let (done, _) = try outcome(
            try await session.send("first") { event in
                if case .movedOn(_, let model, let host, let error) = event {
                    let told = Failover.movedOn(model: model, host: host, after: error)
                    lines.withLock { $0 += told.map(\.text) }
                }
            })
        XCTAssertEqual(done.status, .done)
        XCTAssertEqual(
            lines.withLock { $0 },
            [
                "  ! Claude says there is no money or quota left: no.",
                "    Going on with gpt-6.2-sol; the whole conversation goes to api.openai.com.",
            ])
        await rig.services.close()
    }

    func testATextThatWasShownIsKeptAndNobodyIsAsked() async throws {
        let rig = try ChatRig(variables: Self.both, configuration: #"{"failover": "auto"}"#)
        let whole = try await RoutedTransport.claude("Half an answer.")(
            HTTPRequest(method: "POST", url: "x"))
        let cut = String(whole.body.prefix(whole.body.count - 200))
        rig.transport.set("api.anthropic.com") { _ in (200, "text/event-stream", cut) }
        let session = try await session(rig)
        let (failed, provider) = try outcome(try await session.send("first") { _ in })
        XCTAssertEqual(failed.status, .failed)
        XCTAssertEqual(provider, .claude)
        XCTAssertTrue(failed.hasPartialAnswer)
        XCTAssertFalse(rig.transport.urls.contains { $0.contains("openai") })
        await rig.services.close()
    }

    func testToolsThatHaveRunAreNotRunAgainThere() async throws {
        let rig = try ChatRig(variables: Self.both, configuration: #"{"failover": "auto"}"#)
        let asked = Mutex(0)
        rig.transport.set("api.anthropic.com") { request in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            if number > 1 { return try await Self.noMoney(request) }
            let call = WireScript.toolCall(
                "create_reminder", arguments: #"{"title":"buy milk"}"#, id: "call_1",
                format: .messages)
            return (200, "text/event-stream", String(decoding: call, as: UTF8.self))
        }
        rig.transport.set("api.openai.com", Self.responses("Done."))
        let session = try await session(rig)
        let (done, _) = try outcome(
            try await session.send("please think of the milk for me") { _ in })
        XCTAssertEqual(done.status, .done)
        XCTAssertEqual(done.turn.messages.map(\.role), [.user, .assistant, .tool, .assistant])
        let server = rig.services.registry.servers[0]
        let list = try await server.callTool("list_reminders", arguments: JSONObject([]))
        XCTAssertEqual(list.text.components(separatedBy: "buy milk").count, 2, list.text)
        await rig.services.close()
    }
}
