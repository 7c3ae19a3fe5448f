import Base
import StoryKit

/// A model's labels of who says what, stored in a story's metadata as `labels`: `by` (the
/// model), `speakers` (names), and `at`, an array of `[start, checksum, speaker]` for each
/// labelled quotation: its first byte, the CRC-32 of its bytes, an index into `speakers`.
/// Pure.
///
/// A label belongs to the words of its quotation. It is found again when the text around it
/// has changed, and is dropped when the quotation itself has.
struct StoryLabels: Sendable, Equatable {
    struct Label: Sendable, Equatable {
        var start: Int
        var checksum: UInt32
        /// The character's name at that time; a merged or renamed character has it as an
        /// alias.
        var speaker: String
    }

    /// "gpt-5".
    var by: String
    var labels: [Label]

    init(by: String, _ labels: [Label] = []) {
        self.by = by
        self.labels = labels
    }

    /// - Parameter speakers: characters by the span index of the quotation.
    init(by: String, _ speakers: [Int: String], in text: StoryText) {
        self.init(
            by: by,
            speakers.sorted { $0.key < $1.key }.map { span, name in
                let range = text.spans[span].range
                return Label(
                    start: range.lowerBound, checksum: CRC32.of(Array(text.bytes[range])),
                    speaker: name)
            })
    }

    /// Ignores malformed entries.
    init?(_ metadata: JSONObject) {
        guard let kept = metadata["labels"], let by = kept["by"]?.stringValue else { return nil }
        let speakers = kept["speakers"]?.arrayValue ?? []
        self.by = by
        labels = (kept["at"]?.arrayValue ?? []).compactMap { value in
            guard let numbers = value.arrayValue?.map(\.integerValue), numbers.count == 3,
                let start = numbers[0], let sum = numbers[1].flatMap(UInt32.init(exactly:)),
                let speaker = numbers[2], speakers.indices.contains(speaker),
                let name = speakers[speaker].stringValue
            else { return nil }
            return Label(start: start, checksum: sum, speaker: name)
        }
    }

    var json: JSONValue {
        var speakers: [String] = []
        var places: [String: Int] = [:]
        let rows = labels.map { label -> JSONValue in
            let place = places[label.speaker] ?? speakers.count
            if place == speakers.count {
                places[label.speaker] = place
                speakers.append(label.speaker)
            }
            return [JSONValue(label.start), JSONValue(Int(label.checksum)), JSONValue(place)]
        }
        return [
            "by": .string(by), "speakers": .array(speakers.map { .string($0) }),
            "at": .array(rows),
        ]
    }

    /// Speaker names by the span index of the quotation: at its old place, or the nearest
    /// other with the same words.
    func speakers(in text: StoryText) -> [Int: String] {
        if labels.isEmpty { return [:] }
        var places: [UInt32: [Int]] = [:]
        for (index, span) in text.spans.enumerated() where span.kind == .quotation {
            places[CRC32.of(Array(text.bytes[span.range])), default: []].append(index)
        }
        var found: [Int: String] = [:]
        for label in labels {
            let nearest = (places[label.checksum] ?? []).min { one, other in
                func distance(_ span: Int) -> (Int, Int) {
                    (abs(text.spans[span].range.lowerBound - label.start), span)
                }
                return distance(one) < distance(other)
            }
            if let nearest { found[nearest] = label.speaker }
        }
        return found
    }
}
