import Base

/// Makes segments that hold every word of a transcript: those that a server sent without
/// times, or left out of its list, stand between their neighbours, marked as estimated.
/// Pure.
enum SegmentTimes {
    /// As a server sent it; either time may be missing.
    struct Raw {
        var start: Double?
        var end: Double?
        var text: String
        var speaker: String?
    }

    /// How fast people speak, for what nothing else tells.
    private static let charactersPerSecond = 15.0

    /// - Returns: empty where no segment has a time: then there is nothing to estimate by.
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

    /// How many words further a segment is looked for in the text.
    private static let reach = 300

    /// With the words of the text that no segment has. Where segments say in other words
    /// what the text says, they stay.
    static func completed(
        _ segments: [Transcript.Segment], by text: String, duration: Double?
    ) -> [Transcript.Segment] {
        let words = SpokenToken.tokens(of: text)
        let spoken = segments.map { SpokenToken.tokens(of: $0.text).map(\.key) }
        if segments.isEmpty || spoken.joined().elementsEqual(words.map(\.key)) { return segments }
        // Some texts name who speaks.
        let labels = Set(
            segments.compactMap(\.speaker).flatMap { SpokenToken.tokens(of: $0).map(\.key) })
        var completed: [Transcript.Segment] = []
        /// Segments that the text does not have, since the last that it has.
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
