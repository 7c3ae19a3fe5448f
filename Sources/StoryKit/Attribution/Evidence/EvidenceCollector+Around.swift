/// Evidence from around an utterance: who is addressed, who is talked about, and who is
/// near in the narration.
extension EvidenceCollector {
    /// Evidence from whom this utterance and its neighbours address.
    func speech(_ character: Int, _ number: Int) -> [SpeakerFeature] {
        let utterance = utterances[number]
        var features: [SpeakerFeature] = []
        if utterance.addressed.contains(character) { features.append(.addressedHere) }
        if utterance.mentioned.contains(character) { features.append(.mentionedHere) }
        if number > 0, utterance.gap != .scene {
            let before = utterances[number - 1]
            if before.addressed.contains(character) { features.append(.addressedBefore) }
            if before.mentioned.contains(character) { features.append(.mentionedBefore) }
        }
        if number + 1 < utterances.count, utterances[number + 1].gap != .scene {
            let after = utterances[number + 1]
            if after.addressed.contains(character) { features.append(.addressedAfter) }
            if after.mentioned.contains(character) { features.append(.mentionedAfter) }
        }
        if addressDistance(character, from: number) < 7 { features.append(.addressedNearby) }
        return features
    }

    /// Adds evidence for a candidate's nearness in the surrounding narration.
    func around(
        _ presence: Presence, _ utterance: Utterance, _ all: [Presence]
    ) -> [SpeakerFeature] {
        let character = presence.character
        var features: [SpeakerFeature] = []
        if utterance.precedingSubject == character { features.append(.precedingSubject) }
        if presence.last >= utterance.toldBefore.lowerBound, presence.last >= 0,
            character != narrator
        {
            features.append(.toldJustBefore)
            if all.allSatisfy({
                $0.character == character || $0.character == narrator
                    || $0.last < utterance.toldBefore.lowerBound
            }) {
                features.append(.toldAloneBefore)
            }
        }
        if character != narrator {
            switch presence.back {
            case ...4: features.append(.back1)
            case ...12: features.append(.back2)
            case ...28: features.append(.back3)
            case ...99: features.append(.back4)
            default: features.append(.backNever)
            }
            switch presence.ahead {
            case ...4: features.append(.ahead1)
            case ...16: features.append(.ahead2)
            case ...48: features.append(.ahead3)
            default: features.append(.aheadNever)
            }
        }
        features.append([.rank0, .rank1, .rank2, .rank3, .rank4][ranks[character]])
        return features
    }
}
