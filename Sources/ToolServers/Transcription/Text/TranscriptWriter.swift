import Base

/// Formats a transcript as a file for people or programs. Pure.
///
/// The result is untrusted text: code that shows it on a terminal filters it
/// through the allow-list.
package struct TranscriptWriter: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case text, srt, vtt, json

        package var fileExtension: String { self == .text ? "txt" : rawValue }
        /// Whether the format is impossible without times.
        package var needsTimes: Bool { self == .srt || self == .vtt }
    }

    package struct Facts: Sendable, Equatable {
        /// The name of the recording, without folders.
        package var file: String
        package var model: String
        /// Text only: whether each segment is preceded by its time.
        package var showsTimes = false
    }

    /// Length of a silence that begins a new paragraph.
    private static let pauseInMilliseconds = 2_000

    /// Ends with a line break, unless it is empty.
    package static func write(
        _ transcript: Transcript, as format: Format, _ facts: Facts
    ) -> String {
        switch format {
        case .text: facts.showsTimes ? timedText(transcript) : text(transcript)
        case .srt: subRip(transcript)
        case .vtt: webVTT(transcript)
        case .json: JSONWriter.pretty(json(transcript, facts)) + "\n"
        }
    }

    // MARK: - Text

    private static func text(_ transcript: Transcript) -> String {
        let cues = TranscriptCue.cues(of: transcript)
        // Words alone have no punctuation, so the text is better.
        guard !transcript.segments.isEmpty, !cues.isEmpty else {
            return line(transcript.text.trimmingSpace())
        }
        var paragraphs: [(speaker: String?, texts: [String])] = []
        var end = 0
        var endsUnknown = false
        for cue in cues {
            if let last = paragraphs.last, last.speaker == cue.speaker,
                // A segment without length has no end that a pause could follow.
                endsUnknown || cue.start - end <= pauseInMilliseconds
            {
                paragraphs[paragraphs.count - 1].texts.append(cue.text)
            } else {
                paragraphs.append((cue.speaker, [cue.text]))
            }
            end = max(end, cue.end)
            endsUnknown = cue.end - cue.start <= 1
        }
        return paragraphs.map { paragraph in
            line(spoken(TranscriptText.joined(paragraph.texts), by: paragraph.speaker))
        }.joined(separator: "\n")
    }

    private static func timedText(_ transcript: Transcript) -> String {
        let cues = TranscriptCue.cues(of: transcript)
        if cues.isEmpty { return line(transcript.text.trimmingSpace()) }
        return cues.map {
            "[\($0.isEstimated ? mark : "")\(clock($0.start / 1_000))] \(spoken($0.text, by: $0.speaker))\n"
        }.joined()
    }

    /// Precedes an estimated time.
    private static let mark = "~"

    private static func spoken(_ text: String, by speaker: String?) -> String {
        speaker.map { "\($0): \(text)" } ?? text
    }

    private static func line(_ text: String) -> String { text.isEmpty ? "" : text + "\n" }

    // MARK: - Subtitles

    /// SubRip has no escapes: an arrow in the text would be read as times. It has no
    /// comments either, so the mark of an estimated time precedes the words.
    private static func subRip(_ transcript: Transcript) -> String {
        TranscriptCue.cues(of: transcript).enumerated().map { index, cue in
            let words = replacing("-->", with: "->", in: spoken(cue.text, by: cue.speaker))
            let text = cue.isEstimated ? "\(mark) \(words)" : words
            return "\(index + 1)\n\(clock(cue.start, ",")) --> \(clock(cue.end, ","))\n\(text)\n"
        }.joined(separator: "\n")
    }

    /// WebVTT §4: cue text escapes `&`, `<` and with `>` the arrow; a speaker
    /// is a voice span, and a comment marks an estimated time.
    private static func webVTT(_ transcript: Transcript) -> String {
        "WEBVTT\n"
            + TranscriptCue.cues(of: transcript).map { cue in
                let voice = cue.speaker.map { "<v \(MarkupText.escaped($0))>" } ?? ""
                let note = cue.isEstimated ? "\nNOTE The next time is estimated.\n" : ""
                return "\(note)\n\(clock(cue.start, ".")) --> \(clock(cue.end, "."))\n"
                    + "\(voice)\(MarkupText.escaped(cue.text))\n"
            }.joined()
    }

    private static func replacing(
        _ wanted: String, with other: String, in text: String
    ) -> String {
        var result = ""
        var rest = text[...]
        while !rest.isEmpty {
            if rest.hasPrefix(wanted) {
                result += other
                rest = rest.dropFirst(wanted.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }

    // MARK: - JSON

    /// `{"file", "model", "language"?, "duration"?, "text", "segments",
    /// "words"}`; see `Transcript.json`.
    package static func json(_ transcript: Transcript, _ facts: Facts) -> JSONValue {
        .object(
            JSONObject(
                [
                    .init("file", .string(facts.file)), .init("model", .string(facts.model)),
                ] + transcript.jsonMembers))
    }

    // MARK: - Times

    /// `01:02:03,004`
    private static func clock(_ milliseconds: Int, _ point: String) -> String {
        clock(milliseconds / 1_000) + point + (milliseconds % 1_000).padded(to: 3)
    }

    /// `01:02:03`; hours may have more than two digits.
    private static func clock(_ seconds: Int) -> String {
        [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }
            .joined(separator: ":")
    }
}
