import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

/// Prompt caches hit when a request begins with the one before it, byte for
/// byte.
final class RequestPrefixTests: XCTestCase {
    private let origins = [
        ModelOrigin(provider: .openai, format: .responses, model: "gpt-6.2-sol"),
        ModelOrigin(provider: .local, format: .chat, model: "qwen"),
        ModelOrigin(provider: .claude, format: .messages, model: "claude-sonnet-5-5"),
    ]

    func testEveryRequestOfAConversationBeginsWithTheOneBefore() {
        for origin in origins {
            for seed in 0..<UInt64(60) {
                var conversation = GrowingConversation(origin: origin, seed: seed)
                var before: (fixed: JSONValue, history: String)?
                for _ in 0..<25 {
                    guard let turns = conversation.nextRequest() else { continue }
                    let body = RequestHistoryTests.body(
                        ModelRequest(
                            model: origin.model, system: "Be terse.", turns: turns,
                            tools: [RequestHistoryTests.tool], effort: .high, cacheKey: "k"),
                        origin)
                    let (fixed, history) = Self.split(body)
                    if let before {
                        XCTAssertEqual(before.fixed, fixed, "seed \(seed)")
                        XCTAssertTrue(
                            history.utf8.starts(with: before.history.utf8),
                            "\(origin.format) seed \(seed)\n\(before.history)\n\(history)")
                    }
                    before = (fixed, history)
                }
            }
        }
    }

    /// The fixed part, and the history as text without what closes it: a
    /// message without an answer may go on in the next request. The marks of
    /// Claude's cache are not part of what is cached.
    private static func split(_ body: JSONValue) -> (JSONValue, String) {
        guard case .object(var object) = withoutMarks(body) else { return (body, "") }
        let name = object.members.contains { $0.name == "input" } ? "input" : "messages"
        var text = JSONWriter.string(object[name] ?? .null)
        object[name] = nil
        while let last = text.last, "\"]}".contains(last) { text.removeLast() }
        return (.object(object), text)
    }

    private static func withoutMarks(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { $0.name != "cache_control" }
                        .map { .init($0.name, withoutMarks($0.value)) }))
        case .array(let values): .array(values.map(withoutMarks))
        default: value
        }
    }

    func testClaudeFindsTheEarlierPrefixBehindManyLocalTurns() throws {
        let origin = origins[2]
        let asked = Turn(
            status: .done,
            messages: [
                .user("first"),
                Message(role: .assistant, parts: [.text("answer")], origin: origin),
            ])
        let local = Turn(
            status: .done,
            messages: [
                .user("remind me"), Message(role: .assistant, parts: [.text("done")]),
            ], isLocal: true)
        let turns =
            [asked] + Array(repeating: local, count: 12)
            + [Turn(status: .open, messages: [.user("second")])]
        let body = RequestHistoryTests.body(
            ModelRequest(model: origin.model, system: "Be terse.", turns: turns), origin)
        let marked = try XCTUnwrap(body["messages"]?.arrayValue).compactMap { entry in
            entry["content"]?.arrayValue?.first { $0["cache_control"] != nil }?["text"]?.stringValue
        }
        XCTAssertEqual(marked, ["first", "second"])
        XCTAssertNotNil(body["system"]?.arrayValue?.first?["cache_control"])
    }

    /// A round of tools asks again within the turn: two marks, system and the
    /// newest, and the one of the round before.
    func testNeverMoreThanFourMarksAreSent() {
        for seed in 0..<UInt64(40) {
            var conversation = GrowingConversation(origin: origins[2], seed: seed)
            for _ in 0..<12 {
                guard let turns = conversation.nextRequest() else { continue }
                let text = JSONWriter.string(
                    RequestHistoryTests.body(
                        ModelRequest(model: "claude-sonnet-5-5", system: "s", turns: turns),
                        origins[2]))
                XCTAssertLessThanOrEqual(text.components(separatedBy: "cache_control").count - 1, 3)
            }
        }
    }
}

/// A conversation as it grows in use: rounds of tools, turns answered locally,
/// turns that were stopped before or after some words, or failed.
private struct GrowingConversation {
    private let origin: ModelOrigin
    private var random: SplitMix
    private var turns: [Turn] = []
    private var open: Turn?
    private var number = 0

    init(origin: ModelOrigin, seed: UInt64) {
        self.origin = origin
        random = SplitMix(seed: seed)
    }

    /// Lets something happen; the turns of the request that follows from it,
    /// nil when none is sent.
    mutating func nextRequest() -> [Turn]? {
        number += 1
        if var turn = open {
            answer(&turn)
            return open.map { turns + [$0] }
        }
        if random.once(in: 4) {
            turns.append(
                Turn(
                    status: .done,
                    messages: [
                        question(), Message(role: .assistant, parts: [.text("✓ \(number)")]),
                    ], isLocal: true))
            return nil
        }
        let turn = Turn(status: .open, messages: [question()])
        open = turn
        return turns + [turn]
    }

    private func question() -> Message {
        Message(
            role: .user,
            parts: [.text("question \(number)"), .text(.context("[Local time: \(number)]"))])
    }

    private mutating func answer(_ turn: inout Turn) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            close(&turn, .failed)
        case 1:
            // Stopped after some words.
            turn.messages.append(
                Message(
                    role: .assistant,
                    parts: [.thinking(Thinking(text: "hm")), .text("so far \(number)")],
                    origin: ModelOrigin(
                        provider: origin.provider, format: .none, model: origin.model)))
            close(&turn, .interrupted)
        case 2, 3:
            let calls = (0..<Int.random(in: 1...3, using: &random)).map {
                ToolCall(id: "call_\(number)_\($0)", name: "dir_size", arguments: #"{"path":"a"}"#)
            }
            turn.messages.append(message([.text("I look. ")] + calls.map(Part.toolCall)))
            let isCut = random.once(in: 3)
            turn.messages.append(
                Message(
                    role: .tool,
                    parts: calls.dropLast(isCut ? 1 : 0).map {
                        .toolResult(ToolResult(callID: $0.id, name: $0.name, text: "48211"))
                    }))
            if isCut { close(&turn, .interrupted) } else { open = turn }
        default:
            turn.messages.append(message([.text("answer \(number)")]))
            close(&turn, .done)
        }
    }

    private func message(_ parts: [Part]) -> Message {
        let item: JSONValue? =
            switch origin.format {
            case .messages:
                ["type": "thinking", "thinking": "hm", "signature": .string("s\(number)")]
            case .responses: ["type": "reasoning", "id": .string("rs_\(number)"), "summary": []]
            case .chat, .none: nil
            }
        return Message(
            role: .assistant,
            parts: (item.map { [.thinking(Thinking(text: "hm", item: $0))] } ?? []) + parts,
            origin: origin)
    }

    private mutating func close(_ turn: inout Turn, _ status: Turn.Status) {
        turn.status = status
        turns.append(turn)
        open = nil
    }
}
