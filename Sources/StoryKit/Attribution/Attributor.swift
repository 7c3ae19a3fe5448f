/// Says for every quotation of a story who speaks it.
package struct Attributor: Sendable {
    private let cast: Cast
    private let sieves: Sieves
    private let weights: SpeakerWeights

    package init(cast: Cast, sieves: Sieves = .all) {
        self.init(cast: cast, sieves: sieves, weights: .measured)
    }

    init(cast: Cast, sieves: Sieves, weights: SpeakerWeights) {
        self.cast = cast
        self.sieves = sieves
        self.weights = weights
    }

    /// One for each quotation of the text, in order.
    package func attribute(_ text: StoryText) -> [Attribution] {
        let index = CastIndex(cast, text)
        let analysis = analysis(of: text, index)
        let probabilities = TurnModel(weights: weights).probabilities(
            analysis.candidates, analysis.utterances.map(\.gap))
        var found: [Attribution] = []
        for (number, utterance) in analysis.utterances.enumerated() {
            let best = probabilities[number].indices.max {
                (probabilities[number][$0], $1) < (probabilities[number][$1], $0)
            }
            guard let best else { continue }
            let probability = probabilities[number][best]
            for span in utterance.spans {
                found.append(
                    Attribution(
                        span: span, speaker: analysis.candidates[number][best].character,
                        confidence: probability,
                        tier: probability > 0.95 ? .sure : probability > 0.6 ? .likely : .guess,
                        evidence: analysis.candidates[number][best].features.map { "\($0)" }
                            .joined(separator: " ")))
            }
        }
        return found
    }

    /// Who says "I": as the cast has it, or the member that has "I" for an alias.
    private var narrator: Int? {
        cast.narrator
            ?? cast.characters.firstIndex { ([$0.name] + $0.aliases).contains("I") }
    }

    struct Analysis {
        var utterances: [Utterance]
        var candidates: [[CandidateEvidence]]
    }

    func analysis(of text: StoryText, _ index: CastIndex) -> Analysis {
        let utterances = UtteranceFinder(text, index).utterances()
        var candidates = EvidenceCollector(text, index, utterances, narrator: narrator)
            .candidates()
        if sieves != .all {
            for number in candidates.indices {
                for place in candidates[number].indices {
                    candidates[number][place].features.removeAll { !sieves.contains($0.sieve) }
                }
            }
        }
        return Analysis(utterances: utterances, candidates: candidates)
    }
}
