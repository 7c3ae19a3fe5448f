import StoryKit

extension FuzzTarget {
    /// Who says what in a story: its stretches are in order and inside of the text.
    static let quotations = FuzzTarget("quotations") { bytes in
        let story = StoryText(String(decoding: bytes, as: UTF8.self))
        var end = 0
        for span in story.spans {
            try demand(span.range.lowerBound >= end, "stretches that overlap")
            end = span.range.upperBound
        }
        try demand(end <= story.bytes.count, "beyond the text")
        _ = CastFinder.find(in: story)
    }
}
