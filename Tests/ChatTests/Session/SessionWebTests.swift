import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// When the vendor's search of the web is offered: never unasked, never where it could tell
/// who the user is, and once in a conversation is enough.
final class SessionWebTests: XCTestCase {
    /// A model that wants to search: it asks for it where it must, and does it where it can.
    private final class Searcher: Sendable {
        private let bodies = Mutex<[JSONValue]>([])

        /// The names of the tools that each request offered, of those that search.
        var offers: [[String]] {
            bodies.withLock { $0 }.map { body in
                (body["tools"]?.arrayValue ?? []).compactMap { tool in
                    let name = tool["name"]?.stringValue ?? tool["type"]?.stringValue ?? ""
                    return name.hasSuffix("web_search") ? name : nil
                }
            }
        }
        var last: JSONValue { bodies.withLock { $0.last ?? .null } }

        func answer(_ request: HTTPRequest) throws -> (status: Int, type: String, body: String) {
            guard case .bytes(let bytes) = request.body else { return (400, "text/plain", "") }
            let body = try JSONParser.parse(String(decoding: bytes, as: UTF8.self))
            bodies.withLock { $0.append(body) }
            let violations = ConversationValidator.violations(in: body, format: .messages)
            guard violations.isEmpty else { return (400, "text/plain", "\(violations)") }
            let names = (body["tools"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
            let isResult = JSONWriter.string(
                body["messages"]?.arrayValue?.last ?? .null
            ).contains("tool_result")
            if names.contains("web_search") { return (200, "text/event-stream", Self.search) }
            if names.contains("allow_web_search"), !isResult {
                let call = WireScript.toolCall(
                    "allow_web_search", arguments: #"{"query":"ferry"}"#, id: "call_1",
                    format: .messages)
                return (200, "text/event-stream", String(decoding: call, as: UTF8.self))
            }
            return (200, "text/event-stream", Self.stream([Self.text(0, "I cannot search.")]))
        }

        private static func text(_ index: Int, _ text: String, _ citation: String = "") -> String {
            """
            {"type":"content_block_start","index":\(index),"content_block":{"type":"text","text":""}}
            {"type":"content_block_delta","index":\(index),"delta":{"type":"text_delta","text":"\(text)"}}
            \(citation){"type":"content_block_stop","index":\(index)}
            """
        }

        private static let search = stream(
            [
                text(0, "Let me look."),
                #"{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"ferry"}}}"#,
                #"{"type":"content_block_stop","index":1}"#,
                #"{"type":"content_block_start","index":2,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}}"#,
                #"{"type":"content_block_stop","index":2}"#,
                text(
                    3, "It leaves at 14:00.",
                    #"{"type":"content_block_delta","index":3,"delta":{"type":"citations_delta","citation":{"url":"https://ferry.example/","title":"Ferry"}}}"#
                        + "\n"),
            ], searches: 1)

        private static func stream(_ lines: [String], searches: Int = 0) -> String {
            let all =
                [
                    #"{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":10,"output_tokens":1}}}"#
                ] + lines + [
                    #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5,"server_tool_use":{"web_search_requests":\#(searches)}}}"#,
                    #"{"type":"message_stop"}"#,
                ]
            return all.flatMap { $0.split(separator: "\n") }.map { "data: \($0)\n\n" }.joined()
        }
    }

    private final class Questions: Sendable {
        private let asked = Mutex<[ApprovalRequest]>([])
        var all: [ApprovalRequest] { asked.withLock { $0 } }
        func note(_ request: ApprovalRequest) { asked.withLock { $0.append(request) } }
    }

    private let searcher = Searcher()
    private let questions = Questions()

    private func session(
        _ configuration: String = "{}", says yes: Bool = true, redacts: Bool? = nil,
        kind: ConversationRecord.Kind = .repl, usesWeb: Bool = false
    ) async throws -> (session: Session, rig: ChatRig) {
        let rig = try ChatRig(
            variables: ChatRig.claude, configuration: configuration)
        rig.transport.set("api.anthropic.com") { [searcher] in try searcher.answer($0) }
        let session = try await Session(
            services: rig.services,
            options: Session.Options(
                kind: kind, preferences: ConversationPreferences(redacts: redacts),
                usesWeb: usesWeb, policy: ApprovalPolicy(isInteractive: kind == .repl),
                approver: Approver { [questions] request in
                    questions.note(request)
                    return yes
                }))
        try await session.openNew()
        return (session, rig)
    }

    private func say(_ text: String, _ session: Session) async throws -> Turn {
        guard case .model(let outcome, _, _) = try await session.send(text, observe: { _ in })
        else {
            XCTFail("no model")
            return Turn(status: .failed, messages: [])
        }
        return outcome.turn
    }

    func testTheUserIsAskedWhenTheModelWantsToSearchAndOnceInAConversation() async throws {
        let (session, _) = try await session()
        let turn = try await say("when does the ferry go", session)
        XCTAssertEqual(searcher.offers, [["allow_web_search"], ["web_search"]])
        XCTAssertEqual(
            turn.messages.last?.text,
            "Let me look.\n\nIt leaves at 14:00.\n\nSources:\n\n1. [Ferry](https://ferry.example/)")
        XCTAssertTrue(turn.hasUntrustedText)
        XCTAssertEqual(turn.usage.searches, 1)
        // Counted beside the model's tokens, for sums and the budget.
        let record = await session.record
        let totals = try await session.store.usage(of: try XCTUnwrap(record?.id))
        XCTAssertEqual(
            totals.filter { $0.model == "web_search" }.map(\.usage), [Usage(output: 1)])
        _ = try await say("and back?", session)
        XCTAssertEqual(searcher.offers.last, ["web_search"])
        let asked = questions.all
        XCTAssertEqual(asked.count, 1)
        XCTAssertEqual(asked.first?.confirmation, .word("send"))
        XCTAssertEqual(
            asked.first?.items.first?.preview, "searches of this conversation, by api.anthropic.com"
        )
        // What was found goes back as it came, the links do not.
        let sent = JSONWriter.string(searcher.last["messages"] ?? .null)
        XCTAssertTrue(sent.contains("web_search_tool_result"))
        XCTAssertFalse(sent.contains("Sources:"))
        try await session.openNew()
        _ = try await say("and elsewhere?", session)
        XCTAssertEqual(searcher.offers.suffix(2), [["allow_web_search"], ["web_search"]])
    }

    func testAfterANoNothingIsSearched() async throws {
        let (session, _) = try await session(says: false)
        let turn = try await say("when does the ferry go", session)
        XCTAssertEqual(searcher.offers, [["allow_web_search"], ["allow_web_search"]])
        XCTAssertEqual(turn.messages.last?.text, "I cannot search.")
        XCTAssertFalse(turn.hasUntrustedText)
        XCTAssertEqual(turn.usage.searches, 0)
    }

    func testAConversationThatHasSearchedMaySearchWhenItIsOpenedAgain() async throws {
        let (session, rig) = try await session()
        _ = try await say("when does the ferry go", session)
        let record = await session.record
        let id = try XCTUnwrap(record?.id)
        try await session.openNew()
        let stored = try await rig.services.store().conversation(id)
        let found = try XCTUnwrap(stored)
        let opening = try await session.open(found)
        XCTAssertEqual(opening, .opened)
        _ = try await say("and back?", session)
        XCTAssertEqual(searcher.offers.last, ["web_search"])
        XCTAssertEqual(questions.all.count, 1)
    }

    func testTheSettingTurnsItOnAndOff() async throws {
        let (on, _) = try await session(#"{ "web": "on" }"#)
        _ = try await say("when does the ferry go", on)
        XCTAssertEqual(searcher.offers, [["web_search"]])
        let (off, _) = try await session(#"{ "web": "off" }"#)
        _ = try await say("when does the ferry go", off)
        XCTAssertEqual(searcher.offers.last, [])
        XCTAssertEqual(questions.all.count, 0)
    }

    func testARedactedConversationNeverSearches() async throws {
        let (session, _) = try await session(#"{ "web": "on" }"#, redacts: true)
        _ = try await say("when does the ferry go", session)
        XCTAssertEqual(searcher.offers, [[]])
    }

    func testOneAnswerSearchesOnlyWithItsOption() async throws {
        for (configuration, usesWeb, offers) in [
            (#"{ "web": "on" }"#, false, [[String]]([[]])), ("{}", false, [[]]),
            ("{}", true, [["web_search"]]), (#"{ "web": "off" }"#, true, [["web_search"]]),
        ] {
            let before = searcher.offers.count
            let (session, _) = try await session(configuration, kind: .oneshot, usesWeb: usesWeb)
            _ = try await say("when does the ferry go", session)
            XCTAssertEqual(Array(searcher.offers.dropFirst(before)), offers, configuration)
        }
        XCTAssertEqual(questions.all.count, 0)
    }
}
