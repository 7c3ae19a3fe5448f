import Base

/// The seam between two pieces of a recording: the sound `from … to` is in
/// both, and at `at` the first one's own part ends and the second one's begins.
/// Pure.
///
/// A segment belongs to the piece whose own part contains its middle. If the
/// two transcripts differ so much that this would lose or repeat words, the
/// words themselves are aligned.
struct TimedSeam {
    var from: Double
    var to: Double
    var at: Double

    typealias Segment = Transcript.Segment

    /// Smaller disagreements do not count.
    private static let slack = 0.05

    func joined(_ left: [Transcript.Word], _ right: [Transcript.Word]) -> [Transcript.Word] {
        func segments(_ words: [Transcript.Word]) -> [Segment] {
            words.map { Segment(start: $0.start, end: $0.end, text: $0.text) }
        }
        // Only the end of the existing text is examined.
        let split = left.firstIndex { $0.end > from - 5 } ?? left.count
        let seam = joined(
            segments(Array(left[split...])), segments(right), margin: 1.5, tolerance: 0.8)
        return left[..<split]
            + seam.map { Transcript.Word(start: $0.start, end: $0.end, text: $0.text) }
    }

    func joined(_ left: [Segment], _ right: [Segment]) -> [Segment] {
        // Times within a segment are interpolated by letters, so the two may
        // differ by seconds.
        joined(left, right, margin: 3, tolerance: 2.5)
    }

    private func joined(
        _ left: [Segment], _ right: [Segment], margin: Double, tolerance: Double
    ) -> [Segment] {
        if left.isEmpty || right.isEmpty { return left + right }
        let split = left.firstIndex { $0.end > from - 5 } ?? left.count
        let tail = Array(left[split...])
        // There is no overlap.
        let (last, first) = (tail.map(\.end).max(), right.map(\.start).min())
        if let last, let first, last <= first + Self.slack {
            return left[..<split] + inTurn(tail, right)
        }
        let overlap = Overlap(tail, right, seam: self, margin: margin, tolerance: tolerance)
        if let (ours, theirs) = byMiddles(tail, right) ?? overlap.joined() {
            return left[..<split] + inTurn(ours, theirs)
        }
        return left[..<split] + byCoverage(tail, right)
    }

    /// One after the other. If the two disagree about when the first ended and
    /// the second began, the middle is used: no two may be shown at the same
    /// time.
    private func inTurn(_ ours: [Segment], _ theirs: [Segment]) -> [Segment] {
        guard let end = ours.map(\.end).max(), let start = theirs.map(\.start).min(), end > start
        else { return ours + theirs }
        // Even the wildest times move it no further than both pieces cover.
        let middle = (min(end, to) + max(start, from)) / 2
        func moved(_ segment: Segment, _ time: (Double) -> Double) -> Segment {
            var segment = segment
            (segment.start, segment.end) = (time(segment.start), time(segment.end))
            return segment
        }
        return ours.map { moved($0) { min($0, middle) } }
            + theirs.map { moved($0) { max($0, middle) } }
    }

    private func middle(_ segment: Segment) -> Double { (segment.start + segment.end) / 2 }

    /// - Returns: nil if words would be lost or repeated.
    private func byMiddles(
        _ left: [Segment], _ right: [Segment]
    ) -> (ours: [Segment], theirs: [Segment])? {
        let ours = left.filter { middle($0) < at }
        let theirs = right.filter { middle($0) >= at }
        let ourEnd = ours.map(\.end).max() ?? -.infinity
        let theirStart = theirs.map(\.start).min() ?? .infinity
        guard ourEnd <= theirStart + Self.slack,
            left.allSatisfy({ middle($0) < at || theirStart <= $0.start + Self.slack }),
            right.allSatisfy({ middle($0) >= at || ourEnd >= $0.end - Self.slack })
        else { return nil }
        return (ours, theirs)
    }

    /// Divides by the middles, but keeps segments that are only in one of them.
    private func byCoverage(_ left: [Segment], _ right: [Segment]) -> [Segment] {
        let ours = left.filter { middle($0) < at }
        let theirs = right.filter { middle($0) >= at }
        func isCovered(_ segment: Segment, by others: [Segment]) -> Bool {
            others.contains { $0.start < segment.end && segment.start < $0.end }
        }
        let more = left.filter { middle($0) >= at && !isCovered($0, by: theirs) }
        let before = right.filter { middle($0) < at && !isCovered($0, by: ours) }
        // Ordered by start; those with the same start keep their order.
        let all =
            (ours + more).map { ($0, isOurs: true) }
            + (before + theirs).map { ($0, isOurs: false) }
        var sorted = all.enumerated().sorted {
            ($0.element.0.start, $0.offset) < ($1.element.0.start, $1.offset)
        }.map(\.element)
        // Each ends before the next one of the other piece.
        var next = (ours: Double.infinity, theirs: Double.infinity)
        for index in sorted.indices.reversed() {
            let (segment, isOurs) = sorted[index]
            sorted[index].0.end = max(
                segment.start, min(segment.end, isOurs ? next.theirs : next.ours))
            if isOurs { next.ours = segment.start } else { next.theirs = segment.start }
        }
        return sorted.map(\.0)
    }
}

