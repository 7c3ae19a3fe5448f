/// Who says a quotation, and how well that is known.
package struct Attribution: Sendable, Equatable {
    /// How much a listener may rely on it.
    package enum Tier: String, Sendable, CaseIterable { case sure, likely, guess }
    package enum Source: String, Sendable { case rule, model, user }

    /// Who else may say it.
    package struct Candidate: Sendable, Equatable {
        /// Index into `Cast.characters`.
        package var speaker: Int
        /// From 0 to 1; of all candidates together 1.
        package var probability: Double
        package var evidence: String
    }

    /// Index into `StoryText.spans`.
    package var span: Int
    /// Index into `Cast.characters`; nil if the speaker is unknown or not in the cast.
    package var speaker: Int?
    /// From 0 to 1: how often an answer with such evidence was right.
    package var confidence: Double
    package var tier: Tier
    /// The evidence in the text, in a few words to show.
    package var evidence: String
    package var by: Source
    /// The text itself names the speaker beside the words: "said Alice", or "said I".
    package var isTagged: Bool
    /// The likeliest first, with the one that was chosen; empty unless asked for.
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
