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
/// Times are ISO 8601 in UTC with milliseconds, bytes base64, `body` is as in the database
/// (docs/formats.md). Summaries are not included: they are made again when needed.
enum ConversationFile {
    static let format = "chat.conversations"
    static let version = 1

    static func value(_ conversations: [(ConversationRecord, [StoredTurn])]) -> JSONValue {
        [
            "format": .string(format), "version": JSONValue(version),
            "conversations": .array(conversations.map { value($0, $1) }),
        ]
    }

    private static func value(_ record: ConversationRecord, _ turns: [StoredTurn]) -> JSONValue {
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
            "turns": .array(turns.map(value)),
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
