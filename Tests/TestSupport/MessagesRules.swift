import Base

/// Anthropic Messages.
enum MessagesRules {
    private static let bodyMembers: Set<String> = [
        "model", "max_tokens", "messages", "system", "stream", "temperature", "top_p", "top_k",
        "stop_sequences", "tools", "tool_choice", "thinking", "output_config", "cache_control",
        "metadata",
    ]

    static func violations(in body: JSONValue) -> [String] {
        var found = ConversationValidator.members(body, allowed: bodyMembers, at: "body")
        if body["max_tokens"] == nil { found.append("max_tokens is missing") }
        found += ConversationValidator.limit(body, "max_tokens", from: 1)
        for (index, tool) in (body["tools"]?.arrayValue ?? []).enumerated()
        where !ConversationValidator.isName(tool["name"]?.stringValue)
            || tool["input_schema"]?["type"] != "object" && !isSearch(tool)
        {
            found.append("tools[\(index)] is not a tool")
        }
        let system = body["system"]?.arrayValue ?? []
        if system.contains(where: { ConversationValidator.isBlank($0["text"]?.stringValue) }) {
            found.append("empty system text")
        }
        guard let messages = body["messages"]?.arrayValue, !messages.isEmpty else {
            return found + ["messages are missing"]
        }
        if messages.first?["role"] != "user" { found.append("messages[0] is not the user's") }
        let blocks = messages.flatMap { $0["content"]?.arrayValue ?? [] }
        if (system + blocks).count(where: { $0["cache_control"] != nil }) > 4 {
            found.append("more than four cache breakpoints")
        }
        found += history(messages)
        let offersSearch = (body["tools"]?.arrayValue ?? []).contains(where: isSearch)
        for (index, message) in messages.enumerated() {
            found += searches(
                in: message["content"]?.arrayValue ?? [], areOffered: offersSearch,
                mayGoOn: index == messages.count - 1, at: "messages[\(index)]")
        }
        return found
    }

    private static func isSearch(_ tool: JSONValue) -> Bool {
        tool["type"] == "web_search_20250305" && tool["name"] == "web_search"
            && (tool["max_uses"]?.integerValue ?? 0) > 0
    }

    /// Each search has its result behind it, but for the last one of an answer that goes on.
    private static func searches(
        in blocks: [JSONValue], areOffered: Bool, mayGoOn: Bool, at place: String
    ) -> [String] {
        var found: [String] = []
        var open: [String] = []
        for block in blocks {
            switch block["type"]?.stringValue {
            case "server_tool_use":
                open.append(block["id"]?.stringValue ?? "")
                if block["input"]?.objectValue == nil { found.append("\(place): half a search") }
            case "web_search_tool_result":
                guard let index = open.firstIndex(of: block["tool_use_id"]?.stringValue ?? "")
                else {
                    found.append("\(place): a result without its search")
                    continue
                }
                open.remove(at: index)
            default: continue
            }
            if !areOffered { found.append("\(place): a search that is not offered") }
        }
        if !open.isEmpty, !mayGoOn { found.append("\(place): a search without its result") }
        return found
    }

    private static func history(_ messages: [JSONValue]) -> [String] {
        var found: [String] = []
        var open: [String] = []
        var seen: Set<String> = []
        for (index, message) in messages.enumerated() {
            let place = "messages[\(index)]"
            let role = message["role"]?.stringValue ?? ""
            if index > 0, messages[index - 1]["role"] == message["role"] {
                found.append("\(place): \(role) twice in a row")
            }
            let content = message["content"]?.arrayValue ?? []
            if content.isEmpty { found.append("\(place): no content") }
            switch role {
            case "user":
                found += user(content, open: open, at: place)
                open = []
            case "assistant":
                open = []
                for block in content {
                    found += assistant(block, at: place)
                    guard block["type"] == "tool_use" else { continue }
                    let id = block["id"]?.stringValue ?? ""
                    if !seen.insert(id).inserted { found.append("\(place): id \(id) again") }
                    open.append(id)
                }
                if ["thinking", "redacted_thinking"].contains(content.last?["type"]?.stringValue) {
                    found.append("\(place): thinking is the last block")
                }
            case "system":
                // Behind the user's words, and before the answer.
                if index == 0 || messages[index - 1]["role"] != "user"
                    || index + 1 < messages.count && messages[index + 1]["role"] != "assistant"
                {
                    found.append("\(place): a system text in a wrong place")
                }
            default: found.append("\(place): unknown role \(role)")
            }
        }
        if !open.isEmpty { found.append("no result for \(open.joined(separator: ", "))") }
        return found
    }

    /// Results come first, one for each call of the message before.
    private static func user(_ content: [JSONValue], open: [String], at place: String) -> [String] {
        var found: [String] = []
        var waiting = open
        var isPastResults = false
        for block in content {
            switch block["type"]?.stringValue {
            case "tool_result":
                if isPastResults { found.append("\(place): a result after other blocks") }
                let id = block["tool_use_id"]?.stringValue ?? ""
                if let known = waiting.firstIndex(of: id) {
                    waiting.remove(at: known)
                } else {
                    found.append("\(place): result for no open call \(id)")
                }
            case "text":
                isPastResults = true
                if ConversationValidator.isBlank(block["text"]?.stringValue) {
                    found.append("\(place): empty text")
                }
            case "image", "document": isPastResults = true
            case let type: found.append("\(place): block \(type ?? "?") for user")
            }
        }
        if !waiting.isEmpty {
            found.append("\(place): no result for \(waiting.joined(separator: ", "))")
        }
        return found
    }

    private static func assistant(_ block: JSONValue, at place: String) -> [String] {
        switch block["type"]?.stringValue {
        case "text":
            ConversationValidator.isBlank(block["text"]?.stringValue)
                ? ["\(place): empty text"] : []
        case "thinking":
            (block["signature"]?.stringValue ?? "").isEmpty ? ["\(place): unsigned thinking"] : []
        case "tool_use":
            ConversationValidator.isName(block["id"]?.stringValue)
                && ConversationValidator.isName(block["name"]?.stringValue)
                && block["input"]?.objectValue != nil ? [] : ["\(place): bad tool_use"]
        case "tool_result", "image", "document", nil: ["\(place): wrong block for assistant"]
        default: []
        }
    }
}
