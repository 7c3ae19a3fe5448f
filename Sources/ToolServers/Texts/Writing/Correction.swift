/// One correction of the built-in proofreading: a range of the text and its
/// replacement.
package struct Correction: Sendable, Equatable {
    /// UTF-8 offsets into the text.
    package var range: Range<Int>
    package var replacement: String
    /// The rule that found it, in one word: `doubled`.
    package var rule: String

    /// The text with the corrections made, from the last to the first. One that
    /// does not fit the text, overlaps another or touches a protected span is
    /// left out.
    package static func applied(
        _ corrections: [Correction], to text: String
    ) -> (text: String, count: Int) {
        let protected = ProtectedText(text)
        var bytes = Array(text.utf8)
        var start = bytes.count + 1
        var count = 0
        for correction in corrections.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            let range = correction.range
            guard range.lowerBound >= 0, range.upperBound <= bytes.count,
                range.upperBound <= start, !protected.touches(range),
                !bytes[range].elementsEqual(correction.replacement.utf8)
            else { continue }
            bytes.replaceSubrange(range, with: correction.replacement.utf8)
            start = range.lowerBound
            count += 1
        }
        return (String(decoding: bytes, as: UTF8.self), count)
    }
}
