import Base

/// Writes the body of a request to Anthropic's Messages API.
///
/// It sets at most three of the four allowed cache breakpoints: after the system text; after the
/// newest message of the user, so that the next request finds everything before it; and where the
/// previous request set that one, because the search for it goes back only twenty blocks, which
/// turns answered without a model can fill.
package enum ClaudeRequest {
    package static func body(
        _ request: ModelRequest, messages: [Message], isVendor: Bool = false,
        adjustments: RequestAdjustments = RequestAdjustments()
    ) -> JSONValue {
        let late = LateTools(
            of: request, in: messages, .messages, isVendor: isVendor, adjustments)
        let caches = adjustments.sends("cache_control")
        var system: JSONValue = ["type": "text", "text": .string(request.system)]
        if caches { system = cached(system) }
        let temperature =
            ModelCatalog.acceptsSampling(request.model) && adjustments.sends("temperature")
            ? request.temperature.map { min($0, 1) } : nil
        let most = adjustments.outputLimit ?? .max
        let outputLimit = min(most, ModelCatalog.outputLimit(for: request))
        // A model that accepts both accepts only one at a time; the user asked for the temperature.
        let thinking =
            adjustments.sends("thinking") && temperature == nil
            ? thinking(request, outputLimit: outputLimit) : nil
        return .compact([
            "model": .string(request.model),
            "max_tokens": JSONValue(outputLimit),
            "system": request.system.isEmpty ? nil : .array([system]),
            "tools": tools(late.head, request, adjustments),
            "thinking": thinking,
            "output_config": adjustments.sends("output_config") ? effort(request) : nil,
            "temperature": temperature.map { JSONValue($0) },
            "messages": .array(entries(messages, late, caches: caches)),
            "stream": true,
        ])
    }

    private static func thinking(_ request: ModelRequest, outputLimit: Int) -> JSONValue? {
        // Always sent: by default, the newest models show none of their reasoning.
        let display: JSONValue = request.thinking == .off ? "omitted" : "summarized"
        return
            switch ModelCatalog.claudeThinking(
                request.model, effort: request.effort, display: request.thinking,
                outputLimit: outputLimit)
        {
        case .unsaid: nil
        case .adaptive: ["type": "adaptive", "display": display]
        case .enabled(let budget): ["type": "enabled", "budget_tokens": JSONValue(budget)]
        case .disabled: ["type": "disabled"]
        case .betweenTools: ["type": "between_tools"]
        }
    }

    private static func effort(_ request: ModelRequest) -> JSONValue? {
        guard let wanted = request.effort,
            let effort = ModelCatalog.effort(wanted, for: request.model, format: .messages)
        else { return nil }
        // "No thinking at all" is the value of `thinking`, which some models accept
        // only with their own effort.
        if wanted == Effort.none {
            let thinking = ModelCatalog.claudeThinking(
                request.model, effort: wanted, display: request.thinking, outputLimit: .max)
            if thinking != .adaptive { return nil }
        }
        return ["effort": .string(effort.rawValue)]
    }

    private static func tools(
        _ head: [Tool], _ request: ModelRequest, _ adjustments: RequestAdjustments
    ) -> JSONValue? {
        guard adjustments.sends("tools") else { return nil }
        var tools = head.map(tool)
        if request.searchesWeb, adjustments.sends("web_search") {
            tools.append([
                "type": "web_search_20250305", "name": "web_search",
                "max_uses": JSONValue(searchLimit),
            ])
        }
        return tools.isEmpty ? nil : .array(tools)
    }

    /// Maximum number of searches in one request; each costs.
    private static let searchLimit = 8

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

    /// Neighbours of the same role are merged: tool results and the user's text are one
    /// message, results first.
    private static func entries(
        _ messages: [Message], _ late: LateTools, caches: Bool
    ) -> [JSONValue] {
        var merged: [(role: String, blocks: [JSONValue])] = []
        /// Index in `merged` of the last message of the user that a model answered.
        var answered: Int?
        /// System texts and late tools not placed yet: they come after all parts of the user's
        /// message or the results, before the answer.
        var later: [JSONValue] = []
        func place() {
            if !later.isEmpty { merged.append(("system", later)) }
            later = []
        }
        for (index, message) in messages.enumerated() {
            let role = message.role == .assistant ? "assistant" : "user"
            if role == "assistant" { place() }
            later += message.laterSystem.map { ["type": "text", "text": .string($0)] }
            later += (late.behind[index] ?? []).map {
                [
                    "type": "tool_addition",
                    "tool": ["type": "tool_definition", "definition": tool($0)],
                ]
            }
            let blocks = message.parts.filter { !$0.isSystem }.compactMap(block)
            if blocks.isEmpty { continue }
            if message.origin != nil {
                answered = merged.lastIndex { $0.role == "user" } ?? answered
            }
            if let last = merged.indices.last, merged[last].role == role {
                merged[last].blocks += blocks
            } else {
                merged.append((role, blocks))
            }
        }
        place()
        let newest = merged.lastIndex { $0.role == "user" }
        for index in Set([newest, answered].compactMap(\.self)) where caches {
            guard let block = merged[index].blocks.popLast() else { continue }
            merged[index].blocks.append(cached(block))
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
                "content": content(of: result),
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

    private static func content(of result: ToolResult) -> JSONValue? {
        let pictures = result.pictures.compactMap { block(.attachment($0)) }
        if result.text.isEmpty { return pictures.isEmpty ? nil : .array(pictures) }
        if pictures.isEmpty { return .string(result.text) }
        return .array([["type": "text", "text": .string(result.text)]] + pictures)
    }

    private static func source(_ type: String, _ data: String) -> JSONValue {
        ["type": "base64", "media_type": .string(type), "data": .string(data)]
    }
}
