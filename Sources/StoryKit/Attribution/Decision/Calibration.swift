/// How much a listener may rely on a decision: what a probability of the model has been
/// worth, counted on labelled chapters.
struct Calibration {
    let confidence: Double
    let tier: Attribution.Tier

    /// - Parameter isMeasured: whether chapters in this language were counted. Where they
    ///   were not, only a tag is sure.
    init(_ candidate: CandidateEvidence, probability: Double, isMeasured: Bool) {
        guard candidate.character != nil else {
            confidence = 0
            tier = .guess
            return
        }
        let features = Set(candidate.features)
        let isNamed = !features.isDisjoint(with: [.nameTag, .narratorTag, .nameDistant])
        let isMeant = !features.isDisjoint(with: [.pronounFirst, .pronounSecond])
        confidence = Self.worth(probability)
        // Turns go wrong by runs, so that what rests on them alone has to be surer.
        if isNamed || isMeasured, probability > (isNamed ? 0.94 : isMeant ? 0.975 : 0.985) {
            tier = .sure
        } else {
            tier = probability > 0.75 ? .likely : .guess
        }
    }

    /// Between 0.6 and 0.9 the model promises more than it keeps.
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
