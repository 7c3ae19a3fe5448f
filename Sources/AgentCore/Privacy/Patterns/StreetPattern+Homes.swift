/// Finds an address by the words before it, which may itself look less like a street: after a
/// label, a verb of living, a person's name.
extension StreetPattern {
    /// "street": "27 Banksia Parade", "lives at Mill House, Elm Lane, Leeds": behind a label,
    /// capitals and one number are enough, or the word for a street after a comma.
    func named(at start: Int, needsNumber: Bool = false) -> Range<Int>? {
        let words = capitals(at: start)
        guard let last = words.last, words.first?.start == start else { return nil }
        let numbers = words.filter(\.hasDigit)
        // "zip": "97215"
        if words.count == 1, !needsNumber, (4...6).contains(last.count), last.isNumber {
            return start..<last.end
        }
        if (2...6).contains(words.count), numbers.count == 1, numbers.allSatisfy(isHouse),
            words.first?.hasDigit != last.hasDigit,
            !numbers.contains(where: {
                ScannedDate.date(at: text.word(from: $0.start), in: text) != nil
            }), !words.contains(where: { RedactionWords.months.contains(text.folded($0)) })
        {
            return start..<last.end
        }
        if needsNumber { return nil }
        if numbers.isEmpty, text.ascii(last.end) == 0x2C,
            case let street = capitals(at: text.skippingSpace(last.end + 1)),
            let end = street.last?.end,
            isNamedStreet(street)
                || text.ascii(end) == 0x2C
                    && words.contains(where: { RedactionWords.houses.contains(text.folded($0)) })
        {
            return start..<end
        }
        return isNamedStreet(words) ? start..<last.end : nil
    }

    /// The capitalised words and numbers from `start` on, with the particles between them.
    private func capitals(at start: Int) -> ArraySlice<ScannedText.Word> {
        let first = text.word(from: start)
        var last = first
        while last < text.words.count, last - first < 6, case let word = text.words[last],
            word.isCapital || word.hasDigit || word.count < 5,
            last == first || isJoined(text.words[last - 1], word.start)
        { last += 1 }
        while last > first, !text.words[last - 1].isCapital, !text.words[last - 1].hasDigit {
            last -= 1
        }
        return text.words[first..<last]
    }

    /// "lives with her aunt at Mill House, Elm Lane, Leeds", "Ida, born in 1990, of Elm Lane".
    func residence(_ hit: LabelScan.Hit) -> Range<Int>? {
        let first = text.word(from: hit.end)
        for index in first..<min(first + 7, text.words.count) {
            let (before, word) = (text.words[index - 1], text.words[index])
            guard before.end + 1 == word.start, text.has(.space, before.end) else { return nil }
            if word.isCapital || word.hasDigit,
                RedactionWords.beforeHomes.contains(text.folded(before)),
                let range = named(at: word.start), !isProduct(range)
            {
                return range
            }
        }
        return nil
    }

    /// "3 Tagen", "Windows 11", "Room 12"
    private func isProduct(_ range: Range<Int>) -> Bool {
        let words = capitals(at: range.lowerBound)
        guard let last = words.last, words.contains(where: \.hasDigit) else { return false }
        if !last.hasDigit { return !RedactionWords.streetsBehind.contains(text.folded(last)) }
        return words.contains { word in
            let letters = text.folded(word)
            return RedactionWords.skills.contains(letters)
                || RedactionWords.things.contains(letters)
                || RedactionWords.commonWords.contains(letters)
                || RedactionWords.buildingParts.contains(letters)
        }
    }

    /// Whether a blank, a hyphen, an apostrophe, or the point of "St. Mary" joins the words.
    private func isJoined(_ word: ScannedText.Word, _ start: Int) -> Bool {
        let sign = text.ascii(word.end)
        return start == word.end + 1 && (text.has(.space, word.end) || [0x27, 0x2D].contains(sign))
            || start == word.end + 2 && word.count < 4 && sign == 0x2E
                && text.has(.space, start - 1)
    }

    /// The address behind a person: "Ida Berg, Mill House, Elm Lane", "Ida Berg of Elm Lane",
    /// and alone in the next line: "Granstigen 18, Malmö".
    func home(behind end: Int) -> Range<Int>? {
        var start = text.skippingSpace(end)
        let isLine = text.has(.newline, start)
        if isLine || text.ascii(start) == 0x2C { start = text.skippingSpace(start + 1) }
        if ["of ", "at "].contains(text.text(Range.span(start, min(start + 3, text.count)))) {
            start = text.skippingSpace(start + 2)
        }
        guard start > end, start < text.count, text.has(.upper, start),
            let range = named(at: start), !isProduct(range)
        else { return nil }
        // "Ida Berg, Gold 3": if a number follows, a town must come next.
        let word = text.words[text.word(from: range.upperBound) - 1]
        let next = text.skippingSpace(word.end + 1)
        return !word.hasDigit
            || text.ascii(word.end) == 0x2C && text.has(.upper, next)
                && !text.has(.newline, next)
            ? range : nil
    }
}
