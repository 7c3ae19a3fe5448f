import Glibc

/// How much an utterance is worded like what a candidate says where their name stands
/// beside the words: some say "sir", some "my dear", some drop their aitches.
///
/// Each word is weighed by how much more often this speaker uses it than all speakers
/// together. What is known of a speaker leaves the utterance itself out.
struct SpeakingStyle {
    private let words: [[Int32]]
    private let speakers: [Int?]
    /// How often a speaker says a word.
    private var counts: [UInt64: Int32] = [:]
    private var totals: [Int: Int] = [:]
    private var common: [Int32]
    private var spoken = 0

    /// A speaker of whom fewer words are known has no style yet.
    private static let needed = 250
    /// Words of all speakers that are added to those of one.
    private static let smoothing = 300.0

    init(
        _ text: StoryText, _ utterances: [Utterance], _ candidates: [[CandidateEvidence]],
        _ probabilities: [[Double]]
    ) {
        common = [Int32](repeating: 0, count: text.vocabulary.count)
        words = utterances.map { utterance in
            utterance.spans.flatMap { span in
                text.spanTokens[span].lazy.filter { text.tokens[$0].isWord }
                    .map { text.tokens[$0].word }
            }
        }
        speakers = utterances.indices.map { number in
            let own = probabilities[number]
            guard let best = own.indices.max(by: { own[$0] < own[$1] }), own[best] > 0.9 else {
                return nil
            }
            return candidates[number][best].character
        }
        for (number, spokenWords) in words.enumerated() {
            spoken += spokenWords.count
            for word in spokenWords { common[Int(word)] += 1 }
            guard let speaker = speakers[number] else { continue }
            totals[speaker, default: 0] += spokenWords.count
            for word in spokenWords { counts[Self.key(speaker, word), default: 0] += 1 }
        }
    }

    func add(to candidates: inout [[CandidateEvidence]]) {
        for number in candidates.indices {
            for place in candidates[number].indices {
                guard let character = candidates[number][place].character,
                    let likeness = likeness(number, character)
                else { continue }
                if likeness > 1 {
                    candidates[number][place].features.append(
                        likeness > 3 ? .styleClose : .styleNear)
                }
            }
        }
    }

    /// The logarithm of how much likelier a speaker is to say these words than anyone.
    private func likeness(_ number: Int, _ speaker: Int) -> Double? {
        let isOwn = speakers[number] == speaker
        let known = totals[speaker, default: 0] - (isOwn ? words[number].count : 0)
        guard known >= Self.needed else { return nil }
        var own: [Int32: Int32] = [:]
        if isOwn { for word in words[number] { own[word, default: 0] += 1 } }
        var sum = 0.0
        for word in words[number] {
            let share = Double(common[Int(word)]) / Double(spoken)
            let count = counts[Self.key(speaker, word), default: 0] - own[word, default: 0]
            let theirs =
                (Double(count) + Self.smoothing * share) / (Double(known) + Self.smoothing)
            sum += min(1.5, max(-1.5, log(theirs / share)))
        }
        return sum
    }

    private static func key(_ speaker: Int, _ word: Int32) -> UInt64 {
        UInt64(speaker) << 32 | UInt64(UInt32(bitPattern: word))
    }
}
