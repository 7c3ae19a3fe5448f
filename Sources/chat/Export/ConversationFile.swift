import AgentCore
import Base
import FoundationEssentials
import Persistence

/// The file format for transferring conversations: all messages with their attachments, so
/// that importing it restores the same conversation. Pure.
///
/// ```
/// { "format": "chat.conversations", "version": 1,
///   "conversations": [ { id, title, kind, provider, model, created, updated,
///       preferences, forkedFrom, turns: [ { status, isLocal, provider, model,
///           started, ended, note, replaced, isPartial, usage, messages: [
///               { role, time, origin, parts: [ { kind, body, bytes } ] } ] } ] } ] }
/// ```
///
/// It is written in pieces, a turn at a time: a conversation may be larger than the memory.
///
/// Times are ISO 8601 in UTC with milliseconds, bytes base64, `body` is as in the database
/// (docs/formats.md). Summaries are not included: they are made again when needed.
enum ConversationFile {
    static let format = "chat.conversations"
    static let version = 1

    static let beginning = opened(
        ["format": .string(format), "version": JSONValue(version), "conversations": []], indent: 0)

    static func conversation(_ record: ConversationRecord, isFirst: Bool) -> String {
        (isFirst ? "" : ",") + newline(4) + opened(value(record), indent: 4)
    }

    static func turn(_ stored: StoredTurn, isFirst: Bool) -> String {
        (isFirst ? "" : ",") + newline(8) + JSONWriter.pretty(value(stored), indent: 8)
    }

    static func conversationEnd(isEmpty: Bool) -> String {
        (isEmpty ? "" : newline(6)) + "]" + newline(4) + "}"
    }

    static let end = newline(2) + "]" + newline(0) + "}\n"

    /// An object up to its last member, an empty array, which is left open.
    private static func opened(_ object: JSONValue, indent: Int) -> String {
        String(JSONWriter.pretty(object, indent: indent).dropLast(indent + 3))
    }

    private static func newline(_ indent: Int) -> String {
        "\n" + String(repeating: " ", count: indent)
    }

    private static func value(_ record: ConversationRecord) -> JSONValue {
        let preferences = record.preferences
        return .compact([
            "id": .string(record.id), "title": .string(record.title),
            "kind": .string(record.kind.rawValue), "provider": .string(record.provider.rawValue),
            "model": .string(record.model), "created": .string(FileTime.text(record.created)),
            "updated": .string(FileTime.text(record.updated)),
            "preferences": preferences == ConversationPreferences()
                ? nil
                : .compact([
                    "role": preferences.role.map(JSONValue.string),
                    "system": preferences.system.map(JSONValue.string),
                    "effort": (preferences.effort?.rawValue).map(JSONValue.string),
                    "thinking": (preferences.thinking?.rawValue).map(JSONValue.string),
                    "redacts": preferences.redacts.map(JSONValue.bool),
                ]),
            "forkedFrom": record.forkedFrom.map(JSONValue.string),
            "turns": [],
        ])
    }

    private static func value(_ stored: StoredTurn) -> JSONValue {
        let turn = stored.turn
        return .compact([
            "status": .string(turn.status.rawValue), "isLocal": turn.isLocal ? true : nil,
            "provider": .string(stored.provider.rawValue), "model": .string(stored.model),
            "started": .string(FileTime.text(stored.started)),
            "ended": stored.ended.map { .string(FileTime.text($0)) },
            "note": stored.note.map(JSONValue.string),
            "replaced": stored.replaced.map { .string(FileTime.text($0)) },
            "isPartial": stored.isPartial ? true : nil,
            "usage": turn.usage.isEmpty
                ? nil
                : [
                    "input": JSONValue(turn.usage.input),
                    "cachedInput": JSONValue(turn.usage.cachedInput),
                    "cacheWrite": JSONValue(turn.usage.cacheWrite),
                    "output": JSONValue(turn.usage.output),
                    "reasoning": JSONValue(turn.usage.reasoning),
                ],
            "messages": .array(
                turn.messages.enumerated().map { index, message in
                    let time =
                        stored.times.indices.contains(index) ? stored.times[index] : stored.started
                    return value(message, time)
                }),
        ])
    }

    private static func value(_ message: Message, _ time: Date) -> JSONValue {
        .compact([
            "role": .string(message.role.rawValue), "time": .string(FileTime.text(time)),
            "origin": message.origin.map {
                [
                    "provider": .string($0.provider.rawValue),
                    "format": .string($0.format.rawValue),
                    "model": .string($0.model),
                ]
            },
            "parts": .array(
                // Notes about the user and system texts are not part of the conversation.
                message.parts.filter { !$0.isNotes && !$0.isSystem }.map { part in
                    let stored = PartCodec.encode(part)
                    return .compact([
                        "kind": .string(stored.kind),
                        // The codec's output is JSON.
                        "body": (try? JSONParser.parse(stored.body)) ?? .string(stored.body),
                        "bytes": stored.bytes.map { .string(Base64.text($0)) },
                    ])
                }),
        ])
    }
}
