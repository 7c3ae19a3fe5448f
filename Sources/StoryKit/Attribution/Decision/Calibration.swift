/// Turns a probability of the model into a confidence: how often answers with that
/// probability were right on labelled chapters.
struct Calibration {
    let confidence: Double
    let tier: Attribution.Tier

    /// - Parameters:
    ///   - isMeasured: whether labelled chapters exist in this language. Otherwise nothing
    ///     is sure.
    ///   - isAnchored: whether the same speaker is named beside an utterance nearby.
    init(
        _ candidate: CandidateEvidence, probability: Double, isMeasured: Bool, isAnchored: Bool
    ) {
        guard candidate.character != nil else {
            confidence = 0
            tier = .guess
            return
        }
        let features = Set(candidate.features)
        let isNamed = !features.isDisjoint(with: [.nameTag, .narratorTag, .nameDistant])
        let isMeant = !features.isDisjoint(with: [.pronounFirst, .pronounSecond])
        confidence = Self.worth(probability)
        // "The man" may be missing from the cast, and errors in turns come in runs.
        let isDescribed = !features.isDisjoint(with: [.roleTag, .roleFits, .roleUnfit])
        let needed = isNamed ? 0.94 : isDescribed ? 0.992 : isMeant ? 0.975 : 0.985
        // "He" without a name nearby may be missing from the cast.
        if isMeasured, isNamed || isAnchored, probability > needed {
            tier = .sure
        } else {
            tier = probability > 0.77 ? .likely : .guess
        }
    }

    /// Whether a clause beside the utterance names this candidate.
    static func isNamed(_ candidate: CandidateEvidence) -> Bool {
        let named: Set<SpeakerFeature> = [
            .nameTag, .nameDistant, .narratorTag, .beatBefore, .beatAfter,
        ]
        return !named.isDisjoint(with: candidate.features)
    }

    /// Corrects probabilities between 0.6 and 0.9, which are too high.
    private static func worth(_ probability: Double) -> Double {
        let points: [(Double, Double)] = [
            (0, 0.2), (0.3, 0.42), (0.5, 0.53), (0.7, 0.58), (0.8, 0.7), (0.9, 0.83), (0.95, 0.94),
            (0.99, 0.97), (1, 0.985),
        ]
        for (low, high) in zip(points, points.dropFirst()) where probability <= high.0 {
            return low.1 + (high.1 - low.1) * (probability - low.0) / (high.0 - low.0)
        }
        return 0.985
    }
}
