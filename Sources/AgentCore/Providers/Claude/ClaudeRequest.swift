/// Writes the body of a request to Anthropic's Messages API.
///
/// Two cache breakpoints: behind the system text, and behind the newest
/// message of the user, so that the next request finds everything before it.
package enum ClaudeRequest {
    package static func body(
        _ request: ModelRequest, messages: [Message],
        adjustments: RequestAdjustments = RequestAdjustments()
    ) -> JSONValue {
        let caches = adjustments.sends("cache_control")
        var system: JSONValue = ["type": "text", "text": .string(request.system)]
        if caches { system = cached(system) }
        let temperature =
            ModelCatalog.acceptsSampling(request.model) && adjustments.sends("temperature")
            ? request.temperature.map { min($0, 1) } : nil
        // A model that takes both takes only one at a time; the temperature
        // is what the user asked for.
        let thinks =
            ModelCatalog.thinksAdaptively(request.model) && adjustments.sends("thinking")
            && temperature == nil
        let most = adjustments.outputLimit ?? .max
        return .compact([
            "model": .string(request.model),
            "max_tokens": JSONValue(min(most, ModelCatalog.outputLimit(for: request))),
            "system": request.system.isEmpty ? nil : .array([system]),
            "tools": request.tools.isEmpty || !adjustments.sends("tools")
                ? nil : .array(request.tools.map(tool)),
            // The newest models show nothing of their thinking by default.
            "thinking": thinks ? ["type": "adaptive", "display": "summarized"] : nil,
            "temperature": temperature.map { JSONValue($0) },
            "messages": .array(entries(messages, caches: caches)),
            "stream": true,
        ])
    }

    private static func tool(_ tool: Tool) -> JSONValue {
        [
            "name": .string(tool.name), "description": .string(tool.description),
            "input_schema": tool.inputSchema.json,
        ]
    }

    private static func cached(_ block: JSONValue) -> JSONValue {
        guard case .object(var object) = block else { return block }
        object["cache_control"] = ["type": "ephemeral"]
        return .object(object)
    }

    /// Neighbours of the same role are merged: results of tools and the words
    /// of the user are one message, results first.
    private static func entries(_ messages: [Message], caches: Bool) -> [JSONValue] {
        var merged: [(role: String, blocks: [JSONValue])] = []
        for message in messages {
            let role = message.role == .assistant ? "assistant" : "user"
            let blocks = message.parts.compactMap(block)
            if blocks.isEmpty { continue }
            if let last = merged.indices.last, merged[last].role == role {
                merged[last].blocks += blocks
            } else {
                merged.append((role, blocks))
            }
        }
        if caches, let newest = merged.lastIndex(where: { $0.role == "user" }),
            let block = merged[newest].blocks.popLast()
        {
            merged[newest].blocks.append(cached(block))
        }
        return merged.map { ["role": .string($0.role), "content": .array($0.blocks)] }
    }

    private static func block(_ part: Part) -> JSONValue? {
        switch part {
        case .text(let text): ["type": "text", "text": .string(text.text)]
        case .refusal(let text): ["type": "text", "text": .string(text)]
        case .thinking(let thinking): thinking.item
        case .opaque(let item): item
        case .toolCall(let call):
            [
                "type": "tool_use", "id": .string(call.id), "name": .string(call.name),
                "input": .object(call.argumentObject ?? JSONObject()),
            ]
        case .toolResult(let result):
            .compact([
                "type": "tool_result", "tool_use_id": .string(result.callID),
                // An empty text block would be refused.
                "content": result.text.isEmpty ? nil : .string(result.text),
                "is_error": result.isError ? true : nil,
            ])
        case .attachment(let attachment):
            switch AttachmentContent(attachment) {
            case .text(let text): ["type": "text", "text": .string(text)]
            case .image(let type, let data):
                ["type": "image", "source": source(type, data)]
            case .pdf(let name, let data):
                [
                    "type": "document", "title": .string(name),
                    "source": source("application/pdf", data),
                ]
            }
        }
    }

    private static func source(_ type: String, _ data: String) -> JSONValue {
        ["type": "base64", "media_type": .string(type), "data": .string(data)]
    }
}
