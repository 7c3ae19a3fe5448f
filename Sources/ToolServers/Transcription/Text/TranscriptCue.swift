/// A subtitle line: whole milliseconds, in order, each ending after it begins,
/// as SubRip and WebVTT require whatever a server returns.
struct TranscriptCue: Equatable {
    var start: Int
    var end: Int
    /// One line, not empty.
    var text: String
    var speaker: String?
    var isEstimated = false

    /// Cues of the segments, or of the words if a server returned only those.
    /// Empty without times.
    static func cues(of transcript: Transcript) -> [TranscriptCue] {
        let segments =
            transcript.segments.isEmpty ? sentences(of: transcript.words) : transcript.segments
        var cues: [TranscriptCue] = []
        var earliest = 0
        for segment in segments {
            let text = oneLine(segment.text)
            if text.isEmpty { continue }
            let start = max(earliest, milliseconds(segment.start))
            let end = max(start + 1, milliseconds(segment.end))
            // A segment of zero length was given a length: the next one must not overlap it.
            earliest = milliseconds(segment.end) > start ? start : end
            let speaker = segment.speaker.map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
            cues.append(
                TranscriptCue(
                    start: start, end: end, text: text, speaker: speaker,
                    isEstimated: segment.isEstimated))
        }
        return cues
    }

    /// Groups words into lines that can be read at a glance: up to seven
    /// seconds, ended by a pause of one second or the end of a sentence.
    private static func sentences(of words: [Transcript.Word]) -> [Transcript.Segment] {
        var segments: [Transcript.Segment] = []
        for word in words {
            if let last = segments.last, word.start - last.end < 1, word.end - last.start <= 7,
                !last.text.hasSuffix("."), !last.text.hasSuffix("?"), !last.text.hasSuffix("!")
            {
                let joined = TranscriptText.joined(last.text, word.text)
                segments[segments.count - 1].text = joined
                segments[segments.count - 1].end = word.end
            } else {
                segments.append(.init(start: word.start, end: word.end, text: word.text))
            }
        }
        return segments
    }

    /// The longest time that `HH` with two digits can express, which ours never
    /// reach.
    private static let limit = 1_000_000.0

    private static func milliseconds(_ seconds: Double) -> Int {
        guard seconds > 0 else { return 0 }
        return Int((min(seconds, limit) * 1_000).rounded())
    }

    /// An empty line would end a cue.
    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