/// Aligns the words near a seam.
private struct Overlap {
    private struct Word {
        var token: SpokenToken
        /// Index of its segment.
        var segment: Int
        /// Interpolated from the position of its letters in the segment.
        var start: Double
        var middle: Double
        var isFirst: Bool
    }

    private let left: [Transcript.Segment]
    private let right: [Transcript.Segment]
    private let seam: TimedSeam
    private let tolerance: Double
    private let ends: [Word]
    private let begins: [Word]

    init(
        _ left: [Transcript.Segment], _ right: [Transcript.Segment], seam: TimedSeam,
        margin: Double, tolerance: Double
    ) {
        self.left = left
        self.right = right
        self.seam = seam
        self.tolerance = tolerance
        ends = Self.words(left) { $0.end > seam.from - margin }
            .filter { $0.middle > seam.from - margin }
        begins = Self.words(right) { $0.start < seam.to + margin }
            .filter { $0.middle < seam.to + margin }
    }

    /// - Returns: nil if no word is in both.
    func joined() -> (ours: [Transcript.Segment], theirs: [Transcript.Segment])? {
        // A minute of sound is far more than an overlap; this limits the work.
        let ends = Array(ends.suffix(200))
        let begins = Array(begins.prefix(200))
        let pairs = WordOverlap(tolerance: tolerance).pairs(
            ends.map { .init(key: $0.token.key, time: $0.middle) },
            begins.map { .init(key: $0.token.key, time: $0.middle) }
        )
        // A cut between segments keeps their own times.
        func isBetween(_ pair: WordOverlap.Pair) -> Bool {
            pair.isEqual && ends[pair.left].isFirst && begins[pair.right].isFirst
        }
        func distance(_ pair: WordOverlap.Pair) -> Double {
            abs(begins[pair.right].middle - seam.at)
        }
        let between = pairs.filter(isBetween).min { distance($0) < distance($1) }
        guard
            let pair = between
                ?? WordOverlap.best(pairs, lastLeft: ends.count - 1, rank: distance)
        else { return nil }
        let (ours, theirs) = (ends[pair.left], begins[pair.right])
        if pair.right > 0 || isBetween(pair) {
            return (kept(upTo: ours), kept(from: theirs))
        }
        // The first word of a piece may be damaged or capitalised.
        let rest = begins.dropFirst(pair.right + 1).first
        return (kept(through: ours), rest.map { kept(from: $0) } ?? after(theirs))
    }

    private func kept(upTo word: Word) -> [Transcript.Segment] {
        var segment = left[word.segment]
        segment.text = String(segment.text[..<word.token.start]).trimmingSpace()
        segment.end = max(segment.start, min(segment.end, word.start))
        return left[..<word.segment] + (word.isFirst || segment.text.isEmpty ? [] : [segment])
    }

    private func kept(through word: Word) -> [Transcript.Segment] {
        var segment = left[word.segment]
        if let next = Self.words([segment]).first(where: { $0.token.start > word.token.start }) {
            segment.end = max(segment.start, min(segment.end, next.start))
            segment.text = String(segment.text[..<next.token.start]).trimmingSpace()
        }
        return left[..<word.segment] + [segment]
    }

    private func kept(from word: Word) -> [Transcript.Segment] {
        var segment = right[word.segment]
        if !word.isFirst {
            segment.text = String(segment.text[word.token.start...]).trimmingSpace()
            segment.start = min(segment.end, max(segment.start, word.start))
        }
        return [segment] + right[(word.segment + 1)...]
    }

    private func after(_ word: Word) -> [Transcript.Segment] {
        Array(right[(word.segment + 1)...])
    }

    private static func words(
        _ segments: [Transcript.Segment], where isNear: (Transcript.Segment) -> Bool = { _ in true }
    ) -> [Word] {
        var words: [Word] = []
        for (index, segment) in segments.enumerated() where isNear(segment) {
            let text = segment.text
            let length = Double(max(1, text.utf8.count))
            let seconds = max(0, segment.end - segment.start)
            func time(_ place: String.Index) -> Double {
                segment.start + seconds
                    * Double(text.utf8.distance(from: text.startIndex, to: place))
                    / length
            }
            for (number, token) in SpokenToken.tokens(of: text).enumerated() {
                let start = number == 0 ? segment.start : time(token.start)
                words.append(
                    Word(
                        token: token, segment: index, start: start,
                        middle: (start + time(token.end)) / 2, isFirst: number == 0))
            }
        }
        return words
    }
}
