import Base

/// Builds segments that cover every word of a transcript: segments that a server sent
/// without times, or left out of its list, are placed between their neighbours and marked
/// as estimated. Pure.
enum SegmentTimes {
    /// A segment as sent by a server; either time may be missing.
    struct Raw {
        var start: Double?
        var end: Double?
        var text: String
        var speaker: String?
    }

    /// Average speaking rate, for segments without other evidence.
    private static let charactersPerSecond = 15.0

    /// - Returns: empty if no segment has a time, since there is nothing to estimate by.
    static func filled(_ raw: [Raw], duration: Double?) -> [Transcript.Segment] {
        guard raw.contains(where: { $0.start != nil || $0.end != nil }) else { return [] }
        var filled: [Transcript.Segment] = []
        for (index, segment) in raw.enumerated() where !segment.text.isEmpty {
            let start = segment.start ?? min(filled.last?.end ?? 0, segment.end ?? .infinity)
            let next = raw[(index + 1)...].lazy.compactMap { $0.start ?? $0.end }.first
            let length = Double(segment.text.count) / charactersPerSecond
            let end = segment.end ?? min(start + length, next ?? duration ?? .infinity)
            filled.append(
                Transcript.Segment(
                    start: start, end: max(start, end), text: segment.text,
                    speaker: segment.speaker,
                    isEstimated: segment.start == nil || segment.end == nil))
        }
        return filled
    }

    /// Number of words ahead within which a segment is searched for in the text.
    private static let reach = 300

    /// Adds the words of the text that are in no segment. Segments whose wording differs
    /// from the text stay.
    static func completed(
        _ segments: [Transcript.Segment], by text: String, duration: Double?
    ) -> [Transcript.Segment] {
        let words = SpokenToken.tokens(of: text)
        let spoken = segments.map { SpokenToken.tokens(of: $0.text).map(\.key) }
        if segments.isEmpty || spoken.joined().elementsEqual(words.map(\.key)) { return segments }
        // Some texts contain speaker names.
        let labels = Set(
            segments.compactMap(\.speaker).flatMap { SpokenToken.tokens(of: $0).map(\.key) })
        var completed: [Transcript.Segment] = []
        /// Segments not found in the text since the last one found.
        var unmatched: [Int] = []
        var place = 0
        func close(before end: Int, _ next: Double?) {
            let others = unmatched.reduce(0) { $0 + spoken[$1].count }
            let isSaid = words[place..<end].allSatisfy { labels.contains($0.key) }
            if end - place <= others || isSaid {
                completed += unmatched.map { segments[$0] }
            } else {
                let start = unmatched.first.map { segments[$0].start } ?? completed.last?.end ?? 0
                let rest = end < words.count ? words[end].start : text.endIndex
                let lost = String(text[words[place].start..<rest]).trimmingSpace()
                let limit = max(start, next ?? duration ?? .infinity)
                let length = Double(lost.count) / charactersPerSecond
                completed.append(
                    Transcript.Segment(
                        start: start, end: min(start + length, limit), text: lost,
                        isEstimated: true))
            }
            unmatched = []
        }
        for (index, segment) in segments.enumerated() {
            let wanted = spoken[index]
            let found = (place..<min(place + reach, words.count)).first { start in
                start + wanted.count <= words.count
                    && words[start..<(start + wanted.count)].lazy.map(\.key)
                        .elementsEqual(wanted)
            }
            guard let found, !wanted.isEmpty else {
                unmatched.append(index)
                continue
            }
            close(before: found, segment.start)
            completed.append(segment)
            place = found + wanted.count
        }
        close(before: words.count, nil)
        return completed
    }
}
