import AgentCore
import Base
import ChatKit

/// One answer as JSON, for `--output json` and the last line of `stream-json`: `text model
/// provider conversation usage cost stopReason toolCalls`. Pure.
struct AnswerReport {
    var outcome: TurnOutcome
    var provider: ProviderName
    var model: String
    var conversation: String?
    /// The cost in US dollars, if the model has a price.
    var cost = Cost()
    /// Whether personal data was removed from the request.
    var isRedacted = false
    /// Set when the turn failed.
    var diagnostic: Diagnostic?

    var json: JSONValue {
        .compact([
            "text": .string(text),
            "model": model.isEmpty ? .null : .string(model),
            "provider": .string(provider.rawValue),
            "conversation": conversation.map(JSONValue.string) ?? .null,
            "usage": outcome.turn.usage.json,
            "cost": cost.known.map(\.json),
            "stopReason": .string(stopReason),
            "toolCalls": .array(toolCalls),
            "undone": outcome.undone.map { .string($0.rawValue) },
            "redacted": isRedacted ? true : nil,
            "error": diagnostic.map(Self.error),
        ])
    }

    /// The report of a failure before the turn, with the same fields: nothing was saved or sent.
    static func failure(_ diagnostic: Diagnostic) -> JSONValue {
        [
            "text": "", "model": nil, "provider": nil, "conversation": nil,
            "usage": Usage().json, "stopReason": "error", "toolCalls": [],
            "error": error(diagnostic),
        ]
    }

    private static func error(_ diagnostic: Diagnostic) -> JSONValue {
        .compact([
            "message": .string(diagnostic.what), "hint": diagnostic.todo.map(JSONValue.string),
        ])
    }

    /// The text of all answers of the turn, in order; on separate lines if tools ran between them,
    /// as displayed.
    private var text: String {
        var text = ""
        var hasRunTools = false
        for message in outcome.turn.messages {
            switch message.role {
            case .user: break
            case .tool: hasRunTools = true
            case .assistant where message.text.isEmpty: break
            case .assistant:
                if hasRunTools, !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
                hasRunTools = false
                text += message.text
            }
        }
        return text
    }

    private var stopReason: String {
        switch outcome.status {
        case .open, .done: outcome.stop?.name ?? "end"
        case .interrupted: "interrupted"
        case .truncated, .refused: outcome.stop?.name ?? outcome.status.rawValue
        case .failed: "error"
        }
    }

    private var toolCalls: [JSONValue] {
        let results = outcome.turn.results
        return outcome.turn.messages.flatMap(\.toolCalls).map { call in
            .compact([
                "name": .string(call.name),
                // Invalid JSON is reported unchanged.
                "arguments": (try? JSONParser.parse(call.arguments)) ?? .string(call.arguments),
                "isError": results[call.id].map { .bool($0.isError) },
                "result": results[call.id].map { .string($0.text) },
            ])
        }
    }
}
