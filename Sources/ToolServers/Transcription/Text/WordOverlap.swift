import Base

/// Finds the words that end one text and begin the next, because both contain
/// the same sound. Pure.
///
/// An alignment (Smith–Waterman) with a cost for its ends: words skipped at the
/// end of the left or the beginning of the right are in only one of them, which
/// happens when a cut went through a word.
struct WordOverlap {
    struct Word {
        var key: String
        /// The time of its middle in seconds, if known.
        var time: Double?
    }

    struct Pair: Equatable {
        var left: Int
        var right: Int
        /// Whether they are identical, not only similar.
        var isEqual: Bool
    }

    /// Maximum difference in time between equal words; nil without times.
    var tolerance: Double?

    private static let skipped = 0.6
    private static let differing = 1.5
    private static let missing = 1.0

    /// - Returns: the words in both texts, in order; empty if the texts do not
    ///   overlap.
    func pairs(_ left: [Word], _ right: [Word]) -> [Pair] {
        if left.isEmpty || right.isEmpty { return [] }
        let width = right.count + 1
        // Row and column 0 stand for "nothing aligned yet".
        var scores = [Double](repeating: -.infinity, count: (left.count + 1) * width)
        var steps = [Step](repeating: .start, count: scores.count)
        var best = (score: 0.0, cell: -1)
        for row in 1...left.count {
            for column in 1...right.count {
                let cell = row * width + column
                let value = likeness(left, row - 1, right, column - 1)
                if value > 0 {
                    scores[cell] = value - Self.skipped * Double(column - 1)
                    steps[cell] = .start
                }
                let diagonal = scores[cell - width - 1] + (value > 0 ? value : -Self.differing)
                if diagonal >= scores[cell] { (scores[cell], steps[cell]) = (diagonal, .both) }
                let up = scores[cell - width] - Self.missing
                if up > scores[cell] { (scores[cell], steps[cell]) = (up, .left) }
                let side = scores[cell - 1] - Self.missing
                if side > scores[cell] { (scores[cell], steps[cell]) = (side, .right) }
                let total = scores[cell] - Self.skipped * Double(left.count - row)
                if value > 0, total > best.score { best = (total, cell) }
            }
        }
        guard best.cell >= 0 else { return [] }
        let pairs = walk(back: best.cell, steps, width, left, right)
        return isCredible(pairs, score: best.score, left, right) ? pairs : []
    }

    private enum Step { case start, both, left, right }

    private func walk(
        back end: Int, _ steps: [Step], _ width: Int, _ left: [Word], _ right: [Word]
    ) -> [Pair] {
        var pairs: [Pair] = []
        var cell = end
        while true {
            let (row, column) = (cell / width, cell % width)
            let step = steps[cell]
            if step == .start || step == .both,
                likeness(left, row - 1, right, column - 1) > 0
            {
                pairs.append(
                    Pair(
                        left: row - 1, right: column - 1,
                        isEqual: left[row - 1].key == right[column - 1].key))
            }
            switch step {
            case .start: return pairs.reversed()
            case .both: cell -= width + 1
            case .left: cell -= width
            case .right: cell -= 1
            }
        }
    }

    /// 2 for the same word, less for one changed by a cut or misheard, 0 for another.
    private func likeness(_ left: [Word], _ row: Int, _ right: [Word], _ column: Int) -> Double {
        let (one, other) = (left[row], right[column])
        var distance = 0.0
        if let tolerance, let time = one.time, let otherTime = other.time {
            distance = abs(time - otherTime)
            if distance > tolerance { return 0 }
        }
        // If two are the same, the nearer in time is preferred.
        if one.key == other.key { return 2 - distance / 4 }
        let (short, long) = (
            min(one.key.count, other.key.count), max(one.key.count, other.key.count)
        )
        // The last word before a cut lost its end, the first after it its beginning.
        if short >= 2, row == left.count - 1, other.key.hasPrefix(one.key) { return 1 }
        if short >= 2, column == 0, one.key.hasSuffix(other.key) { return 1 }
        guard long >= 5, long - short <= 1 else { return 0 }
        return EditDistance.between(Array(one.key), Array(other.key)) <= 1 ? 1.5 : 0
    }

    /// Times are sufficient evidence. Without them a word or two may be alike
    /// by chance: then they must meet end to end, or be many.
    private func isCredible(
        _ pairs: [Pair], score: Double, _ left: [Word], _ right: [Word]
    ) -> Bool {
        guard let first = pairs.first, let last = pairs.last else { return false }
        if tolerance != nil { return true }
        let equal = pairs.filter(\.isEqual)
        let meets = first.right == 0 && last.left == left.count - 1
        if pairs.count == 1 { return meets && first.isEqual && left[first.left].key.count >= 3 }
        // Characters of a script without spaces are weaker evidence than words.
        let isSigns = !equal.isEmpty && equal.allSatisfy { left[$0.left].key.count == 1 }
        if isSigns { return equal.count >= (meets ? 2 : 4) && score >= 4 }
        return score >= (meets ? 2 : 3)
    }

    /// The pair at which to switch from one text to the other: one that is
    /// identical in both and cannot have been affected by a cut, with the
    /// lowest `rank`.
    static func best<Rank: Comparable>(
        _ pairs: [Pair], lastLeft: Int, rank: (Pair) -> Rank
    ) -> Pair? {
        let equal = pairs.filter(\.isEqual)
        let whole = equal.filter { $0.right > 0 && $0.left < lastLeft }
        let candidates = whole.isEmpty ? (equal.isEmpty ? pairs : equal) : whole
        return candidates.min { rank($0) < rank($1) }
    }
}
