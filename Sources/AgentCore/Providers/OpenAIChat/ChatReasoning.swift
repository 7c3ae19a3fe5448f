import Base

/// Data that a Chat Completions server sends with its tool calls and expects back with them:
/// `reasoning_content` (DeepSeek, Kimi), `reasoning_details` (OpenRouter) and the `extra_content`
/// of calls (Gemini's thought signatures). Pure.
///
/// It is stored as the item of the answer's reasoning, together with its server: no other server
/// gets it, even if it has a model of the same name.
struct ChatReasoning: Sendable {
    private var content = ""
    private var details: [JSONValue] = []
    private var extra: JSONValue?
    private var bytes = 0

    /// Limit for one answer in bytes; a longer one would be sent with every later request.
    private static let limit = 1 << 20

    mutating func take(_ delta: JSONValue) {
        if let piece = delta["reasoning_content"]?.stringValue, fits(piece.utf8.count) {
            content += piece
        }
        for detail in delta["reasoning_details"]?.arrayValue ?? [] { take(detail: detail) }
        if let extra = delta["extra_content"], extra.objectValue != nil { self.extra = extra }
    }

    /// Pieces with the same index and type are one block, whose texts are joined.
    private mutating func take(detail: JSONValue) {
        guard case .object(var object) = detail, fits(JSONWriter.bytes(detail).count) else {
            return
        }
        guard
            let place = details.lastIndex(where: {
                $0["index"] == detail["index"] && $0["type"] == detail["type"]
                    && ($0["id"] == detail["id"] || detail["id"]?.stringValue == nil)
            }), detail["index"]?.integerValue != nil, case .object(var known) = details[place]
        else { return details.append(detail) }
        for name in ["text", "summary", "data"] {
            guard let old = known[name]?.stringValue else { continue }
            object[name] = .string(old + (object[name]?.stringValue ?? ""))
        }
        for member in object.members where !member.value.isNull {
            known[member.name] = member.value
        }
        details[place] = .object(known)
    }

    private mutating func fits(_ more: Int) -> Bool {
        bytes += more
        return bytes <= Self.limit
    }

    /// - Parameter calls: the extra content of each call of the answer, in order.
    /// - Returns: nil if there is nothing to send back.
    func item(calls: [JSONValue?], server: String) -> JSONValue? {
        if calls.isEmpty { return nil }
        let message: JSONValue = .compact([
            "reasoning_content": content.isEmpty || bytes > Self.limit ? nil : .string(content),
            "reasoning_details": details.isEmpty || bytes > Self.limit ? nil : .array(details),
            "extra_content": extra,
        ])
        let hasExtra = calls.contains { $0 != nil }
        if message == [:], !hasExtra { return nil }
        return .compact([
            "server": .string(server), "message": message,
            "calls": hasExtra ? .array(calls.map { $0 ?? .null }) : nil,
        ])
    }

    static func isFrom(_ server: String, _ item: JSONValue) -> Bool {
        item["server"]?.stringValue == server
    }

    /// The members to add to the assistant's message when it is sent back.
    static func message(_ item: JSONValue) -> [JSONObject.Member] {
        item["message"]?.objectValue?.members ?? []
    }

    /// The extra fields of a call.
    static func call(_ item: JSONValue, at position: Int) -> JSONValue? {
        guard let extra = item["calls"]?[position], !extra.isNull else { return nil }
        return extra
    }
}
