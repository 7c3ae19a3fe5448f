/// Brackets and quotation marks without their counterpart. They are reported and
/// never corrected: where the missing one belongs is for the author to say. Pure.
enum UnmatchedSigns {
    private static let pairs: [String: String] = ["(": ")", "[": "]", "“": "”"]

    /// Of one block of prose; the ranges are its own bytes.
    static func remarks(in passage: Passage) -> [ProofreadingRemark] {
        // "a) one b) two" and smileys: a list item is too free to be judged.
        guard !passage.isFragment else { return [] }
        var open: [(sign: String, range: Range<Int>)] = []
        var lone: [(sign: String, range: Range<Int>)] = []
        var quotes: [Range<Int>] = []
        for (index, item) in passage.items.enumerated() where item.kind == .mark {
            if pairs[item.text] != nil {
                open.append((item.text, item.range))
            } else if let place = open.lastIndex(where: { pairs[$0.sign] == item.text }) {
                open.removeSubrange(place...)
            } else if pairs.values.contains(item.text) {
                // ":)" and "1)"
                let before = index > 0 ? passage.items[index - 1] : nil
                let isSmiley = before?.kind == .mark && item.gap == .none
                let isNumbering = before.map { $0.kind == .number || $0.text.utf8.count == 1 }
                if !isSmiley, isNumbering != true { lone.append((item.text, item.range)) }
            } else if item.text == "\"" {
                quotes.append(item.range)
            }
        }
        lone += open
        // A quotation of several paragraphs opens each and closes the last.
        lone.removeAll { $0.sign == "“" }
        if quotes.count % 2 == 1, quotes.count > 1, let last = quotes.last {
            lone.append(("\"", last))
        }
        return lone.sorted { $0.range.lowerBound < $1.range.lowerBound }.map {
            ProofreadingRemark(kind: .unmatched, range: $0.range, text: $0.sign)
        }
    }
}
