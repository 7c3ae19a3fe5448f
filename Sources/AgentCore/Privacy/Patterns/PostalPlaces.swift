/// Finds postal codes with their city, as some twenty countries write them. Pure.
struct PostalPlaces {
    private let text: ScannedText

    init(_ text: ScannedText) { self.text = text }

    /// - Parameter streets: the streets found, in order. A number after one of them is certainly a
    ///   postal code.
    func ranges(streets: [Range<Int>], labelled: Set<Int>) -> [Range<Int>] {
        let ends = Set(streets.map(\.upperBound))
        var found: [Range<Int>] = []
        for (index, word) in text.words.enumerated() where word.hasDigit {
            guard !isGlued(word.start) else { continue }
            if let range = lettered(index) ?? american(index) ?? hyphened(index)
                ?? digits(
                    index, isBehind: isBehind(word.start, ends) || labelled.contains(word.start))
                ?? indian(index, ends)
            {
                found.append(range)
            }
        }
        return found
    }

    private func isGlued(_ start: Int) -> Bool {
        [0x2E, 0x2C, 0x2F, 0x3A, 0x5F].contains(text.ascii(start - 1)) && text.isDigit(start - 2)
            || [0x24, 0x23, 0x2B].contains(text.ascii(start - 1))
    }

    /// Whether a comma or a new line after a street precedes it, with at most a house or
    /// quarter between.
    private func isBehind(_ start: Int, _ ends: Set<Int>) -> Bool {
        var index = start
        // D-10115
        while text.isLetter(index - 1) || text.ascii(index - 1) == 0x2D { index -= 1 }
        var steps = 0
        while index > 0, steps < 48 {
            if ends.contains(index) { return true }
            index -= 1
            steps += 1
            if text.isDigit(index) { return ends.contains(index + 1) }
        }
        return false
    }

    /// The end of the postal code after `end`, if one follows.
    func code(behind end: Int) -> Int? {
        let index = text.word(from: end)
        guard index < text.words.count, text.isListGap(Range.span(end, text.words[index].start))
        else {
            return nil
        }
        return (lettered(index) ?? hyphened(index) ?? digits(index, isBehind: true))?.upperBound
    }

    // MARK: - Forms

    private func form(_ word: ScannedText.Word) -> String {
        String(
            (word.start..<word.end).map {
                text.isDigit($0) ? "0" : text.has(.upper, $0) ? "A" : "a"
            })
    }

    /// SW1A 1AA, K1A 0B1, 1015 CJ Amsterdam.
    private func lettered(_ index: Int) -> Range<Int>? {
        guard index + 1 < text.words.count else { return nil }
        let (one, two) = (text.words[index], text.words[index + 1])
        let gap = Range.span(one.end, two.start)
        let first = form(one)
        guard gap.count == 1, text.has(.space, gap.lowerBound) || text.ascii(gap.lowerBound) == 0x2D
        else {
            return nil
        }
        let second = form(two)
        if ["A0", "A00", "A0A", "AA0", "AA00", "AA0A"].contains(first),
            second == "0AA" || first == "A0A" && second == "0A0"
        {
            return withCity(before: one.start)..<two.end
        }
        if first == "0000", second == "AA", index + 2 < text.words.count {
            let city = text.words[index + 2]
            guard city.isCapital, city.start - two.end == 1,
                !["19", "20"].contains(where: { text.text(one).hasPrefix($0) })
            else { return nil }
            return one.start..<city.end
        }
        return nil
    }

    /// Springfield, IL 62704-1234; Sydney NSW 2000.
    private func american(_ index: Int) -> Range<Int>? {
        guard index > 0 else { return nil }
        let (state, word) = (text.words[index - 1], text.words[index])
        // "TAFE NSW, 2018" is a year.
        guard word.isNumber, state.isAllCaps, text.skippingSpace(state.end) == word.start,
            word.start - state.end < 3
        else { return nil }
        let letters = text.folded(state)
        let isAmerican = word.count == 5 && RedactionWords.americanStates.contains(letters)
        let isAustralian =
            word.count == 4 && RedactionWords.australianStates.contains(letters)
            && letters.count == 3
        guard isAmerican || isAustralian else { return nil }
        let start = withCity(before: state.start)
        guard start < state.start || isAmerican else { return nil }
        var end = word.end
        if text.ascii(end) == 0x2D, index + 1 < text.words.count, text.words[index + 1].isNumber,
            text.words[index + 1].count == 4, text.words[index + 1].start == end + 1
        {
            end = text.words[index + 1].end
        }
        return start..<end
    }

    /// 00-950 Warszawa, 1000-001 Lisboa, 01310-100.
    private func hyphened(_ index: Int) -> Range<Int>? {
        guard index + 1 < text.words.count else { return nil }
        let (one, two) = (text.words[index], text.words[index + 1])
        guard one.isNumber, two.isNumber, two.start == one.end + 1, text.ascii(one.end) == 0x2D,
            !text.isWord(two.end), ![0x2D, 0x2F].contains(text.ascii(two.end))
        else { return nil }
        let city = cityEnd(two.end)
        switch (one.count, two.count) {
        case (2, 3), (4, 3): return city.map { one.start..<$0 }
        case (5, 3): return one.start..<(city ?? two.end)
        default: return nil
        }
    }

