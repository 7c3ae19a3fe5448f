import AgentCore
import Base
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// What "it" means in a conversation with a model: the item that was just
/// made, until the model has spoken; and what the model is told of it all.
final class SessionReferenceTests: XCTestCase {
    private func rig(_ bodies: Bodies) throws -> ChatRig {
        let rig = try ChatRig(variables: ChatRig.claude, hasUndo: true)
        let answer = RoutedTransport.claude("Sure.")
        rig.transport.set("api.anthropic.com") { request in
            if case .bytes(let bytes) = request.body {
                bodies.add(String(decoding: bytes, as: UTF8.self))
            }
            return try await answer(request)
        }
        return rig
    }

    private func isLocal(_ answer: Session.Answer) -> Bool {
        if case .local = answer { true } else { false }
    }

    func testItIsWhatWasMadeUntilTheModelHasSpoken() async throws {
        let bodies = Bodies()
        let rig = try rig(bodies)
        let session = try await rig.session()
        try await session.openNew()
        for message in ["remind me to buy eggs in 3 days", "make it 10", "rename it to buy ham"] {
            let answer = try await session.send(message) { _ in }
            XCTAssertTrue(isLocal(answer), message)
        }
        XCTAssertEqual(bodies.all.count, 0)
        let poem = try await session.send("write a poem of 20 lines about next friday") { _ in }
        XCTAssertFalse(isLocal(poem))
        for message in ["make it 10", "rename it to spring", "delete it", "cancel that"] {
            let answer = try await session.send(message) { _ in }
            XCTAssertFalse(isLocal(answer), message)
        }
        let undo = try await session.send("done: buy ham") { _ in }
        XCTAssertTrue(isLocal(undo), "a name needs no model")
        await rig.services.close()
    }

    private func answers(
        _ messages: [String], in session: Session
    ) async throws -> [Bool] {
        var local: [Bool] = []
        for message in messages {
            local.append(isLocal(try await session.send(message) { _ in }))
        }
        return local
    }

    /// In a conversation that is let go again.
    private func say(_ messages: [String], in rig: ChatRig) async throws {
        let session = try await rig.session()
        try await session.openNew()
        _ = try await answers(messages, in: session)
        await rig.services.close()
    }

    /// The words mean the same after a relaunch, and in the shell with `-c`.
    func testWhoSpokeLastIsKnownFromTheConversation() async throws {
        for kind in [ConversationRecord.Kind.repl, .oneshot] {
            for (message, isLocal) in [
                ("make it 10", true), ("undo that", true), ("undo", true), ("redo it", true),
            ] {
                for modelIsLast in [false, true] {
                    let first = try rig(Bodies())
                    var told = ["write a poem", "remind me to buy eggs in 3 days"]
                    if modelIsLast { told.reverse() }
                    try await say(told, in: first)
                    let second = try ChatRig(
                        variables: ChatRig.claude, folder: first.folder, transport: first.transport,
                        hasUndo: true)
                    let session = try await second.session(kind: kind)
                    let stored = try await second.services.store().latest(kinds: [.repl])
                    let opening = try await session.open(try XCTUnwrap(stored))
                    XCTAssertEqual(opening, .opened)
                    let found = try await answers([message], in: session)
                    XCTAssertEqual(
                        found, [isLocal && !modelIsLast], "\(kind) \(message) \(modelIsLast)")
                    await second.services.close()
                }
            }
        }
    }

    func testUndoIsTheModelsUntilSomethingIsDoneHere() async throws {
        let rig = try rig(Bodies())
        let session = try await rig.session()
        try await session.openNew()
        let first = try await answers(
            [
                "remind me to buy eggs in 3 days", "undo that", "redo", "write a poem", "undo that",
                "undo it", "undo", "rückgängig", "redo that",
            ], in: session)
        XCTAssertEqual(first, [true, true, true, false, false, false, false, false, false])
        // A command at the prompt is no message, but something that was done.
        rig.clock.advance(by: .seconds(5))
        let undo = try XCTUnwrap(rig.services.registry.servers.last?.commands.first)
        _ = try await undo.run(["step"])
        let second = try await answers(["redo that", "and now?", "redo"], in: session)
        XCTAssertEqual(second, [true, false, false])
        await rig.services.close()
    }

    func testAnAnswerThatFailedOrIsAskedAnewIsNotTheLast() async throws {
        let rig = try rig(Bodies())
        let session = try await rig.session()
        try await session.openNew()
        _ = try await answers(["remind me to buy eggs in 3 days", "write a poem"], in: session)
        let last = try await session.lastMessage(isAgain: false)
        let amended = try await session.send("make it 10", replacing: last) { _ in }
        XCTAssertTrue(isLocal(amended), "before the message that gave way there was a reminder")
        rig.transport.set("api.anthropic.com") { _ in (400, "application/json", "{}") }
        let failed = try await answers(["write a poem", "make it 12"], in: session)
        XCTAssertEqual(failed, [false, true])
        await rig.services.close()
    }

    func testTheModelIsToldWhatWasDoneWithoutIt() async throws {
        let bodies = Bodies()
        let rig = try rig(bodies)
        let session = try await rig.session()
        try await session.openNew()
        _ = try await session.send("remind me to buy eggs in 400 days") { _ in }
        _ = try await session.send("why did I want that?") { _ in }
        let sent = try XCTUnwrap(bodies.all.first)
        XCTAssertEqual(bodies.all.count, 1)
        XCTAssertNotNil(sent.firstRange(of: "remind me to buy eggs in 400 days"))
        XCTAssertNotNil(sent.firstRange(of: "✓ buy eggs · "))
        let year = try XCTUnwrap(sent.firstRange(of: "✓ buy eggs · "))
        let echo = sent[year.upperBound...].prefix(40)
        XCTAssertNotNil(echo.firstRange(of: "20"), "another year is said: \(echo)")
        await rig.services.close()
    }

    func testWithoutAModelItIsSaidThatNothingHasThatName() async throws {
        let rig = try ChatRig()
        let session = try await rig.session()
        try await session.openNew()
        guard
            case .local(let output, _) = try await session.send(
                "move the dentist to 4pm", observe: { _ in })
        else { return XCTFail("not local") }
        XCTAssertEqual(
            output.lines.map(\.text),
            [
                "Nothing done: nothing is called \"dentist\". "
                    + "/reminders search and /calendar search look further."
            ])
        await rig.services.close()
    }
}

/// The requests that were sent.
final class Bodies: Sendable {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }

    func add(_ body: String) { kept.withLock { $0.append(body) } }
}
