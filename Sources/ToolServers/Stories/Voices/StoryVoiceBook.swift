import AgentCore
import Base
import Library
import Persistence
import Sound
import StoryKit

/// The voices of stories: the saved ones, and for the rest of a cast the best fitting
/// voices of the engine.
package struct StoryVoiceBook: Sendable {
    package struct Dependencies: Sendable {
        /// The configured speech engine.
        package var engine: @Sendable () throws -> any SpeechEngine
        /// The user's settings for reading aloud.
        package var standard: VoiceChoice
        /// Presets of the configuration, by name.
        package var presets: [String: VoicePreset]
        /// Reads one utterance aloud.
        package var speak: @Sendable (Utterance) async throws -> Void

        package init(
            engine: @escaping @Sendable () throws -> any SpeechEngine,
            standard: VoiceChoice = VoiceChoice(), presets: [String: VoicePreset] = [:],
            speak: @escaping @Sendable (Utterance) async throws -> Void
        ) {
            self.engine = engine
            self.standard = standard
            self.presets = presets
            self.speak = speak
        }
    }

    let book: StoryBook
    let dependencies: Dependencies
    /// Receives the progress of trying voices.
    private var onTrial: VoiceTrial.Handler = { _ in }

    var presets: [VoicePreset] { VoicePreset.all(dependencies.presets) }

    package init(book: StoryBook, _ dependencies: Dependencies) {
        self.book = book
        self.dependencies = dependencies
    }

    /// A copy that reports its progress.
    package func telling(_ onTrial: @escaping VoiceTrial.Handler) -> StoryVoiceBook {
        var other = self
        other.onTrial = onTrial
        return other
    }

    /// A copy that shows its progress for a story.
    func telling(_ emit: Emitter, _ item: LibraryItem) -> StoryVoiceBook {
        telling { emit($0.progress(ItemTable.title(item))) }
    }

    /// The voice of every role: earlier choices stay, the others are cast by rule.
    /// - Throws: `SpeechError`, `CancellationError`.
    package func voices(of item: LibraryItem, cast: Cast) async throws -> StoryVoices {
        try await voices(of: item, StoryCast(cast), KeptVoices(item))
    }

    /// - Parameter kept: saved voices, which stay.
    func voices(
        of item: LibraryItem, _ cast: StoryCast, _ kept: KeptVoices
    ) async throws -> StoryVoices {
        var kept = kept
        let language = Self.language(item)
        let all = try await voices(language)
        let known = VoiceNames(all)
        kept.keep { known.find($0) != nil }
        let casting = casting(pool(all, language), kept)
        let chosen = kept.parts(of: cast)
        let isWhole = cast.members.indices.allSatisfy { chosen[$0] != nil }
        // Scenes matter only if a voice is still to be chosen.
        let (lines, scenes) =
            isWhole
            ? (cast.members.map { $0.lines ?? 0 }, SceneMap.none(cast.members.count))
            : await book.scenes(item, cast.cast)
        try Task.checkCancellation()
        var voices = casting.voices(
            for: cast.cast, lines: lines, scenes: scenes, chosen: chosen, narrator: kept.narrator)
        if let unknown = kept.unknown { voices.unknown = unknown }
        return voices
    }

    private func casting(_ pool: VoiceCasting.Pool, _ kept: KeptVoices) -> VoiceCasting {
        let standard = dependencies.standard
        return VoiceCasting(
            pool,
            standard: VoiceConfig(
                rate: standard.rate, pitchMultiplier: standard.pitch, volume: standard.volume),
            preset: kept.preset)
    }

    // MARK: - The engine's voices

    static func language(_ item: LibraryItem) -> String { Story(item).language ?? "en" }

    private func voices(_ language: String) async throws -> [SpeechVoice] {
        try await dependencies.engine().voices(for: language, onTrial: onTrial)
    }

    /// The voices for a story in that language.
    func pool(language: String) async throws -> VoiceCasting.Pool {
        pool(try await voices(language), language)
    }

    private func pool(_ all: [SpeechVoice], _ language: String) -> VoiceCasting.Pool {
        let wanted = dependencies.standard.identifier
        guard all.contains(where: { $0.identifier.contains("+") }) else {
            return Self.wholeVoices(all, language, wanted: wanted)
        }
        let bases = all.filter { !$0.identifier.contains("+") }
        let base = Self.base(for: language, wanted: wanted, all)
        let chosen = wanted.flatMap(EspeakVoiceName.init)
        let narrating = chosen?.base == base ? chosen?.variant : nil
        var narrator = VoiceProfile(identifier: base)
        if let own = bases.first(where: { $0.identifier == base }) { narrator = Self.profile(own) }
        var profiles: [VoiceProfile] = []
        for voice in all {
            // A voice without a measured pitch does not sound well.
            guard let variant = EspeakVoiceName(voice.identifier)?.variant, voice.pitch != nil
            else { continue }
            var profile = Self.profile(voice)
            profile.identifier = "\(base)+\(variant)"
            if variant == narrating { narrator = profile } else { profiles.append(profile) }
        }
        let isEnglish = EspeakVoiceName.areOneLanguage(base, "en")
        return VoiceCasting.Pool(
            narrator: narrator, profiles: profiles,
            accents: isEnglish ? Set(bases.map(\.identifier)) : [])
    }

    /// The voices of a server or piper, which have no variants: those for the language, or
    /// any.
    private static func wholeVoices(
        _ all: [SpeechVoice], _ language: String, wanted: String?
    ) -> VoiceCasting.Pool {
        let spoken = EspeakVoiceName.base(for: language, among: all.map(\.language))
        let fitting = all.filter { voice in
            voice.language.isEmpty
                || spoken.map { EspeakVoiceName.areOneLanguage(voice.language, $0) } == true
        }
        let profiles = (fitting.isEmpty ? all : fitting).map(profile)
        let isListed = all.contains { $0.identifier == wanted }
        let narrator =
            profiles.first { $0.identifier == wanted }
            ?? (isListed ? nil : wanted.map { VoiceProfile(identifier: $0) })
            ?? profiles.first { $0.language == spoken } ?? profiles.first
        return VoiceCasting.Pool(
            narrator: narrator ?? VoiceProfile(identifier: ServerSpeechEngine.standardVoice),
            profiles: profiles)
    }

    /// The espeak-ng language for a story: the user's own, that of their locale if the
    /// story has no region, else one for the story's language.
    private static func base(
        for language: String, wanted: String?, _ all: [SpeechVoice]
    ) -> String {
        let bases = all.map(\.identifier).filter { !$0.contains("+") }
        let standard = all.first { $0.identifier.contains("+") }?.language ?? "en-us"
        guard let spoken = EspeakVoiceName.base(for: language, among: bases) else {
            return standard
        }
        func speaks(_ name: String) -> Bool { EspeakVoiceName.areOneLanguage(name, spoken) }
        if let own = wanted.flatMap(EspeakVoiceName.init)?.base, speaks(own) { return own }
        let namesRegion = language.contains { $0 == "-" || $0 == "_" }
        return !namesRegion && speaks(standard) ? standard : spoken
    }

    /// The gender is the perceived one: above 168 Hz a voice sounds like a woman's, below
    /// 135 like a man's.
    private static func profile(_ voice: SpeechVoice) -> VoiceProfile {
        let gender: VoiceProfile.Gender? =
            switch (voice.pitch, voice.gender) {
            case (let pitch?, _): pitch > 168 ? .female : pitch < 135 ? .male : nil
            case (nil, .female): .female
            case (nil, .male): .male
            default: nil
            }
        return VoiceProfile(
            identifier: voice.identifier, language: voice.language, gender: gender,
            pitch: voice.pitch, centroid: voice.centroid)
    }

    /// The identifier of a voice: "en-gb+f3", or "f3" for short.
    /// - Throws: `StoryVoiceError`, `SpeechError`.
    func identifier(_ name: String, language: String) async throws -> String {
        let all = try await voices(language)
        let known = VoiceNames(all)
        if let found = known.find(name) { return found }
        if let short = known.variant(name) {
            let narrator = pool(all, language).narrator.identifier
            return "\(EspeakVoiceName(narrator)?.base ?? "en-us")+\(short)"
        }
        throw StoryVoiceError(name, nearest: known.nearest(name))
    }
}

