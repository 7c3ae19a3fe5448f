/// Finds e-mail addresses (RFC 5321 §4.1.2, as people write them), also with "(at)" and
/// "dot" against harvesters. Pure.
struct EmailPattern {
    private let text: ScannedText

    init(_ text: ScannedText) { self.text = text }

    func ranges() -> [Range<Int>] {
        text.units.indices.filter { text.units[$0] == 0x40 }.compactMap(address)
            + text.words.indices.compactMap(spelled)
    }

    /// "ida (at) berg.example", "ida at berg dot com", from its "at".
    private func spelled(_ index: Int) -> Range<Int>? {
        let words = text.words
        guard words[index].count == 2, index > 0, text.text(words[index]) == "at",
            words[index].start - words[index - 1].end < 4
        else { return nil }
        var isSpelled = [0x28, 0x5B, 0x7B, 0x3C].contains(text.ascii(words[index].start - 1))
        var last = index + 1
        while last + 1 < words.count, words[last + 1].start - words[last].end < 4 {
            if text.ascii(words[last].end) == 0x2E {
                last += 1
            } else if last + 2 < words.count,
                ["dot", "punkt", "punto", "kropka"].contains(text.text(words[last + 1]))
            {
                (last, isSpelled) = (last + 2, true)
            } else {
                break
            }
        }
        guard isSpelled, last > index + 1, last < words.count,
            RedactionWords.domains.contains(text.text(words[last]))
        else { return nil }
        var start = words[index - 1].start
        while isLocal(start - 1) { start -= 1 }
        return start..<words[last].end
    }

    private func address(at sign: Int) -> Range<Int>? {
        var start = sign
        while start - 1 >= 0, isLocal(start - 1), sign - start < 64 { start -= 1 }
        while start < sign, [0x2E, 0x2D, 0x27].contains(text.ascii(start)) { start += 1 }
        guard start < sign, (start..<sign).contains(where: { text.isWord($0) }) else { return nil }
        // A blank, or the end of a line, after the sign.
        var behind = sign + 1
        while text.has(.blank, behind), behind - sign < 4 { behind += 1 }
        guard let host = host(behind), behind == sign + 1 || host.isCertain else { return nil }
        if start >= 7, text.text(start - 7..<start) == "mailto:" { start -= 7 }
        return start..<host.end
    }

    private func isLocal(_ index: Int) -> Bool {
        text.isWord(index)
            || [0x2E, 0x5F, 0x25, 0x2B, 0x2D, 0x27, 0x26, 0x21, 0x23, 0x7E].contains(
                text.ascii(index))
    }

    /// Two labels or more.
    private func host(_ start: Int) -> (end: Int, isCertain: Bool)? {
        var end = start
        var last = 0..<0
        var labels = 0
        var index = start
        while true {
            var label = index
            // Two hyphens too, as punycode has them (RFC 5890, section 2.3.1).
            while text.isWord(label)
                || label > index && text.ascii(label) == 0x2D
                    && (text.isWord(label + 1)
                        || text.ascii(label + 1) == 0x2D && text.isWord(label + 2))
            {
                label += 1
            }
            guard label > index else { break }
            last = index..<label
            labels += 1
            end = label
            guard text.ascii(label) == 0x2E, text.isWord(label + 1) else { break }
            index = label + 1
        }
        guard labels >= 2, last.count >= 2, !text.isDigit(last.lowerBound) else { return nil }
        return (end, RedactionWords.domains.contains(text.text(last)))
    }
}
