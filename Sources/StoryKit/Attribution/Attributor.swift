/// Says for every quotation of a story who speaks it.
package struct Attributor: Sendable {
    let cast: Cast
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
        if text.style == .script {
            guard sieves.contains(.script) else { return [] }
            return ScriptAttributor(text: text, cast: cast).attribute()
        }
        let analysis = analysis(of: text, CastIndex(cast, text))
        let probabilities = TurnModel(weights: weights).probabilities(
            analysis.candidates, analysis.turns)
        let evidence = EvidenceText(text: text, cast: cast)
        var found: [Attribution] = []
        var before: [Int?] = []
        for (number, utterance) in analysis.utterances.enumerated() {
            let candidates = analysis.candidates[number]
            let own = probabilities[number]
            // The first of equals, so that the order of the cast decides and not chance.
            let best = own.indices.reduce(0) { own[$1] > own[$0] ? $1 : $0 }
            let calibration = Calibration(utterance, candidates[best], probability: own[best])
            let described = evidence.describe(utterance, candidates[best], before: before)
            for span in utterance.spans {
                found.append(
                    Attribution(
                        span: span, speaker: candidates[best].character,
                        confidence: calibration.confidence, tier: calibration.tier,
                        evidence: described))
            }
            before = [candidates[best].character] + before.prefix(1)
        }
        return found
    }

    struct Analysis {
        var utterances: [Utterance]
        var candidates: [[CandidateEvidence]]
        var turns: [[[SpeakerFeature]]]
    }

    func analysis(of text: StoryText, _ index: CastIndex) -> Analysis {
        let utterances = UtteranceFinder(text, index).utterances()
        var candidates = EvidenceCollector(
            text, index, utterances,
            narrator: NarratorChoice(cast: cast, text: text, index: index).narrator
        )
        .candidates()
        var turns = utterances.indices.map {
            SpeakerFeature.turns(utterances[$0], after: $0 > 0 ? utterances[$0 - 1] : nil)
        }
        if sieves != .all {
            for number in utterances.indices {
                turns[number] = turns[number].map { $0.filter { sieves.contains($0.sieve) } }
                for place in candidates[number].indices {
                    candidates[number][place].features.removeAll { !sieves.contains($0.sieve) }
                }
            }
        }
        if sieves.contains(.presence) {
            let first = TurnModel(weights: weights).probabilities(candidates, turns)
            EvidenceCollector.addSpoken(first, to: &candidates, utterances)
        }
        return Analysis(utterances: utterances, candidates: candidates, turns: turns)
    }
}
