/// With which voice each part of a story is read.
package struct StoryVoices: Sendable, Equatable {
    /// Who chose a voice.
    package enum Source: String, Sendable { case rule, model, user }

    package struct Part: Sendable, Equatable {
        package var config: VoiceConfig
        package var by: Source
        /// Why it is so, for people: "child", "American".
        package var traits: [String]

        package init(_ config: VoiceConfig, by: Source = .rule, traits: [String] = []) {
            self.config = config
            self.by = by
            self.traits = traits
        }
    }

    /// Reads the narration; no character has its voice.
    package var narrator: Part
    /// One for each character of the cast.
    package var characters: [Part]
    /// Says quotations without a known speaker.
    package var unknown: Part
    package var pauses: VoicePauses

    package init(
        narrator: Part, characters: [Part], unknown: Part, pauses: VoicePauses = VoicePauses()
    ) {
        self.narrator = narrator
        self.characters = characters
        self.unknown = unknown
        self.pauses = pauses
    }

    /// The voice of a quotation.
    /// - Parameter speaker: index into the cast; nil where the speaker is unknown.
    package func config(of speaker: Int?) -> VoiceConfig {
        guard let speaker, characters.indices.contains(speaker) else { return unknown.config }
        return characters[speaker].config
    }
}
