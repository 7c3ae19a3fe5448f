import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

/// Whole conversations with a model that is not told who the user is.
final class RedactingProviderTests: XCTestCase {
    private static let person = PersonalData([
        .init(.name, "Jana O'Neill"), .init(.email, "post77@example.org"),
    ])
    private struct Unreadable: Error {}

    private func provider(
        _ inner: any Provider, person: (@Sendable () async throws -> PersonalData)? = nil
    ) -> RedactingProvider {
        RedactingProvider(inner, person: person ?? { Self.person })
    }

    private func request(_ turns: [Turn], system: String = "Be short.") -> ModelRequest {
        ModelRequest(model: "scripted", system: system, turns: turns)
    }

    private func turn(_ messages: Message...) -> Turn { Turn(status: .open, messages: messages) }

    /// Everything that a request says, as text.
    private func words(_ request: ModelRequest) -> [String] {
        request.turns.flatMap(\.messages).flatMap(\.parts).map { part in
            switch part {
            case .text(let text): text.text
            case .refusal(let text): text
            case .thinking(let thinking): thinking.text
            case .toolCall(let call): call.arguments
            case .toolResult(let result): result.text
            case .attachment(let file):
                file.name + "|" + String(decoding: file.bytes, as: UTF8.self)
            case .opaque(let item): JSONWriter.string(item)
            }
        }
    }

