import Base

/// Decodes the event stream of OpenAI's Responses API.
///
/// The answer is built from the finished items (`response.output_item.done`), or from the deltas
/// without those; `response.completed` may list none. Events are distinguished by `type` in their
/// data, never by their SSE name.
package struct OpenAIResponsesStreamDecoder: StreamDecoder {
    /// One output item while it arrives.
    private struct Slot {
        var itemID: String?
        var type = ""
        var text = ""
        var refusal = ""
        var summary = ""
        var call = ReceivedCall()
        /// The finished item as the server sent it, except for a call.
        var item: JSONValue?
    }

    private enum End {
        case completed
        case incomplete(reason: String)
    }

    private let source: AnswerSource
    private var slots: [Int: Slot] = [:]
    private var end: End?
    private var usage = Usage()
    private var sources = WebSources()

    package var isFinished: Bool { end != nil }

    package init(source: AnswerSource) {
        self.source = source
    }

    package mutating func decode(
        _ event: ServerSentEvent, into events: inout [ProviderEvent]
    ) throws(ProviderError) {
        if isFinished { return }
        guard let json = try json(of: event, from: source) else { return }
        switch json["type"]?.stringValue {
        case "response.output_text.delta":
            show(json, in: \.text, as: ProviderEvent.text, into: &events)
        case "response.refusal.delta":
            show(json, in: \.refusal, as: ProviderEvent.refusal, into: &events)
        case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
            show(json, in: \.summary, as: ProviderEvent.thinking, into: &events)
        case "response.reasoning_summary_part.added":
            // Starts a new paragraph.
            if let key = key(of: json), slots[key]?.summary.isEmpty == false {
                slots[key, default: Slot()].summary += "\n\n"
                events.append(merging: .thinking("\n\n"))
            }
        case "response.function_call_arguments.delta":
            if let key = key(of: json), let delta = json["delta"]?.stringValue {
                slots[key, default: Slot()].call.append(arguments: delta)
            }
        case "response.function_call_arguments.done":
            if let key = key(of: json), let whole = json["arguments"]?.stringValue {
                slots[key, default: Slot()].call.replace(arguments: whole)
            }
        case "response.output_item.added": open(json, into: &events)
        case "response.output_item.done": close(json, into: &events)
        case "response.completed", "response.incomplete", "response.failed":
            if let response = json["response"] { try conclude(response, into: &events) }
        case "error": throw source.error(inStream: json)
        default:
            // Proxies report failures in the shape of another wire format.
            if let error = json["error"], !error.isNull { throw source.error(inStream: json) }
        }
    }

    package mutating func decode(
        whole object: JSONValue, into events: inout [ProviderEvent]
    ) throws(ProviderError) {
        if let error = object["error"], !error.isNull { throw source.error(inStream: object) }
        guard object["output"]?.arrayValue != nil else { throw source.error(.malformed) }
        try conclude(object, into: &events)
        if end == nil { throw source.error(.brokenStream) }
    }

    package mutating func finish() throws(ProviderError) -> ModelAnswer {
        guard let end else { throw source.error(.brokenStream) }
        let isWhole = if case .completed = end { true } else { false }
        let parts =
            slots.sorted { $0.key < $1.key }
            .flatMap { self.parts(of: $0.value, isWhole: isWhole) }
            .withoutRepeatedCalls()
            + (sources.text.map { [.text(.sources($0))] } ?? [])
        let stop: StopReason =
            switch end {
            case .incomplete("max_output_tokens"), .incomplete("max_tokens"): .maxTokens
            case .incomplete("content_filter"): .contentFilter
            case .incomplete(let reason): .unknown(source.word(reason))
            case .completed where parts.containsToolCall: .toolUse
            case .completed where parts.containsRefusal: .refusal
            case .completed: .end
            }
        return ModelAnswer(
            message: Message(role: .assistant, parts: parts, origin: source.origin), stop: stop,
            usage: usage, requestID: source.requestID)
    }

    // MARK: - Events

    /// The slot of an event: the open one at its position, else the one with its item, else any at
    /// its position, else the last.
    private func key(of json: JSONValue) -> Int? {
        let index = Self.position(in: json)
        if let index, slots[index] != nil { return index }
        let id = json["item_id"]?.stringValue ?? json["item"]?["id"]?.stringValue
        if let id, let found = slots.first(where: { $0.value.itemID == id }) { return found.key }
        return index ?? slots.keys.max()
    }

    /// The position of an event. A position beyond any real answer is a mistake of the server and
    /// is ignored, so that the next position never overflows.
    private static func position(in json: JSONValue) -> Int? {
        guard let index = json["output_index"]?.integerValue, (0..<1 << 20).contains(index) else {
            return nil
        }
        return index
    }

    private mutating func show(
        _ json: JSONValue, in field: WritableKeyPath<Slot, String>,
        as event: (String) -> ProviderEvent, into events: inout [ProviderEvent]
    ) {
        guard let delta = json["delta"]?.stringValue, !delta.isEmpty else { return }
        slots[key(of: json) ?? 0, default: Slot()][keyPath: field] += delta
        events.append(merging: event(delta))
    }

    private mutating func open(_ json: JSONValue, into events: inout [ProviderEvent]) {
        guard let item = json["item"] else { return }
        let key = Self.position(in: json) ?? (slots.keys.max() ?? -1) + 1
        var slot = slots[key] ?? Slot()
        slot.itemID = item["id"]?.stringValue
        slot.type = item["type"]?.stringValue ?? ""
        if slot.type == "function_call" {
            slot.call.name = item["name"]?.stringValue ?? ""
            slot.call.id = item["call_id"]?.stringValue ?? ""
            slot.call.itemID = slot.itemID
            slot.call.append(arguments: item["arguments"]?.stringValue ?? "")
            announce(slot.call, into: &events)
        }
        slots[key] = slot
    }

    /// A call without a name cannot be made, or sent back.
    private func announce(_ call: ReceivedCall, into events: inout [ProviderEvent]) {
        if !call.name.isEmpty { events.append(merging: .toolCallStarted(name: call.name)) }
    }

    private mutating func close(_ json: JSONValue, into events: inout [ProviderEvent]) {
        guard let item = json["item"], item.objectValue != nil else { return }
        let key = key(of: json) ?? 0
        close(item, at: key, into: &events)
    }

    /// Stores the finished item and shows any text that its deltas lacked.
    private mutating func close(
        _ item: JSONValue, at key: Int, into events: inout [ProviderEvent]
    ) {
        var slot = slots[key] ?? Slot()
        let wasOpen = slot.type == "function_call" && !slot.call.name.isEmpty
        slot.item = item
        slot.type = item["type"]?.stringValue ?? slot.type
        switch slot.type {
        case "message":
            let content = item["content"]?.arrayValue ?? []
            let text = content.compactMap { Self.text(of: $0, "output_text", "text") }.joined()
            let refusal = content.compactMap { Self.text(of: $0, "refusal", "refusal") }.joined()
            for part in content { sources.add(all: part["annotations"]) }
            if let rest = Self.rest(of: text, after: slot.text) {
                events.append(merging: .text(rest))
            }
            if let rest = Self.rest(of: refusal, after: slot.refusal) {
                events.append(merging: .refusal(rest))
            }
        case "reasoning":
            if let rest = Self.rest(of: Self.summary(of: item), after: slot.summary) {
                events.append(merging: .thinking(rest))
            }
        case "function_call":
            if let name = item["name"]?.stringValue { slot.call.name = name }
            slot.call.id = item["call_id"]?.stringValue ?? ""
            slot.call.itemID = item["id"]?.stringValue
            slot.call.replace(arguments: item["arguments"]?.stringValue ?? "")
            // Only its end is still needed.
            slot.item = .compact(["status": item["status"]])
            if !wasOpen { announce(slot.call, into: &events) }
        case "web_search_call":
            let action = item["action"]
            let what = action?["query"] ?? action?["url"] ?? action?["pattern"]
            events.append(.webSearch(String((what?.stringValue ?? "").unicodeScalars.prefix(300))))
        default: break
        }
        slots[key] = slot
    }

    private mutating func conclude(
        _ response: JSONValue, into events: inout [ProviderEvent]
    ) throws(ProviderError) {
        if let counts = response["usage"], counts.objectValue != nil {
            usage = Usage(counts, input: "input_tokens", output: "output_tokens")
        }
        usage.droppedReasoning = Usage.droppedReasoning(in: response) ?? 0
        switch response["status"]?.stringValue {
        case "failed", "cancelled": throw source.error(inStream: response)
        case "incomplete":
            end = .incomplete(
                reason: response["incomplete_details"]?["reason"]?.stringValue ?? "incomplete")
        case "queued", "in_progress": return
        default: end = .completed
        }
        // Servers that send no item events at all list everything here.
        if slots.isEmpty {
            for (index, item) in (response["output"]?.arrayValue ?? []).enumerated() {
                close(item, at: index, into: &events)
            }
        }
        // Opened pages have no cost of their own.
        usage.searches = slots.values.count { slot in
            slot.type == "web_search_call"
                && [nil, "search"].contains(slot.item?["action"]?["type"]?.stringValue)
        }
        if let text = sources.text { events.append(merging: .text(text)) }
    }

    // MARK: - Parts

    private func parts(of slot: Slot, isWhole: Bool) -> [Part] {
        guard let item = slot.item else { return partsFromDeltas(of: slot, isWhole: isWhole) }
        switch slot.type {
        case "message":
            let phase = item["phase"]?.stringValue
            return (item["content"]?.arrayValue ?? []).compactMap { part in
                if let text = Self.text(of: part, "output_text", "text"), !text.isEmpty {
                    return .text(TextPart(text, phase: phase))
                }
                return Self.text(of: part, "refusal", "refusal").map(Part.refusal)
            }
        case "reasoning": return [.thinking(Thinking(text: Self.summary(of: item), item: item))]
        case "function_call":
            // An item cut by the limit is marked as incomplete, or its arguments break off.
            if item["status"]?.stringValue == "incomplete" || slot.call.name.isEmpty { return [] }
            return isWhole || slot.call.isWhole
                ? [.toolCall(slot.call.call(id: source.newID()))] : []
        default: return [.opaque(item)]
        }
    }

    private func partsFromDeltas(of slot: Slot, isWhole: Bool) -> [Part] {
        var parts: [Part] = []
        if !slot.summary.isEmpty { parts.append(.thinking(Thinking(text: slot.summary))) }
        if !slot.text.isEmpty { parts.append(.text(slot.text)) }
        if !slot.refusal.isEmpty { parts.append(.refusal(slot.refusal)) }
        if slot.type == "function_call", isWhole, !slot.call.name.isEmpty,
            slot.call.isWhole || slot.call.isTooLarge
        {
            parts.append(.toolCall(slot.call.call(id: source.newID())))
        }
        return parts
    }

    private static func text(of part: JSONValue, _ type: String, _ member: String) -> String? {
        part["type"]?.stringValue == type ? part[member]?.stringValue : nil
    }

    private static func summary(of item: JSONValue) -> String {
        let paragraphs = item["summary"]?.arrayValue ?? []
        let shown = paragraphs.isEmpty ? item["content"]?.arrayValue ?? [] : paragraphs
        return shown.compactMap { $0["text"]?.stringValue }.joined(separator: "\n\n")
    }

    /// The missing rest if `shown` is the beginning of `whole`; nil otherwise.
    private static func rest(of whole: String, after shown: String) -> String? {
        guard whole.utf8.count > shown.utf8.count, whole.utf8.starts(with: shown.utf8) else {
            return nil
        }
        return String(decoding: whole.utf8.dropFirst(shown.utf8.count), as: UTF8.self)
    }
}
