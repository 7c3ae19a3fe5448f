import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

final class RequestHistoryTests: XCTestCase {
    private let claude = ModelOrigin(
        provider: .claude, format: .messages, model: "claude-sonnet-5-5")
    private let openAI = ModelOrigin(provider: .openai, format: .responses, model: "gpt-6.2-sol")

    private func turn(_ messages: [Message], isLocal: Bool = false) -> Turn {
        Turn(status: .done, messages: messages, isLocal: isLocal)
    }

    private func answer(_ parts: [Part], _ origin: ModelOrigin? = nil) -> Message {
        Message(role: .assistant, parts: parts, origin: origin ?? claude)
    }

    private func call(_ id: String, _ arguments: String = "{}") -> Part {
        .toolCall(ToolCall(id: id, name: "now", arguments: arguments))
    }

    private func results(_ results: [(String, String)], areErrors: Bool = false) -> Message {
        Message(
            role: .tool,
            parts: results.map {
                .toolResult(
                    ToolResult(callID: $0.0, name: "now", text: $0.1, isError: areErrors))
            })
    }

    private func messages(
        _ turns: [Turn], for target: ModelOrigin? = nil, local: Bool = true, thinking: Bool = true
    ) -> [Message] {
        RequestHistory.messages(
            of: turns, for: target ?? claude, sendsLocalTurns: local, keepsThinking: thinking)
    }

    func testRandomConversationsAreAlwaysValidInEveryFormat() {
        for seed in 0..<UInt64(2000) {
            var maker = RandomHistory(seed: seed)
            var request = ModelRequest(
                model: "m", system: seed % 2 == 0 ? "Be terse." : "", turns: maker.turns(),
                tools: seed % 3 == 0 ? [Self.tool] : [], sendsLocalTurns: seed % 5 != 0)
            request.searchesWeb = seed % 7 < 4
            for origin in RandomHistory.origins where origin.format != .none {
                let body = Self.body(request, origin)
                let found = ConversationValidator.violations(in: body, format: origin.format)
                if !found.isEmpty {
                    return XCTFail("seed \(seed) \(origin.format): \(found)")
                }
            }
        }
    }

    func testTheSameHistoryGrowsWithoutChangingItsBeginning() {
        for seed in 0..<UInt64(300) {
            var maker = RandomHistory(seed: seed)
            let turns = maker.turns()
            for origin in RandomHistory.origins {
                // A turn that is over; an open one still lacks its results.
                let over = turns.dropLast()
                // A model that is not known to see images is given one again
                // only where it has answered it.
                if origin.provider == .local, let last = over.last, last.hasUntrustedText,
                    !last.messages.contains(where: { $0.origin == origin })
                {
                    continue
                }
                let before = messages(Array(over), for: origin)
                let after = messages(turns, for: origin)
                XCTAssertEqual(Array(after.prefix(before.count)), before, "seed \(seed)")
            }
        }
    }

    func testACallWithoutResultGetsAnErrorAndAStrayResultIsDropped() {
        let made = messages([
            turn([
                .user("hi"), answer([call("a"), call("b")]), results([("b", "two"), ("x", "?")]),
            ])
        ])
        XCTAssertEqual(
            made,
            [
                .user("hi"), answer([call("a"), call("b")]),
                Message(
                    role: .tool,
                    parts: [
                        .toolResult(
                            ToolResult(
                                callID: "a", name: "now", text: RequestHistory.interrupted,
                                isError: true)),
                        .toolResult(ToolResult(callID: "b", name: "now", text: "two")),
                    ]),
            ])
    }

    func testAnUnreadableCallIsSentAsAnEmptyOneWithAnError() {
        let made = messages([turn([.user("hi"), answer([call("a", "{\"x\":")])])])
        XCTAssertEqual(
            Array(made.dropFirst()),
            [
                answer([call("a")]),
                results([("a", RequestHistory.unreadable)], areErrors: true),
            ])
    }

    func testTheFirstOfRepeatedCallsWinsAndIdsAreUniqueOverTheConversation() {
        let made = messages([
            turn([
                .user("1"), answer([call("a"), call("a")]), results([("a", "one"), ("a", "no")]),
            ]),
            turn([.user("2"), answer([call("a")]), results([("a", "two")])]),
        ])
        XCTAssertEqual(
            made,
            [
                .user("1"), answer([call("a")]), results([("a", "one")]),
                .user("2"), answer([call("a_2")]), results([("a_2", "two")]),
            ])
    }

    func testThinkingGoesBackOnlyToItsOwnModelAndNeverLast() {
        let item: JSONValue = ["type": "thinking", "thinking": "t", "signature": "s"]
        let signed = Part.thinking(Thinking(text: "t", item: item))
        let unsigned = Part.thinking(Thinking(text: "u"))
        let turns = [turn([.user("q"), answer([signed, unsigned, .text("a"), signed])])]
        XCTAssertEqual(messages(turns).last, answer([signed, .text("a")]))
        XCTAssertEqual(messages(turns, thinking: false).last, answer([.text("a")]))
        XCTAssertEqual(messages(turns, for: openAI).last, answer([.text("a")]))
    }

    func testOpaqueItemsGoBackOnlyToTheirOwnModel() {
        let turns = [turn([.user("q"), answer([.opaque(["type": "x"]), .text("a")])])]
        XCTAssertEqual(messages(turns).last, answer([.opaque(["type": "x"]), .text("a")]))
        XCTAssertEqual(messages(turns, for: openAI).last, answer([.text("a")]))
    }

    func testLocalTurnsAreTextOrLeftOut() {
        let turns = [
            turn(
                [
                    .user("remind me"), answer([call("a")]), results([("a", "x")]),
                    answer([.text("✓ done")]),
                ], isLocal: true),
            turn([.user("move it")]),
        ]
        XCTAssertEqual(
            messages(turns),
            [
                .user("remind me"), Message(role: .assistant, parts: [.text("✓ done")]),
                .user("move it"),
            ])
        XCTAssertEqual(messages(turns, local: false), [.user("move it")])
    }

    func testFailedTurnsKeepTheQuestionAndThePartialAnswer() {
        var failed = turn([.user("q1")])
        failed.status = .failed
        var cut = turn([.user("q2"), answer([.text("half an")])])
        cut.status = .interrupted
        XCTAssertEqual(
            messages([failed, cut, turn([.user("q3")])]),
            [.user("q1"), .user("q2"), answer([.text("half an")]), .user("q3")])
    }

    func testEmptyMessagesAreLeftOutAndTheUserComesFirst() {
        let made = messages([
            turn([answer([.text("orphan")]), .user("  "), answer([.text("")])]),
            turn([.user("q")]),
        ])
        XCTAssertEqual(made, [.user("q")])
    }

    // MARK: - Shared

    static let tool = Tool(
        name: "dir_size", title: "Folder size", description: "Size of a folder in bytes",
        inputSchema: .object([.init("path", .string(), isRequired: true)]), toolClass: .read)

    static func body(_ request: ModelRequest, _ origin: ModelOrigin) -> JSONValue {
        let messages = RequestHistory.messages(
            of: request.turns, for: origin, sendsLocalTurns: request.sendsLocalTurns,
            keepsSearches: request.searchesWeb)
        return switch origin.format {
        case .responses: OpenAIResponsesRequest.body(request, messages: messages, isVendor: true)
        case .chat, .none: OpenAIChatRequest.body(request, messages: messages, isVendor: false)
        case .messages: ClaudeRequest.body(request, messages: messages)
        }
    }
}
