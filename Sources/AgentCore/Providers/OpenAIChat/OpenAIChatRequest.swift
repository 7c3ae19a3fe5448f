import Base

/// Writes the body of a Chat Completions request, for OpenAI and for the many
/// servers that speak its format.
package enum OpenAIChatRequest {
    package static func body(
        _ request: ModelRequest, messages: [Message], isVendor: Bool,
        adjustments: RequestAdjustments = RequestAdjustments()
    ) -> JSONValue {
        var history: [JSONValue] = []
        if !request.system.isEmpty {
            history.append(["role": "system", "content": .string(request.system)])
        }
        history += (isVendor ? messages : mergingUsers(messages)).flatMap {
            entries($0, fillsReasoning: adjustments.fillsReasoning)
        }
        let sampling =
            !isVendor || ModelCatalog.acceptsSampling(request.model, effort: request.effort)
        let limit = limitName(isVendor: isVendor, adjustments)
        var body: JSONValue = .compact([
            "model": .string(request.model),
            "messages": .array(history),
            "tools": request.tools.isEmpty || !adjustments.sends("tools")
                ? nil : .array(request.tools.map(tool)),
            "temperature": sampling && adjustments.sends("temperature")
                ? request.temperature.map { JSONValue($0) } : nil,
            "reasoning_effort": adjustments.sends("reasoning_effort")
                ? effort(request, isVendor: isVendor).map { .string($0.rawValue) } : nil,
            "prompt_cache_key": isVendor && adjustments.sends("prompt_cache_key")
                ? request.cacheKey.map(JSONValue.string) : nil,
            "stream": true,
            "stream_options": adjustments.sends("stream_options")
                ? ["include_usage": true] : nil,
        ])
        if let limit, case .object(var object) = body {
            object[limit] = JSONValue(
                min(adjustments.outputLimit ?? .max, ModelCatalog.outputLimit(for: request)))
            body = .object(object)
        }
        return body
    }

    /// The effort requested by the user. In this format, OpenAI's own models accept tools only
    /// without reasoning.
    private static func effort(_ request: ModelRequest, isVendor: Bool) -> Effort? {
        if isVendor, !request.tools.isEmpty, ModelCatalog.isReasoningModel(request.model),
            ModelCatalog.efforts(of: request.model, format: .chat)?.contains(.none) == true
        {
            return Effort.none
        }
        return request.effort.flatMap {
            ModelCatalog.effort($0, for: request.model, format: .chat)
        }
    }

    /// OpenAI's reasoning models accept only the new name, most compatible servers only the old
    /// one; after a refusal the other is tried.
    private static func limitName(isVendor: Bool, _ adjustments: RequestAdjustments) -> String? {
        let names = ["max_completion_tokens", "max_tokens"]
        return (isVendor ? names : names.reversed()).first(where: adjustments.sends)
    }

    /// Merges a question without an answer into the next one: the templates of many local models
    /// fail unless user and assistant alternate.
    private static func mergingUsers(_ messages: [Message]) -> [Message] {
        var merged: [Message] = []
        for message in messages {
            if message.role == .user, let last = merged.indices.last, merged[last].role == .user {
                merged[last].parts += message.parts
            } else {
                merged.append(message)
            }
        }
        return merged
    }

    private static func tool(_ tool: Tool) -> JSONValue {
        [
            "type": "function",
            "function": [
                "name": .string(tool.name), "description": .string(tool.description),
                "parameters": tool.inputSchema.json,
            ],
        ]
    }

    private static func entries(_ message: Message, fillsReasoning: Bool) -> [JSONValue] {
        switch message.role {
        case .user: [["role": "user", "content": userContent(message.parts)]]
        case .assistant: assistantEntry(message, fillsReasoning).map { [$0] } ?? []
        case .tool: toolEntries(message.parts)
        }
    }

    /// A tool message can contain only text, so pictures follow in a user message.
    private static func toolEntries(_ parts: [Part]) -> [JSONValue] {
        let results = parts.compactMap { part -> ToolResult? in
            if case .toolResult(let result) = part { result } else { nil }
        }
        let pictures = results.flatMap(\.pictures).map(Part.attachment)
        return results.map { result in
            [
                "role": "tool", "tool_call_id": .string(result.callID),
                "content": .string(result.text),
            ]
        } + (pictures.isEmpty ? [] : [["role": "user", "content": userContent(pictures)]])
    }

    /// A plain string for a single text: not every server supports lists of parts.
    private static func userContent(_ parts: [Part]) -> JSONValue {
        let content = parts.compactMap(userPart)
        if content.allSatisfy({ $0["type"] == "text" }) {
            return .string(
                content.compactMap { $0["text"]?.stringValue }.joined(separator: "\n\n"))
        }
        return .array(content)
    }

    private static func userPart(_ part: Part) -> JSONValue? {
        switch part {
        case .text(let text): ["type": "text", "text": .string(text.text)]
        case .attachment(let attachment):
            switch AttachmentContent(attachment) {
            case .text(let text): ["type": "text", "text": .string(text)]
            case .image(let type, let data):
                [
                    "type": "image_url",
                    "image_url": ["url": .string("data:\(type);base64,\(data)")],
                ]
            case .pdf(let name, let data):
                [
                    "type": "file",
                    "file": [
                        "filename": .string(name),
                        "file_data": .string("data:application/pdf;base64,\(data)"),
                    ],
                ]
            }
        default: nil
        }
    }

    /// - Parameter fillsReasoning: whether calls whose reasoning we do not have, because another
    ///   model made them, get an empty one: the server refuses them without it.
    private static func assistantEntry(
        _ message: Message, _ fillsReasoning: Bool
    ) -> JSONValue? {
        let text = message.text
        let item = message.parts.lazy.compactMap { part in
            if case .thinking(let thinking) = part { thinking.item } else { nil }
        }.first
        let calls = message.toolCalls.enumerated().map { position, call -> JSONValue in
            .compact([
                "id": .string(call.id), "type": "function",
                "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
                "extra_content": item.flatMap { ChatReasoning.call($0, at: position) },
            ])
        }
        // It has only parts that this format does not support.
        if text.isEmpty, calls.isEmpty { return nil }
        var entry = JSONObject([
            .init("role", "assistant"), .init("content", text.isEmpty ? .null : .string(text)),
        ])
        if calls.isEmpty { return .object(entry) }
        entry["tool_calls"] = .array(calls)
        if fillsReasoning { entry["reasoning_content"] = "" }
        for member in item.map(ChatReasoning.message) ?? [] { entry[member.name] = member.value }
        return .object(entry)
    }
}
