/// How often each candidate speaks in nearby utterances, based on a first decision over all
/// of them.
struct SpeakersAround {
    private let candidates: [[CandidateEvidence]]
    private let probabilities: [[Double]]
    private static let reach = 10

    private let utterances: [Utterance]

    init(
        _ utterances: [Utterance], _ candidates: [[CandidateEvidence]],
        _ probabilities: [[Double]]
    ) {
        self.utterances = utterances
        self.candidates = candidates
        self.probabilities = probabilities
    }

    func add(to second: inout [[CandidateEvidence]]) {
        for number in second.indices {
            var spoken: [Int: Double] = [:]
            var asked: [Int: Double] = [:]
            let around =
                max(0, number - Self.reach)...min(second.count - 1, number + Self.reach)
            for other in around where other != number {
                for (place, candidate) in candidates[other].enumerated() {
                    guard let character = candidate.character else { continue }
                    spoken[character, default: 0] += probabilities[other][place]
                    if utterances[other].isQuestion {
                        asked[character, default: 0] += probabilities[other][place]
                    }
                }
            }
            for place in second[number].indices {
                guard let character = second[number][place].character else { continue }
                let feature: SpeakerFeature =
                    switch spoken[character, default: 0] {
                    case ..<0.4: .spokeNever
                    case ..<1.5: .spokeOnce
                    case ..<4: .spokeSometimes
                    default: .spokeOften
                    }
                second[number][place].features.append(feature)
                let share = asked[character, default: 0] / max(1, spoken[character, default: 0])
                if spoken[character, default: 0] > 2, share > 0.65 || share < 0.25 {
                    let isAlike = (share > 0.65) == utterances[number].isQuestion
                    second[number][place].features.append(isAlike ? .asksAlike : .asksUnlike)
                }
            }
        }
    }
}
