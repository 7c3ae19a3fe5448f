import TestSupport

@testable import AgentCore
@testable import Base

/// Makes conversations as broken as crashes, switches and odd servers leave
/// them, for property tests.
struct RandomHistory {
    private var random: SplitMix
    static let origins: [ModelOrigin] = [
        ModelOrigin(provider: .openai, format: .responses, model: "gpt-6.2-sol"),
        ModelOrigin(provider: .openai, format: .responses, model: "gpt-6-sol"),
        ModelOrigin(provider: .claude, format: .messages, model: "claude-sonnet-5-5"),
        ModelOrigin(provider: .claude, format: .messages, model: "claude-haiku-4-5"),
        ModelOrigin(provider: .local, format: .chat, model: "qwen"),
        ModelOrigin(provider: .offline, format: .none, model: ""),
    ]
    private let ids = ["a", "b", "call_1", "", "functions.now:0", "toolu 1", "é"]

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    mutating func turns() -> [Turn] {
        var turns: [Turn] = []
        for _ in 0..<Int.random(in: 0...5, using: &random) { turns.append(turn()) }
        var last = turn()
        last.isLocal = false
        last.status = .open
        last.messages.insert(.user("the newest question"), at: 0)
        if random.once(in: 2) { last.messages = [.user("the newest question")] }
        return turns + [last]
    }

    private mutating func turn() -> Turn {
        var messages: [Message] = []
        if !random.once(in: 10) { messages.append(user()) }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let answer = assistant()
            messages.append(answer)
            if !random.once(in: 4) { messages += results(of: answer) }
            if random.once(in: 12) { messages.append(user()) }
        }
        let status = Turn.Status.allCases.randomElement(using: &random) ?? .done
        return Turn(status: status, messages: messages, isLocal: random.once(in: 5))
    }

    private mutating func text() -> String {
        ["", " \n", "hello", "two\nlines", "🔑 é", "\u{200B}x"].randomElement(using: &random) ?? ""
    }

    private mutating func user() -> Message {
        var parts: [Part] = [.text(text())]
        if random.once(in: 4) {
            let types = [
                "text/plain", "image/png", "application/pdf", "audio/mpeg", "image/svg+xml",
            ]
            parts.append(
                .attachment(
                    Attachment(
                        name: "f", mediaType: types.randomElement(using: &random) ?? "",
                        bytes: [1, 2, 0xFF], isKeptOnly: random.once(in: 4))))
        }
        return Message(role: .user, parts: parts)
    }

    private mutating func assistant() -> Message {
        let origin = Self.origins.randomElement(using: &random)
        var parts: [Part] = []
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1: parts.append(.text(TextPart(text(), phase: random.once(in: 3) ? "x" : nil)))
            case 2: parts.append(.refusal(text()))
            case 3: parts.append(.thinking(thinking(origin)))
            case 4: parts += search(origin)
            default: parts.append(.toolCall(call()))
            }
        }
        return Message(role: .assistant, parts: parts, origin: random.once(in: 9) ? nil : origin)
    }

    /// Whole, or a half of it, which may find its other half in the next message.
    private mutating func search(_ origin: ModelOrigin?) -> [Part] {
        guard origin?.format == .messages else {
            return [.opaque(["type": "web_search_call", "id": "ws"])]
        }
        let id = JSONValue.string(["s1", "s2", "s3"].randomElement(using: &random) ?? "")
        let use: JSONValue = [
            "type": "server_tool_use", "id": id, "name": "web_search", "input": ["query": "q"],
        ]
        let result: JSONValue = [
            "type": "web_search_tool_result", "tool_use_id": id, "content": [],
        ]
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: [.opaque(use)]
        case 1: [.opaque(result)]
        default: [.opaque(use), .opaque(result)]
        }
    }

    private mutating func thinking(_ origin: ModelOrigin?) -> Thinking {
        if random.once(in: 3) { return Thinking(text: "hm") }
        let item: JSONValue =
            origin?.format == .messages
            ? ["type": "thinking", "thinking": "hm", "signature": "s"]
            : ["type": "reasoning", "id": "rs", "summary": []]
        return Thinking(text: "hm", item: item)
    }

    private mutating func call() -> ToolCall {
        let names = ["now", "dir_size", "bad name\u{1B}", "", String(repeating: "n", count: 80)]
        let arguments = ["{}", "{\"a\":1}", "", "{\"a\":", "[1]", "null", "{\"a\":1e999}"]
        return ToolCall(
            id: ids.randomElement(using: &random) ?? "",
            name: names.randomElement(using: &random) ?? "",
            arguments: arguments.randomElement(using: &random) ?? "", itemID: "fc")
    }

    private mutating func results(of message: Message) -> [Message] {
        var parts: [Part] = []
        for call in message.toolCalls.shuffled(using: &random) where !random.once(in: 4) {
            parts.append(
                .toolResult(
                    ToolResult(
                        callID: call.id, name: call.name, text: text(),
                        isError: random.once(in: 3))))
        }
        if random.once(in: 5) {
            parts.append(
                .toolResult(ToolResult(callID: "stray", name: "now", text: "x")))
        }
        // In one message or one message each.
        return random.once(in: 2)
            ? [Message(role: .tool, parts: parts)]
            : parts.map { Message(role: .tool, parts: [$0]) }
    }
}
