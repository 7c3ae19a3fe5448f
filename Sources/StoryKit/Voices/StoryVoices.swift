/// The voices of a story: narrator, characters, and unknown speakers.
package struct StoryVoices: Sendable, Equatable {
    /// The origin of a voice choice.
    package enum Source: String, Sendable { case rule, model, user }

    package struct Part: Sendable, Equatable {
        package var config: VoiceConfig
        package var by: Source
        /// The reasons, shown to the user: "child", "American".
        package var traits: [String]

        package init(_ config: VoiceConfig, by: Source = .rule, traits: [String] = []) {
            self.config = config
            self.by = by
            self.traits = traits
        }
    }

    /// The narrator's voice, which no character has.
    package var narrator: Part
    /// One voice for each character of the cast.
    package var characters: [Part]
    /// The voice for quotations without a known speaker.
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
    /// - Parameter speaker: index into the cast; nil if the speaker is unknown.
    package func config(of speaker: Int?) -> VoiceConfig {
        guard let speaker, characters.indices.contains(speaker) else { return unknown.config }
        return characters[speaker].config
    }
}
