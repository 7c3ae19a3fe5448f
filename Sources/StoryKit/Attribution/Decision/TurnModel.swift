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
    /// - Parameters:
    ///   - turns: evidence for each kind of turn: the previous speaker, the one before that,
    ///     anyone else.
    ///   - decided: index of the only possible candidate of an utterance, by utterance.
    func probabilities(
        _ candidates: [[CandidateEvidence]], _ turns: [[[SpeakerFeature]]],
        decided: [Int: Int] = [:]
    ) -> [[Double]] {
        let names = candidates.map { $0.map(\.character) }
        let turn = turns.map { $0.map { exp(sum($0)) } }
        let own = candidates.enumerated().map { number, list in
            let sums = list.map { sum($0.features) }
            let highest = sums.max() ?? 0
            return sums.indices.map { place -> Double in
                if let only = decided[number], only != place { return 0 }
                return exp(sums[place] - highest)
            }
        }
        func kind(_ a: Int??, _ b: Int?, _ c: Int?) -> Int { b == c ? 0 : a == .some(c) ? 1 : 2 }
        /// Calls `body` for each three speakers in a row: the places of the first two and of
        /// the last two in their tables, and the weight.
        func each(_ number: Int, _ body: (Int, Int, Double) -> Void) {
            let (before, now) = (names[number - 1], names[number])
            let first: [Int??] = number > 1 ? names[number - 2].map(Optional.some) : [nil]
            for a in first.indices {
                for b in before.indices {
                    for c in now.indices where own[number][c] > 0 {
                        let weight = turn[number][kind(first[a], before[b], now[c])]
                        body(
                            a * before.count + b, b * now.count + c, weight * own[number][c])
                    }
                }
            }
        }
        // For each utterance, a table of the speakers of the one before and of itself.
        var forward = Array(own.prefix(1))
        for number in names.indices.dropFirst() {
            var table = [Double](repeating: 0, count: names[number - 1].count * names[number].count)
            each(number) { table[$1] += forward[number - 1][$0] * $2 }
            forward.append(Self.normalized(table))
        }
        var found = names.map { [Double](repeating: 0, count: $0.count) }
        var backward = [Double](repeating: 1, count: forward.last?.count ?? 0)
        for number in names.indices.reversed() {
            for place in backward.indices {
                found[number][place % names[number].count] +=
                    forward[number][place] * backward[place]
            }
            found[number] = Self.normalized(found[number])
            guard number > 0 else { break }
            var table = [Double](repeating: 0, count: forward[number - 1].count)
            each(number) { table[$0] += backward[$1] * $2 }
            backward = Self.normalized(table)
        }
        return found
    }

    private func sum(_ features: [SpeakerFeature]) -> Double {
        Double(features.reduce(0) { $0 + weights[$1] }) / 100
    }

    private static func normalized(_ values: [Double]) -> [Double] {
        let sum = values.reduce(0, +)
        return sum > 0 ? values.map { $0 / sum } : values
    }
}
