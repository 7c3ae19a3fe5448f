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
            let calibration = Calibration(
                candidates[best], probability: own[best], isMeasured: text.language == "en")
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

    /// Twice over: what the first decision makes of "she" and "his wife", and who speaks
    /// around, is evidence for the second.
    func analysis(of text: StoryText, _ index: CastIndex) -> Analysis {
        let utterances = UtteranceFinder(text, index).utterances()
        let narrator = cast.narrator ?? NarratorFinder.narrator(of: cast, in: text)
        let turns = utterances.indices.map { number in
            SpeakerFeature.turns(
                utterances[number], after: number > 0 ? utterances[number - 1] : nil
            ).map { $0.filter { sieves.contains($0.sieve) } }
        }
        func candidates(_ meant: [EvidenceCollector.Meant]) -> [[CandidateEvidence]] {
            var candidates = EvidenceCollector(
                text, index, utterances, narrator: narrator, meant: meant
            ).candidates()
            if sieves == .all { return candidates }
            for number in candidates.indices {
                for place in candidates[number].indices {
                    candidates[number][place].features.removeAll { !sieves.contains($0.sieve) }
                }
            }
            return candidates
        }
        let first = candidates([])
        let probabilities = TurnModel(weights: weights).probabilities(first, turns)
        var second = candidates(Self.meant(utterances, first, probabilities))
        if sieves.contains(.presence) {
            let spoken = EvidenceCollector.Spoken(first, probabilities)
            spoken.add(to: &second)
        }
        return Analysis(utterances: utterances, candidates: second, turns: turns)
    }

    /// The speakers that tags mean without naming them, where they are fairly certain.
    private static func meant(
        _ utterances: [Utterance], _ candidates: [[CandidateEvidence]], _ probabilities: [[Double]]
    ) -> [EvidenceCollector.Meant] {
        utterances.indices.flatMap { number -> [EvidenceCollector.Meant] in
            let own = probabilities[number]
            let best = own.indices.reduce(0) { own[$1] > own[$0] ? $1 : $0 }
            guard own[best] > 0.6, let character = candidates[number][best].character else {
                return []
            }
            return utterances[number].beside.compactMap { beside in
                guard beside.clause.manner >= .distant else { return nil }
                switch beside.clause.subject {
                case .other, .pronoun:
                    return EvidenceCollector.Meant(
                        character: character, token: beside.clause.position, utterance: number)
                case .character, .narrator, .several: return nil
                }
            }
        }
    }
}
