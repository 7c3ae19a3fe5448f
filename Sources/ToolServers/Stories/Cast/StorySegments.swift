import AgentCore
import FoundationEssentials
import ICalendar
import Persistence
import StoryKit

/// What of a story is told and what is spoken, by whom, with the decisions of the user.
/// The texts of all segments put together are the story, byte for byte. Pure.
struct StorySegments: Sendable {
    /// What the user decided of one quotation, found again by its place and its beginning.
    struct Fix: Sendable, Equatable {
        var start: Int
        var end: Int
        /// The first bytes of the quotation.
        var line: String
        var speaker: String
    }

    let text: StoryText
    let cast: Cast
    /// By the index of their spans; only quotations have one.
    private(set) var attributions: [Int: Attribution] = [:]

    init(_ item: LibraryItem, _ cast: Cast) {
        let story = Story(item)
        text = StoryText(item.body, style: story.style, language: story.language)
        self.cast = cast
        for attribution in Attributor(cast: cast).attribute(text) {
            attributions[attribution.span] = attribution
        }
        for fix in Self.fixes(item.metadata) {
            guard let span = span(of: fix), let speaker = cast.find(fix.speaker) else { continue }
            attributions[span] = Attribution(
                span: span, speaker: speaker, confidence: 1, tier: .sure,
                evidence: "decided by hand", by: .user)
        }
    }

    /// The quotation that begins so, at its old place or at the nearest other.
    private func span(of fix: Fix) -> Int? {
        let line = Array(fix.line.utf8)
        return attributions.keys.filter { text.bytes[text.spans[$0].range].starts(with: line) }
            .min { distance($0, fix.start) < distance($1, fix.start) }
    }

    private func distance(_ span: Int, _ start: Int) -> (Int, Int) {
        (abs(text.spans[span].range.lowerBound - start), span)
    }

    // MARK: - Decisions

    static func fixes(_ metadata: JSONObject) -> [Fix] {
        (metadata["fixes"]?.arrayValue ?? []).compactMap { value in
            guard let start = value["start"]?.integerValue, let end = value["end"]?.integerValue,
                let line = value["line"]?.stringValue, !line.isEmpty,
                let speaker = value["speaker"]?.stringValue
            else { return nil }
            return Fix(start: start, end: end, line: line, speaker: speaker)
        }
    }

    /// The decisions with this one, which replaces an older one of the same quotation.
    func fixes(_ metadata: JSONObject, adding speaker: Int, to span: Int) -> JSONValue {
        let range = text.spans[span].range
        var line = text.bytes[range].prefix(80)
        // Not in the middle of a character.
        while line.count > 1, line.endIndex < text.bytes.count,
            text.bytes[line.endIndex] & 0xC0 == 0x80
        { line.removeLast() }
        let new = Fix(
            start: range.lowerBound, end: range.upperBound,
            line: String(decoding: line, as: UTF8.self), speaker: cast.characters[speaker].name)
        let kept = Self.fixes(metadata).filter { self.span(of: $0) != span } + [new]
        return .array(
            kept.sorted { $0.start < $1.start }.map {
                [
                    "start": JSONValue($0.start), "end": JSONValue($0.end),
                    "line": .string($0.line), "speaker": .string($0.speaker),
                ]
            })
    }

    func speaker(_ span: Int) -> String? {
        attributions[span]?.speaker.map { cast.characters[$0].name }
    }

    // MARK: - JSON

    func json(_ span: Int) -> JSONValue {
        let range = text.spans[span].range
        var object = JSONObject()
        object["number"] = JSONValue(span + 1)
        object["kind"] = .string(attributions[span] == nil ? "narration" : "quotation")
        object["start"] = JSONValue(range.lowerBound)
        object["end"] = JSONValue(range.upperBound)
        object["text"] = .string(text.text(of: range))
        object["speaker"] = speaker(span).map { .string($0) } ?? .null
        guard let attribution = attributions[span] else { return .object(object) }
        object["confidence"] = JSONValue((attribution.confidence * 100).rounded() / 100)
        object["tier"] = .string(attribution.tier.rawValue)
        object["evidence"] = .string(attribution.evidence)
        object["by"] = .string(attribution.by.rawValue)
        return .object(object)
    }
}

extension StoryBook {
    /// On this actor's own queue: a novel takes a while.
    func segments(_ item: LibraryItem, _ cast: Cast) -> StorySegments {
        StorySegments(item, cast)
    }
}
