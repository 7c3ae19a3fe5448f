import Base

/// Decodes the chunks of OpenAI's Chat Completions API in the variants that servers send.
///
/// The end is `[DONE]`, or the end of the bytes after a finish reason; without either the stream is
/// broken. `ChatToolCalls` handles the differences between servers in the pieces of tool calls.
package struct OpenAIChatStreamDecoder: StreamDecoder {
    private let source: AnswerSource
    private var text = ""
    private var refusal = ""
    private var thinking = ""
    private var inline = InlineThinking()
    private var calls: ChatToolCalls
    private var reasoning = ChatReasoning()
    private var hasToolCalls = false
    private var finishReason: String?
    private var usage = Usage()

    /// Whether `[DONE]` has arrived. A finish reason alone does not end the stream: the
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
            take(inline.finish(isWhole: false), into: &events)
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

    package mutating func finish() throws(ProviderError) -> ModelAnswer {
        guard isFinished || finishReason != nil else { throw source.error(.brokenStream) }
        if finishReason == "error" { throw source.error(.serverFailure) }
        // Only a regular end shows that the last call is complete.
        let isCut: Bool
        switch finishReason {
        case "stop", "tool_calls", "function_call", "eos": isCut = false
        default: isCut = true
        }
        var parts: [Part] = []
        let calls = calls.finished(isCut: isCut)
        let item = reasoning.item(calls: calls.map(\.extra), server: source.host)
        if !thinking.isEmpty || item != nil {
            parts.append(.thinking(Thinking(text: thinking, item: item)))
        }
        if !text.isEmpty { parts.append(.text(text)) }
        if !refusal.isEmpty { parts.append(.refusal(refusal)) }
        parts += calls.map { .toolCall($0.call) }
        parts = parts.withoutRepeatedCalls()
        return ModelAnswer(
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
            usage = Usage(counts, input: "prompt_tokens", output: "completion_tokens")
        }
        guard let choice = json["choices"]?[0] else { return }
        if let error = choice["error"], !error.isNull { throw source.error(inStream: choice) }
        if let delta = choice["delta"] ?? choice["message"] { take(delta: delta, into: &events) }
        if let reason = choice["finish_reason"]?.stringValue, !reason.isEmpty {
            finishReason = reason
            // Some servers send "stop" for calls as well.
            let isWhole = ["stop", "eos"].contains(reason) && !hasToolCalls
            take(inline.finish(isWhole: isWhole), into: &events)
        }
    }

    private mutating func take(delta: JSONValue, into events: inout [ProviderEvent]) {
        reasoning.take(delta)
        // Servers use different names; if two are present they have the same content.
        for name in ["reasoning", "reasoning_content", "thinking"] {
            guard let piece = delta[name]?.stringValue, !piece.isEmpty else { continue }
            thinking += piece
            events.append(merging: .thinking(piece))
            break
        }
        if let piece = Self.text(of: delta["content"]), !piece.isEmpty {
            // A server that sends reasoning in a separate field leaves none in the text.
            take(inline.take(piece, mayOpen: thinking.isEmpty), into: &events)
        }
        if let piece = delta["refusal"]?.stringValue, !piece.isEmpty {
            refusal += piece
            events.append(merging: .refusal(piece))
        }
        var fragments = delta["tool_calls"]?.arrayValue ?? []
        hasToolCalls = hasToolCalls || !fragments.isEmpty
        // The legacy form of `tool_calls`: one call, without an id. If a server sends both, they
        // are the same call.
        if !hasToolCalls, let legacy = delta["function_call"] { fragments = [legacy] }
        for fragment in fragments {
            if let name = calls.take(fragment) {
                events.append(merging: .toolCallStarted(name: name))
            }
        }
    }

    private mutating func take(
        _ found: InlineThinking.Found, into events: inout [ProviderEvent]
    ) {
        var found = found
        if let tag = found.unclosed {
            found.text = tag + thinking + found.text
            thinking = ""
        }
        if !found.thinking.isEmpty {
            thinking += found.thinking
            events.append(merging: .thinking(found.thinking))
        }
        if !found.text.isEmpty {
            text += found.text
            events.append(merging: .text(found.text))
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

/// Extracts the reasoning from an answer that begins with it: servers that do not know the model's
/// template (DeepSeek-R1, Qwen) leave `<think>…</think>` in `content`. A tag anywhere else is text.
///
/// White space before the tag, at both ends of the reasoning and before the answer belongs to the
/// template and is dropped.
private struct InlineThinking: Sendable {
    struct Found {
        var thinking = ""
        var text = ""
        /// The tag, if it turned out not to begin reasoning: then all of it is text.
        var unclosed: String?
    }

    private enum State: Sendable {
        /// Only white space or the beginning of a tag has arrived.
        case start
        /// Inside the tag of that name.
        case thinking(String)
        /// White space after the closing tag.
        case gap
        case text
    }

    private var state = State.start
    /// Bytes that the next piece decides about.
    private var held: [UInt8] = []
    private var hasTaken = false

    private static let names = ["think", "thinking"]
    /// Maximum white space that is dropped, so that little has to be held back.
    private static let spaceLimit = 16

    /// - Parameter mayOpen: whether a tag at the start opens thinking; else it is text.
    mutating func take(_ piece: String, mayOpen: Bool) -> Found {
        var found = Found()
        if case .text = state {
            found.text = piece
            return found
        }
        var bytes = held + Array(piece.utf8)
        held = []
        if case .start = state {
            let rest = bytes.drop(while: Self.isSpace)
            let isNear = rest.startIndex <= Self.spaceLimit
            let opened = Self.names.first { rest.starts(with: "<\($0)>".utf8) }
            if mayOpen, isNear, let opened {
                state = .thinking(opened)
                bytes = Array(rest.dropFirst(opened.utf8.count + 2))
            } else if mayOpen, isNear,
                Self.names.contains(where: { "<\($0)>".utf8.starts(with: rest) })
            {
                held = bytes
            } else {
                state = .text
                found.text = String(decoding: bytes, as: UTF8.self)
            }
        }
        if case .thinking(let name) = state {
            let end = Array("</\(name)>".utf8)
            if let place = Self.find(end, in: bytes) {
                add(bytes[..<Self.trimmed(bytes[..<place])], to: &found)
                state = .gap
                bytes = Array(bytes[(place + end.count)...])
            } else {
                // This may be the beginning of the closing tag, with white space before it.
                var kept = bytes.count
                for length in stride(from: min(end.count - 1, bytes.count), to: 0, by: -1)
                where bytes.suffix(length) == end.prefix(length) {
                    kept -= length
                    break
                }
                kept = Self.trimmed(bytes[..<kept])
                add(bytes[..<kept], to: &found)
                held = Array(bytes[kept...])
            }
        }
        if case .gap = state {
            let rest = bytes.drop(while: Self.isSpace)
            if !rest.isEmpty {
                state = .text
                found.text = String(decoding: rest, as: UTF8.self)
            }
        }
        return found
    }

    /// Handles the end of the answer.
    /// - Parameter isWhole: whether the model ended regularly. Unclosed reasoning was the answer
    ///   then: some models forget the tag.
    mutating func finish(isWhole: Bool) -> Found {
        defer { (state, held) = (.text, []) }
        var found = Found()
        if isWhole, case .thinking(let name) = state { found.unclosed = "<\(name)>" }
        if !isWhole, case .thinking = state {
            add(held[..<Self.trimmed(held[...])], to: &found)
        } else {
            found.text = String(decoding: held, as: UTF8.self)
        }
        return found
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>, to found: inout Found) {
        let bytes = hasTaken ? bytes : bytes.drop(while: Self.isSpace)
        hasTaken = hasTaken || !bytes.isEmpty
        found.thinking += String(decoding: bytes, as: UTF8.self)
    }

    /// The end of the bytes without trailing white space.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.endIndex - bytes.suffix(spaceLimit).reversed().prefix(while: isSpace).count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D) ~= byte }

    private static func find(_ wanted: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: wanted) }
    }
}
