/// Decodes the chunks of OpenAI's Chat Completions API as its many servers
/// send them.
///
/// The end is `[DONE]`, or the end of the bytes after a finish reason; an end
/// with neither is a broken stream. How the servers differ in their pieces of
/// tool calls is the business of `ChatToolCalls`.
package struct OpenAIChatStreamDecoder: StreamDecoder {
    private let source: AnswerSource
    private var text = ""
    private var refusal = ""
    private var thinking = ""
    private var calls: ChatToolCalls
    private var finishReason: String?
    private var usage = Usage()

    /// `[DONE]` has come. A finish reason alone does not end the stream: the
    /// usage follows it.
    package private(set) var isFinished = false

    package init(source: AnswerSource) {
        self.source = source
        calls = ChatToolCalls(newID: source.newID)
    }

    package mutating func decode(
        _ event: ServerSentEvent, into events: inout [ProviderEvent]
    ) throws(ProviderError) {
        if isFinished { return }
        if event.isDone {
            isFinished = true
            return
        }
        guard let json = try json(of: event, from: source) else { return }
        try take(json, into: &events)
    }

    package mutating func decode(
        whole object: JSONValue, into events: inout [ProviderEvent]
    ) throws(ProviderError) {
        guard object["choices"]?.arrayValue != nil || object["error"] != nil else {
            throw source.error(.malformed)
        }
        try take(object, into: &events)
        isFinished = true
    }

    package mutating func finish() throws(ProviderError) -> Completion {
        guard isFinished || finishReason != nil else { throw source.error(.brokenStream) }
        if finishReason == "error" { throw source.error(.serverFailure) }
        // Only a regular end vouches for the last call being whole.
        let isCut: Bool
        switch finishReason {
        case "stop", "tool_calls", "function_call", "eos": isCut = false
        default: isCut = true
        }
        var parts: [Part] = []
        if !thinking.isEmpty { parts.append(.thinking(Thinking(text: thinking))) }
        if !text.isEmpty { parts.append(.text(text)) }
        if !refusal.isEmpty { parts.append(.refusal(refusal)) }
        parts += calls.finished(isCut: isCut).map(Part.toolCall)
        parts = parts.withoutRepeatedCalls()
        return Completion(
            message: Message(role: .assistant, parts: parts, origin: source.origin),
            stop: stop(parts), usage: usage, requestID: source.requestID)
    }

    private func stop(_ parts: [Part]) -> StopReason {
        switch finishReason {
        case "length": .maxTokens
        case "content_filter": .contentFilter
        case _ where parts.containsToolCall: .toolUse
        case _ where parts.containsRefusal: .refusal
        case nil, "stop", "tool_calls", "function_call", "eos": .end
        case let word?: .unknown(source.word(word))
        }
    }

    private mutating func take(
        _ json: JSONValue, into events: inout [ProviderEvent]
    ) throws(ProviderError) {
        if let error = json["error"], !error.isNull { throw source.error(inStream: json) }
        if json["object"]?.stringValue == "error" { throw source.error(inStream: json) }
        if let counts = json["usage"], counts.objectValue != nil {
            usage = Usage(
                input: counts["prompt_tokens"]?.integerValue ?? 0,
                cachedInput: counts["prompt_tokens_details"]?["cached_tokens"]?.integerValue ?? 0,
                cacheWrite: counts["prompt_tokens_details"]?["cache_write_tokens"]?.integerValue
                    ?? 0,
                output: counts["completion_tokens"]?.integerValue ?? 0,
                reasoning: counts["completion_tokens_details"]?["reasoning_tokens"]?.integerValue
                    ?? 0)
        }
        guard let choice = json["choices"]?[0] else { return }
        if let delta = choice["delta"] ?? choice["message"] { take(delta: delta, into: &events) }
        if let reason = choice["finish_reason"]?.stringValue, !reason.isEmpty {
            finishReason = reason
        }
    }

    private mutating func take(delta: JSONValue, into events: inout [ProviderEvent]) {
        // Servers disagree about the name; where two are set they say the same.
        for name in ["reasoning", "reasoning_content", "thinking"] {
            guard let piece = delta[name]?.stringValue, !piece.isEmpty else { continue }
            thinking += piece
            events.append(merging: .thinking(piece))
            break
        }
        if let piece = Self.text(of: delta["content"]), !piece.isEmpty {
            text += piece
            events.append(merging: .text(piece))
        }
        if let piece = delta["refusal"]?.stringValue, !piece.isEmpty {
            refusal += piece
            events.append(merging: .refusal(piece))
        }
        for fragment in delta["tool_calls"]?.arrayValue ?? [] {
            if let name = calls.take(fragment) {
                events.append(merging: .toolCallStarted(name: name))
            }
        }
    }

    /// `content` is a string, null, or with some servers a list of parts.
    private static func text(of content: JSONValue?) -> String? {
        switch content {
        case .string(let text): text
        case .array(let parts): parts.compactMap { $0["text"]?.stringValue }.joined()
        default: nil
        }
    }
}
