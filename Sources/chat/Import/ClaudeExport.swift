import AgentCore
import FoundationEssentials
import Persistence

/// Reads a conversation of the `conversations.json` that claude.ai exports.
/// Pure.
///
/// `chat_messages` is a list with `sender` (`human`, `assistant`), `text` or
/// `content` blocks, and `attachments` whose text is in `extracted_content`.
/// Thinking and the use of tools are left out; files are named, since the
/// export does not hold them.
struct ClaudeExport {
    static func looksLike(_ value: JSONValue) -> Bool {
        value["chat_messages"]?.arrayValue != nil
    }

    func read(_ value: JSONValue) -> ImportedConversation? {
        guard let messages = value["chat_messages"]?.arrayValue else { return nil }
        let created = Self.date(value["created_at"]) ?? Date(timeIntervalSince1970: 0)
        let model = value["model"]?.stringValue ?? ""
        var turns = ImportedTurns(provider: .claude, start: created)
        for message in messages {
            let time = Self.date(message["created_at"])
            switch message["sender"]?.stringValue {
            case "human", "user":
                turns.user(
                    Self.text(message) + Self.names(message["files"]),
                    attachments: Self.attachments(message), time: time)
            case "assistant": turns.assistant(Self.text(message), time: time, model: model)
            default: continue
            }
        }
        return ImportedConversation(
            id: value["uuid"]?.stringValue, title: value["name"]?.stringValue ?? "",
            provider: .claude, model: model, created: created,
            updated: Self.date(value["updated_at"]) ?? created, turns: turns.finished())
    }

    /// The blocks where there are any; older exports have the text alone.
    private static func text(_ message: JSONValue) -> String {
        let blocks = (message["content"]?.arrayValue ?? []).compactMap { block in
            block["type"]?.stringValue == "text" ? block["text"]?.stringValue : nil
        }.filter { !$0.isEmpty }
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

    private static func names(_ files: JSONValue?) -> String {
        (files?.arrayValue ?? []).compactMap { $0["file_name"]?.stringValue }
            .map { "\n[file \($0)]" }.joined()
    }

    private static func date(_ value: JSONValue?) -> Date? {
        value?.stringValue.flatMap(FileTime.date)
    }
}
