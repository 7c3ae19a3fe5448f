import Base
import Persistence
import StoryKit

/// The voices of a story, stored in its item's metadata as `voices`; a user's preset is
/// stored as it was when chosen.
///
/// Characters are identified by name, so that the cast may change.
struct KeptVoices: Sendable, Equatable {
    var preset: VoicePreset
    var narrator: StoryVoices.Part?
    var unknown: StoryVoices.Part?
    /// The voice of each character, by name, in the order of the cast.
    private(set) var characters: [(name: String, part: StoryVoices.Part)]

    static func == (one: KeptVoices, other: KeptVoices) -> Bool { one.json == other.json }

    /// Ignores malformed parts, which are then cast again.
    init(_ item: LibraryItem) {
        let json = item.metadata["voices"]
        preset = json?["preset"].flatMap { VoicePreset($0) } ?? .plain
        narrator = json?["narrator"].flatMap(Self.part)
        unknown = json?["unknown"].flatMap(Self.part)
        characters = (json?["characters"]?.arrayValue ?? []).compactMap { value in
            guard let name = value["name"]?.stringValue, let part = Self.part(value) else {
                return nil
            }
            return (name, part)
        }
    }

    init(_ voices: StoryVoices, of cast: StoryCast, preset: VoicePreset) {
        self.preset = preset
        narrator = voices.narrator
        unknown = voices.unknown
        characters = zip(cast.members, voices.characters).map { ($0.character.name, $1) }
    }

    /// The stored voices for the characters of a cast, by index in it.
    func parts(of cast: StoryCast) -> [Int: StoryVoices.Part] {
        var found: [Int: StoryVoices.Part] = [:]
        for (index, member) in cast.members.enumerated() {
            // A renamed or merged character is found by the old name.
            for name in [member.character.name] + member.character.aliases where found[index] == nil
            {
                found[index] =
                    characters.first { Cast.compared($0.name) == Cast.compared(name) }?
                    .part
            }
        }
        return found
    }

    /// Removes all voices that the user did not choose.
    mutating func forgetRules() {
        if narrator?.by != .user { narrator = nil }
        if unknown?.by != .user { unknown = nil }
        characters.removeAll { $0.part.by != .user }
    }

    /// Removes voices that no longer exist, as after a change of the engine.
    mutating func keep(where exists: (String) -> Bool) {
        func isGone(_ part: StoryVoices.Part) -> Bool {
            part.config.voiceIdentifier.map { !exists($0) } ?? false
        }
        if let part = narrator, isGone(part) { narrator = nil }
        if let part = unknown, isGone(part) { unknown = nil }
        characters.removeAll { isGone($0.part) }
    }

    mutating func set(_ name: String, _ part: StoryVoices.Part) {
        forget(name)
        characters.append((name, part))
    }

    mutating func forget(_ name: String) {
        characters.removeAll { Cast.compared($0.name) == Cast.compared(name) }
    }

    var json: JSONValue {
        .compact([
            "preset": preset.json, "narrator": narrator.map { .object(Self.json($0)) },
            "unknown": unknown.map { .object(Self.json($0)) },
            "characters": .array(
                characters.map { name, part in
                    var object = JSONObject()
                    object["name"] = .string(name)
                    for member in Self.json(part).members { object[member.name] = member.value }
                    return .object(object)
                }),
        ])
    }

    // MARK: - One voice

    static func json(_ part: StoryVoices.Part) -> JSONObject {
        var object = JSONObject()
        object["voiceIdentifier"] = part.config.voiceIdentifier.map { .string($0) } ?? .null
        object["rate"] = JSONValue(part.config.rate)
        object["pitchMultiplier"] = JSONValue(part.config.pitchMultiplier)
        object["volume"] = JSONValue(part.config.volume)
        object["by"] = .string(part.by.rawValue)
        object["traits"] = .array(part.traits.map { .string($0) })
        return object
    }

    private static func part(_ json: JSONValue) -> StoryVoices.Part? {
        guard let rate = json["rate"]?.doubleValue,
            let pitch = json["pitchMultiplier"]?.doubleValue,
            let volume = json["volume"]?.doubleValue
        else { return nil }
        return StoryVoices.Part(
            VoiceConfig(
                voiceIdentifier: json["voiceIdentifier"]?.stringValue, rate: rate,
                pitchMultiplier: pitch, volume: volume),
            by: json["by"]?.stringValue.flatMap(StoryVoices.Source.init) ?? .rule,
            traits: (json["traits"]?.arrayValue ?? []).compactMap(\.stringValue))
    }
}
