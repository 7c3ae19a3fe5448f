import AgentCore
import Base
import FoundationEssentials

/// Reads a conversation of claude.ai's exported `conversations.json`. Pure.
///
/// `chat_messages` is a list with `sender` (`human`, `assistant`), `text` or `content`
/// blocks, and `attachments` whose text is in `extracted_content`. Thinking and tool calls
/// are left out and counted; files are named, since the export does not contain them.
package struct ClaudeExport {
    package private(set) var leftOut = LeftOut()

    package init() {}

    package static func looksLike(_ value: JSONValue) -> Bool {
        value["chat_messages"]?.arrayValue != nil
    }

    package mutating func read(_ value: JSONValue) -> ImportedConversation? {
        guard let messages = value["chat_messages"]?.arrayValue else { return nil }
        let times = messages.compactMap { Self.date($0["created_at"]) }
        let created =
            Self.date(value["created_at"]) ?? times.min() ?? Date(timeIntervalSince1970: 0)
        let model = value["model"]?.stringValue ?? ""
        var turns = ImportedTurns(provider: .claude, start: created)
        for message in messages {
            let time = Self.date(message["created_at"])
            let sender = message["sender"]?.stringValue
            guard ["human", "user", "assistant"].contains(sender) else {
                leftOut[.unknown] += 1
                continue
            }
            let text = text(message) + Self.names(message)
            if sender == "assistant" {
                turns.assistant(text, time: time, model: model)
            } else {
                turns.user(text, attachments: Self.attachments(message), time: time)
            }
        }
        return ImportedConversation(
            id: value["uuid"]?.stringValue, title: value["name"]?.stringValue ?? "",
            provider: .claude, model: model, created: created,
            updated: Self.date(value["updated_at"]) ?? times.max() ?? created,
            turns: turns.finished())
    }

    /// The text of the blocks, if any; older exports have only a text.
    private mutating func text(_ message: JSONValue) -> String {
        var blocks: [String] = []
        for block in message["content"]?.arrayValue ?? [] {
            switch block["type"]?.stringValue {
            case "text": blocks.append(block["text"]?.stringValue ?? "")
            case "thinking": leftOut[.thinking] += 1
            case "tool_use", "tool_result": leftOut[.tool] += 1
            default: leftOut[.unknown] += 1
            }
        }
        blocks.removeAll(where: \.isEmpty)
        return blocks.isEmpty
            ? message["text"]?.stringValue ?? "" : blocks.joined(separator: "\n\n")
    }

    private static func attachments(_ message: JSONValue) -> [Attachment] {
        (message["attachments"]?.arrayValue ?? []).compactMap { file in
            guard let text = file["extracted_content"]?.stringValue, !text.isEmpty else {
                return nil
            }
            return Attachment(
                name: file["file_name"]?.stringValue ?? "attachment", mediaType: "text/plain",
                bytes: Array(text.utf8))
        }
    }

    /// Names of files without content.
    private static func names(_ message: JSONValue) -> String {
        let empty = (message["attachments"]?.arrayValue ?? []).filter {
            ($0["extracted_content"]?.stringValue ?? "").isEmpty
        }
        return (empty + (message["files"]?.arrayValue ?? [])).map { file in
            "\n[file \(file["file_name"]?.stringValue ?? "without a name")]"
        }.joined()
    }

    private static func date(_ value: JSONValue?) -> Date? {
        value?.stringValue.flatMap(FileTime.date)
    }
}
