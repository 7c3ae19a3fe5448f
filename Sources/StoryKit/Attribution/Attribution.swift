/// Who says a quotation, and how well that is known.
package struct Attribution: Sendable, Equatable {
    /// How much a listener may rely on it.
    package enum Tier: String, Sendable, CaseIterable { case sure, likely, guess }
    package enum Source: String, Sendable { case rule, model, user }

    /// Index into `StoryText.spans`.
    package var span: Int
    /// Index into `Cast.characters`; nil where nobody is known to say it.
    package var speaker: Int?
    /// From 0 to 1: how often an answer with such evidence was right.
    package var confidence: Double
    package var tier: Tier
    /// What in the text tells it, for a person to read.
    package var evidence: String
    package var by: Source

    package init(
        span: Int, speaker: Int?, confidence: Double, tier: Tier, evidence: String,
        by: Source = .rule
    ) {
        self.span = span
        self.speaker = speaker
        self.confidence = confidence
        self.tier = tier
        self.evidence = evidence
        self.by = by
    }
}