    func testEveryPartOfAConversationGoesOutRedacted() async throws {
        let inner = ScriptedProvider([.text(["ok"])])
        _ = try await provider(inner).respond(
            to: request(
                [
                    turn(
                        .user("I am Jana O'Neill, write to post77@example.org"),
                        Message(
                            role: .assistant,
                            parts: [
                                .text("Hello Jana O'Neill."),
                                .toolCall(
                                    ToolCall(
                                        id: "1", name: "add",
                                        arguments: #"{"title":"call Jana O'Neill","n":1.50}"#)),
                            ]),
                        Message(
                            role: .tool,
                            parts: [
                                .toolResult(
                                    ToolResult(
                                        callID: "1", name: "add",
                                        text: "added for Jana O'Neill at 2026-11-22T09:00:00+01:00")
                                )
                            ])),
                    turn(
                        Message(
                            role: .user,
                            parts: [
                                .attachment(
                                    Attachment(
                                        name: "Jana O'Neill.txt", mediaType: "text/plain",
                                        bytes: Array("CV of Jana O'Neill".utf8))),
                                .text("see file"),
                                .text(
                                    .context("[Local time: Sat 2026-11-21T14:05:00+01:00 CET]")),
                            ])),
                ], system: "You help Jana O'Neill.")
        ) { _ in }
        let sent = try XCTUnwrap(inner.requests.first)
        XCTAssertEqual(sent.privacy, .redact)
        XCTAssertEqual(sent.system, "You help [NAME].\n\n" + RequestRedaction.note)
        XCTAssertEqual(
            words(sent),
            [
                "I am [NAME], write to [EMAIL]", "Hello [NAME].",
                #"{"title":"call [NAME]","n":1.50}"#, "added for [NAME] at 2026-11-22T09:00:00",
                "[NAME].txt|CV of [NAME]", "see file", "[Local time: Sat 2026-11-21T14:05:00]",
            ])
    }

    func testTheHistoryIsSearchedOnce() async throws {
        let inner = ScriptedProvider([.text(["ok"]), .text(["ok"])])
        let memo = RedactionMemo()
        let provider = RedactingProvider(inner, person: { Self.person }, memo: memo)
        var turns = [turn(.user("I am Jana O'Neill")), turn(.user("Who am I?"))]
        _ = try await provider.respond(to: request(turns)) { _ in }
        let first = memo.searches
        turns.append(turn(.user("Jana O'Neill again")))
        _ = try await provider.respond(to: request(turns)) { _ in }
        XCTAssertEqual(memo.searches, first + 1)
        XCTAssertFalse(inner.requests.flatMap(words).contains { $0.contains("O'Neill") })
    }

    func testTheAnswerComesBackWithTheOriginalsHoweverItIsCut() async throws {
        let text = "Dear [NAME], is [EMAIL] right? [PHONE] \\[NAME\\]"
        let wanted = "Dear Jana O'Neill, is post77@example.org right? [PHONE] Jana O'Neill"
        for cut in 0...text.count {
            let inner = ScriptedProvider([
                .text([String(text.prefix(cut)), String(text.dropFirst(cut))])
            ])
            let shown = Mutex("")
            let answer = try await provider(inner).respond(
                to: request([turn(.user("I am Jana O'Neill, post77@example.org"))])
            ) { events in
                for case .text(let piece) in events { shown.withLock { $0 += piece } }
            }
            XCTAssertEqual(shown.withLock { $0 }, wanted, "\(cut)")
            XCTAssertEqual(answer.message.text, wanted)
        }
    }

    func testArgumentsOfToolsHaveTheOriginalsAsJSON() async throws {
        let person = PersonalData([.init(.name, "Jana \"Jo\" Neill")])
        let inner = ScriptedProvider([
            .calls([ToolCall(id: "1", name: "add", arguments: #"{"title":"for [NAME]"}"#)])
        ])
        let answer = try await provider(inner, person: { person }).respond(
            to: request([turn(.user("I am Jana \"Jo\" Neill."))])
        ) { _ in }
        XCTAssertEqual(
            answer.message.toolCalls.first?.argumentObject?["title"],
            .string("for Jana \"Jo\" Neill"))
    }

    func testTheSameHistoryGivesTheSameBeginning() async throws {
        let inner = ScriptedProvider([.text(["a"]), .text(["b"])])
        let redacting = provider(inner)
        let first = turn(.user("Jana O'Neill and x@example.com"))
        _ = try await redacting.respond(to: request([first])) { _ in }
        _ = try await redacting.respond(
            to: request([first, turn(.user("y@example.com, then x@example.com"))])
        ) { _ in }
        let sent = inner.requests.map(words)
        XCTAssertEqual(sent[0], [sent[1][0]])
        XCTAssertEqual(sent[1][1], "[EMAIL_2], then [EMAIL]")
    }

    func testAPlaceholderThatWasTypedMeansItself() async throws {
        let inner = ScriptedProvider([.text(["Put [NAME] before [NAME_2]."])])
        let answer = try await provider(inner).respond(
            to: request([turn(.user("I am Jana O'Neill; what is [NAME] in a form?"))])
        ) { _ in }
        XCTAssertEqual(
            words(inner.requests[0]), ["I am [NAME_2]; what is [NAME] in a form?"])
        XCTAssertEqual(answer.message.text, "Put [NAME] before Jana O'Neill.")
    }

    func testBracketsInALaterTurnChangeNothingOfTheTurnsBefore() async throws {
        let inner = ScriptedProvider([.text(["Hello [NAME]."]), .text(["[NAME] has [NAME_2]."])])
        let provider = provider(inner)
        let first = turn(.user("I am Jana O'Neill."))
        _ = try await provider.respond(to: request([first])) { _ in }
        let later = try await provider.respond(
            to: request([first, turn(.user("The form has [NAME] for me."))])
        ) { _ in }
        XCTAssertEqual(words(inner.requests[0]), ["I am [NAME]."])
        XCTAssertEqual(
            words(inner.requests[1]), ["I am [NAME].", "The form has [NAME_2] for me."])
        XCTAssertEqual(later.message.text, "Jana O'Neill has [NAME].")
    }

    func testWhatCannotBeRedactedStaysHere() async throws {
        let inner = ScriptedProvider([.text(["ok"])])
        func thinking(_ text: String) -> Part {
            .thinking(
                Thinking(
                    text: text,
                    item: ["type": "thinking", "thinking": .string(text), "signature": "c2ln"]))
        }
        _ = try await provider(inner).respond(
            to: request([
                turn(
                    Message(
                        role: .user,
                        parts: [
                            .attachment(
                                Attachment(
                                    name: "Jana.png", mediaType: "image/png", bytes: [1, 2])),
                            .attachment(
                                Attachment(
                                    name: "heard.txt", mediaType: "text/plain",
                                    bytes: Array("kept".utf8), isKeptOnly: true)),
                        ]),
                    Message(
                        role: .assistant,
                        parts: [
                            thinking("Jana wants tea"), thinking("[NAME] wants tea"),
                            .opaque(["x": "by Jana O'Neill"]), .opaque(["y": "z"]),
                        ]))
            ])
        ) { _ in }
        XCTAssertEqual(
            words(inner.requests[0]),
            [
                "A file (image/png) was attached here; it is not given to you.",
                "[NAME] wants tea", #"{"y":"z"}"#,
            ])
    }

    func testWithoutAReadableProfileNothingIsAsked() async throws {
        let inner = ScriptedProvider([])
        do {
            _ = try await provider(inner, person: { throw Unreadable() })
                .respond(to: request([turn(.user("Hi"))])) { _ in }
            XCTFail("asked")
        } catch is Unreadable {}
        XCTAssertEqual(inner.requests.count, 0)
    }

    func testWhatWasShownBeforeAFailureIsShownWhole() async throws {
        let inner = ScriptedProvider([
            .failure(.brokenStream, after: ["Dear [NAME], [NA"])
        ])
        let shown = Mutex("")
        do {
            _ = try await provider(inner).respond(
                to: request([turn(.user("I am Jana O'Neill"))])
            ) { events in
                for case .text(let piece) in events { shown.withLock { $0 += piece } }
            }
            XCTFail("an answer")
        } catch is ProviderError {}
        XCTAssertEqual(shown.withLock { $0 }, "Dear Jana O'Neill, [NA")
    }

    func testTheBodyIsWhatIsSent() async throws {
        let transport = StubTransport([.stream([WireScript.text(["ok"], format: .messages)])])
        let http = HTTPProvider(
            endpoint: ProviderEndpoint(
                name: .claude, format: .messages, base: try BaseURL("https://api.anthropic.com")),
            key: { "k" }, person: { Self.person }, transport: transport,
            environment: ManualClock().environment)
        let asked = request([turn(.user("I am Jana O'Neill"))])
        let before = try await provider(http).body(of: asked)
        _ = try await provider(http).respond(to: asked) { _ in }
        guard case .bytes(let sent) = transport.requests[0].body else { return XCTFail("none") }
        XCTAssertEqual(before, sent)
        let names = transport.sentJSON[0].objectValue?.names ?? []
        XCTAssertEqual(
            names, ["model", "max_tokens", "system", "messages", "stream"],
            "nothing beside the words tells of the user")
    }

    /// Two people, one request: whatever the form, nothing of either is in it.
    func testTwoPeopleSendTheSameBytes() async throws {
        var bodies: [String] = []
        for (name, email) in [
            ("Jana O'Neill", "post77@example.org"), ("Bodil Ekström", "mail9@mail.test"),
        ] {
            let transport = StubTransport([])
            let person = PersonalData([.init(.name, name), .init(.email, email)])
            let http = HTTPProvider(
                endpoint: ProviderEndpoint(
                    name: .openai, format: .responses,
                    base: try BaseURL("https://api.openai.com/v1")),
                key: { "k" }, person: { person }, transport: transport,
                environment: ManualClock().environment)
            bodies.append(
                String(
                    decoding: try await provider(http, person: { person }).body(
                        of: request([turn(.user("I am \(name) (\(email)). Who am I?"))])),
                    as: UTF8.self))
        }
        XCTAssertEqual(bodies[0], bodies[1])
    }
}
