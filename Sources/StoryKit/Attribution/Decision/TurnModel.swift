import Glibc

/// Decides the speakers of all utterances of a text together, from how well each candidate
/// fits an utterance and how turns are taken.
///
/// A chain of second order: the weight of a speaker depends on the two before ("A, B,
/// A"), so that a certain speaker is evidence for the utterances before and after. The
/// forward-backward algorithm gives the probability of each candidate.
struct TurnModel {
    let weights: SpeakerWeights

    /// The probabilities of each utterance's candidates.
    ///
    /// - Parameter decided: index of the only possible candidate of an utterance, by
    ///   utterance.
    func probabilities(
        _ candidates: [[CandidateEvidence]], _ turns: [[[SpeakerFeature]]],
        decided: [Int: Int] = [:]
    ) -> [[Double]] {
        Chain(candidates, turns, weights, allowed: decided).marginals
    }

    struct Chain {
        /// Probabilities of each candidate, and of each kind of turn (same, return, new).
        private(set) var marginals: [[Double]]
        private(set) var turns: [[Double]]
        private(set) var logLikelihood = 0.0

        init(
            _ candidates: [[CandidateEvidence]], _ kinds: [[[SpeakerFeature]]],
            _ weights: SpeakerWeights,
            allowed: [Int: Int] = [:]
        ) {
            let count = candidates.count
            marginals = candidates.map { [Double](repeating: 0, count: $0.count) }
            turns = Array(repeating: [0, 0, 0], count: count)
            guard count > 0 else { return }
            func sum(_ features: [SpeakerFeature]) -> Double {
                var total = 0
                for feature in features { total += weights[feature] }
                return Double(total) / 100
            }
            let own = candidates.enumerated().map { number, list in
                let sums = list.map { sum($0.features) }
                let highest = sums.max() ?? 0
                return list.indices.map { place -> Double in
                    if let only = allowed[number], only != place { return 0 }
                    return exp(sums[place] - highest)
                }
            }
            let turn = kinds.map { $0.map { exp(sum($0)) } }
            /// 0: the previous speaker, 1: the one before that, 2: anyone else.
            func relation(_ a: Int??, _ b: Int?, _ c: Int?) -> Int {
                if b == c { return 0 }
                if let a, a == c { return 1 }
                return 2
            }
            // forward[t][b * width + c]: b speaks t - 1, c speaks t.
            var forward: [[Double]] = [own[0]]
            for number in 1..<max(count, 1) {
                let list = candidates[number]
                let before = candidates[number - 1]
                let earlier = number > 1 ? candidates[number - 2] : []
                let last = forward[number - 1]
                var table = [Double](repeating: 0, count: before.count * list.count)
                for (b, previous) in before.enumerated() {
                    for (c, current) in list.enumerated() where own[number][c] > 0 {
                        var total = 0.0
                        if earlier.isEmpty {
                            total =
                                last[b]
                                * turn[number][relation(nil, previous.character, current.character)]
                        } else {
                            for (a, first) in earlier.enumerated() {
                                let weight = last[a * before.count + b]
                                if weight == 0 { continue }
                                total +=
                                    weight
                                    * turn[number][
                                        relation(
                                            first.character, previous.character, current.character)]
                            }
                        }
                        table[b * list.count + c] = total * own[number][c]
                    }
                }
                let scale = table.reduce(0, +)
                if scale > 0 {
                    logLikelihood += log(scale)
                    for place in table.indices { table[place] /= scale }
                }
                forward.append(table)
            }
            // backward[b * width + c] belongs to the pair of t - 1 and t.
            var backward = [Double](repeating: 1, count: forward[count - 1].count)
            for number in stride(from: count - 1, through: 0, by: -1) {
                let list = candidates[number]
                let table = forward[number]
                var total = 0.0
                for place in table.indices {
                    let value = table[place] * backward[place]
                    marginals[number][place % list.count] += value
                    total += value
                }
                if total > 0 {
                    for place in marginals[number].indices { marginals[number][place] /= total }
                }
                guard number > 0 else { break }
                let before = candidates[number - 1]
                let earlier = number > 1 ? candidates[number - 2] : []
                let last = forward[number - 1]
                var next = [Double](repeating: 0, count: last.count)
                var turnTotal = 0.0
                let firsts: [Int??] = earlier.isEmpty ? [nil] : earlier.map { .some($0.character) }
                for (a, first) in firsts.enumerated() {
                    for (b, previous) in before.enumerated() {
                        let pair = a * before.count + b
                        var sum = 0.0
                        for (c, current) in list.enumerated() {
                            let kind = relation(first, previous.character, current.character)
                            let value =
                                turn[number][kind] * own[number][c]
                                * backward[b * list.count + c]
                            sum += value
                            let joint = value * last[pair]
                            turns[number][kind] += joint
                            turnTotal += joint
                        }
                        next[pair] = sum
                    }
                }
                if turnTotal > 0 {
                    for kind in 0..<3 { turns[number][kind] /= turnTotal }
                }
                let scale = next.reduce(0, +)
                backward = scale > 0 ? next.map { $0 / scale } : next
            }
        }
    }
}
