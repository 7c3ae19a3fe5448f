import AgentCore
import Base
import FoundationEssentials
import Persistence

/// Reads the conversations of our own file format (`ConversationFile`). Pure. Unknown parts
/// are left out and counted.
struct ConversationFileReader {
    private(set) var unreadable = 0

    mutating func read(_ value: JSONValue) -> ImportedConversation? {
        guard let turns = value["turns"]?.arrayValue else { return nil }
        let created = Self.date(value["created"]) ?? Date(timeIntervalSince1970: 0)
        let preferences = value["preferences"]
        var read: [StoredTurn] = []
        for turn in turns {
            if let turn = self.turn(turn, created) { read.append(turn) } else { unreadable += 1 }
        }
        return ImportedConversation(
            id: value["id"]?.stringValue, title: value["title"]?.stringValue ?? "",
            kind: Self.word(value["kind"]) ?? .repl,
            provider: Self.word(value["provider"]) ?? .offline,
            model: value["model"]?.stringValue ?? "", created: created,
            updated: Self.date(value["updated"]) ?? created,
            preferences: ConversationPreferences(
                role: preferences?["role"]?.stringValue,
                system: preferences?["system"]?.stringValue,
                effort: Self.word(preferences?["effort"]),
                thinking: Self.word(preferences?["thinking"]),
                redacts: preferences?["redacts"]?.boolValue),
            turns: read)
    }

    private mutating func turn(_ value: JSONValue, _ created: Date) -> StoredTurn? {
        guard let messages = value["messages"]?.arrayValue else { return nil }
        let started = Self.date(value["started"]) ?? created
        var read: [Message] = []
        var times: [Date] = []
        for message in messages {
            guard let known = self.message(message) else {
                unreadable += 1
                continue
            }
            read.append(known)
            times.append(Self.date(message["time"]) ?? started)
        }
        let usage = value["usage"]
        func count(_ name: String) -> Int { usage?[name]?.integerValue ?? 0 }
        return StoredTurn(
            id: TurnID(0),
            turn: Turn(
                status: Self.word(value["status"]) ?? .done, messages: read,
                isLocal: value["isLocal"]?.boolValue ?? false,
                usage: Usage(
                    input: count("input"), cachedInput: count("cachedInput"),
                    cacheWrite: count("cacheWrite"), output: count("output"),
                    reasoning: count("reasoning"))),
            provider: Self.word(value["provider"]) ?? .offline,
            model: value["model"]?.stringValue ?? "", started: started,
            ended: Self.date(value["ended"]), note: value["note"]?.stringValue,
            isPartial: value["isPartial"]?.boolValue ?? false,
            replaced: Self.date(value["replaced"]), times: times)
    }

    private mutating func message(_ value: JSONValue) -> Message? {
        guard let role: Role = Self.word(value["role"]), let parts = value["parts"]?.arrayValue
        else { return nil }
        var read: [Part] = []
        for part in parts {
            let bytes = part["bytes"]?.stringValue.flatMap(Base64.bytes)
            guard let kind = part["kind"]?.stringValue, let body = part["body"],
                let known = PartCodec.decode(
                    .init(kind: kind, body: JSONWriter.string(body), bytes: bytes))
            else {
                unreadable += 1
                continue
            }
            // Notes about a user and system texts in an imported file are not sent as the user's
            // own.
            if !known.isNotes, !known.isSystem { read.append(known) }
        }
        var origin: ModelOrigin?
        if let from = value["origin"], let provider: ProviderName = Self.word(from["provider"]),
            let format: WireFormat = Self.word(from["format"])
        {
            origin = ModelOrigin(
                provider: provider, format: format, model: from["model"]?.stringValue ?? "")
        }
        return Message(role: role, parts: read, origin: origin)
    }

    private static func date(_ value: JSONValue?) -> Date? {
        value?.stringValue.flatMap(FileTime.date)
    }

    private static func word<Word: RawRepresentable<String>>(_ value: JSONValue?) -> Word? {
        value?.stringValue.flatMap(Word.init(rawValue:))
    }
}
