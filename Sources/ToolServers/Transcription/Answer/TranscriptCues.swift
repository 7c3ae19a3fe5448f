import Base

/// Reads subtitles (SubRip, WebVTT) as segments: some servers return them
/// whatever format was requested. Pure.
enum TranscriptCues {
    /// - Returns: nil if the text is not subtitles.
    static func read(_ text: String) -> [Transcript.Segment]? {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        while let first = lines.first, isBlank(first) { lines.removeFirst() }
        guard let first = lines.first else { return nil }
        let isWebVTT =
            first == "WEBVTT" || first.hasPrefix("WEBVTT ") || first.hasPrefix("WEBVTT\t")
        if !isWebVTT {
            // A counter and a line of times.
            guard first.allSatisfy(\.isNumber), let second = lines.dropFirst().first,
                times(of: second) != nil
            else { return nil }
        }
        var segments: [Transcript.Segment] = []
        while let line = lines.popFirst() {
            guard let (start, end) = times(of: line) else { continue }
            var words: [Substring] = []
            while let line = lines.first, !isBlank(line), times(of: line) == nil {
                words.append(line)
                lines.removeFirst()
            }
            var (text, speaker) = voice(of: words.joined(separator: " "))
            text = TranscriptText.said(text)
            guard !text.isEmpty else { continue }
            segments.append(
                Transcript.Segment(start: start, end: max(start, end), text: text, speaker: speaker)
            )
        }
        return segments
    }

    /// `00:01:02,500 --> 00:01:04.000 align:start`; hours may be missing.
    private static func times(of line: Substring) -> (Double, Double)? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count >= 3, parts[1] == "-->", let start = seconds(parts[0]),
            let end = seconds(parts[2])
        else { return nil }
        return (start, end)
    }

    private static func seconds(_ text: Substring) -> Double? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count) else { return nil }
        var total = 0.0
        for (index, field) in fields.enumerated() {
            let isLast = index == fields.count - 1
            let digits = field.map { $0 == "," && isLast ? "." : $0 }
            guard !digits.isEmpty, digits.count <= 12,
                digits.allSatisfy({ $0.isASCII && $0.isNumber || isLast && $0 == "." }),
                let number = Double(String(digits))
            else { return nil }
            total = total * 60 + number
        }
        return total
    }

    /// `<v Ann>text</v>` (WebVTT §6.4); other tags stay as they are.
    private static func voice(of text: String) -> (String, String?) {
        guard text.hasPrefix("<v"), let end = text.firstIndex(of: ">") else { return (text, nil) }
        let tag = text[text.index(text.startIndex, offsetBy: 2)..<end]
        guard let name = tag.firstIndex(of: " ").map({ tag[tag.index(after: $0)...] }) else {
            return (text, nil)
        }
        let rest = text[text.index(after: end)...].replacing("</v>", with: "")
        let speaker = TranscriptText.said(String(name))
        return (String(rest), speaker.isEmpty ? nil : speaker)
    }

    private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
}
