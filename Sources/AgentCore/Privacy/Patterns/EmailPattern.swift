/// Finds e-mail addresses (RFC 5321 §4.1.2, as people write them), also with "(at)" and
/// "dot" against harvesters. Pure.
struct EmailPattern {
    private let text: ScannedText

    init(_ text: ScannedText) { self.text = text }

    func ranges() -> [Range<Int>] {
        var found: [Range<Int>] = []
        for index in text.units.indices where text.units[index] == 0x40 {
            if let range = address(at: index..<index + 1) { found.append(range) }
        }
        for word in text.words where word.count == 2 && text.text(word) == "at" {
            if let sign = spelledAt(word), let range = address(at: sign) { found.append(range) }
        }
        return found
    }

    /// The range with the brackets or blanks around "at".
    private func spelledAt(_ word: ScannedText.Word) -> Range<Int>? {
        var (start, end) = (word.start, word.end)
        let isBracketed =
            [0x28, 0x5B, 0x7B, 0x3C, 0x5F, 0x2D].contains(text.ascii(start - 1))
            && [0x29, 0x5D, 0x7D, 0x3E, 0x5F, 0x2D].contains(text.ascii(end))
        if isBracketed {
            start -= 1
            end += 1
        }
        while text.has(.space, start - 1), word.start - start < 4 { start -= 1 }
        end = text.skippingSpace(end)
        guard let host = host(end), isBracketed || host.isSpelled && host.isCertain else {
            return nil
        }
        return start..<end
    }

    private func address(at sign: Range<Int>) -> Range<Int>? {
        var start = sign.lowerBound
        while start - 1 >= 0, isLocal(start - 1), sign.lowerBound - start < 64 { start -= 1 }
        while start < sign.lowerBound, [0x2E, 0x2D, 0x27].contains(text.ascii(start)) { start += 1 }
        guard start < sign.lowerBound,
            (start..<sign.lowerBound).contains(where: { text.isWord($0) })
        else { return nil }
        var behind = sign.upperBound
        if sign.count == 1 {
            // A blank, or the end of a line, after the sign.
            while text.has(.blank, behind), behind - sign.upperBound < 3 { behind += 1 }
        }
        guard let host = host(behind), behind == sign.upperBound || host.isCertain else {
            return nil
        }
        if start >= 7, text.text(start - 7..<start) == "mailto:" { start -= 7 }
        return start..<host.end
    }

    private func isLocal(_ index: Int) -> Bool {
        text.isWord(index)
            || [0x2E, 0x5F, 0x25, 0x2B, 0x2D, 0x27, 0x26, 0x21, 0x23, 0x7E].contains(
                text.ascii(index))
    }

    /// Two labels or more; a full stop may be spelled out.
    private func host(_ start: Int) -> (end: Int, isSpelled: Bool, isCertain: Bool)? {
        var end = start
        var last = 0..<0
        var labels = 0
        var isSpelled = false
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
            if text.ascii(label) == 0x2E, text.isWord(label + 1) {
                index = label + 1
            } else if let dot = dot(label) {
                index = dot
                isSpelled = true
            } else {
                break
            }
        }
        guard labels >= 2, last.count >= 2, !text.isDigit(last.lowerBound) else { return nil }
        return (end, isSpelled, RedactionWords.domains.contains(text.text(last)))
    }

    /// Behind " dot ", "(dot)", " . ".
    private func dot(_ start: Int) -> Int? {
        var index = text.skippingSpace(start)
        let isBracketed = [0x28, 0x5B, 0x7B].contains(text.ascii(index))
        if isBracketed { index += 1 }
        var end = index
        while text.isLetter(end) { end += 1 }
        let word = text.text(index..<end)
        guard
            word == "dot" || word == "punkt" || word == "punto" || word == "kropka"
                || isBracketed && text.ascii(index) == 0x2E
        else { return nil }
        if word.isEmpty { end += 1 }
        if isBracketed {
            guard [0x29, 0x5D, 0x7D].contains(text.ascii(end)) else { return nil }
            end += 1
        }
        end = text.skippingSpace(end)
        return text.isWord(end) && end - start <= 8 ? end : nil
    }
}
