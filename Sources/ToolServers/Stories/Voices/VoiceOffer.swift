import Sound
import StoryKit

/// A voice that a character of a story could have.
package struct VoiceOffer: Sendable, Equatable {
    package var identifier: String
    /// "woman, 212 Hz · Alice's", for people; foreign.
    package var detail: String
}

extension StoryVoiceBook {
    /// So many are tried before one gives up.
    private static let mostOffers = 24

    /// The voices for a part, the present one first, then those of the same kind that
    /// no one has yet, by pitch.
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

    /// Reads a text as that part would be read with another voice.
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
