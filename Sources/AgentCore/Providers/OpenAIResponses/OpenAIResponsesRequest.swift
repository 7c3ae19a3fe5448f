import Base

/// Writes the body of a request to OpenAI's Responses API. Stateless: it contains the whole
/// history, and the server stores nothing.
package enum OpenAIResponsesRequest {
    /// - Parameters:
    ///   - messages: from `RequestHistory`.
    ///   - isVendor: whether the request goes to OpenAI itself, not to a server that is
    ///     compatible to some degree.
    package static func body(
        _ request: ModelRequest, messages: [Message], isVendor: Bool,
        adjustments: RequestAdjustments = RequestAdjustments()
    ) -> JSONValue {
        let isReasoning = ModelCatalog.isReasoningModel(request.model)
        let sampling = ModelCatalog.acceptsSampling(request.model, effort: request.effort)
        let system: JSONValue? = request.system.isEmpty ? nil : .string(request.system)
        let leads = ModelCatalog.readsInstructionsLast(request.model)
        let first: [JSONValue] =
            leads ? system.map { [["role": "developer", "content": $0]] } ?? [] : []
        let late = LateTools(
            of: request, in: messages, .responses, isVendor: isVendor, adjustments)
        let input = messages.enumerated().flatMap { index, message in
            items(message) + additional(late.behind[index] ?? [], adjustments)
        }
        return .compact([
            "model": .string(request.model),
            "instructions": leads ? nil : system,
            "input": .array(first + input),
            "tools": tools(late.head, request, adjustments),
            "temperature": sampling && adjustments.sends("temperature")
                ? request.temperature.map { JSONValue($0) } : nil,
            "reasoning": isReasoning ? reasoning(request, adjustments) : nil,
            "include": isReasoning && adjustments.sends("include")
                ? ["reasoning.encrypted_content"] : nil,
            "max_output_tokens": adjustments.sends("max_output_tokens")
                ? JSONValue(
                    max(
                        16,
                        min(
                            adjustments.outputLimit ?? .max,
                            ModelCatalog.outputLimit(for: request)))) : nil,
            "store": adjustments.sends("store") ? false : nil,
            // Routes a conversation to the machine that has its beginning cached.
            "prompt_cache_key": isVendor && adjustments.sends("prompt_cache_key")
                ? request.cacheKey.map(JSONValue.string) : nil,
            "stream": true,
            // Without it each delta carries random padding.
            "stream_options": isVendor && adjustments.sends("stream_options")
                ? ["include_obfuscation": false] : nil,
        ])
    }

    private static func reasoning(
        _ request: ModelRequest, _ adjustments: RequestAdjustments
    ) -> JSONValue? {
        if !adjustments.sends("reasoning") { return nil }
        let effort = request.effort.flatMap {
            ModelCatalog.effort($0, for: request.model, format: .responses)
        }
        let summarizes =
            request.thinking != .off && effort != Effort.none
            && adjustments.sends("reasoning.summary")
        let members: JSONValue = .compact([
            "effort": adjustments.sends("reasoning.effort")
                ? effort.map { .string($0.rawValue) } : nil,
            "summary": summarizes ? "auto" : nil,
        ])
        if members == [:] { return nil }
        return members
    }

    private static func additional(
        _ tools: [Tool], _ adjustments: RequestAdjustments
    ) -> [JSONValue] {
        if tools.isEmpty { return [] }
        let all = tools.map { tool($0, isStrictSent: adjustments.sends("strict")) }
        return [["type": "additional_tools", "role": "developer", "tools": .array(all)]]
    }

    private static func tools(
        _ head: [Tool], _ request: ModelRequest, _ adjustments: RequestAdjustments
    ) -> JSONValue? {
        guard adjustments.sends("tools") else { return nil }
        var tools = head.map { tool($0, isStrictSent: adjustments.sends("strict")) }
        if request.searchesWeb, adjustments.sends("web_search") {
            tools.append(["type": "web_search"])
        }
        return tools.isEmpty ? nil : .array(tools)
    }

    private static func tool(_ tool: Tool, isStrictSent: Bool) -> JSONValue {
        .compact([
            "type": "function", "name": .string(tool.name),
            "description": .string(tool.description), "parameters": tool.inputSchema.json,
            "strict": isStrictSent ? false : nil,
        ])
    }

    private static func items(_ message: Message) -> [JSONValue] {
        switch message.role {
        case .user:
            [
                [
                    "role": "user",
                    "content": .array(message.parts.filter { !$0.isSystem }.compactMap(userPart)),
                ]
            ]
                + message.laterSystem.map { ["role": "developer", "content": .string($0)] }
        case .assistant: assistantItems(message.parts)
        case .tool:
            message.parts.compactMap { part in
                guard case .toolResult(let result) = part else { return nil }
                return [
                    "type": "function_call_output", "call_id": .string(result.callID),
                    "output": output(of: result),
                ]
            }
        }
    }

    private static func output(of result: ToolResult) -> JSONValue {
        if result.pictures.isEmpty { return .string(result.text) }
        return .array(
            ([.text(result.text)] + result.pictures.map(Part.attachment)).compactMap(userPart))
    }

    private static func userPart(_ part: Part) -> JSONValue? {
        switch part {
        case .text(let text): ["type": "input_text", "text": .string(text.text)]
        case .attachment(let attachment):
            switch AttachmentContent(attachment) {
            case .text(let text): ["type": "input_text", "text": .string(text)]
            case .image(let type, let data):
                [
                    "type": "input_image", "detail": "auto",
                    "image_url": .string("data:\(type);base64,\(data)"),
                ]
            case .pdf(let name, let data):
                [
                    "type": "input_file", "filename": .string(name),
                    "file_data": .string("data:application/pdf;base64,\(data)"),
                ]
            }
        default: nil
        }
    }

    private static func assistantItems(_ parts: [Part]) -> [JSONValue] {
        var items: [JSONValue] = []
        /// Text of one phase that belongs to one item.
        var content: [JSONValue] = []
        var phase: String?
        func flush() {
            if content.isEmpty { return }
            items.append(
                .compact([
                    "type": "message", "role": "assistant", "content": .array(content),
                    "phase": phase.map(JSONValue.string),
                ]))
            content = []
        }
        for part in parts {
            switch part {
            case .text(let text):
                if text.phase != phase { flush() }
                phase = text.phase
                content.append(
                    ["type": "output_text", "text": .string(text.text), "annotations": []])
            case .refusal(let text):
                content.append(["type": "refusal", "refusal": .string(text)])
            case .thinking(let thinking):
                flush()
                if let item = thinking.item { items.append(item) }
            case .opaque(let item):
                flush()
                items.append(item)
            case .toolCall(let call):
                flush()
                items.append([
                    "type": "function_call", "call_id": .string(call.id),
                    "name": .string(call.name), "arguments": .string(call.arguments),
                ])
            case .toolResult, .attachment: break
            }
        }
        flush()
        return items
    }
}
