import Base

/// Reads a transcript from the JSON of any of the formats `json`,
/// `verbose_json` and `diarized_json`, as written by OpenAI and other servers.
/// Pure; missing members and those of another type are ignored.
enum TranscriptJSON {
    /// - Returns: nil if it is not a transcript.
    static func transcript(_ json: JSONValue) -> Transcript? {
        // A server that returns its text as a JSON string.
        if case .string(let text) = json { return Transcript(text: TranscriptText.said(text)) }
        guard json.objectValue != nil else { return nil }
        // Transformers pipelines call them chunks.
        let elements = json["segments"]?.arrayValue ?? json["chunks"]?.arrayValue
        let raw = (elements ?? []).compactMap(segment)
        let joined = TranscriptText.joined(raw.map(\.text))
        let said = json["text"]?.stringValue.map(TranscriptText.said)
        guard let text = said.flatMap({ $0.isEmpty ? nil : $0 }) ?? elements.map({ _ in joined })
        else { return said.map { Transcript(text: $0) } }
        let duration = seconds(json["duration"])
        var words = (json["words"]?.arrayValue ?? []).compactMap(word)
        if words.isEmpty {
            // whisper.cpp has them within the segments.
            words = (elements ?? []).flatMap { ($0["words"]?.arrayValue ?? []).compactMap(word) }
        }
        return Transcript(
            text: text, language: language(json), duration: duration,
            segments: SegmentTimes.completed(
                SegmentTimes.filled(raw, duration: duration), by: text, duration: duration),
            words: whole(words))
    }

    /// - Returns: nil for a segment without words.
    static func segment(_ json: JSONValue) -> SegmentTimes.Raw? {
        guard let text = json["text"]?.stringValue.map(TranscriptText.said), !text.isEmpty
        else { return nil }
        let (start, end) = times(json)
        return SegmentTimes.Raw(
            start: start, end: end.map { max(start ?? 0, $0) }, text: text,
            speaker: speaker(json["speaker"]))
    }

    /// `start` and `end`, or a pair: `"timestamp": [0.0, 2.5]`.
    private static func times(_ json: JSONValue) -> (start: Double?, end: Double?) {
        let pair = json["timestamp"]
        return (seconds(json["start"] ?? pair?[0]), seconds(json["end"] ?? pair?[1]))
    }

    private static func language(_ json: JSONValue) -> String? {
        let text = json["language"]?.stringValue ?? json["languages"]?[0]?["code"]?.stringValue
        return text.flatMap { $0.isEmpty ? nil : String($0.prefix(40)) }
    }

    private static func speaker(_ json: JSONValue?) -> String? {
        let text = json?.stringValue ?? json?.integerValue.map(String.init)
        return text.map(TranscriptText.said).flatMap { $0.isEmpty ? nil : String($0.prefix(100)) }
    }

    /// Seconds as a number or, from some servers, as text; never negative.
    private static func seconds(_ json: JSONValue?) -> Double? {
        guard let number = json?.doubleValue ?? json?.stringValue.flatMap(Double.init),
            number.isFinite
        else { return nil }
        return max(0, number)
    }

    /// Includes the space before it, which marks the beginning of a word.
    private static func word(_ json: JSONValue) -> Transcript.Word? {
        guard let text = json["word"]?.stringValue ?? json["text"]?.stringValue, !text.isEmpty,
            case (let start?, let end?) = times(json)
        else { return nil }
        return Transcript.Word(start: start, end: max(start, end), text: text)
    }

    /// Joins the parts of words listed by whisper.cpp: there a word begins with
    /// a space, and a part without one continues it. Without any space the
    /// parts are whole words.
    private static func whole(_ parts: [Transcript.Word]) -> [Transcript.Word] {
        let isSpaced = parts.contains { $0.text.first?.isWhitespace == true }
        var words: [Transcript.Word] = []
        for part in parts {
            let text = TranscriptText.said(part.text)
            if text.isEmpty { continue }
            if isSpaced, part.text.first?.isWhitespace == false, let last = words.indices.last {
                words[last].text += text
                words[last].end = max(words[last].end, part.end)
            } else {
                words.append(Transcript.Word(start: part.start, end: part.end, text: text))
            }
        }
        return words
    }
}