extension StoryBook {
    /// Line counts and scenes of the cast. Runs on this actor's own queue, because a novel
    /// takes a while.
    func scenes(_ item: LibraryItem, _ cast: Cast) -> (lines: [Int], scenes: SceneMap) {
        let segments = StorySegments(item, cast)
        let attributions = segments.attributions.values.sorted { $0.span < $1.span }
        var lines = [Int](repeating: 0, count: cast.characters.count)
        for attribution in attributions {
            if let speaker = attribution.speaker { lines[speaker] += 1 }
        }
        let scenes = SceneMap(
            attributions, in: segments.text, chapters: Story(item).chapters.map(\.start),
            characters: cast.characters.count)
        return (lines, scenes)
    }
}

/// An error for an unknown voice.
struct StoryVoiceError: Error, Sendable, Equatable, DescribedError {
    var name: String
    var nearest: [String]

    init(_ name: String, nearest: [String]) {
        self.name = name
        self.nearest = nearest
    }

    var diagnostic: Diagnostic {
        let near = nearest.map { $0.oneLine }.joined(separator: ", ")
        return Diagnostic(
            "There is no voice \"\(DisplayWidth.cut(name.oneLine, to: 40))\".",
            todo: "Nearest: \(near). chat say voices lists them all.", exit: .usage,
            namesCommands: true)
    }
}
