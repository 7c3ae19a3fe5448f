/// A style for reading a whole story: speed, variety of voices, and length of pauses.
package struct VoicePreset: Sendable, Equatable {
    package var name: String
    /// A description for the user.
    package var summary: String
    /// Added to every rate.
    package var rate: Double
    /// Multiplies the difference of a voice's pitch from its own.
    package var spread: Double
    package var pauses: VoicePauses

    package init(
        name: String, summary: String, rate: Double = 0, spread: Double = 1,
        pauses: VoicePauses = VoicePauses()
    ) {
        self.name = name
        self.summary = summary
        self.rate = rate
        self.spread = spread
        self.pauses = pauses
    }

    package static let plain = VoicePreset(
        name: "plain", summary: "an ordinary reading voice", rate: 0, spread: 1,
        pauses: VoicePauses())
    package static let dramatic = VoicePreset(
        name: "dramatic", summary: "slower, with longer pauses", rate: -0.04, spread: 1.25,
        pauses: VoicePauses(sameSpeaker: 0.35, change: 0.8, chapter: 3))
    package static let cartoon = VoicePreset(
        name: "cartoon", summary: "quick, with very high and low voices", rate: 0.06, spread: 1.6,
        pauses: VoicePauses(sameSpeaker: 0.15, change: 0.3, chapter: 1.5))

    package static let all = [plain, dramatic, cartoon]

    package static func named(_ name: String) -> VoicePreset? {
        all.first { $0.name == name.lowercased() }
    }

    /// The voice settings with this preset applied.
    func applied(to config: VoiceConfig) -> VoiceConfig {
        VoiceConfig(
            voiceIdentifier: config.voiceIdentifier, rate: config.rate + rate,
            pitchMultiplier: 1 + (config.pitchMultiplier - 1) * spread, volume: config.volume)
    }
}
