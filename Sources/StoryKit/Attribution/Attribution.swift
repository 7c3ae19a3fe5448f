/// The speaker of a quotation, with confidence and evidence.
package struct Attribution: Sendable, Equatable {
    /// The reliability of an attribution.
    package enum Tier: String, Sendable, CaseIterable { case sure, likely, guess }
    package enum Source: String, Sendable { case rule, model, user }

    /// An alternative speaker.
    package struct Candidate: Sendable, Equatable {
        /// Index into `Cast.characters`.
        package var speaker: Int
        /// The probability from 0 to 1; all candidates add up to 1.
        package var probability: Double
        package var evidence: String
    }

    /// Index into `StoryText.spans`.
    package var span: Int
    /// Index into `Cast.characters`; nil if the speaker is unknown or not in the cast.
    package var speaker: Int?
    /// The share of right answers with such evidence, from 0 to 1.
    package var confidence: Double
    package var tier: Tier
    /// The evidence in the text, in a few words to show.
    package var evidence: String
    package var by: Source
    /// Whether the text names the speaker beside the quotation: "said Alice", or "said I".
    package var isTagged: Bool
    /// Most likely first, including the chosen one; empty unless requested.
    package var candidates: [Candidate] = []

    package init(
        span: Int, speaker: Int?, confidence: Double, tier: Tier, evidence: String,
        by: Source = .rule, isTagged: Bool = false
    ) {
        self.span = span
        self.speaker = speaker
        self.confidence = confidence
        self.tier = tier
        self.evidence = evidence
        self.by = by
        self.isTagged = isTagged
    }
}
