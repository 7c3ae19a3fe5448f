import AgentCore
import Base

/// A strict reader of request bodies, as strict as the strictest server of
/// each wire format: a loopback server answers 400 with what it lists.
package enum ConversationValidator {
    /// What is wrong with the body; empty for a valid one.
    package static func violations(in body: JSONValue, format: WireFormat) -> [String] {
        guard let object = body.objectValue else { return ["the body is no object"] }
        var names: Set<String> = []
        var found = object.names.filter { !names.insert($0).inserted }.map { "\($0) given twice" }
        if (body["model"]?.stringValue ?? "").isEmpty { found.append("model is missing") }
        switch format {
        case .responses: found += ResponsesRules.violations(in: body)
        case .chat: found += ChatRules.violations(in: body)
        case .messages: found += MessagesRules.violations(in: body)
        case .none: found.append("there is no such format")
        }
        return found
    }

    static func isName(_ text: String?) -> Bool {
        guard let text, (1...64).contains(text.utf8.count) else { return false }
        return text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x2D
        }
    }

    static func isJSONObject(_ text: String?) -> Bool {
        guard let text else { return false }
        do {
            return try JSONParser.parse(text).objectValue != nil
        } catch {
            return false
        }
    }

    static func isBlank(_ text: String?) -> Bool {
        (text ?? "").unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    static func limit(_ body: JSONValue, _ name: String, from least: Int) -> [String] {
        guard let value = body[name] else { return [] }
        guard case .integer(let number) = value, number >= least, number <= 128_000 else {
            return ["\(name) is not a number in range"]
        }
        return []
    }

    static func members(_ object: JSONValue, allowed: Set<String>, at place: String) -> [String] {
        (object.objectValue?.names ?? []).filter { !allowed.contains($0) }
            .map { "\(place): unknown member \($0)" }
    }
}

/// OpenAI Responses.
enum ResponsesRules {
    private static let bodyMembers: Set<String> = [
        "model", "instructions", "input", "tools", "tool_choice", "parallel_tool_calls",
        "temperature", "top_p", "max_output_tokens", "stream", "stream_options", "store",
        "reasoning", "text", "include", "service_tier", "prompt_cache_key", "metadata",
    ]

    static func violations(in body: JSONValue) -> [String] {
        var found = ConversationValidator.members(body, allowed: bodyMembers, at: "body")
        found += ConversationValidator.limit(body, "max_output_tokens", from: 16)
        let tools = body["tools"]?.arrayValue ?? []
        for (index, tool) in tools.enumerated() where tool != ["type": "web_search"] {
            if tool["type"] != "function"
                || !ConversationValidator.isName(tool["name"]?.stringValue)
                || tool["parameters"]?["type"] != "object" || tool["strict"]?.boolValue == nil
            {
                found.append("tools[\(index)] is not a function tool")
            }
        }
        guard let items = body["input"]?.arrayValue, !items.isEmpty else {
            return found + ["input is missing"]
        }
        // The system text of GPT-6.2 and later is the first item.
        let first = items.first { $0["role"] != "developer" }
        if first?["role"] != "user" { found.append("input does not begin with the user's") }
        var open: [String] = []
        var seen: Set<String> = []
        /// Outputs have begun since the last call.
        var hasOutputs = false
        for (index, item) in items.enumerated() {
            let place = "input[\(index)]"
            let kind = item["type"]?.stringValue ?? "message"
            // Items of one answer may stand between a call and its output.
            if item["role"] == "user", !open.isEmpty {
                found.append("\(place): no output for \(open.joined(separator: ", "))")
                open = []
            }
            switch kind {
            case "message": found += message(item, at: place)
            case "function_call":
                let id = item["call_id"]?.stringValue ?? ""
                if id.isEmpty || id.utf8.count > 64 { found.append("\(place): bad call_id") }
                if !seen.insert(id).inserted { found.append("\(place): call_id \(id) again") }
                if hasOutputs, !open.isEmpty { found.append("\(place): outputs are missing") }
                hasOutputs = false
                if !ConversationValidator.isName(item["name"]?.stringValue) {
                    found.append("\(place): bad name")
                }
                if !ConversationValidator.isJSONObject(item["arguments"]?.stringValue) {
                    found.append("\(place): arguments are no JSON object")
                }
                open.append(id)
            case "function_call_output":
                let id = item["call_id"]?.stringValue ?? ""
                hasOutputs = true
                if let known = open.firstIndex(of: id) {
                    open.remove(at: known)
                } else {
                    found.append("\(place): output for no open call \(id)")
                }
                if item["output"]?.stringValue == nil { found.append("\(place): no output") }
            case "reasoning":
                let next = items.indices.contains(index + 1) ? items[index + 1] : .null
                let nextKind = next["type"]?.stringValue ?? "message"
                if next["role"] == "user" || next.isNull || nextKind == "function_call_output" {
                    found.append("\(place): reasoning without the item that follows it")
                }
            case "web_search_call" where !tools.contains(["type": "web_search"]):
                found.append("\(place): a search that is not offered")
            default: break
            }
        }
        if !open.isEmpty { found.append("no output for \(open.joined(separator: ", "))") }
        return found
    }

