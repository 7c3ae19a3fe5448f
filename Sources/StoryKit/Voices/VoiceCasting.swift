import Glibc

/// Chooses a voice for every character of a story, by the known facts of characters and
/// voices, without a model.
///
/// The same story and voices give the same cast. Characters who share a scene get
/// distinguishable voices, as far as there are enough; no character has the narrator's
/// voice. Minor characters share voices with others whom they never meet.
package struct VoiceCasting: Sendable {
    /// The voices of an engine.
    package struct Pool: Sendable {
        /// The narrator's voice.
        package var narrator: VoiceProfile
        package var profiles: [VoiceProfile]
        /// espeak-ng's accents that can be combined with a variant; empty for other
        /// engines, whose voices also have a fixed pitch.
        package var accents: Set<String>

        package init(
            narrator: VoiceProfile, profiles: [VoiceProfile], accents: Set<String> = []
        ) {
            self.narrator = narrator
            self.profiles = profiles
            self.accents = accents
        }

        var takesPitch: Bool { profiles.contains { $0.variant != nil } }
    }

    /// Number of characters given their own voice.
    static let mainCast = 12

    private let pool: Pool
    private let standard: VoiceConfig
    private let preset: VoicePreset

    /// - Parameter standard: the user's settings for reading aloud, without a preset.
    package init(_ pool: Pool, standard: VoiceConfig, preset: VoicePreset = .plain) {
        self.pool = pool
        self.standard = standard
        self.preset = preset
    }

    /// - Parameters:
    ///   - lines: number of quotations of each character.
    ///   - chosen: voices already chosen, by character.
    package func voices(
        for cast: Cast, lines: [Int], scenes: SceneMap, chosen: [Int: StoryVoices.Part] = [:],
        narrator: StoryVoices.Part? = nil
    ) -> StoryVoices {
        var own = standard
        own.voiceIdentifier = pool.narrator.identifier
        let teller = narrator ?? StoryVoices.Part(preset.applied(to: own), traits: ["narrator"])
        let count = cast.characters.count
        var state = Placing(narrator: sound(of: teller.config))
        let order = (0..<count).sorted {
            (lines[$1], $0) < (lines[$0], $1)
        }
        let main = Set(order.prefix(Self.mainCast).filter { lines[$0] > 0 })
        var parts = [StoryVoices.Part?](repeating: nil, count: count)
        for (index, part) in chosen where parts.indices.contains(index) {
            parts[index] = part
            state.sounds[index] = sound(of: part.config)
        }
        for index in order where parts[index] == nil {
            var near = scenes.partners.indices.contains(index) ? scenes.partners[index] : []
            if main.contains(index) { near.formUnion(main) }
            near.remove(index)
            let part = choose(for: cast.characters[index], near: near, main, state)
            parts[index] = part
            state.sounds[index] = sound(of: part.config)
        }
        var unknown = choose(
            for: StoryCharacter(name: "?"), near: main, main, state)
        unknown.traits = ["unknown"]
        return StoryVoices(
            narrator: teller, characters: parts.map { $0 ?? unknown }, unknown: unknown,
            pauses: preset.pauses)
    }

    /// Whether listeners can distinguish two voices: 12 % of pitch or 15 % of brightness.
    package func areDistinct(_ one: VoiceConfig, _ other: VoiceConfig) -> Bool {
        sound(of: one).differs(from: sound(of: other), by: .needed)
    }

    // MARK: - One character

    /// The voices assigned so far.
    private struct Placing {
        var narrator: VoiceSound
        var sounds: [Int: VoiceSound] = [:]
    }

    private struct Candidate {
        var config: VoiceConfig
        var cost: Double
    }

    private func choose(
        for character: StoryCharacter, near: Set<Int>, _ main: Set<Int>, _ state: Placing
    ) -> StoryVoices.Part {
        let traits = VoiceTraits(character)
        let profiles = profiles(for: character, traits)
        // The narrator is heard next to every character.
        let around = [state.narrator] + near.sorted().compactMap { state.sounds[$0] }
        let others = state.sounds.filter { main.contains($0.key) }.values.map(\.identifier)
        var best: Candidate?
        for profile in profiles {
            for step in pool.takesPitch ? [0.0, 0.32, -0.32] : [0] {
                let config = config(profile, traits, step: step)
                let sound = VoiceSound(profile, config)
                if sound.identifier == state.narrator.identifier { continue }
                var cost = misfit(profile, traits, character) + abs(step) * 30
                for other in around {
                    if !sound.differs(from: other, by: .preferred) { cost += 1_000 }
                    if !sound.differs(from: other, by: .needed) { cost += 10_000 }
                    if sound.identifier == other.identifier { cost += 400 }
                }
                if others.contains(sound.identifier) { cost += 60 }
                // A pseudorandom but stable tie-breaker.
                cost += Double(Self.hash(character.name + "\n" + profile.identifier) % 1_000) / 100
                if cost < best?.cost ?? .infinity { best = Candidate(config: config, cost: cost) }
            }
        }
        // Only the narrator's voice is left: vary at least its pitch.
        let config = best?.config ?? config(pool.narrator, traits, step: -0.32)
        return StoryVoices.Part(config, traits: labels(traits, character))
    }

    /// The voices of the gender; children get women's voices, because no variant sounds
    /// like a child.
    private func profiles(for character: StoryCharacter, _ traits: VoiceTraits) -> [VoiceProfile] {
        let gender: VoiceProfile.Gender? =
            switch character.gender {
            case _ where traits.age == .child: .female
            case .female: .female
            case .male: .male
            case nil: nil
            }
        let fitting = pool.profiles.filter { gender == nil || $0.gender == gender }
        return fitting.isEmpty ? pool.profiles : fitting
    }

    /// Cost of a voice: higher is a worse fit.
    private func misfit(
        _ profile: VoiceProfile, _ traits: VoiceTraits, _ character: StoryCharacter
    ) -> Double {
        guard let variant = profile.variant else {
            // Any voice of "en-gb" can speak "en-gb-x-rp".
            guard let accent = traits.accent, !profile.language.isEmpty else { return 0 }
            return accent.hasPrefix(profile.language) ? 0 : 30
        }
        let isOld = variant == "grandma" || variant == "grandpa"
        switch traits.age {
        case .child: return ["f3", "f5", "Annie"].contains(variant) ? 0 : 30
        case .old: return isOld ? 0 : 30
        default: return isOld ? 30 : 0
        }
    }

    private func config(
        _ profile: VoiceProfile, _ traits: VoiceTraits, step: Double
    ) -> VoiceConfig {
        var identifier = profile.identifier
        if let accent = traits.accent, pool.accents.contains(accent), let variant = profile.variant
        {
            identifier = "\(accent)+\(variant)"
        }
        return preset.applied(
            to: VoiceConfig(
                voiceIdentifier: identifier, rate: standard.rate + traits.rate,
                pitchMultiplier: standard.pitchMultiplier
                    + (pool.takesPitch ? traits.pitch + step : 0),
                volume: standard.volume * traits.volume))
    }

    private func labels(_ traits: VoiceTraits, _ character: StoryCharacter) -> [String] {
        (traits.age == .child ? [] : [character.gender?.rawValue].compactMap { $0 })
            + traits.labels
    }

    /// The sound of a voice, to compare it with others. Of a voice outside the pool only the
    /// name is known.
    private func sound(of config: VoiceConfig) -> VoiceSound {
        let identifier = config.voiceIdentifier ?? pool.narrator.identifier
        if identifier == pool.narrator.identifier { return VoiceSound(pool.narrator, config) }
        var profile = VoiceProfile(identifier: identifier)
        // An accent changes the sounds, not the speaker.
        if let variant = profile.variant,
            let known = pool.profiles.first(where: { $0.variant == variant })
        {
            profile = known
        } else if let known = pool.profiles.first(where: { $0.identifier == identifier }) {
            profile = known
        }
        return VoiceSound(profile, config)
    }

    /// FNV-1a, stable across machines.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// The sound of a voice at a given pitch, and whether listeners can distinguish it from another
/// voice.
struct VoiceSound: Sendable, Equatable {
    var identifier: String
    var pitch: Double?
    var centroid: Double?

    init(_ profile: VoiceProfile, _ config: VoiceConfig) {
        identifier = config.voiceIdentifier ?? profile.identifier
        pitch = profile.pitch.map { $0 * Self.factor(config.pitchMultiplier) }
        centroid = profile.centroid
    }

    /// The real pitch factor of espeak-ng: measured with version 1.51, where 62 instead of
    /// 50 is 10 % and not 24 %.
    static func factor(_ multiplier: Double) -> Double {
        let off = min(0.98, multiplier - 1)
        return exp(0.415 * off + 0.05 * off * off)
    }

    /// The required difference and the preferred one, because measurement is not exact.
    enum Margin: Double {
        case needed = 1
        case preferred = 1.35
    }

    /// Whether pitch differs by 12 % or brightness by 15 %, times the margin.
    func differs(from other: VoiceSound, by margin: Margin) -> Bool {
        guard let pitch, let second = other.pitch else { return identifier != other.identifier }
        if Self.ratio(pitch, second) >= 1 + 0.12 * margin.rawValue { return true }
        guard let centroid, let third = other.centroid else { return false }
        return Self.ratio(centroid, third) >= 1 + 0.15 * margin.rawValue
    }

    private static func ratio(_ one: Double, _ other: Double) -> Double {
        max(one, other) / max(1, min(one, other))
    }
}
