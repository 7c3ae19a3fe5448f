import AgentCore
import Base
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

final class SessionTests: XCTestCase {
    private func outcome(_ answer: Session.Answer) -> TurnOutcome? {
        if case .model(let outcome, _, _) = answer { outcome } else { nil }
    }

    private func claudeRig(_ text: String = "Hello.") throws -> ChatRig {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude(text))
        return rig
    }

    func testAMessageIsAnsweredAndKept() async throws {
        let rig = try claudeRig()
        let session = try await rig.session()
        try await session.openNew()
        let before = await session.record
        XCTAssertNil(before, "a conversation exists from its first message")
        let answer = try await session.send("What is new?") { _ in }
        XCTAssertEqual(outcome(answer)?.status, .done)
        let list = try await rig.services.store().list(limit: 10)
        XCTAssertEqual(list.map(\.title), ["What is new?"])
        XCTAssertEqual(list.map(\.provider), [.claude])
        let turns = try await session.lastTurns(3)
        XCTAssertEqual(turns.map { $0.turn.messages.map(\.text) }, [["What is new?", "Hello."]])
        await rig.services.close()
    }

    func testWithoutAModelAMessageSaysHowToConnectOneAndIsKept() async throws {
        let rig = try ChatRig()
        let session = try await rig.session()
        try await session.openNew()
        guard case .local(let output, let turn) = try await session.send("Hi", observe: { _ in })
        else { return XCTFail("not local") }
        XCTAssertEqual(output.outcome, .needsKeyOrNetwork)
        XCTAssertEqual(output.lines.map { $0.text.prefix(22) }, ["No model is connected."])
        XCTAssertTrue(turn.isLocal)
        let list = try await rig.services.store().list(limit: 10)
        XCTAssertEqual(list.map(\.title), ["Hi"])
        let last = try await session.lastAnswer()
        XCTAssertNil(last, "the notice is taken for an answer")
        await rig.services.close()
    }

    func testWithFilesAndWithoutAModelTheErrorIsAboutTheModel() async throws {
        let rig = try ChatRig()
        let session = try await rig.session()
        try await session.openNew()
        let file = Attachment(name: "a.txt", mediaType: "text/plain", bytes: [65])
        guard
            case .local(let output, _) = try await session.send(
                "remind me to read it tomorrow at 9", attachments: [file], observe: { _ in })
        else { return XCTFail("not local") }
        XCTAssertEqual(output.outcome, .needsKeyOrNetwork)
        XCTAssertEqual(output.lines.map { $0.text.prefix(22) }, ["No model is connected."])
        await rig.services.close()
    }

    func testOneShotWithoutAModelKeepsNothing() async throws {
        let rig = try ChatRig()
        let session = try await rig.session(kind: .oneshot)
        try await session.openNew()
        do {
            _ = try await session.send("Hi") { _ in }
            XCTFail("it was answered")
        } catch SessionError.noModel {
        }
        let list = try await rig.services.store().list(limit: 10)
        XCTAssertEqual(list, [])
        await rig.services.close()
    }

    func testAWholeReminderNeedsNoModel() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        let session = try await rig.session()
        try await session.openNew()
        guard
            case .local(let output, _) = try await session.send(
                "remind me to buy milk", observe: { _ in })
        else { return XCTFail("a model was asked") }
        XCTAssertEqual(output.outcome, .ok)
        XCTAssertEqual(rig.transport.urls, [])
        await rig.services.close()
    }

    func testAReminderThatCannotBeRecordedIsStillReportedAsMade() async throws {
        let rig = try ChatRig()
        let session = try await rig.session()
        try await session.openNew()
        await rig.services.close()
        guard
            case .local(let output, _) = try await session.send(
                "remind me to buy milk", observe: { _ in })
        else { return XCTFail("not local") }
        XCTAssertEqual(output.outcome, .degraded)
        XCTAssertTrue(output.lines.map(\.text).joined().contains("buy milk"))
        XCTAssertTrue(output.notices.joined().hasPrefix("Done, but not saved"))
    }

    func testRoutingLocalAsksNoModel() async throws {
        let rig = try ChatRig(
            variables: ChatRig.claude, configuration: #"{"routing": "local"}"#)
        let session = try await rig.session()
        try await session.openNew()
        guard case .local = try await session.send("Why?", observe: { _ in }) else {
            return XCTFail("a model was asked")
        }
        XCTAssertEqual(rig.transport.urls, [])
        await rig.services.close()
    }

    func testALocalModelThatNobodyChoseIsNamedOnceInAConversation() async throws {
        let rig = try ChatRig(
            transport: RoutedTransport(["11434": RoutedTransport.local("Here.")]))
        let found = Mutex<[AgentEvent]>([])
        let observe: Agent.Observer = { event in
            switch event {
            case .found, .text: found.withLock { $0.append(event) }
            default: break
            }
        }
        let session = try await rig.session()
        try await session.openNew()
        _ = try await session.send("Why?", observe: observe)
        _ = try await session.send("And?", observe: observe)
        let named = AgentEvent.found(model: "llama", host: "127.0.0.1:11434")
        XCTAssertEqual(found.withLock { $0 }, [named, .text("Here."), .text("Here.")])
        // Who asks for it knows who answers.
        let asked = try await rig.session(flags: ProviderChoice.Selection(provider: .local))
        try await asked.openNew()
        _ = try await asked.send("Why?", observe: observe)
        let stored = await session.record
        let record = try XCTUnwrap(stored)
        try await session.openNew()
        let resumed = try await rig.session()
        _ = try await resumed.open(record)
        _ = try await resumed.send("More?", observe: observe)
        XCTAssertEqual(found.withLock { $0 }.filter { $0 == named }.count, 1)
        await rig.services.close()
    }

    func testALocalConversationIsNeverMovedToACloud() async throws {
        let transport = RoutedTransport(["11434": RoutedTransport.local("Private.")])
        let rig = try ChatRig(transport: transport)
        let session = try await rig.session()
        try await session.openNew()
        let answer = try await session.send("A secret") { _ in }
        XCTAssertEqual(outcome(answer)?.turn.messages.last?.text, "Private.")
        let record = await session.record
        try await session.openNew()
        await rig.services.close()

        // The local server is gone, and there is a key for a cloud.
        let later = try ChatRig(variables: ChatRig.claude, folder: rig.folder)
        let resumed = try await later.session()
        let found = try await later.services.store().conversation(record?.id ?? "")
        let opening = try await resumed.open(try XCTUnwrap(found))
        XCTAssertEqual(opening, .opened)
        do {
            _ = try await resumed.send("More") { _ in }
            XCTFail("it was sent")
        } catch SessionError.notUsable(let choice, let missing, let instead) {
            XCTAssertEqual(choice.provider, .local)
            XCTAssertEqual(missing, .server)
            XCTAssertEqual(instead, .claude)
        }
        XCTAssertEqual(later.transport.urls.filter { $0.contains("anthropic") }, [])

        // The user agrees.
        later.transport.set("api.anthropic.com", RoutedTransport.claude("Cloud."))
        _ = try await resumed.setModel(ProviderChoice.Selection(provider: .claude))
        let moved = try await resumed.send("More") { _ in }
        XCTAssertEqual(outcome(moved)?.turn.messages.last?.text, "Cloud.")
        await later.services.close()
    }

    func testAnotherConversationKeepsItsOwnModel() async throws {
        let rig = try claudeRig()
        rig.transport.set("11434", RoutedTransport.local("Private."))
        let first = try await rig.session(flags: ProviderChoice.Selection(provider: .local))
        try await first.openNew()
        _ = try await first.send("A secret") { _ in }
        let local = try await first.record.unwrapped()
        try await first.openNew()
        _ = try await first.setModel(ProviderChoice.Selection(provider: .claude))
        _ = try await first.send("Not secret") { _ in }
        _ = try await first.open(local)
        let choice = await first.expectedChoice()
        XCTAssertEqual(choice?.provider, .local)
        XCTAssertEqual(choice?.model, "llama")
        await rig.services.close()
    }

    func testAConversationThatIsOpenElsewhereIsBusy() async throws {
        let rig = try claudeRig()
        let first = try await rig.session()
        try await first.openNew()
        _ = try await first.send("Hi") { _ in }
        let record = try await first.record.unwrapped()
        let second = try await rig.session()
        let opening = try await second.open(record)
        XCTAssertEqual(opening, .busy)
        try await first.openNew()
        let again = try await second.open(record)
        XCTAssertEqual(again, .opened)
        await rig.services.close()
    }

    func testOneShotGoesOnInTheLatestConversation() async throws {
        let rig = try claudeRig()
        let first = try await rig.session(kind: .oneshot)
        try await first.openNew()
        _ = try await first.send("One") { _ in }
        let latest = try await rig.services.store().latest(kinds: [.repl, .oneshot]).unwrapped()
        try await first.openNew()
        let second = try await rig.session(kind: .oneshot)
        _ = try await second.open(latest)
        _ = try await second.send("Two") { _ in }
        let turns = try await second.lastTurns(9)
        XCTAssertEqual(turns.compactMap { $0.turn.messages.first?.text }, ["One", "Two"])
        await rig.services.close()
    }

    func testAFailureIsClosedAndTheNextMessageGoesOn() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com") { _ in
            (
                401, "application/json",
                #"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#
            )
        }
        let session = try await rig.session()
        try await session.openNew()
        let failed = try await session.send("Hi") { _ in }
        XCTAssertEqual(outcome(failed)?.status, .failed)
        guard case .failed(let error) = outcome(failed)?.note else { return XCTFail("no error") }
        XCTAssertEqual(error.reason, .keyRejected)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude("Now."))
        let answered = try await session.send("Again") { _ in }
        XCTAssertEqual(outcome(answered)?.status, .done)
        let turns = try await session.lastTurns(9)
        XCTAssertEqual(turns.map(\.turn.status), [.failed, .done])
        await rig.services.close()
    }

    func testStoppingTheLookForALocalServerLearnsNothing() async throws {
        let rig = try ChatRig()
        let reached = Gate()
        rig.transport.set("11434") { [environment = rig.clock.environment] _ in
            reached.open()
            try await environment.sleep(.seconds(1_000))
            return (200, "application/json", "{}")
        }
        let session = try await rig.session()
        try await session.openNew()
        let task = Task { try await session.send("Hi") { _ in } }
        await reached.wait()
        task.cancel()
        _ = await task.result
        rig.transport.set("11434", RoutedTransport.local("Here."))
        rig.clock.advance(by: .seconds(5))
        let answer = try await session.send("Hi") { _ in }
        XCTAssertEqual(outcome(answer)?.turn.messages.last?.text, "Here.")
        await rig.services.close()
    }

    func testALocalServerThatIsStartedLaterIsFound() async throws {
        let rig = try ChatRig()
        let session = try await rig.session()
        try await session.openNew()
        guard case .local = try await session.send("Hi", observe: { _ in }) else {
            return XCTFail("somebody answered")
        }
        rig.transport.set("11434", RoutedTransport.local("Here."))
        rig.clock.advance(by: .seconds(5))
        let answer = try await session.send("Hi") { _ in }
        XCTAssertEqual(outcome(answer)?.turn.messages.last?.text, "Here.")
        await rig.services.close()
    }
}

extension Optional {
    func unwrapped(file: StaticString = #filePath, line: UInt = #line) throws -> Wrapped {
        try XCTUnwrap(self, file: file, line: line)
    }
}
