/// Finds names that the text describes as people, in prose and elsewhere: relatives,
/// nicknames, "care of". Pure.
extension NamePattern {
    /// "my mother Ida Berg", "Mum (Ida)"; not "Berg & Son (Leeds)" nor "Uncle Ben's".
    func related(_ hit: LabelScan.Hit) -> Range<Int>? {
        var before = hit.start - 1
        while text.has(.space, before) { before -= 1 }
        guard ![0x26, 0x2B].contains(text.ascii(before)) else { return nil }
        let (end, words) = beside(hit, most: 4)
        guard let first = words.first, first.count > 1 || words.count > 1,
            !(text.has(.upper, hit.start) && text.ascii(end) == 0x27)
        else { return nil }
        return first.start..<end
    }

    /// "Ida Berg (020 7946 0999)": two words, one of them in the list.
    func before(phone: Range<Int>) -> Range<Int>? {
        let bracket = (phone.lowerBound - 3..<phone.lowerBound).last { text.ascii($0) == 0x28 }
        guard let bracket, text.ascii(bracket - 1) == 0x20,
            case let last = text.word(from: bracket) - 1, last > 0,
            text.words[last].end == bracket - 1, let range = pair(endingAt: last)
        else { return nil }
        let words = text.words[text.word(from: range.lowerBound)...last]
        return words.contains {
            isFirstName($0) && !RedactionWords.unsureNames.contains(text.folded($0))
        } ? range : nil
    }

    /// "Berg I, Holm RT", "Holm, R.; Berg, I.", "Ida Berg and R. Holm": who is listed beside a name
    /// with initials.
    func authors(beside known: [Range<Int>]) -> [Range<Int>] {
        if known.isEmpty { return [] }
        let forms = text.words.indices.compactMap(initialForm)
        var (starts, ends) = (Set(known.map(\.lowerBound)), Set(known.map(\.upperBound)))
        var found: [Range<Int>] = []
        for form in forms {
            if let end = jointStart(before: form.lowerBound), ends.contains(end) {
                ends.insert(form.upperBound)
                found.append(form)
            }
        }
        // The joint before a name that follows the form.
        let before = Set(starts.compactMap(jointStart))
        var heads = before
        for form in forms.reversed() where heads.contains(form.upperBound) {
            if starts.insert(form.lowerBound).inserted { found.append(form) }
            if let end = jointStart(before: form.lowerBound) { heads.insert(end) }
        }
        return found
    }

    /// "R. Holm", "R. T. Holm", "Holm R", "HOLM, R." from that word on.
    private func initialForm(_ index: Int) -> Range<Int>? {
        func isInitial(_ word: ScannedText.Word) -> Bool {
            word.isCapital && word.count == 1 && text.ascii(word.end) == 0x2E
        }
        let word = text.words[index]
        if isInitial(word) {
            guard index == 0 || !isInitial(text.words[index - 1]) else { return nil }
            let (end, words) = name(from: word.start)
            guard let last = words.last, last.count > 2, words.dropLast().allSatisfy(isInitial),
                isPerson(words), areNames(words)
            else { return nil }
            return word.start..<end
        }
        guard isNamely(word), word.count > 2, isPerson([word]), index + 1 < text.words.count else {
            return nil
        }
        let next = text.words[index + 1]
        let gap = Range.span(word.end, next.start)
        guard gap.count <= 2, text.has(.space, gap.upperBound - 1),
            gap.count == 1 || text.ascii(gap.lowerBound) == 0x2C, next.isCapital
        else { return nil }
        if isInitial(next) {
            var last = index + 1
            while last + 1 < text.words.count, isInitial(text.words[last + 1]),
                text.words[last + 1].start - text.words[last].end <= 2
            { last += 1 }
            return word.start..<text.words[last].end + 1
        }
        // "Leeds UK" and "Acme AG" are none.
        let letters = text.text(next)
        let isShort =
            gap.count == 1 && next.count <= 3 && (next.isAllCaps || next.count == 1)
            && !NameLiteral.abbreviations.contains(letters)
            && !EmployerLiteral.forms.contains(letters)
            && !RedactionWords.americanStates.contains(text.folded(next))
        return isShort && isStop(next.end) ? word.start..<next.end : nil
    }

