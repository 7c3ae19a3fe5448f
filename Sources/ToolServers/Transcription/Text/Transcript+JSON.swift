import Base

/// A transcript as JSON, and back: the output of `--format json`, and the form
/// stored by a job. Names are stable; times are seconds with three decimals.
///
/// `{"text", "language"?, "duration"?, "segments": [{"start", "end", "text",
/// "speaker"?, "estimated"?}], "words": [{"start", "end", "text"}]}`
extension Transcript {
    package var json: JSONValue { .object(JSONObject(jsonMembers)) }

    var jsonMembers: [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        if let language { members.append(.init("language", .string(language))) }
        if let duration { members.append(.init("duration", Self.seconds(duration))) }
        members.append(.init("text", .string(text)))
        members.append(
            .init(
                "segments",
                .array(
                    segments.map {
                        .compact([
                            "start": Self.seconds($0.start), "end": Self.seconds($0.end),
                            "text": .string($0.text), "speaker": $0.speaker.map { .string($0) },
                            "estimated": $0.isEstimated ? true : nil,
                        ])
                    })))
        members.append(
            .init(
                "words",
                .array(
                    words.map {
                        [
                            "start": Self.seconds($0.start), "end": Self.seconds($0.end),
                            "text": .string($0.text),
                        ]
                    })))
        return members
    }

    /// - Returns: nil if it is not a transcript in this form.
    package init?(json: JSONValue) {
        guard let text = json["text"]?.stringValue, let segments = json["segments"]?.arrayValue,
            let words = json["words"]?.arrayValue
        else { return nil }
        self.init(
            text: text, language: json["language"]?.stringValue,
            duration: json["duration"]?.doubleValue)
        for segment in segments {
            guard let start = segment["start"]?.doubleValue,
                let end = segment["end"]?.doubleValue, let text = segment["text"]?.stringValue
            else { return nil }
            self.segments.append(
                Segment(
                    start: start, end: end, text: text,
                    speaker: segment["speaker"]?.stringValue,
                    isEstimated: segment["estimated"]?.boolValue ?? false))
        }
        for word in words {
            guard let start = word["start"]?.doubleValue, let end = word["end"]?.doubleValue,
                let text = word["text"]?.stringValue
            else { return nil }
            self.words.append(Word(start: start, end: end, text: text))
        }
    }

    private static func seconds(_ value: Double) -> JSONValue {
        // Beyond this a Double has no thousandths anyway; NaN fails the test.
        guard abs(value) < 1e12 else { return .number("0") }
        return JSONValue((value * 1_000).rounded() / 1_000)
    }
}
