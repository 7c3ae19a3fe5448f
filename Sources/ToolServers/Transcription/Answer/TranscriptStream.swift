import AgentCore
import Base

/// Collects a streamed transcript, event by event. Pure.
///
/// ```
///   transcript.text.delta      words to show
///   transcript.text.segment    a segment with its speaker; shown where no
///                              deltas come
///   transcript.text.done       the whole text, and the end
///   [DONE]                     the end
///   choices[0].delta.content   words, as vLLM streams them
///   {"text": …}                a segment of a server with events of its own,
///                              whose end is the end of the body
///   error                      thrown
/// ```
struct TranscriptStream {
    private(set) var isFinished = false
    private var text = ""
    private var hasDeltas = false
    /// Whether the server's events mark no end.
    private var endsWithBody = false
    /// The last event, whose text is correct even if the deltas were not.
    private var last: JSONValue?
    private var segments: [SegmentTimes.Raw] = []

    /// - Returns: words to show.
    mutating func take(_ event: ServerSentEvent) throws(TranscriptDecoder.Failure) -> String {
        if event.isDone {
            isFinished = true
            return ""
        }
        if event.isBlank { return "" }
        guard let json = ResponseFacts.json(event.data), json.objectValue != nil else {
            throw .malformed
        }
        if let error = json["error"], !error.isNull { throw .server(json) }
        let type = json["type"]?.stringValue ?? (event.name == "message" ? nil : event.name)
        switch type {
        case "transcript.text.delta":
            hasDeltas = true
            return add(json["delta"]?.stringValue ?? "")
        case "transcript.text.segment":
            return add(segment: json)
        case "transcript.text.done":
            last = json
            isFinished = true
            return ""
        case "error":
            throw .server(json)
        case nil:
            if json["choices"] != nil {
                hasDeltas = true
                return add(json["choices"]?[0]?["delta"]?["content"]?.stringValue ?? "")
            }
            guard json["text"] != nil else { return "" }
            endsWithBody = true
            return add(segment: json)
        default:
            return ""
        }
    }

    /// - Throws: `cut` before the end.
    func transcript() throws(TranscriptDecoder.Failure) -> Transcript {
        guard isFinished || endsWithBody else { throw .cut }
        var transcript = last.flatMap(TranscriptJSON.transcript) ?? Transcript(text: "")
        if last?["text"]?.stringValue == nil { transcript.text = TranscriptText.said(text) }
        if transcript.segments.isEmpty {
            let filled = SegmentTimes.filled(segments, duration: transcript.duration)
            transcript.segments = SegmentTimes.completed(
                filled, by: transcript.text, duration: transcript.duration)
        }
        transcript.duration = transcript.duration ?? segments.last { $0.end != nil }?.end
        return transcript
    }

    private mutating func add(_ words: String) -> String {
        text += words
        return words
    }

    private mutating func add(segment json: JSONValue) -> String {
        if let segment = TranscriptJSON.segment(json) { segments.append(segment) }
        guard !hasDeltas else { return "" }
        let words = TranscriptText.said(json["text"]?.stringValue ?? "")
        return words.isEmpty ? "" : add(text.isEmpty ? words : " " + words)
    }
}
