import Sound
import StoryKit

/// A voice offered for a character of a story.
package struct VoiceOffer: Sendable, Equatable {
    package var identifier: String
    /// "woman, 212 Hz · has Alice", for the user; untrusted.
    package var detail: String
}

extension StoryVoiceBook {
    /// Maximum number of offers.
    private static let mostOffers = 24

    /// The voices for a role: the current one first, then unused voices of the same kind,
    /// by pitch.
    package func offers(
        for speaker: StoryScript.Speaker, in reading: StoryReading
    ) async throws -> [VoiceOffer] {
        let pool = try await pool(language: StoryVoiceBook.language(reading.item))
        let present = reading.voices.config(of: speaker).voiceIdentifier
        var owners: [String: String] = [:]
        for (index, part) in reading.voices.characters.enumerated() {
            guard let voice = part.config.voiceIdentifier, owners[voice] == nil else { continue }
            owners[voice] = reading.cast.characters[index].name
        }
        if let voice = reading.voices.narrator.config.voiceIdentifier { owners[voice] = "narrator" }
        let all = [pool.narrator] + pool.profiles.filter { $0 != pool.narrator }
        let gender = all.first { $0.identifier == present }?.gender
        func rank(_ profile: VoiceProfile) -> (Int, Int, Double) {
            (
                profile.identifier == present ? 0 : 1,
                (profile.gender == gender ? 0 : 2) + (owners[profile.identifier] == nil ? 0 : 1),
                profile.pitch ?? 0
            )
        }
        return all.sorted { rank($0) < rank($1) }.prefix(Self.mostOffers).map { profile in
            var facts: [String] = []
            if let gender = profile.gender { facts.append(gender == .female ? "woman" : "man") }
            if let pitch = profile.pitch { facts.append("\(Int(pitch.rounded())) Hz") }
            var detail = facts.joined(separator: ", ")
            if profile.identifier == present {
                detail += (detail.isEmpty ? "" : " · ") + "now"
            } else if let owner = owners[profile.identifier] {
                detail += (detail.isEmpty ? "" : " · ") + "has \(owner)"
            }
            return VoiceOffer(identifier: profile.identifier, detail: detail)
        }
    }

    /// Speaks a text with another voice and the role's other settings.
    package func audition(
        _ voice: String, _ text: String, _ speaker: StoryScript.Speaker,
        in reading: StoryReading
    ) async throws {
        var config = reading.voices.config(of: speaker)
        config.voiceIdentifier = voice
        try await dependencies.speak(
            Utterance(text: text, voice: VoiceChoice(config), pause: 0))
    }
}
