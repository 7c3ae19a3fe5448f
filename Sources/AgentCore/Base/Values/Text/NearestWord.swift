/// Finds the word meant by a typo. Pure; used for commands, options, configuration names
/// and models.
package enum NearestWord {
    /// The nearest of `candidates`, or nil if none is near: at most a third of the letters
    /// may differ, and at least one edit is always allowed.
    package static func find(_ word: String, among candidates: [String]) -> String? {
        rank(word, among: candidates, limit: 1).first
    }

    /// The near candidates, nearest first; a candidate that starts with the
    /// word counts as near.
    package static func rank(_ word: String, among candidates: [String], limit: Int) -> [String] {
        let letters = Array(word.lowercased())
        guard !letters.isEmpty else { return [] }
        var ranked: [(distance: Int, candidate: String)] = []
        for candidate in candidates {
            let other = Array(candidate.lowercased())
            let longest = max(letters.count, other.count)
            let allowed = max(1, longest / 3)
            if letters.count >= 2, other.starts(with: letters) {
                ranked.append((0, candidate))
            } else if abs(letters.count - other.count) <= allowed {
                let distance = EditDistance.between(letters, other)
                if distance <= allowed { ranked.append((distance, candidate)) }
            }
        }
        // `sort` is stable in practice but not by contract: the order of the
        // candidates breaks ties.
        let ordered = ranked.enumerated().sorted {
            ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
        }
        return ordered.prefix(limit).map(\.element.candidate)
    }
}

/// The number of typos between two words: letters added, omitted, changed, or swapped with their
/// neighbour (optimal string alignment). The caller decides how many are too many.
package enum EditDistance {
    package static func between<Letter: Equatable>(_ left: [Letter], _ right: [Letter]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var twoBefore: [Int] = []
        var before = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            current.reserveCapacity(right.count + 1)
            for column in 1...right.count {
                // Every row has `right.count + 1` entries, and `row`, `column`
                // start at 1.
                let change = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(
                    before[column] + 1, current[column - 1] + 1, before[column - 1] + change)
                if row > 1, column > 1, left[row - 1] == right[column - 2],
                    left[row - 2] == right[column - 1]
                {
                    best = min(best, twoBefore[column - 2] + 1)
                }
                current.append(best)
            }
            twoBefore = before
            before = current
        }
        return before[right.count]
    }
}
