import AgentCore
import Base

/// Writes the event streams that servers of the three wire formats send, for
/// loopback servers and benchmarks.
package enum WireScript {
    /// An answer of text in the given pieces, to its regular end.
    package static func text(_ pieces: [String], format: WireFormat) -> [UInt8] {
        let whole = pieces.joined()
        switch format {
        case .responses:
            return responses(
                [opened(item: ["id": "msg_1", "type": "message"])]
                    + pieces.map { piece in
                        [
                            "type": "response.output_text.delta", "item_id": "msg_1",
                            "output_index": 0, "content_index": 0, "delta": .string(piece),
                        ]
                    } + [
                        done(item: [
                            "id": "msg_1", "type": "message", "status": "completed",
                            "role": "assistant",
                            "content": [
                                [
                                    "type": "output_text", "text": .string(whole),
                                    "annotations": [],
                                ]
                            ],
                        ])
                    ], output: pieces.count)
        case .chat:
            return chat(
                pieces.map { ["content": .string($0)] }, reason: "stop", output: pieces.count)
        case .messages, .none:
            return messages(
                blocks: [
                    (
                        ["type": "text", "text": ""],
                        pieces.map { ["type": "text_delta", "text": .string($0)] }
                    )
                ], reason: "end_turn", output: pieces.count)
        }
    }

    /// An answer that is one tool call.
    package static func toolCall(
        _ name: String, arguments: String, id: String = "call_1", format: WireFormat
    ) -> [UInt8] {
        toolCalls([ToolCall(id: id, name: name, arguments: arguments)], format: format)
    }

    /// An answer that is nothing but tool calls.
    package static func toolCalls(_ calls: [ToolCall], format: WireFormat) -> [UInt8] {
        switch format {
        case .responses:
            return responses(
                calls.enumerated().flatMap { index, call -> [JSONValue] in
                    let id = JSONValue.string("fc_\(index + 1)")
                    return [
                        opened(
                            item: [
                                "id": id, "type": "function_call", "call_id": .string(call.id),
                                "name": .string(call.name), "arguments": "",
                            ], at: index),
                        [
                            "type": "response.function_call_arguments.delta", "item_id": id,
                            "output_index": JSONValue(index), "delta": .string(call.arguments),
                        ],
                        done(
                            item: [
                                "id": id, "type": "function_call", "status": "completed",
                                "call_id": .string(call.id), "name": .string(call.name),
                                "arguments": .string(call.arguments),
                            ], at: index),
                    ]
                }, output: 1)
        case .chat:
            return chat(
                calls.enumerated().flatMap { index, call -> [JSONValue] in
                    [
                        [
                            "tool_calls": [
                                [
                                    "index": JSONValue(index), "id": .string(call.id),
                                    "type": "function",
                                    "function": ["name": .string(call.name), "arguments": ""],
                                ]
                            ]
                        ],
                        [
                            "tool_calls": [
                                [
                                    "index": JSONValue(index),
                                    "function": ["arguments": .string(call.arguments)],
                                ]
                            ]
                        ],
                    ]
                }, reason: "tool_calls", output: 1)
        case .messages, .none:
            return messages(
                blocks: calls.map { call in
                    (
                        [
                            "type": "tool_use", "id": .string(call.id), "name": .string(call.name),
                            "input": .object(JSONObject()),
                        ], [["type": "input_json_delta", "partial_json": .string(call.arguments)]]
                    )
                }, reason: "tool_use", output: 1)
        }
    }

    /// The bytes of one event.
    package static func event(_ json: JSONValue, name: String? = nil) -> [UInt8] {
        let head = name.map { "event: \($0)\n" } ?? ""
        return Array("\(head)data: ".utf8) + JSONWriter.bytes(json) + Array("\n\n".utf8)
    }

    // MARK: - Formats

    private static func opened(item: JSONValue, at index: Int = 0) -> JSONValue {
        ["type": "response.output_item.added", "output_index": JSONValue(index), "item": item]
    }

    private static func done(item: JSONValue, at index: Int = 0) -> JSONValue {
        ["type": "response.output_item.done", "output_index": JSONValue(index), "item": item]
    }

    private static func responses(_ events: [JSONValue], output: Int) -> [UInt8] {
        let created: JSONValue = [
            "type": "response.created",
            "response": ["id": "resp_1", "status": "in_progress", "output": []],
        ]
        let completed: JSONValue = [
            "type": "response.completed",
            "response": [
                "id": "resp_1", "status": "completed", "output": [],
                "usage": ["input_tokens": 10, "output_tokens": JSONValue(output)],
            ],
        ]
        return ([created] + events + [completed]).enumerated().flatMap { number, event in
            var numbered = event.objectValue ?? JSONObject()
            numbered["sequence_number"] = JSONValue(number)
            return Self.event(.object(numbered), name: event["type"]?.stringValue)
        }
    }

    private static func chat(_ deltas: [JSONValue], reason: String, output: Int) -> [UInt8] {
        func chunk(_ choices: JSONValue, usage: JSONValue = .null) -> [UInt8] {
            event([
                "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_795_219_400,
                "model": "scripted", "choices": choices, "usage": usage,
            ])
        }
        func choice(_ delta: JSONValue, reason: JSONValue = .null) -> [UInt8] {
            chunk([["index": 0, "delta": delta, "finish_reason": reason]])
        }
        return choice(["role": "assistant", "content": ""]) + deltas.flatMap { choice($0) }
            + choice(.object(JSONObject()), reason: .string(reason))
            + chunk(
                [], usage: ["prompt_tokens": 10, "completion_tokens": JSONValue(output)])
            + Array("data: [DONE]\n\n".utf8)
    }

    private static func messages(
        blocks: [(block: JSONValue, deltas: [JSONValue])], reason: String, output: Int
    ) -> [UInt8] {
        let start: JSONValue = [
            "type": "message_start",
            "message": [
                "id": "msg_1", "type": "message", "role": "assistant", "content": [],
                "usage": ["input_tokens": 10, "output_tokens": 1],
            ],
        ]
        let events: [JSONValue] =
            [start]
            + blocks.enumerated().flatMap { number, content -> [JSONValue] in
                let index = JSONValue(number)
                return [
                    [
                        "type": "content_block_start", "index": index,
                        "content_block": content.block,
                    ]
                ]
                    + content.deltas.map {
                        ["type": "content_block_delta", "index": index, "delta": $0]
                    } + [["type": "content_block_stop", "index": index]]
            }
            + [
                [
                    "type": "message_delta", "delta": ["stop_reason": .string(reason)],
                    "usage": ["output_tokens": JSONValue(output)],
                ],
                ["type": "message_stop"],
            ]
        return events.flatMap { event($0, name: $0["type"]?.stringValue) }
    }
}
