import AgentCore
import FoundationEssentials
import Persistence

/// Reads a conversation of the `conversations.json` that ChatGPT exports.
/// Pure.
///
/// A conversation there is a tree: `mapping` from ids to nodes with `parent`
/// and `message`, and `current_node`, the end of the branch that was last seen.
/// That branch is taken; messages of others are counted. Of the contents, text
/// and code are taken, and images and other things named, since the file does
/// not hold them.
struct ChatGPTExport {
    /// Messages on other branches.
    private(set) var leftOut = 0

    static func looksLike(_ value: JSONValue) -> Bool { value["mapping"]?.objectValue != nil }

    mutating func read(_ value: JSONValue) -> ImportedConversation? {
        guard let mapping = value["mapping"]?.objectValue else { return nil }
        // One look-up for each node: the object is a list.
        var nodes: [String: JSONValue] = [:]
        for member in mapping.members { nodes[member.name] = member.value }
        let branch = Self.branch(value, nodes)
        let created = Self.date(value["create_time"]) ?? Date(timeIntervalSince1970: 0)
        var turns = ImportedTurns(provider: .openai, start: created)
        var model = value["default_model_slug"]?.stringValue ?? ""
        for node in branch {
            guard let message = node["message"], !message.isNull else { continue }
            if message["metadata"]?["is_visually_hidden_from_conversation"]?.boolValue == true {
                continue
            }
            let text = Self.text(message["content"])
            if text.isEmpty { continue }
            let time = Self.date(message["create_time"])
            switch message["author"]?["role"]?.stringValue {
            case "user": turns.user(text, time: time)
            case "assistant":
                // Words to a tool are not for the reader.
                let recipient = message["recipient"]?.stringValue ?? "all"
                guard recipient == "all" else { continue }
                model = message["metadata"]?["model_slug"]?.stringValue ?? model
                turns.assistant(text, time: time, model: model)
            default: continue
            }
        }
        let said = nodes.values.filter { Self.isSaid($0["message"]) }.count
        leftOut += max(0, said - branch.filter { Self.isSaid($0["message"]) }.count)
        return ImportedConversation(
            id: (value["conversation_id"] ?? value["id"])?.stringValue,
            title: value["title"]?.stringValue ?? "", provider: .openai, model: model,
            created: created, updated: Self.date(value["update_time"]) ?? created,
            turns: turns.finished())
    }

    private static func isSaid(_ message: JSONValue?) -> Bool {
        let role = message?["author"]?["role"]?.stringValue
        return role == "user" || role == "assistant"
    }

    /// From the root to the current node; without one, to the end of the
    /// branch whose nodes come last.
    private static func branch(_ value: JSONValue, _ nodes: [String: JSONValue]) -> [JSONValue] {
        var id = value["current_node"]?.stringValue
        if id.flatMap({ nodes[$0] }) == nil {
            id = nodes.first { $0.value["parent"]?.stringValue == nil }?.key
            while let here = id, let next = nodes[here]?["children"]?.arrayValue?.last?.stringValue,
                nodes[next]?["parent"]?.stringValue == here
            {
                id = next
            }
        }
        var path: [JSONValue] = []
        var seen: Set<String> = []
        while let here = id, let node = nodes[here], seen.insert(here).inserted {
            path.append(node)
            id = node["parent"]?.stringValue
        }
        return path.reversed()
    }

    private static func text(_ content: JSONValue?) -> String {
        guard let content else { return "" }
        switch content["content_type"]?.stringValue {
        case "text", "multimodal_text":
            return (content["parts"]?.arrayValue ?? []).map { part in
                if let text = part.stringValue { return text }
                if let text = part["text"]?.stringValue { return text }
                let kind = part["content_type"]?.stringValue ?? "something"
                return "[\(kind.replacing("_", with: " "))]"
            }.filter { !$0.isEmpty }.joined(separator: "\n")
        case "code":
            let text = content["text"]?.stringValue ?? ""
            let language = content["language"]?.stringValue ?? ""
            return text.isEmpty
                ? "" : "```\(language == "unknown" ? "" : language)\n\(text)\n```"
        default: return ""
        }
    }

    private static func date(_ value: JSONValue?) -> Date? {
        value?.doubleValue.map { Date(timeIntervalSince1970: $0) }
    }
}
