/// Finds initials beside a surname: "W. H. Young", "Baker TK", "Ford, N.".
extension NameContext {
    /// The end of initials after a surname, as in lists of authors: "Baker T", "Baker TK", "Baker,
    /// T. K.". The first initial is one of `own`; any others may follow.
    func initialsEnd(behind end: Int, _ own: Set<UInt32>) -> Int? {
        var index = text.word(from: end)
        guard index < text.words.count else { return nil }
        let first = text.words[index]
        let gap = Range.span(end, first.start)
        guard gap.count <= 2, text.has(.space, gap.upperBound - 1),
            gap.allSatisfy({ text.has(.space, $0) || text.ascii($0) == 0x2C }),
            first.count <= 3, first.isAllCaps || first.count == 1 && first.isCapital,
            !text.has(.unspaced, first.start), own.contains(text.units[first.start])
        else { return nil }
        let isPointed = text.ascii(first.end) == 0x2E
        guard isPointed else {
            // "Young, I think", "Young US citizens", "a Young I know".
            let isComma = text.ascii(gap.lowerBound) == 0x2C
            if isComma
                || "iaoey".unicodeScalars.contains(where: { $0.value == text.units[first.start] })
                    && first.count == 1
            {
                return nil
            }
            let next = text.skippingSpace(first.end)
            guard first.count > 1, text.isLetter(next) else { return first.end }
            let word = text.words[text.word(from: next)]
            return ["and", "et", "und", "y", "e", "och"].contains(text.text(word)) ? first.end : nil
        }
        var last = first.end + 1
        index += 1
        while index < text.words.count, index < text.word(from: end) + 4 {
            let word = text.words[index]
            guard word.count == 1, word.isCapital, text.ascii(word.end) == 0x2E,
                Range.span(last, word.start).count <= 1,
                Range.span(last, word.start).allSatisfy({
                    text.has(.space, $0) || text.ascii($0) == 0x2D
                })
            else { break }
            last = word.end + 1
            index += 1
        }
        return last
    }

    /// The start of initials before a surname: "W. H. Young", "WH Young".
    func initialsStart(before start: Int, _ own: Set<UInt32>) -> Int? {
        var found: Int?
        var front = start
        var index = text.word(from: start) - 1
        while index >= 0, found == nil || text.words[index].count == 1 {
            let word = text.words[index]
            guard front - word.end <= 2, !text.has(.unspaced, word.start), word.isCapital,
                Range.span(word.end, front).allSatisfy({
                    text.has(.space, $0) || [0x2E, 0x2D].contains(text.ascii($0))
                }), front > word.end,
                // A hyphen alone makes a handle: "h-entwistle".
                front < start || text.ascii(word.end) != 0x2D
            else { break }
            let isPair =
                word.count == 2 && word.isAllCaps && front == start
                && text.has(.space, word.end)
                && !NameLiteral.abbreviations.contains(text.text(word))
            guard word.count == 1 || isPair else { break }
            if own.contains(text.units[word.start]), !text.isWord(word.start - 1) {
                found = word.start
            }
            front = word.start
            index -= 1
            if isPair { break }
        }
        return found
    }
}