    private static func message(_ item: JSONValue, at place: String) -> [String] {
        let role = item["role"]?.stringValue ?? ""
        let allowed: Set<String>
        switch role {
        case "user", "system", "developer": allowed = ["input_text", "input_image", "input_file"]
        case "assistant": allowed = ["output_text", "refusal"]
        default: return ["\(place): unknown role \(role)"]
        }
        if let text = item["content"]?.stringValue {
            return text.isEmpty ? ["\(place): empty content"] : []
        }
        guard let parts = item["content"]?.arrayValue, !parts.isEmpty else {
            return ["\(place): no content"]
        }
        return parts.flatMap { part -> [String] in
            let type = part["type"]?.stringValue ?? ""
            if !allowed.contains(type) { return ["\(place): part \(type) for \(role)"] }
            let text = part["text"]?.stringValue ?? part["refusal"]?.stringValue
            return type.hasSuffix("text") && ConversationValidator.isBlank(text)
                ? ["\(place): empty text"] : []
        }
    }
}

/// Chat Completions.
enum ChatRules {
    private static let bodyMembers: Set<String> = [
        "model", "messages", "tools", "tool_choice", "temperature", "top_p", "max_tokens",
        "max_completion_tokens", "stream", "stream_options", "stop", "seed", "reasoning_effort",
        "parallel_tool_calls", "response_format",
    ]

    static func violations(in body: JSONValue) -> [String] {
        var found = ConversationValidator.members(body, allowed: bodyMembers, at: "body")
        found += ConversationValidator.limit(body, "max_tokens", from: 1)
        found += ConversationValidator.limit(body, "max_completion_tokens", from: 1)
        if body["max_tokens"] != nil, body["max_completion_tokens"] != nil {
            found.append("two output limits")
        }
        for (index, tool) in (body["tools"]?.arrayValue ?? []).enumerated()
        where tool["type"] != "function"
            || !ConversationValidator.isName(tool["function"]?["name"]?.stringValue)
            || tool["function"]?["parameters"]?["type"] != "object"
        {
            found.append("tools[\(index)] is not a function tool")
        }
        guard let messages = body["messages"]?.arrayValue, !messages.isEmpty else {
            return found + ["messages are missing"]
        }
        if messages.first(where: { $0["role"] != "system" })?["role"] != "user" {
            found.append("the first message is not the user's")
        }
        var open: [String] = []
        var seen: Set<String> = []
        for (index, message) in messages.enumerated() {
            let place = "messages[\(index)]"
            let role = message["role"]?.stringValue ?? ""
            if role != "tool", !open.isEmpty {
                found.append("\(place): no result for \(open.joined(separator: ", "))")
                open = []
            }
            switch role {
            case "system":
                if index > 0 { found.append("\(place): system is not first") }
                fallthrough
            case "user":
                let text = message["content"]?.stringValue
                let parts = message["content"]?.arrayValue ?? []
                if ConversationValidator.isBlank(text), parts.isEmpty {
                    found.append("\(place): no content")
                }
            case "assistant":
                let calls = message["tool_calls"]?.arrayValue ?? []
                if message["tool_calls"] != nil, calls.isEmpty {
                    found.append("\(place): empty tool_calls")
                }
                if ConversationValidator.isBlank(message["content"]?.stringValue), calls.isEmpty {
                    found.append("\(place): neither content nor calls")
                }
                for call in calls {
                    let id = call["id"]?.stringValue ?? ""
                    if id.isEmpty || !seen.insert(id).inserted {
                        found.append("\(place): bad or repeated id \(id)")
                    }
                    if call["type"] != "function"
                        || !ConversationValidator.isName(call["function"]?["name"]?.stringValue)
                    {
                        found.append("\(place): bad function")
                    }
                    if !ConversationValidator.isJSONObject(
                        call["function"]?["arguments"]?.stringValue)
                    {
                        found.append("\(place): arguments are no JSON object")
                    }
                    open.append(id)
                }
            case "tool":
                let id = message["tool_call_id"]?.stringValue ?? ""
                if let known = open.firstIndex(of: id) {
                    open.remove(at: known)
                } else {
                    found.append("\(place): result for no open call \(id)")
                }
                if message["content"]?.stringValue == nil { found.append("\(place): no content") }
            default: found.append("\(place): unknown role \(role)")
            }
        }
        if !open.isEmpty { found.append("no result for \(open.joined(separator: ", "))") }
        return found
    }
}