    /// The end of what stands before ", ", "; ", " & " or " and ".
    private func jointStart(before start: Int) -> Int? {
        let index = text.word(from: start) - 1
        if index >= 0, case let word = text.words[index], word.end + 1 == start,
            text.has(.space, word.end), text.has(.space, word.start - 1),
            RedactionWords.ands.contains(text.folded(word))
        {
            // ", and"
            return text.ascii(word.start - 2) == 0x2C ? word.start - 2 : word.start - 1
        }
        guard text.has(.space, start - 1) else { return nil }
        switch text.ascii(start - 2) {
        case 0x2C, 0x3B: return start - 2
        case 0x26: return text.has(.space, start - 3) ? start - 3 : nil
        default: return nil
        }
    }

    /// The capitalised words, two or more, up to that word, with particles between them, if they
    /// can be a name: after a word that cannot be part of one, such as "Contact".
    func pair(endingAt last: Int) -> Range<Int>? {
        var first = last
        while first > 0, last - first < 6, case let word = text.words[first - 1],
            isParticle(word)
                || isNamely(word)
                    && !text.labels(at: word.start).contains(where: { $0.end == word.end }),
            isInName(Range.span(word.end, text.words[first].start)),
            word.count < 3 || text.ascii(word.end) != 0x2E
        { first -= 1 }
        while first < last, !text.words[first].isCapital { first += 1 }
        let words = text.words[first...last].filter(\.isCapital)
        return isPair(words) && text.words[last].isCapital
            ? text.words[first].start..<text.words[last].end : nil
    }

    /// Whether it is a capitalised word that can be in a name.
    private func isNamely(_ word: ScannedText.Word) -> Bool {
        let letters = text.folded(word)
        return word.isCapital && !word.hasDigit && !RedactionWords.commonWords.contains(letters)
            && !RedactionWords.determiners.contains(letters)
    }

    private func isPair(_ words: [ScannedText.Word]) -> Bool {
        (2...6).contains(words.count) && isPerson(words) && words.allSatisfy(isNamely)
    }

    /// "Ida Berg (DOB 3/5/1990", "Ida Berg, with passport 1234567": at the beginning of a
    /// sentence or field.
    func before(_ hit: LabelScan.Hit) -> Range<Int>? {
        let value = text.units.indices[hit.end...].prefix(24).prefix {
            ![0x28, 0x29, 0x2C, 0x3B].contains(text.ascii($0)) && !text.has(.newline, $0)
        }
        var last = text.word(from: hit.start) - 1
        if last > 0, !text.words[last].isCapital, text.words[last].count < 5 { last -= 1 }
        guard value.count(where: text.isDigit) > 4, last > 0,
            case let gap = Range.span(text.words[last].end, hit.start),
            gap.count < 8, [0x2C, 0x28].contains(text.ascii(text.skippingSpace(gap.lowerBound)))
        else { return nil }
        return pair(endingAt: last)
    }

    /// "Most people call me Sunny", "published as Ida Berg".
    func nickname(_ hit: LabelScan.Hit) -> Range<Int>? {
        let (end, words) = beside(hit, most: 3)
        guard let first = words.first, first.count > 1,
            words.count == 1 || isFirstName(first) || isOtherScript(first)
        else { return nil }
        return first.start..<end
    }

    /// c/o
    func careOf() -> [Range<Int>] {
        text.words.compactMap { word in
            guard word.count == 1, text.units[word.start] == 0x63, text.ascii(word.end) == 0x2F,
                text.ascii(word.end + 1) == 0x6F, !text.isWord(word.end + 2)
            else { return nil }
            let hit = LabelScan.Hit(label: .surePersonBefore, start: word.start, end: word.end + 2)
            return related(hit)
        }
    }

    /// The capitalised words beside a label, without those of the next sentence.
    func beside(
        _ hit: LabelScan.Hit, most: Int
    ) -> (end: Int, words: [ScannedText.Word]) {
        var first = hit.end
        while first - hit.end < 4, first < text.count,
            [0x20, 0x22, 0x28, 0x2A, 0x2E, 0x3A, 0x5F, 0xAB].contains(text.units[first])
        {
            first += 1
        }
        var (end, words) = first > hit.end ? capitals(from: first, most: most) : (first, [])
        if let last = words.firstIndex(where: { $0.count > 1 && text.ascii($0.end) == 0x2E }) {
            words.removeSubrange((last + 1)...)
            end = words[last].end
        }
        let isNoName = words.first.map {
            let letters = text.folded($0)
            return RedactionWords.determiners.contains(letters)
                || RedactionWords.months.contains(letters)
        }
        return isPerson(words) && isNoName == false ? (end, words) : (end, [])
    }

}
