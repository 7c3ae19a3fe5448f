/// Finds names in running text by the lists of first names, unless the words beside a name show
/// that it names something else. Pure.
extension NamePattern {
    func isFirstName(_ word: ScannedText.Word) -> Bool {
        RedactionWords.firstNames.contains(text.folded(word))
    }

    /// Whether it may be something other than a name.
    private func isUnsure(_ word: ScannedText.Word) -> Bool {
        RedactionWords.unsureNames.contains(text.folded(word))
    }

    private func isRare(_ word: ScannedText.Word) -> Bool {
        RedactionWords.rareNames.contains(text.folded(word))
    }

    /// "Ida Berg" and "Ida": the first word is in the list of first names.
    func listed() -> (full: [Range<Int>], single: [Range<Int>]) {
        var (full, single): ([Range<Int>], [Range<Int>]) = ([], [])
        var end = 0
        for (index, word) in text.words.enumerated()
        where word.start >= end && word.isCapital && isFirstName(word) {
            guard
                ![0x2D, 0x2E, 0x40, 0x2F, 0x5F, 0x27].contains(text.ascii(word.start - 1))
                    || text.has(.blank, word.start - 2)
            else { continue }
            if isOrganisation(index) { continue }
            if let range = reversed(index) {
                full.append(range)
                end = range.upperBound
            } else if let range = fullName(word) {
                full.append(range)
                end = range.upperBound
            } else if isSingle(index) {
                single.append(word.start..<word.end)
            }
        }
        return (full, single)
    }

    /// "Hospital Ida Berg", "Ausstellung „Ida Berg“"; also "LoRa", with a capital inside.
    private func isOrganisation(_ index: Int) -> Bool {
        let word = text.words[index]
        if !word.isAllCaps, word.count < 6, (word.start..<word.end).contains(where: text.isHump) {
            return true
        }
        guard index > 0, case let before = text.words[index - 1], before.isCapital,
            Range.span(before.end, word.start).count < 3, text.has(.space, before.end)
        else { return false }
        return RedactionWords.organisations.contains(text.folded(before))
    }

    /// "Berg, Ida" alone in its field, not the second of a list of towns.
    private func reversed(_ index: Int) -> Range<Int>? {
        guard index > 0, case (let word, let surname) = (text.words[index], text.words[index - 1]),
            surname.end + 2 == word.start, text.ascii(surname.end) == 0x2C,
            text.has(.space, surname.end + 1), surname.isCapital, surname.count > 2,
            isPerson([surname]), areNames([word, surname]), isStop(word.end),
            text.ascii(word.end) != 0x2C || !text.has(.upper, text.skippingSpace(word.end + 1))
        else { return nil }
        var start = surname.start
        if index > 1, case let before = text.words[index - 2], isParticle(before),
            before.end + 1 == start
        {
            start = before.start
        }
        let sign = text.ascii(text.has(.space, start - 1) ? start - 2 : start - 1)
        return start == 0 || text.has(.newline, start - 1)
            || [0x22, 0x3A, 0x3B, 0x7C].contains(sign)
            ? start..<word.end : nil
    }

    /// The capitalised words of one name: a gap of two blanks ends it.
    func name(from start: Int) -> (end: Int, words: [ScannedText.Word]) {
        var (end, words) = capitals(from: start, most: 5)
        for (index, word) in words.enumerated().dropFirst() {
            let last = words[index - 1].end
            if text.has(.space, last),
                text.has(.space, last + 1)
                    || text.has(.space, word.start - 1) && text.has(.space, word.start - 2)
            {
                words.removeSubrange(index...)
                end = last
                break
            }
            // "Thank Ben. The others …"
            if text.ascii(last) == 0x2E, words[index - 1].count > 2 {
                words.removeSubrange(index...)
                end = last
                break
            }
        }
        return (end, words)
    }

    private func fullName(_ first: ScannedText.Word) -> Range<Int>? {
        let (end, words) = name(from: first.start)
        guard words.count > 1, isPerson(words),
            let second = words.first(where: {
                text.has(.space, $0.start - 1) && $0.start > first.start
            }),
            first.isAllCaps || !second.isAllCaps || second.count > 4,
            // "TENA Slip"
            first.isAllCaps == second.isAllCaps || !isRare(first),
            !isUnsure(first) || text.ascii(first.end) != 0x2D,
            areNames(words), !text.isFollowedByThing(end)
        else { return nil }
        if second.count == 1 {
            return isUnsure(first) && end == second.end ? nil : first.start..<end
        }
        if isUnsure(first), isUnsure(second) || second.count < 3 { return nil }
        return first.start..<end
    }

    /// Whether the words are names, unlike "Claude Code" and "W. Europe Standard Time".
    func areNames(_ words: [ScannedText.Word]) -> Bool {
        !words.dropFirst().contains { word in
            let letters = text.folded(word)
            return word.count > 1
                && (RedactionWords.determiners.contains(letters)
                    || RedactionWords.months.contains(letters)
                    || RedactionWords.commonWords.contains(letters))
        }
    }

    /// Whether it is a first name alone, not part of something with capitals. A name that is also a
    /// word needs a verb after it.
    private func isSingle(_ index: Int) -> Bool {
        let word = text.words[index]
        let before = index > 0 ? text.words[index - 1] : nil
        let after = index + 1 < text.words.count ? text.words[index + 1] : nil
        let isUnsure = isUnsure(word) || isRare(word)
        guard !word.isAllCaps, !text.isFollowedByThing(word.end), text.ascii(word.end) != 0x2D,
            text.ascii(word.end) != 0x2E || !text.isWord(word.end + 1),
            ![0x40, 0x5F, 0x2F, 0x28].contains(text.ascii(word.end))
        else { return false }
        if let before, text.has(.space, word.start - 1), before.end + 1 == word.start {
            // "a Hobart mixer", "San Francisco", but "Hi Ida".
            let isCalled = text.labels(at: before.start).contains { $0.end == before.end }
            // "in Victoria" is a place, the "syndrome de Gilbert" an illness.
            let (letters, second) = (text.folded(before), text.words[max(0, index - 2)])
            if before.isCapital
                ? !isCalled
                : RedactionWords.articles.contains(letters)
                    || RedactionWords.beforePlaces.contains(letters) && text.ascii(word.end) != 0x27
                    || RedactionWords.illnesses.contains(text.folded(second))
                    || second.isCapital
                        && RedactionWords.organisations.contains(text.folded(second))
            {
                return false
            }
        }
        guard ![text.ascii(word.start - 2), text.ascii(word.end + 1)].contains(0x26) else {
            return false
        }
        guard let after, after.start == word.end + 1, text.has(.space, word.end) else {
            return !isUnsure
        }
        if after.isCapital { return false }
        return !isUnsure
            || isBeginning(word.start) && RedactionWords.humanVerbs.contains(text.folded(after))
                && !RedactionWords.months.contains(text.folded(word))
    }
}
