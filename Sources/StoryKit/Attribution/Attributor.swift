/// Finds the speaker of every quotation of a story.
package struct Attributor: Sendable {
    let cast: Cast
    var weights = SpeakerWeights.measured

    package init(cast: Cast) { self.cast = cast }

    /// One attribution for each quotation of the text, in order.
    ///
    /// - Parameter decided: the user's decisions, by span index: a member of the cast, or
    ///   nil for none of it. A decision applies to the whole utterance of the span, and is
    ///   evidence for its neighbours.
    /// - Parameter withCandidates: attributions that are not sure include the alternatives.
    package func attribute(
        _ text: StoryText, decided: [Int: Int?] = [:], withCandidates: Bool = false
    ) -> [Attribution] {
        if text.style == .script {
            return ScriptAttributor(text: text, cast: cast).attribute().map {
                Self.attribution($0, decided[$0.span])
            }
        }
        let analysis = analysis(of: text, CastIndex(cast, text), decided)
        let probabilities = TurnModel(weights: weights).probabilities(
            analysis.candidates, analysis.turns, decided: analysis.decided)
        let evidence = EvidenceText(text: text, cast: cast)
        let tags: Set<SpeakerFeature> = [.nameTag, .narratorTag]
        let best = probabilities.map { own in
            // For equal probabilities the order of the cast decides, not chance.
            own.indices.reduce(0) { own[$1] > own[$0] ? $1 : $0 }
        }
        let named = best.indices.map { number -> Int? in
            let candidate = analysis.candidates[number][best[number]]
            return Calibration.isNamed(candidate) ? candidate.character : nil
        }
        var found: [Attribution] = []
        var before: [Int?] = []
        for (number, utterance) in analysis.utterances.enumerated() {
            let candidates = analysis.candidates[number]
            let own = probabilities[number]
            let best = best[number]
            let around = named[
                max(0, number - Self.near)..<min(named.count, number + Self.near + 1)]
            let calibration = Calibration(
                candidates[best], probability: own[best], isMeasured: text.isEnglish,
                isAnchored: around.contains(candidates[best].character))
            let described = evidence.describe(utterance, candidates[best], before: before)
            let decision = utterance.spans.lazy.compactMap { decided[$0] }.first
            var others: [Attribution.Candidate] = []
            if withCandidates, decision == nil, calibration.tier != .sure {
                let order = own.indices.sorted { (own[$1], $0) < (own[$0], $1) }
                others = order.compactMap { place in
                    candidates[place].character.map {
                        Attribution.Candidate(
                            speaker: $0, probability: own[place],
                            evidence: evidence.describe(
                                utterance, candidates[place], before: before))
                    }
                }
                others = Array(others.prefix(Self.shown))
            }
            for span in utterance.spans {
                var attribution = Attribution(
                    span: span, speaker: candidates[best].character,
                    confidence: calibration.confidence, tier: calibration.tier,
                    evidence: described,
                    isTagged: !tags.isDisjoint(with: candidates[best].features))
                attribution.candidates = others
                if let decision {
                    // The continuation after a tag is the same speech.
                    (attribution.speaker, attribution.tier) = (decision, .sure)
                    (attribution.confidence, attribution.evidence) = (
                        1, "follows from your decision"
                    )
                }
                found.append(Self.attribution(attribution, decided[span]))
            }
            before = [candidates[best].character] + before.prefix(1)
        }
        return found
    }

    /// Distance in utterances within which a name still shows who "he" is.
    private static let near = 12
    private static let rounds = 3
    /// Maximum number of alternatives.
    private static let shown = 5

    /// The attribution with the user's decision, unchanged without one.
    private static func attribution(_ found: Attribution, _ decision: Int??) -> Attribution {
        guard let speaker = decision else { return found }
        return Attribution(
            span: found.span, speaker: speaker, confidence: 1, tier: .sure,
            evidence: "your decision", by: .user)
    }

    struct Analysis {
        var utterances: [Utterance]
        var candidates: [[CandidateEvidence]]
        var turns: [[[SpeakerFeature]]]
        /// Index of the decided candidate, for each utterance that has one.
        var decided: [Int: Int]
    }

    /// Works in rounds: who "she" and "his wife" are, and who speaks nearby, is evidence
    /// for the next round.
    func analysis(
        of text: StoryText, _ index: CastIndex, _ decided: [Int: Int?] = [:]
    ) -> Analysis {
        let utterances = UtteranceFinder(text, index).utterances()
        let narrator = NarratorChoice(
            cast: cast, text: text, index: index, utterances: utterances
        ).narrator()
        let turns = utterances.indices.map { number in
            SpeakerFeature.turns(
                utterances[number], after: number > 0 ? utterances[number - 1] : nil)
        }
        func candidates(_ meant: [EvidenceCollector.Meant]) -> [[CandidateEvidence]] {
            EvidenceCollector(text, index, utterances, narrator: narrator, meant: meant)
                .candidates()
        }
        var found = candidates([])
        var places = Self.places(of: decided, utterances, &found)
        for _ in 1..<Self.rounds {
            let probabilities = TurnModel(weights: weights).probabilities(
                found, turns, decided: places)
            var next = candidates(Self.meant(utterances, found, probabilities))
            SpeakersAround(text, utterances, candidates: found, probabilities: probabilities)
                .add(to: &next)
            places = Self.places(of: decided, utterances, &next)
            found = next
        }
        return Analysis(
            utterances: utterances, candidates: found, turns: turns, decided: places)
    }

    /// Indexes of the decided speakers among the candidates; speakers without other
    /// evidence are added.
    private static func places(
        of decided: [Int: Int?], _ utterances: [Utterance],
        _ candidates: inout [[CandidateEvidence]]
    ) -> [Int: Int] {
        guard !decided.isEmpty else { return [:] }
        var places: [Int: Int] = [:]
        for (number, utterance) in utterances.enumerated() {
            guard let speaker = utterance.spans.lazy.compactMap({ decided[$0] }).first else {
                continue
            }
            if let place = candidates[number].firstIndex(where: { $0.character == speaker }) {
                places[number] = place
            } else {
                places[number] = candidates[number].count
                candidates[number].append(CandidateEvidence(character: speaker, features: []))
            }
        }
        return places
    }

    /// The speakers that tags refer to without a name, if fairly certain.
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
