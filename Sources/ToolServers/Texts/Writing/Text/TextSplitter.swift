/// Splits a long text into the parts that a model is given one after the other:
/// whole paragraphs, or the lines and then the sentences of one that is too
/// long. Pure. Joined, the parts are the text.
enum TextSplitter {
    /// Limit in bytes: an answer of this size comes within a minute, and little is lost if it is
    /// refused.
    static let limit = 6_000

    static func parts(of text: String, limit: Int = limit) -> [String] {
        let bytes = Array(text.utf8)
        if bytes.count <= limit { return [text] }
        let cuts = cuts(of: text, bytes, limit: limit)
        var parts: [String] = []
        var start = 0
        for end in cuts + [bytes.count] where end > start {
            parts.append(String(decoding: bytes[start..<end], as: UTF8.self))
            start = end
        }
        return parts
    }

    /// The ends of the parts, ascending. Never within a protected span, so that
    /// a part may exceed the limit.
    private static func cuts(of text: String, _ bytes: [UInt8], limit: Int) -> [Int] {
        let protected = ProtectedText(text)
        var cuts: [Int] = []
        var start = 0
        // The best place since the last cut, for each rank.
        var best: [Int?] = [nil, nil, nil]
        var place = 0
        while place < bytes.count {
            place += 1
            if place - start > limit, let cut = best.compactMap({ $0 }).first {
                cuts.append(cut)
                start = cut
                best = best.map { $0.flatMap { $0 > cut ? $0 : nil } }
            }
            guard let rank = rank(of: place, bytes), !isInside(place, protected) else { continue }
            best[rank] = place
        }
        return cuts
    }

    /// 0 after a blank line, 1 after a line, 2 after a sentence; nil elsewhere.
    private static func rank(of place: Int, _ bytes: [UInt8]) -> Int? {
        let last = bytes[place - 1]
        if last == 0x0A {
            // The blank lines that follow belong to the text before them.
            let next = place < bytes.count ? bytes[place] : 0
            if next == 0x0A || next == 0x0D { return nil }
            var index = place - 2
            while index >= 0, bytes[index] == 0x0D || bytes[index] == 0x20 || bytes[index] == 0x09 {
                index -= 1
            }
            return index >= 0 && bytes[index] == 0x0A ? 0 : 1
        }
        guard last == 0x20, place >= 2 else { return nil }
        let sign = bytes[place - 2]
        return sign == 0x2E || sign == 0x21 || sign == 0x3F ? 2 : nil
    }

    private static func isInside(_ place: Int, _ protected: ProtectedText) -> Bool {
        // Whether the byte before and the one after belong to the same span.
        protected.touches(place - 1..<place) && protected.touches(place..<place + 1)
    }
}
