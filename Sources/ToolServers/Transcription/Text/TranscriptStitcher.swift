import Base

/// Joins the transcripts of overlapping pieces of one recording, so that the
/// words of the overlap are neither lost nor repeated. Pure.
///
/// With times it uses `TimedSeam`, otherwise the words alone.
package struct TranscriptStitcher: Sendable {
    /// A part of the recording with its transcript.
    package struct Piece: Sendable, Equatable {
        /// In seconds of the whole recording.
        package var start: Double
        package var end: Double
        /// Its own part; the own parts of the pieces adjoin.
        package var keepFrom: Double
        package var keepTo: Double
        /// Its times are relative to `start`.
        package var transcript: Transcript
    }

    /// Number of words examined at each side of a cut.
    private static let reach = 60

    /// - Parameter pieces: in order.
    package static func stitch(_ pieces: [Piece], duration: Double? = nil) -> Transcript {
        let pieces = evened(pieces)
        guard let first = pieces.first else { return Transcript(text: "", duration: duration) }
        var whole = shifted(first)
        for (before, piece) in zip(pieces, pieces.dropFirst()) {
            let next = shifted(piece)
            let seam = TimedSeam(from: piece.start, to: before.end, at: piece.keepFrom)
            if whole.segments.isEmpty, next.segments.isEmpty {
                whole.text = joined(whole.text, next.text)
            }
            whole.segments = seam.joined(whole.segments, next.segments)
            whole.words = seam.joined(whole.words, next.words)
            whole.language = whole.language ?? next.language
        }
        if pieces.count > 1, !whole.segments.isEmpty {
            whole.text = TranscriptText.joined(whole.segments.map(\.text))
        }
        whole.duration = duration ?? (pieces.count == 1 ? first.transcript.duration : nil)
        return whole
    }

    /// Makes either all pieces with text have segments, or none; and the same
    /// for words, which are useless with gaps of minutes.
    private static func evened(_ pieces: [Piece]) -> [Piece] {
        let spoken = pieces.filter { !$0.transcript.text.isEmpty }
        let hasSegments = spoken.contains { !$0.transcript.segments.isEmpty }
        let hasWords = spoken.allSatisfy { !$0.transcript.words.isEmpty }
        return pieces.map { piece in
            var piece = piece
            if !hasWords { piece.transcript.words = [] }
            if hasSegments, piece.transcript.segments.isEmpty,
                !piece.transcript.text.trimmingSpace().isEmpty
            {
                piece.transcript.segments = [
                    .init(
                        start: piece.keepFrom - piece.start, end: piece.keepTo - piece.start,
                        text: piece.transcript.text)
                ]
            }
            return piece
        }
    }

    private static func shifted(_ piece: Piece) -> Transcript {
        var transcript = piece.transcript
        if piece.start == 0 { return transcript }
        for index in transcript.segments.indices {
            transcript.segments[index].start += piece.start
            transcript.segments[index].end += piece.start
        }
        for index in transcript.words.indices {
            transcript.words[index].start += piece.start
            transcript.words[index].end += piece.start
        }
        return transcript
    }

    // MARK: - Without times

    /// Joins by the words alone; with a space if they do not overlap.
    static func joined(_ left: String, _ right: String) -> String {
        let left = left.trimmingSpace()
        let right = right.trimmingSpace()
        let ends = Array(SpokenToken.tokens(of: left).suffix(reach))
        let begins = Array(SpokenToken.tokens(of: right).prefix(reach))
        let pairs = WordOverlap(tolerance: nil).pairs(
            ends.map { .init(key: $0.key) }, begins.map { .init(key: $0.key) })
        let middle = pairs.isEmpty ? 0 : pairs[pairs.count / 2].left
        let best = WordOverlap.best(pairs, lastLeft: ends.count - 1) { abs($0.left - middle) }
        guard let pair = best else { return TranscriptText.joined(left, right) }
        if pair.right > 0 {
            return String(left[..<ends[pair.left].start])
                + String(right[begins[pair.right].start...])
        }
        // The first word of a piece may be written as if it began a sentence.
        let word = ends[pair.left]
        return String(left[..<word.end]) + String(right[begins[0].end...])
    }
}
