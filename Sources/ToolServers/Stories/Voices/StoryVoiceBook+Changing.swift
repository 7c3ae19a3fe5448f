import Base
import Persistence
import StoryKit

/// Changes of one voice, each a single undo step.
extension StoryVoiceBook {
    /// The role that a voice reads.
    enum Role: Sendable, Equatable {
        case narrator, unknown
        case character(Int)

        /// - Throws: `StoryCastError` with the nearest name.
        init(_ name: String, in cast: StoryCast) throws(StoryCastError) {
            if let index = cast.cast.find(name) {
                self = .character(index)
                return
            }
            switch name.lowercased() {
            case "narrator": self = .narrator
            case "unknown": self = .unknown
            default: self = .character(try cast.find(name))
            }
        }

        var isCharacter: Bool { if case .character = self { true } else { false } }

        func name(in cast: StoryCast) -> String {
            switch self {
            case .narrator: "Narrator"
            case .unknown: "Unknown"
            case .character(let index): cast.members[index].character.name
            }
        }
    }

    /// A change of a voice; nil members stay unchanged.
    struct Change: Sendable, Equatable {
        /// The engine's own name of a voice.
        var identifier: String?
        var rate: Double?
        var pitch: Double?
        var volume: Double?
        /// Facts about the character, by which the voice is chosen again.
        var facts = StoryCast.Facts()

        var isEmpty: Bool { self == Change() }
        fileprivate var setsVoice: Bool {
            identifier != nil || rate != nil || pitch != nil || volume != nil
        }

        fileprivate func applied(to config: VoiceConfig) -> VoiceConfig {
            VoiceConfig(
                voiceIdentifier: identifier ?? config.voiceIdentifier, rate: rate ?? config.rate,
                pitchMultiplier: pitch ?? config.pitchMultiplier, volume: volume ?? config.volume)
        }
    }

    /// Saves the change as the user's own choice. A character whose voice is now the
    /// narrator's is cast again.
    func change(
        _ role: Role, _ change: Change, of item: LibraryItem, _ cast: StoryCast,
        by origin: RevisionOrigin = .user
    ) async throws -> (voices: StoryVoices, cast: StoryCast) {
        var kept = KeptVoices(item)
        var (cast, index) = (cast, item.metadata["index"])
        if change.facts != StoryCast.Facts(), case .character(let place) = role {
            let name = cast.members[place].character.name
            try cast.set(name, change.facts)
            kept.forget(name)
            var mark = index?.objectValue ?? JSONObject()
            mark["edited"] = true
            index = .object(mark)
        }
        var voices = try await voices(of: item, cast, kept)
        if change.setsVoice {
            var part = voices.part(role)
            // A model acts on the user's instruction, so this counts as the user's choice.
            part = StoryVoices.Part(
                change.applied(to: part.config), by: .user, traits: part.traits)
            switch role {
            case .narrator: voices.narrator = part
            case .unknown: voices.unknown = part
            case .character(let place): voices.characters[place] = part
            }
            if role == .narrator {
                kept = KeptVoices(voices, of: cast, preset: kept.preset)
                for (member, other) in zip(cast.members, voices.characters)
                where other.by != .user
                    && other.config.voiceIdentifier == part.config.voiceIdentifier
                {
                    kept.forget(member.character.name)
                }
                voices = try await self.voices(of: item, cast, kept)
            }
        }
        _ = try await book.set(
            [
                "voices": KeptVoices(voices, of: cast, preset: kept.preset).json, "index": index,
                "cast": index == item.metadata["index"] ? item.metadata["cast"] : cast.json(),
            ], of: item, verb: "set a voice of", by: origin)
        return (voices, cast)
    }
}

extension StoryVoices {
    func part(_ role: StoryVoiceBook.Role) -> Part {
        switch role {
        case .narrator: narrator
        case .unknown: unknown
        case .character(let index): characters[index]
        }
    }
}
