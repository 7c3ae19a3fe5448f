import Base

/// Parameters that a request leaves out or changes because the server refused them.
///
/// If a 400 names a parameter that we send by default, the turn need not fail: the parameter is
/// left out and the request sent again, once for each parameter.
package struct RequestAdjustments: Sendable, Equatable {
    package private(set) var dropped: Set<String> = []
    package private(set) var sendsThinking = true
    /// Calls without `reasoning_content` get an empty one.
    package private(set) var fillsReasoning = false
    /// The server's maximum.
    package private(set) var outputLimit: Int?

    package init() {}

    package func sends(_ parameter: String) -> Bool { !dropped.contains(parameter) }

    /// Parameters that can be left out without changing the meaning of the request.
    private static let droppable = [
        "temperature", "max_completion_tokens", "max_output_tokens", "max_tokens",
        "stream_options", "reasoning_effort", "reasoning", "include", "thinking", "output_config",
        "store", "strict", "cache_control", "prompt_cache_key",
    ]

    /// The user's settings that these parameters carried.
    package func ignored(of request: ModelRequest) -> Set<IgnoredParameter> {
        var ignored: Set<IgnoredParameter> = []
        let efforts = ["reasoning_effort", "reasoning.effort", "reasoning", "output_config"]
        if request.effort != nil, efforts.contains(where: dropped.contains) {
            ignored.insert(.effort)
        }
        if dropped.contains("thinking") {
            // For older models the parameter carries the effort.
            ignored.insert(request.effort == nil ? .thinking : .effort)
        }
        if request.temperature != nil, dropped.contains("temperature") {
            ignored.insert(.temperature)
        }
        if !request.tools.isEmpty, dropped.contains("tools") { ignored.insert(.tools) }
        if outputLimit != nil { ignored.insert(.maxTokens) }
        return ignored
    }

    /// Learns an adjustment from a 400.
    /// - Parameter body: the refused request.
    /// - Returns: whether it makes sense to send again.
    package mutating func learn(
        from error: ProviderError, body: JSONValue, format: WireFormat
    ) -> Bool {
        let isRefused = error.status == 400 || error.status == 422
        if isRefused, error.reason == .contextTooLong {
            return dropOutputLimit(body, format: format)
        }
        let sentence = (error.message?.text ?? "").lowercased()
        // Not every model of a vendor can search, nor every server with its wire format.
        if isRefused, error.reason == .badRequest, dropsSearch(error, sentence, body) {
            return dropped.insert("web_search").inserted
        }
        if isRefused,
            ["additional_tools", "tool_addition", "inline-tools"].contains(where: sentence.contains)
        {
            return dropped.insert(LateTools.adjustment).inserted
        }
        if body["tools"] != nil, Self.refusesTools(error, sentence) {
            return dropped.insert("tools").inserted
        }
        guard isRefused, error.reason == .badRequest else { return false }
        // "role 'system' is not supported on this model": move it to the head again.
        if ["role", "messages", "input"].contains(where: sentence.contains),
            Self.mentions("system", in: sentence) || Self.mentions("developer", in: sentence),
            Self.hasLaterSystem(body)
        {
            return dropped.insert("system").inserted
        }
        if format == .messages, sentence.contains("anthropic-beta") {
            return dropped.insert("anthropic-beta").inserted
        }
        if format == .messages, sendsThinking, Self.complainsOfThinkingBlocks(sentence) {
            sendsThinking = false
            return true
        }
        if format == .chat, let isMissed = Self.missesReasoning(sentence) {
            // The server refuses the reasoning that we send back, or requires it where another
            // model made the call.
            defer { if isMissed { fillsReasoning = true } else { sendsThinking = false } }
            return isMissed ? !fillsReasoning : sendsThinking
        }
        for name in Self.outputLimits {
            guard let sent = body[name]?.integerValue,
                error.parameter?.text == name || sentence.contains(name)
            else { continue }
            if lowerOutputLimit(sentence, sent: sent) { return true }
            // It cannot be left out there.
            if format == .messages { return false }
        }
        guard let name = Self.parameter(of: error, sentence: sentence, body: body) else {
            return false
        }
        return dropped.insert(name).inserted
    }

    /// "The `reasoning_content` in the thinking mode must be passed back to the API.",
    /// "Missing `reasoning_content` field in the assistant message at message index 2."
    /// - Returns: nil if it is about something else.
    private static func missesReasoning(_ sentence: String) -> Bool? {
        let names = ["reasoning_content", "reasoning_details", "extra_content"]
        guard names.contains(where: sentence.contains) else { return nil }
        return ["missing", "must be", "passed back"].contains(where: sentence.contains)
    }

    private static func hasLaterSystem(_ body: JSONValue) -> Bool {
        let entries = body["messages"]?.arrayValue ?? body["input"]?.arrayValue ?? []
        return entries.dropFirst().contains {
            ["system", "developer"].contains($0["role"]?.stringValue)
        }
    }

    private static let outputLimits = [
        "max_tokens", "max_completion_tokens", "max_output_tokens",
    ]

    /// "does not support tools", "tool choice requires --enable-auto-tool-choice", "No endpoints
    /// found that support tool use": errors of servers without support for tools. An error that
    /// names a single call or function is a different one.
    private static func refusesTools(_ error: ProviderError, _ sentence: String) -> Bool {
        switch error.status {
        case 400, 404, 422, 501: break
        default: return false
        }
        // This is about the vendor's own search.
        if sentence.contains("web_search") || sentence.contains("web search") { return false }
        let parameter = error.parameter?.text ?? ""
        if parameter == "tools" || parameter == "tool_choice" { return true }
        let words = [
            "tools", "tool choice", "tool_choice", "tool use", "tool call", "function call",
        ]
        guard words.contains(where: sentence.contains) else { return false }
        let refusals = [
            "support", "requires", "not enabled", "disabled", "not allowed", "not available",
            "unknown", "unrecognized", "unexpected", "not permitted",
        ]
        return refusals.contains(where: sentence.contains)
    }

    private func dropsSearch(
        _ error: ProviderError, _ sentence: String, _ body: JSONValue
    ) -> Bool {
        guard sends("web_search"),
            let index = body["tools"]?.arrayValue?.firstIndex(where: {
                $0["type"]?.stringValue?.hasPrefix("web_search") == true
            })
        else { return false }
        let place = error.parameter?.text ?? ""
        return sentence.contains("web_search") || sentence.contains("web search")
            || place.hasPrefix("tools[\(index)]") || place.hasPrefix("tools.\(index)")
    }

    private static func parameter(
        of error: ProviderError, sentence: String, body: JSONValue
    ) -> String? {
        // Ollama returns this for a model without configurable thinking.
        if sentence.contains("does not support thinking"), body["reasoning_effort"] != nil {
            return "reasoning_effort"
        }
        if let named = error.parameter?.text {
            if named.hasSuffix(".strict") { return "strict" }
            // An account may lack access to one of the two.
            if ["reasoning.effort", "reasoning.summary"].contains(named),
                body["reasoning"]?[String(named.dropFirst("reasoning.".count))] != nil
            {
                return named
            }
            let head = String(named.prefix { $0 != "." && $0 != "[" })
            return droppable.contains(head) && body[head] != nil ? head : nil
        }
        if body["output_config"] != nil, mentions("effort", in: sentence) {
            return "output_config"
        }
        return droppable.first { body[$0] != nil && mentions($0, in: sentence) }
    }

    /// Small local models count the output limit as part of their window and report that the sum is
    /// too long; without a limit they use the rest.
    private mutating func dropOutputLimit(_ body: JSONValue, format: WireFormat) -> Bool {
        guard format == .chat, body["max_tokens"] != nil else { return false }
        dropped.insert("max_completion_tokens")
        return dropped.insert("max_tokens").inserted
    }

    /// Parameters whose names are also common words.
    private static let plainWords: Set<String> = ["store", "include", "strict"]

    /// Whether the name occurs as a separate word; in quotes if it could be an ordinary word.
    private static func mentions(_ name: String, in sentence: String) -> Bool {
        if plainWords.contains(name) {
            return ["'", "`", "\""].contains { sentence.contains($0 + name + $0) }
        }
        let isPart: (Character) -> Bool = { $0.isLetter || $0.isNumber || $0 == "_" }
        return sentence.split(whereSeparator: { !isPart($0) }).contains { $0 == name }
    }

    /// "messages.3.content.0: `thinking` blocks cannot be modified", invalid
    /// signatures, and prefixes that no longer match.
    private static func complainsOfThinkingBlocks(_ sentence: String) -> Bool {
        guard sentence.contains("thinking") else { return false }
        return sentence.contains("signature") || sentence.contains("prefix")
            || sentence.contains("block") || sentence.hasPrefix("messages.")
    }

    /// "max_tokens: 32000 > 8192, which is the maximum allowed …"
    private mutating func lowerOutputLimit(_ sentence: String, sent: Int) -> Bool {
        let numbers = sentence.split { !$0.isNumber }.compactMap { Int($0) }
        guard outputLimit == nil, let most = numbers.filter({ $0 >= 256 && $0 < sent }).max() else {
            return false
        }
        outputLimit = most
        return true
    }
}
