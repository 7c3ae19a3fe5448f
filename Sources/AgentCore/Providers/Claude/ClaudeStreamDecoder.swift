import Base

/// Decodes the event stream of Anthropic's Messages API.
///
/// Blocks are routed by `index` and kept in order. The JSON of a tool call is parsed only when its
/// block has ended; a call cut by the output limit is left out. Unknown blocks are kept whole,
/// because they have to be sent back as received.
package struct ClaudeStreamDecoder: StreamDecoder {
    private struct Block {
        /// The block's initial JSON.
        var start: JSONValue
        var type: String
        var text = ""
        /// The call, also one of a server's own tool.
        var call = ReceivedCall()
        /// Whether the input arrived complete in the start event.
        var hasInput = false
        var signature = ""
        var hasStopped = false
    }

    private let source: AnswerSource
    private var blocks: [Int: Block] = [:]
    private var stopReason: String?
    private var explanation = ""
    private var freshInput = 0
    private var cacheWrites = 0
    private var cacheReads = 0
    private var output = 0
    private var reasoning = 0
    private var searches = 0
    private var droppedReasoning = 0
    private var sources = WebSources()

    package private(set) var isFinished = false

    package init(source: AnswerSource) {
        self.source = source
    }

    package mutating func decode(
        _ event: ServerSentEvent, into events: inout [ProviderEvent]
    ) throws(ProviderError) {
        if isFinished { return }
        guard let json = try json(of: event, from: source) else { return }
        switch json["type"]?.stringValue {
        case "content_block_delta":
            guard let index = json["index"]?.integerValue, let delta = json["delta"] else { return }
            take(delta, at: index, into: &events)
        case "content_block_start":
            guard let index = json["index"]?.integerValue, let block = json["content_block"] else {
                return
            }
            open(block, at: index, into: &events)
        case "content_block_stop":
            if let index = json["index"]?.integerValue { stop(index, into: &events) }
        case "message_start": count(json["message"])
        case "message_delta":
            count(json)
            if let delta = json["delta"] { conclude(delta, into: &events) }
        case "message_stop": end(into: &events)
        case "error": throw source.error(inStream: json)
        default:
            if let error = json["error"], !error.isNull { throw source.error(inStream: json) }
        }
    }

    package mutating func decode(
        whole object: JSONValue, into events: inout [ProviderEvent]
    ) throws(ProviderError) {
        if let error = object["error"], !error.isNull { throw source.error(inStream: object) }
        guard let content = object["content"]?.arrayValue else { throw source.error(.malformed) }
        for (index, block) in content.enumerated() {
            open(block, at: index, into: &events)
            stop(index, into: &events)
        }
        count(object)
        conclude(object, into: &events)
        end(into: &events)
    }

    package mutating func finish() throws(ProviderError) -> ModelAnswer {
        guard isFinished else { throw source.error(.brokenStream) }
        var parts = ReceivedCall.joined(
            blocks.sorted { $0.key < $1.key }.map(\.value), call: \.call
        ).compactMap { part(of: $0) }
            .withoutRepeatedCalls()
        if !explanation.isEmpty { parts.append(.refusal(explanation)) }
        if let text = sources.text { parts.append(.text(.sources(text))) }
        let total = Usage(input: freshInput) + Usage(input: cacheWrites) + Usage(input: cacheReads)
        return ModelAnswer(
            message: Message(role: .assistant, parts: parts, origin: source.origin),
            stop: stop(parts),
            usage: Usage(
                input: total.input, cachedInput: cacheReads, cacheWrite: cacheWrites,
                output: output, reasoning: reasoning, searches: searches,
                droppedReasoning: droppedReasoning),
            requestID: source.requestID)
    }

    private func stop(_ parts: [Part]) -> StopReason {
        switch stopReason {
        case "end_turn": parts.containsToolCall ? .toolUse : .end
        case "tool_use": .toolUse
        case "max_tokens": .maxTokens
        case "stop_sequence": .stopSequence
        case "pause_turn": .pause
        case "refusal": .refusal
        case "model_context_window_exceeded": .contextWindow
        case let word?: .unknown(source.word(word))
        case nil: parts.containsToolCall ? .toolUse : .end
        }
    }

    // MARK: - Events

    private mutating func open(
        _ block: JSONValue, at index: Int, into events: inout [ProviderEvent]
    ) {
        var opened = Block(start: block, type: block["type"]?.stringValue ?? "")
        switch opened.type {
        case "text":
            opened.text = block["text"]?.stringValue ?? ""
            sources.add(all: block["citations"])
            if !opened.text.isEmpty { events.append(merging: .text(opened.text)) }
        case "thinking":
            opened.text = block["thinking"]?.stringValue ?? ""
            opened.signature = block["signature"]?.stringValue ?? ""
            if !opened.text.isEmpty { events.append(merging: .thinking(opened.text)) }
        case "tool_use":
            opened.start = .null
            guard let name = block["name"]?.stringValue, !name.isEmpty else { break }
            opened.start = true
            opened.call.name = name
            opened.call.id = block["id"]?.stringValue ?? ""
            // Arguments may come before the start of their block.
            opened.call.append(arguments: blocks[index]?.call.arguments ?? "")
            // `{}` is the placeholder of every start; some servers send the
            // whole input there.
            if let input = block["input"]?.objectValue, !input.members.isEmpty {
                opened.call.append(arguments: JSONWriter.string(.object(input)))
                opened.hasInput = true
            }
            events.append(merging: .toolCallStarted(name: opened.call.name))
        default: break
        }
        blocks[index] = opened
    }

    private mutating func stop(_ index: Int, into events: inout [ProviderEvent]) {
        guard let block = blocks[index], !block.hasStopped else { return }
        blocks[index]?.hasStopped = true
        guard block.type == "server_tool_use", WebSearch.isItem(block.start) else { return }
        let input =
            block.call.hasArguments
            ? block.call.call(id: "").argumentObject : block.start["input"]?.objectValue
        let query = input?["query"]?.stringValue ?? ""
        events.append(.webSearch(String(query.unicodeScalars.prefix(300))))
    }

    private mutating func end(into events: inout [ProviderEvent]) {
        isFinished = true
        if let text = sources.text { events.append(merging: .text(text)) }
    }

    private mutating func take(
        _ delta: JSONValue, at index: Int, into events: inout [ProviderEvent]
    ) {
        switch delta["type"]?.stringValue {
        case "text_delta":
            guard let piece = delta["text"]?.stringValue, !piece.isEmpty else { return }
            // Text for a block that was never opened is still text.
            blocks[index, default: Block(start: .null, type: "text")].text += piece
            events.append(merging: .text(piece))
        case "thinking_delta":
            guard let piece = delta["thinking"]?.stringValue, !piece.isEmpty else { return }
            blocks[index, default: Block(start: .null, type: "thinking")].text += piece
            events.append(merging: .thinking(piece))
        case "input_json_delta":
            var block = blocks[index] ?? Block(start: .null, type: "tool_use")
            if block.hasInput { block.call.replace(arguments: "") }
            block.hasInput = false
            block.call.append(arguments: delta["partial_json"]?.stringValue ?? "")
            blocks[index] = block
        case "citations_delta": if let citation = delta["citation"] { sources.add(citation) }
        case "signature_delta":
            blocks[index]?.signature += delta["signature"]?.stringValue ?? ""
        default: break
        }
    }

    private mutating func conclude(_ delta: JSONValue, into events: inout [ProviderEvent]) {
        if let reason = delta["stop_reason"]?.stringValue { stopReason = reason }
        if let text = delta["stop_details"]?["explanation"]?.stringValue, !text.isEmpty {
            explanation = text
            events.append(merging: .refusal(text))
        }
    }

    /// The counts are cumulative: a later one replaces an earlier one.
    private mutating func count(_ message: JSONValue?) {
        droppedReasoning = Usage.droppedReasoning(in: message) ?? droppedReasoning
        guard let usage = message?["usage"], usage.objectValue != nil else { return }
        if let number = usage["input_tokens"]?.integerValue { freshInput = number }
        if let number = usage["cache_creation_input_tokens"]?.integerValue { cacheWrites = number }
        if let number = usage["cache_read_input_tokens"]?.integerValue { cacheReads = number }
        if let number = usage["output_tokens"]?.integerValue { output = number }
        if let number = usage["output_tokens_details"]?["thinking_tokens"]?.integerValue {
            reasoning = number
        }
        if let number = usage["server_tool_use"]?["web_search_requests"]?.integerValue {
            searches = number
        }
    }

    // MARK: - Parts

    private func part(of block: Block) -> Part? {
        switch block.type {
        case "text": return block.text.isEmpty ? nil : .text(block.text)
        case "thinking":
            var item: JSONValue?
            // A block without its signature would be refused when sent back.
            if !block.signature.isEmpty, block.hasStopped {
                item = [
                    "type": "thinking", "thinking": .string(block.text),
                    "signature": .string(block.signature),
                ]
            }
            return block.text.isEmpty && item == nil
                ? nil : .thinking(Thinking(text: block.text, item: item))
        case "redacted_thinking": return .thinking(Thinking(text: "", item: block.start))
        case "tool_use": return call(of: block).map(Part.toolCall)
        default: return opaque(block)
        }
    }

    private func call(of block: Block) -> ToolCall? {
        guard block.hasStopped, block.start != .null else { return nil }
        // If the limit cut the answer, an empty input proves nothing.
        if isCut, !block.call.isWhole || !block.call.hasArguments { return nil }
        return block.call.call(id: source.newID())
    }

    private var isCut: Bool {
        stopReason == "max_tokens" || stopReason == "model_context_window_exceeded"
    }

    private func opaque(_ block: Block) -> Part? {
        guard var object = block.start.objectValue, block.hasStopped else { return nil }
        if block.call.hasArguments {
            // An incomplete block of a server's tool cannot go back.
            guard let input = block.call.call(id: "").argumentObject else { return nil }
            object["input"] = .object(input)
        }
        return .opaque(.object(object))
    }
}
