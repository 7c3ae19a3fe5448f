/// Finds the extent of a name: titles, initials, second names and words joined by a hyphen.
extension NameContext {
    /// The range with titles and initials before it and the initial after it.
    func extended(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        var index = text.word(from: start) - 1
        var front = start
        while index >= 0 {
            let word = text.words[index]
            guard touches(Range.span(word.end, front)) else { break }
            let letters = text.folded(word)
            let isInitial =
                word.count == 1 && word.isCapital && initials.contains(letters[0])
                && !text.isWord(word.start - 1)
            guard isInitial || isTitle(word, letters) else {
                // "J. van der Berg": they count if an initial precedes them.
                guard isParticle(word) else { break }
                front = word.start
                index -= 1
                continue
            }
            start = word.start
            front = start
            index -= 1
        }
        if let front = initialsStart(before: start, given) { start = front }
        if let behind = initialsEnd(behind: end, initials) { end = behind }
        return start..<end
    }

    private func isTitle(_ word: ScannedText.Word, _ letters: [UInt32]) -> Bool {
        guard RedactionWords.titles.contains(letters), word.count > 1,
            !word.isAllCaps || word.count > 2
        else { return false }
        // "fr" and "ing" are words; "Sr." may be senior.
        return word.isCapital
            || ["pani", "pan", "pana", "panu", "pania", "dr", "mgr"].contains(text.text(word))
    }

    /// "Rosa Wells-Holm".
    func withHyphen(_ range: Range<Int>) -> Range<Int> {
        let index = text.word(from: range.upperBound)
        guard index < text.words.count, text.ascii(range.upperBound) == 0x2D,
            text.words[index].start == range.upperBound + 1, text.words[index].isCapital,
            !text.words[index].hasDigit, !text.words[index].isAllCaps
        else { return range }
        return range.lowerBound..<text.words[index].end
    }

    /// "Wells, Rocío Inés": up to two more before a comma, a bracket or the end of the line.
    func withSecondNames(_ range: Range<Int>, from surname: NameCandidate) -> Range<Int> {
        guard text.ascii(surname.units.upperBound) == 0x2C else { return range }
        var end = range.upperBound
        var index = text.word(from: end)
        while index < text.words.count, isOneSpace(Range.span(end, text.words[index].start)),
            isMiddleName(text.words[index])
        {
            end = text.words[index].end
            index += 1
        }
        let next = text.skippingSpace(end)
        let isStop =
            next >= text.count || text.has(.newline, next)
            || [0x2C, 0x28, 0x3B, 0x2E].contains(text.ascii(next))
        let count = index - text.word(from: range.upperBound)
        return isStop && count <= 2 ? range.lowerBound..<end : range
    }
}
