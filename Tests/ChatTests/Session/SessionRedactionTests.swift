import AgentCore
import Base
import Foundation
import Persistence
import Privacy
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// A conversation under `/redact on`: nothing that any of its requests sends tells who
/// the user is, and everything that the user sees does.
final class SessionRedactionTests: XCTestCase {
    private static let person = PersonalData([
        .init(.name, "Jana Lindqvist"), .init(.email, "post77@example.org"),
        .init(.phone, "+46 70 174 06 55"),
    ])
    private static let literals = [
        "Lindqvist", "jana", "post77", "example.org", "1740655", "174 06 55",
    ]
    private static let message =
        "I am Jana Lindqvist (post77@example.org, +46 70 174 06 55). Greet me."

    /// The bodies that arrived.
    private final class Bodies: Sendable {
        private let bodies = Mutex<[String]>([])
        var all: [String] { bodies.withLock { $0 } }

        func keeping(_ route: @escaping RoutedTransport.Route) -> RoutedTransport.Route {
            { [self] request in
                if case .bytes(let bytes) = request.body {
                    bodies.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
                }
                return try await route(request)
            }
        }
    }

    private let bodies = Bodies()

    private func rig(
        _ configuration: String? = nil, variables: [String: String] = ChatRig.claude,
        answer: String = "Hello [NAME], is [EMAIL] yours?"
    ) throws -> ChatRig {
        let rig = try ChatRig(
            variables: variables, configuration: configuration, person: Self.person)
        rig.transport.set("api.anthropic.com", bodies.keeping(RoutedTransport.claude(answer)))
        return rig
    }

    private func session(
        _ rig: ChatRig, redacts: Bool? = true, kind: ConversationRecord.Kind = .repl
    ) async throws -> Session {
        let session = try await Session(
            services: rig.services,
            options: Session.Options(
                kind: kind, preferences: ConversationPreferences(redacts: redacts),
                policy: ApprovalPolicy(isInteractive: false), approver: .refusing,
                confirm: { _, _ in true }))
        try await session.openNew()
        return session
    }

    private func assertClean(line: UInt = #line) {
        for body in bodies.all {
            for literal in Self.literals {
                XCTAssertFalse(
                    body.lowercased().contains(literal.lowercased()), "\(literal): \(body)",
                    line: line)
            }
        }
    }

