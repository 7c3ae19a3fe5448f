import Base
import FoundationEssentials
import Persistence
import StoryKit

/// The narration and quotations of a story with their speakers, including the user's
/// decisions. The texts of all segments put together are the story, byte for byte. Pure.
struct StorySegments: Sendable {
    /// The user's decision on one quotation, which is found again by its place and its
    /// first bytes.
    struct Fix: Sendable, Equatable {
        var start: Int
        var end: Int
        /// The first bytes of the quotation.
        var line: String
        /// Nil for none of the cast.
        var speaker: String?
    }

    let text: StoryText
    let cast: Cast
    /// The attributions by span index; only quotations have one.
    private(set) var attributions: [Int: Attribution] = [:]
    /// A model's labels, by span index.
    private var labels: [Int: Int] = [:]

    init(_ item: LibraryItem, _ cast: Cast, withCandidates: Bool = false) {
        self.init(StoryText(item), cast, item.metadata, withCandidates: withCandidates)
    }

    /// - Parameter metadata: the item's, with the user's decisions and a model's labels.
    init(_ text: StoryText, _ cast: Cast, _ metadata: JSONObject, withCandidates: Bool = false) {
        self.text = text
        self.cast = cast
        var decided: [Int: Int?] = [:]
        for fix in Self.fixes(metadata) {
            guard let span = span(of: fix) else { continue }
            let speaker = fix.speaker.map { cast.find($0) }
            // Ignore decisions on characters that have left the cast.
            if let speaker, speaker == nil { continue }
            decided[span] = .some(speaker ?? nil)
        }
        for attribution in Attributor(cast: cast).attribute(
            text, decided: decided, withCandidates: withCandidates)
        {
            attributions[attribution.span] = attribution
        }
        for (span, name) in StoryLabels(metadata)?.speakers(in: text) ?? [:] {
            labels[span] = cast.find(name)
            if let told = attributions[span] { attributions[span] = labelled(told) }
        }
    }

    /// A copy with these attributions replaced.
    func replacing(_ attributions: [Int: Attribution]) -> StorySegments {
        var segments = self
        segments.attributions.merge(attributions) { $1 }
        return segments
    }

    /// Applies a model's label if the text leaves the speaker open, never against a tag. Its
    /// accuracy was not measured, so a label is only likely; together with a tag it is sure.
    func labelled(_ told: Attribution) -> Attribution {
        guard told.by == .rule, told.tier != .sure, let speaker = labels[told.span] else {
            return told
        }
        let agrees = told.speaker == speaker
        if told.isTagged, !agrees { return told }
        let isSure = told.isTagged
        var labelled = Attribution(
            span: told.span, speaker: speaker, confidence: isSure ? 0.97 : agrees ? 0.9 : 0.85,
            tier: isSure ? .sure : .likely,
            evidence: isSure ? "by the model, and \(told.evidence)" : "by the model", by: .model,
            isTagged: told.isTagged)
        labelled.candidates = told.candidates
        return labelled
    }

    /// The quotation that begins with these bytes, at its old place or the nearest other.
    private func span(of fix: Fix) -> Int? {
        let line = Array(fix.line.utf8)
        if let span = text.span(at: fix.start), text.spans[span].kind == .quotation,
            text.spans[span].range.lowerBound == fix.start,
            text.bytes[fix.start...].starts(with: line)
        {
            return span
        }
        return text.spans.indices.filter {
            text.spans[$0].kind == .quotation
                && text.bytes[text.spans[$0].range].starts(with: line)
        }.min { distance($0, fix.start) < distance($1, fix.start) }
    }

    private func distance(_ span: Int, _ start: Int) -> (Int, Int) {
        (abs(text.spans[span].range.lowerBound - start), span)
    }

    // MARK: - Decisions

    static func fixes(_ metadata: JSONObject) -> [Fix] {
        (metadata["fixes"]?.arrayValue ?? []).compactMap { value in
            guard let start = value["start"]?.integerValue, let end = value["end"]?.integerValue,
                let line = value["line"]?.stringValue, !line.isEmpty,
                let speaker = value["speaker"], speaker.isNull || speaker.stringValue != nil
            else { return nil }
            return Fix(start: start, end: end, line: line, speaker: speaker.stringValue)
        }
    }

    /// The decisions including this one, which replaces an older one on the same quotation.
    func fixes(_ metadata: JSONObject, adding speaker: Int?, to span: Int) -> JSONValue {
        let range = text.spans[span].range
        let end = min(range.upperBound, range.lowerBound + 80)
        let line = text.text(of: text.bytes.whole(range.lowerBound..<end))
        let new = Fix(
            start: range.lowerBound, end: range.upperBound, line: line,
            speaker: speaker.map { cast.characters[$0].name })
        let kept = Self.fixes(metadata).filter { self.span(of: $0) != span } + [new]
        return .array(
            kept.sorted { $0.start < $1.start }.map {
                [
                    "start": JSONValue($0.start), "end": JSONValue($0.end),
                    "line": .string($0.line),
                    "speaker": $0.speaker.map { .string($0) } ?? .null,
                ]
            })
    }

    /// Quotations assigned to none of the cast by the user: the narrator reads them.
    var narrated: Set<Int> {
        Set(attributions.values.lazy.filter { $0.tier == .sure && $0.speaker == nil }.map(\.span))
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

extension StoryText {
    /// The span that contains the byte; nil after the last.
    fileprivate func span(at byte: Int) -> Int? {
        let first = spans.partitioningIndex { $0.range.upperBound > byte }
        return first < spans.count ? first : nil
    }
}