    /// 10115 Berlin, D-10115 Berlin, 1010 Wien, 110 00 Praha.
    private func digits(_ index: Int, isBehind: Bool) -> Range<Int>? {
        let word = text.words[index]
        guard word.isNumber else { return nil }
        var start = word.start
        var hasCountry = false
        if index > 0, text.ascii(start - 1) == 0x2D, text.words[index - 1].end == start - 1,
            text.words[index - 1].isCapital,
            RedactionWords.countryCodes.contains(text.folded(text.words[index - 1]))
        {
            hasCountry = true
            start = text.words[index - 1].start
        }
        var end = word.end
        var count = word.count
        // 110 00 and 111 22.
        if count == 3, index + 1 < text.words.count, text.words[index + 1].isNumber,
            text.words[index + 1].count == 2, text.words[index + 1].start == end + 1,
            text.has(.space, end), isBehind || hasCountry
        {
            end = text.words[index + 1].end
            count = 5
        }
        guard count == 5 || count == 4 && (isBehind || hasCountry), let city = cityEnd(end) else {
            return nil
        }
        if isBehind || hasCountry { return start..<city }
        if isKnownCity(end, city) { return start..<city }
        return nil
    }

    /// Bengaluru - 560001, Hyderabad 500 084.
    private func indian(_ index: Int, _ ends: Set<Int>) -> Range<Int>? {
        let word = text.words[index]
        guard word.isNumber, word.count == 6 || word.count == 3, text.ascii(word.start) != 0x30,
            index > 0
        else { return nil }
        var end = word.end
        if word.count == 3 {
            guard index + 1 < text.words.count, text.words[index + 1].isNumber,
                text.words[index + 1].count == 3,
                text.words[index + 1].start == end + 1, text.has(.space, end)
            else { return nil }
            end = text.words[index + 1].end
        }
        var gap = word.start - 1
        while text.has(.space, gap) || text.ascii(gap) == 0x2D || text.ascii(gap) == 0x2C {
            gap -= 1
        }
        guard word.start - gap <= 4, text.isLetter(gap), !text.isWord(end) else { return nil }
        let before = text.words[index - 1]
        guard before.isCapital, before.end == gap + 1 else { return nil }
        if ["pin", "pincode", "code"].contains(text.text(before)) { return before.start..<end }
        guard
            RedactionWords.cities.contains(text.folded(before)) || isBehind(before.start, ends)
                || index > 1
                    && RedactionWords.cities.contains(
                        text.folded(text.words[index - 2]) + text.folded(before))
        else { return nil }
        return withCity(before: word.start)..<end
    }

    // MARK: - Cities

    /// The end of one to three capitalised words.
    func cityEnd(_ end: Int) -> Int? {
        var last = end
        var index = text.word(from: end)
        var words = 0
        while index < text.words.count, words < 3 {
            let word = text.words[index]
            let gap = Range.span(last, word.start)
            let isJoint =
                (1...2).contains(gap.count)
                && gap.allSatisfy {
                    text.has(.space, $0)
                        || words > 0 && [0x2D, 0x27].contains(text.ascii($0))
                        // "St. Gallen", not "Hamburg. Then".
                        || words > 0 && text.ascii($0) == 0x2E && text.words[index - 1].count < 4
                }
            guard isJoint, !word.hasDigit else { break }
            if word.isCapital {
                words += 1
            } else if words == 0
                || !RedactionWords.townParticles.contains(text.folded(word))
            {
                break
            }
            last = word.end
            index += 1
        }
        // A particle that nothing follows belongs to the sentence.
        while index > 0, last > end, words > 0, let word = Optional(text.words[index - 1]),
            word.end == last, !word.isCapital
        {
            index -= 1
            last = index > 0 ? text.words[index - 1].end : end
        }
        guard words > 0 else { return nil }
        // 50122 Firenze (FI)
        let isProvince =
            text.ascii(last) == 0x20 && text.ascii(last + 1) == 0x28
            && text.ascii(last + 4) == 0x29
            && (last + 2..<last + 4).allSatisfy { text.has(.upper, $0) }
        return isProvince ? last + 5 : last
    }

    private func isKnownCity(_ start: Int, _ end: Int) -> Bool {
        let words = text.words[text.word(from: start)..<text.word(from: end)]
        var phrase: [UInt32] = []
        for word in words {
            phrase += text.folded(word)
            if RedactionWords.cities.contains(phrase) { return true }
        }
        return false
    }

    /// The start of the capitalised words of a city before a code.
    private func withCity(before start: Int) -> Int {
        var first = start
        var index = text.word(from: start) - 1
        var words = 0
        while index >= 0, words < 3 {
            let word = text.words[index]
            let gap = Range.span(word.end, first)
            let isJoint =
                (1...3).contains(gap.count)
                && gap.allSatisfy { text.has(.space, $0) || [0x2C, 0x2D].contains(text.ascii($0)) }
            let hasComma = gap.contains { text.ascii($0) == 0x2C }
            // Only one comma: the one after the city.
            guard isJoint, !word.hasDigit, !(hasComma && words > 0),
                word.isCapital
                    || words > 0 && index > 0 && text.words[index - 1].isCapital
                        && RedactionWords.townParticles.contains(text.folded(word))
            else { break }
            first = word.start
            words += 1
            index -= 1
        }
        return first
    }
}
