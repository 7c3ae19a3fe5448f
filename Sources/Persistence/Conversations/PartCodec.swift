import AgentCore
import Base

/// The stored form of a message part: a kind, a JSON text and, for attachments,
/// the bytes. Pure.
///
/// The forms are documented in docs/formats.md and are only ever added to.
package enum PartCodec {
    package struct Stored: Sendable, Equatable {
        package var kind: String
        package var body: String
        package var bytes: [UInt8]?

        package init(kind: String, body: String, bytes: [UInt8]? = nil) {
            self.kind = kind
            self.body = body
            self.bytes = bytes
        }
    }

    package static func encode(_ part: Part) -> Stored {
        switch part {
        case .text(let text):
            stored("text", ["text": .string(text.text), "phase": text.phase.map(JSONValue.string)])
        case .refusal(let text):
            stored("refusal", ["text": .string(text)])
        case .thinking(let thinking):
            stored("thinking", ["text": .string(thinking.text), "item": thinking.item])
        case .toolCall(let call):
            stored(
                "tool_call",
                [
                    "id": .string(call.id), "name": .string(call.name),
                    "arguments": .string(call.arguments),
                    "item_id": call.itemID.map(JSONValue.string),
                ])
        case .toolResult(let result):
            // The bytes of the pictures, concatenated.
            stored(
                "tool_result",
                [
                    "call_id": .string(result.callID), "name": .string(result.name),
                    "text": .string(result.text), "is_error": .bool(result.isError),
                    "is_foreign": result.isUntrusted ? true : nil,
                    "pictures": result.pictures.isEmpty
                        ? nil
                        : .array(
                            result.pictures.map {
                                [
                                    "name": .string($0.name), "media_type": .string($0.mediaType),
                                    "size": JSONValue($0.bytes.count),
                                ]
                            }),
                ], bytes: result.pictures.isEmpty ? nil : result.pictures.flatMap(\.bytes))
        case .attachment(let file):
            stored(
                "attachment",
                [
                    "name": .string(file.name), "media_type": .string(file.mediaType),
                    "size": JSONValue(file.bytes.count),
                    "is_kept_only": file.isKeptOnly ? true : nil,
                ], bytes: file.bytes)
        case .opaque(let item):
            // The item as it is, without a wrapper, so that its nesting depth stays the same.
            Stored(kind: "opaque", body: JSONWriter.string(item))
        }
    }

    private static func stored(
        _ kind: String, _ members: KeyValuePairs<String, JSONValue?>, bytes: [UInt8]? = nil
    ) -> Stored {
        Stored(kind: kind, body: JSONWriter.string(.compact(members)), bytes: bytes)
    }

    /// Nil if the row cannot be read: it is damaged, or written by another program.
    package static func decode(_ stored: Stored) -> Part? {
        // The row is damaged, wherever in it the error is.
        guard let value = try? JSONParser.parse(stored.body) else { return nil }
        let text = value["text"]?.stringValue
        switch stored.kind {
        case "text":
            return text.map { .text(TextPart($0, phase: value["phase"]?.stringValue)) }
        case "refusal":
            return text.map { .refusal($0) }
        case "thinking":
            return text.map { .thinking(Thinking(text: $0, item: value["item"])) }
        case "tool_call":
            guard let id = value["id"]?.stringValue, let name = value["name"]?.stringValue,
                let arguments = value["arguments"]?.stringValue
            else { return nil }
            return .toolCall(
                ToolCall(
                    id: id, name: name, arguments: arguments,
                    itemID: value["item_id"]?.stringValue))
        case "tool_result":
            guard let id = value["call_id"]?.stringValue, let name = value["name"]?.stringValue,
                let text, let isError = value["is_error"]?.boolValue
            else { return nil }
            return .toolResult(
                ToolResult(
                    callID: id, name: name, text: text, isError: isError,
                    isUntrusted: value["is_foreign"]?.boolValue ?? false,
                    pictures: pictures(value["pictures"]?.arrayValue ?? [], stored.bytes ?? [])))
        case "attachment":
            guard let name = value["name"]?.stringValue,
                let mediaType = value["media_type"]?.stringValue, let bytes = stored.bytes
            else { return nil }
            return .attachment(
                Attachment(
                    name: name, mediaType: mediaType, bytes: bytes,
                    isKeptOnly: value["is_kept_only"]?.boolValue ?? false))
        case "opaque":
            return .opaque(value)
        default:
            return nil
        }
    }

    private static func pictures(_ listed: [JSONValue], _ bytes: [UInt8]) -> [Attachment] {
        var rest = bytes[...]
        return listed.compactMap { picture in
            guard let name = picture["name"]?.stringValue,
                let type = picture["media_type"]?.stringValue,
                let size = picture["size"]?.integerValue, (1...max(1, rest.count)).contains(size)
            else { return nil }
            defer { rest = rest.dropFirst(size) }
            return Attachment(name: name, mediaType: type, bytes: Array(rest.prefix(size)))
        }
    }

    /// Combines streamed text into the parts of a partial answer: neighbours of one kind become one
    /// part. Its reasoning has no item, so it is never sent back to a model.
    package static func fold(_ chunks: [StreamedText]) -> [Part] {
        var parts: [Part] = []
        var run: StreamedText?
        for chunk in chunks where !chunk.text.isEmpty {
            if run?.kind == chunk.kind {
                run?.text += chunk.text
            } else {
                if let run { parts.append(part(run)) }
                run = chunk
            }
        }
        if let run { parts.append(part(run)) }
        return parts
    }

    private static func part(_ chunk: StreamedText) -> Part {
        switch chunk.kind {
        case .text: .text(chunk.text)
        case .thinking: .thinking(Thinking(text: chunk.text))
        case .refusal: .refusal(chunk.text)
        }
    }
}

/// Text of an answer that is still streaming.
package struct StreamedText: Sendable, Equatable {
    package var kind: StreamedKind
    package var text: String
}
