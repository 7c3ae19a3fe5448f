/// How much a listener may rely on a decision: what a probability of the model has been
/// worth for evidence of its kind, counted on labelled chapters.
struct Calibration {
    let confidence: Double
    let tier: Attribution.Tier

    init(_ utterance: Utterance, _ candidate: CandidateEvidence, probability: Double) {
        let features = Set(candidate.features)
        let isTagged = !features.isDisjoint(with: [.nameTag, .narratorTag, .nameDistant])
        confidence = candidate.character == nil ? 0 : probability
        tier =
            candidate.character == nil
            ? .guess
            : isTagged && probability > 0.9 || probability > 0.985
                ? .sure : probability > 0.6 ? .likely : .guess
    }
}
