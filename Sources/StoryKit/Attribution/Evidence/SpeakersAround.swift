import Glibc

/// The number of nearby utterances of each candidate, and whether this one is worded like the
/// others of the candidate, based on a first decision over all of them.
struct SpeakersAround {
    private let utterances: [Utterance]
    private let candidates: [[CandidateEvidence]]
    private let probabilities: [[Double]]
    /// The distinct words of each utterance, without names.
    private let words: [[Int]]
    /// The number of utterances with each word.
    private let counts: [Double]
    /// The number of utterances of each candidate who speaks enough, and of those with each word.
    private var own: [Int: (all: Double, counts: [Double])] = [:]

    private static let reach = 10
    /// Added to both counts of a word, so that a rare one says little.
    private static let prior = 2.0

    init(
        _ text: StoryText, _ utterances: [Utterance], candidates: [[CandidateEvidence]],
        probabilities: [[Double]]
    ) {
        self.utterances = utterances
        self.candidates = candidates
        self.probabilities = probabilities
        words = utterances.map { utterance in
            let tokens = utterance.spans.flatMap { text.tokens[text.spanTokens[$0]] }
            return Set(
                tokens.lazy.filter {
                    $0.isWord && (!$0.isCapitalized || $0.flags.contains(.startsSentence))
                }.map { Int($0.word) }
            ).sorted()
        }
        var counts = [Double](repeating: 0, count: text.vocabulary.count)
        for word in words.joined() { counts[word] += 1 }
        self.counts = counts
        var spoken: [Int: Double] = [:]
        for number in utterances.indices {
            for (character, worth) in decided(number) { spoken[character, default: 0] += worth }
        }
        let none = [Double](repeating: 0, count: counts.count)
        for (character, all) in spoken where all > 3 { own[character] = (all, none) }
        for number in utterances.indices {
            for (character, worth) in decided(number) where own[character] != nil {
                for word in words[number] { own[character]?.counts[word] += worth }
            }
        }
    }

    /// The candidate who rather says an utterance than all others, and how much more likely.
    private func decided(_ number: Int) -> [(character: Int, worth: Double)] {
        zip(candidates[number], probabilities[number]).compactMap { candidate, probability in
            guard probability > 0.5, let character = candidate.character else { return nil }
            return (character, 2 * probability - 1)
        }
    }

    /// The logarithm of how much likelier the words of an utterance are if it is the
    /// candidate's; 0 if not enough is known. The utterance itself does not count.
    private func likeness(_ number: Int, to character: Int) -> Double {
        guard let own = own[character] else { return 0 }
        let worth = decided(number).first { $0.character == character }?.worth ?? 0
        let share = (own.all - worth) / Double(max(1, utterances.count - 1))
        return words[number].lazy.filter { counts[$0] > 1 }.reduce(0) { sum, word in
            sum
                + log(
                    (own.counts[word] - worth + Self.prior)
                        / ((counts[word] - 1) * share + Self.prior))
        }
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
                switch likeness(number, to: character) {
                case ..<(-1.2): second[number][place].features.append(.wordsUnlike)
                case 1.2...: second[number][place].features.append(.wordsClose)
                case 0.4...: second[number][place].features.append(.wordsAlike)
                default: break
                }
                let share = asked[character, default: 0] / max(1, spoken[character, default: 0])
                if spoken[character, default: 0] > 2, share > 0.65 || share < 0.25 {
                    let isAlike = (share > 0.65) == utterances[number].isQuestion
                    second[number][place].features.append(isAlike ? .asksAlike : .asksUnlike)
                }
            }
        }
    }
}
