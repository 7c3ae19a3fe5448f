import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import TerminalKit

/// A conversation as Markdown, for reading and for other programs: messages unchanged, tool
/// calls folded away. Pure.
struct MarkdownExport {
    let zone: LocalTime

    func beginning(_ record: ConversationRecord, turns: Int) -> String {
        // The model, the length, and the time of the beginning.
        let facts = [
            record.model.isEmpty ? record.provider.rawValue : record.model,
            Quantities.count(turns, "turn"), zone.isoText(record.created),
        ]
        let system = record.preferences.system.map {
            "\n> System: \($0.replacing("\n", with: "\n> "))\n"
        }
        return "# \(Self.line(record.title))\n\n*\(facts.joined(separator: " · "))*\n"
            + (system ?? "")
    }

    func turn(_ stored: StoredTurn) -> String {
        var out = ""
        let results = stored.turn.results
        for message in stored.turn.messages {
            switch message.role {
            case .user:
                out += "\n## You\n\n"
                for case .attachment(let file) in message.parts {
                    out +=
                        "- attached: `\(Self.line(file.name))`, \(Quantities.bytes(file.bytes.count))\n"
                }
                out += message.text + "\n"
            case .assistant:
                let model = message.origin?.model ?? stored.model
                let name = model.isEmpty ? "chat" : model
                out += "\n## \(Self.line(name))\n\n"
                if !message.text.isEmpty { out += message.text + "\n" }
                for call in message.toolCalls { out += Self.folded(call, results[call.id]) }
            case .tool: break
            }
        }
        if let mark = ConversationView.mark(stored) { out += "\n*\(mark)*\n" }
        return out
    }

    private static func folded(_ call: ToolCall, _ result: ToolResult?) -> String {
        let fence = AttachmentContent.fence(for: call.arguments + (result?.text ?? ""))
        var out = "\n<details><summary>\(HTMLText.escaped(call.name))</summary>\n\n"
        out += "\(fence)json\n\(call.arguments)\n\(fence)\n"
        if let result { out += "\n\(fence)\n\(result.text)\n\(fence)\n" }
        return out + "\n</details>\n"
    }

    private static func line(_ text: String) -> String {
        text.replacing("\n", with: " ")
    }
}

extension Turn {
    /// Results by the ids of their calls.
    var results: [String: ToolResult] {
        var results: [String: ToolResult] = [:]
        for message in messages {
            for case .toolResult(let result) in message.parts { results[result.callID] = result }
        }
        return results
    }
}