    func testAnswersTitlesAndLaterTurnsTellNothing() async throws {
        let rig = try rig(#"{ "conversation_titles": "always" }"#)
        let session = try await session(rig)
        let answer = try await session.send(Self.message) { _ in }
        guard case .model(let outcome, _, _) = answer else { return XCTFail("no model") }
        XCTAssertEqual(
            outcome.turn.messages.last?.text,
            "Hello Jana Lindqvist, is post77@example.org yours?")
        await session.giveTitle(after: answer)
        _ = try await session.send("And my phone?") { _ in }
        XCTAssertEqual(bodies.all.count, 3)
        assertClean()
        let record = await session.record
        XCTAssertEqual(
            record?.title, "Hello Jana Lindqvist, is post77@example.org yours?")
        let turns = try await session.lastTurns(2)
        XCTAssertEqual(turns.first?.turn.messages.first?.text, Self.message)
        await rig.services.close()
    }

    func testTheZoneOfTheUserIsNotTold() async throws {
        let rig = try rig()
        let session = try await session(rig)
        _ = try await session.send("What time is it?") { _ in }
        let body = try XCTUnwrap(bodies.all.first)
        XCTAssertTrue(body.contains("[Local time: "))
        let after = body.components(separatedBy: "[Local time: ")[1].prefix { $0 != "]" }
        XCTAssertEqual(after.count, "Sat 2026-11-21T14:05:00".count, String(after))
        await rig.services.close()
    }

    func testSummariesTellNothing() async throws {
        let rig = try rig(answer: "[NAME] wants tea.")
        let session = try await session(rig)
        for _ in 0..<4 { _ = try await session.send(Self.message) { _ in } }
        _ = try? await session.compact(focus: "what Jana Lindqvist wants") { _ in }
        XCTAssertEqual(bodies.all.count, 5, "one of them asked for the summary")
        assertClean()
        await rig.services.close()
    }

    func testAnotherProviderAfterAFailureIsToldNothing() async throws {
        let rig = try rig(
            variables: ChatRig.claude.merging(ChatRig.openai) { first, _ in first })
        rig.transport.set(
            "api.anthropic.com",
            bodies.keeping { _ in
                (
                    429, "application/json",
                    #"{"error":{"type":"insufficient_quota","message":"no"}}"#
                )
            })
        rig.transport.set(
            "api.openai.com",
            bodies.keeping { _ in
                (
                    200, "text/event-stream",
                    String(
                        decoding: WireScript.text(["Hi [NA", "ME]"], format: .responses),
                        as: UTF8.self)
                )
            })
        let session = try await session(rig)
        try await session.change { _ in }
        let answer = try await session.send(Self.message) { _ in }
        guard case .model(let outcome, let provider, _) = answer else { return XCTFail("none") }
        XCTAssertEqual(provider, .openai)
        XCTAssertEqual(outcome.turn.messages.last?.text, "Hi Jana Lindqvist")
        XCTAssertEqual(bodies.all.count, 2)
        assertClean()
        await rig.services.close()
    }

    func testTextsForToolServersTellNothing() async throws {
        let rig = try rig(answer: "An idea for [NAME]")
        let session = try await session(rig)
        let made = try await rig.services.generator.generate(
            TextRecipe(
                purpose: "idea", system: "s", input: "for Jana Lindqvist", maxOutputTokens: 10,
                privacy: .public), emit: nil)
        XCTAssertEqual(made.text, "An idea for Jana Lindqvist")
        assertClean()
        withExtendedLifetime(session) {}
        await rig.services.close()
    }

    func testItIsKeptWithTheConversationAndCanBeSwitchedOff() async throws {
        let rig = try rig()
        let session = try await session(rig)
        _ = try await session.send("I am Jana Lindqvist") { _ in }
        let id = await session.record?.id
        let stored = try await rig.services.store().conversation(try XCTUnwrap(id))
        XCTAssertEqual(stored?.preferences.redacts, true)
        try await session.openNew()
        _ = try await session.open(try XCTUnwrap(stored))
        let isOn = await session.redacts
        XCTAssertTrue(isOn)
        assertClean()
        try await session.change { $0.redacts = false }
        _ = try await session.send("I am Jana Lindqvist") { _ in }
        XCTAssertTrue(bodies.all.last?.contains("Jana Lindqvist") == true)
        await rig.services.close()
    }

    func testTheConfigurationDecidesForNewConversations() async throws {
        let rig = try rig(#"{ "redact": true }"#)
        let session = try await session(rig, redacts: nil)
        _ = try await session.send(Self.message) { _ in }
        assertClean()
        XCTAssertEqual(bodies.all.count, 1)
        await rig.services.close()
    }

    func testAPictureIsRefusedBeforeAnythingIsSaved() async throws {
        let rig = try rig()
        let session = try await session(rig)
        for (name, type) in [("me.png", "image/png"), ("cv.pdf", "application/pdf")] {
            do {
                _ = try await session.send(
                    "look",
                    attachments: [Attachment(name: name, mediaType: type, bytes: [1, 2, 3])]
                ) { _ in }
                XCTFail("sent")
            } catch let error as SessionError {
                XCTAssertEqual(error, .cannotRedact(file: name))
                XCTAssertEqual(error.diagnostic.exit, .refused)
            }
        }
        XCTAssertEqual(bodies.all, [])
        let turns = try await session.lastTurns(1)
        XCTAssertEqual(turns, [])
        await rig.services.close()
    }

    func testWhatTheRedactorCannotTakeOutIsNotSent() async throws {
        let rig = try rig()
        let session = try await session(rig)
        let answer = try await session.send(
            "decode "
                + Data(Data("I am Jana Lindqvist".utf8).base64EncodedString().utf8)
                .base64EncodedString()
        ) { _ in }
        guard case .model(let outcome, _, _) = answer,
            case .failed(let error) = outcome.note, case .wouldLeak(let leaks) = error.reason
        else { return XCTFail("\(answer)") }
        XCTAssertEqual(leaks.map(\.form), ["base64"])
        XCTAssertEqual(error.diagnostic.exit, .refused)
        XCTAssertFalse(error.diagnostic.what.contains("Jana"))
        XCTAssertTrue(error.diagnostic.todo?.contains("I am Jana Lindqvist") == true)
        XCTAssertEqual(bodies.all, [])
        await rig.services.close()
    }
}
