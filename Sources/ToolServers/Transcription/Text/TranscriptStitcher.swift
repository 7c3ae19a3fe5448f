import Base

/// Joins the transcripts of adjoining pieces of one recording. Pure.
package struct TranscriptStitcher: Sendable {
    /// A part of the recording with its transcript.
    package struct Piece: Sendable, Equatable {
        /// The start in seconds of the whole recording.
        package var start: Double
        package var end: Double
        /// The transcript, with times relative to `start`.
        package var transcript: Transcript
    }

    /// - Parameter pieces: in order.
    package static func stitch(_ pieces: [Piece], duration: Double? = nil) -> Transcript {
        let pieces = evened(pieces)
        guard let first = pieces.first else { return Transcript(text: "", duration: duration) }
        var whole = first.transcript
        whole.segments = []
        whole.words = []
        for (index, piece) in pieces.enumerated() {
            // A model may hear a word beyond the end of its sound; the next piece begins
            // there, and no two lines may be shown at the same time.
            let end = index == pieces.count - 1 ? Double.infinity : piece.end
            func time(_ seconds: Double) -> Double { min(piece.start + seconds, end) }
            whole.segments += piece.transcript.segments.map { segment in
                var segment = segment
                (segment.start, segment.end) = (time(segment.start), time(segment.end))
                return segment
            }
            whole.words += piece.transcript.words.map {
                .init(start: time($0.start), end: time($0.end), text: $0.text)
            }
            whole.language = whole.language ?? piece.transcript.language
        }
        if pieces.count > 1 {
            let texts = pieces.map(\.transcript.text)
            whole.text = TranscriptText.joined(
                (whole.segments.isEmpty ? texts : whole.segments.map(\.text)).filter {
                    !$0.trimmingSpace().isEmpty
                })
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
                    .init(start: 0, end: piece.end - piece.start, text: piece.transcript.text)
                ]
            }
            return piece
        }
    }
}
