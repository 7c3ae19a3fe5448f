/// Finds the parts around a street: the flat after it, the house before it, and the text
/// before a postal code.
extension StreetPattern {
    /// ", Apt 4B", " #12", ", 2º B", ", m. 5", "/7".
    func withUnit(_ end: Int) -> Int {
        var end = end
        for _ in 0..<3 {
            var index = end
            while text.has(.space, index) || [0x2C, 0x2E, 0x28].contains(text.ascii(index)),
                index - end < 3
            { index += 1 }
            if text.ascii(index) == 0x23, text.isWord(index + 1), index > end {
                index += 1
                while text.isWord(index) { index += 1 }
                end = index
                continue
            }
            guard index < text.count, text.isWord(index) else { break }
            let first = text.word(from: index)
            guard first < text.words.count, text.words[first].start == index else { break }
            let word = text.words[first]
            if RedactionWords.buildingParts.contains(text.folded(word)),
                first + 1 < text.words.count
            {
                let value = text.words[first + 1]
                guard value.start - word.end <= 3, value.hasDigit || value.count == 1 else { break }
                end = value.end
                continue
            }
            // 2º B, 3e étage, 1er, 4th floor.
            let isOrdinal = word.hasDigit && !word.isNumber && word.count <= 4
            guard isOrdinal, index > end else { break }
            end = word.end
            if first + 1 < text.words.count {
                let next = text.words[first + 1]
                let isSide =
                    next.count == 1 && next.isCapital
                    || RedactionWords.buildingParts.contains(text.folded(next))
                if isSide, next.start - end <= 2 { end = next.end }
            }
        }
        return end
    }

    // MARK: - Around a postal code

    /// "Am Markt 3, 10115 Berlin": the parts with a number before the code.
    func segments(before place: Range<Int>, _ streets: [Range<Int>]) -> [Range<Int>] {
        var end = place.lowerBound
        var found: [Range<Int>] = []
        for _ in 0..<2 {
            var index = end - 1
            var newlines = 0
            while index >= 0,
                text.has(.blank, index) || [0x2C, 0x7C, 0x3B].contains(text.ascii(index))
                    || text.units[index] == 0x2022
            {
                if text.has(.newline, index) { newlines += 1 }
                index -= 1
            }
            guard newlines <= 1, index >= 0, end - index > 1 || place.lowerBound != end else {
                break
            }
            let last = index + 1
            var start = last
            while start > 0, !text.has(.newline, start - 1),
                ![0x2C, 0x7C, 0x3B, 0x3A, 0x28].contains(text.ascii(start - 1)),
                text.units[start - 1] != 0x2022, last - start < 60,
                // A gap of three blanks separates columns.
                !(text.has(.space, start - 1) && text.has(.space, start - 2)
                    && text.has(.space, start - 3))
            {
                start -= 1
            }
            start = text.skippingSpace(start)
            // "tenu au 12 bis": the words before it belong to the sentence.
            for word in text.words[text.word(from: start)..<text.word(from: last)] {
                if word.isCapital || word.hasDigit { break }
                start = text.skippingSpace(word.end)
            }
            // "I live at 14 Mill Bend": so do the words before a number that capitals follow.
            let piece = text.words[text.word(from: start)..<text.word(from: last)]
            if let number = piece.lastIndex(where: \.hasDigit), number > piece.startIndex,
                piece[number...].dropFirst().contains(where: \.isCapital),
                case let before = piece[number - 1], !before.isCapital, !before.hasDigit
            {
                start = piece[number].start
            }
            guard start < last, !streets.contains(where: { $0.overlaps(start..<last) }) else {
                break
            }
            let words = text.words[text.word(from: start)..<text.word(from: last)]
            let numbers = words.filter(\.hasDigit)
            let isShort =
                (2...7).contains(words.count)
                && numbers.count <= 2 && numbers.count >= 1 && numbers.allSatisfy(isHouse)
                && words.allSatisfy { $0.isCapital || $0.hasDigit || $0.count <= 4 }
                && !numbers.contains {
                    $0.count == 4 && $0.isNumber && (0x31...0x32).contains(text.ascii($0.start))
                }
            guard isShort || isNamedStreet(words) else { break }
            found.append(start..<last)
            end = start
        }
        return found
    }

    /// Whether the words are the name of a street and nothing else: Mill Lane.
    func isNamedStreet(_ words: ArraySlice<ScannedText.Word>) -> Bool {
        guard let last = words.last, (2...4).contains(words.count) else { return false }
        return last.isCapital && !words.contains(where: \.hasDigit)
            && RedactionWords.streetsBehind.contains(text.folded(last))
    }

    /// The start of the flat or house before a street: "Flat 4, 22 Rosebery Avenue", "The
    /// Old Forge, Mill Lane".
    func withHouse(_ start: Int) -> Int {
        let last = text.word(from: start) - 1
        guard last > 0 else { return start }
        let gap = Range.span(text.words[last].end, start)
        guard gap.count <= 4, text.isListGap(gap), !gap.allSatisfy({ text.has(.space, $0) }) else {
            return start
        }
        let (word, before) = (text.words[last], text.words[last - 1])
        if word.hasDigit || word.count == 1, word.count <= 4, before.isCapital, before.count >= 3,
            isNear(before.end, word.start),
            RedactionWords.buildingParts.contains(text.folded(before))
        {
            return before.start
        }
        var first = last
        while first > 0, last - first < 3, text.words[first - 1].isCapital,
            isNear(text.words[first - 1].end, text.words[first].start, signs: [0x27, 0x2D])
        {
            first -= 1
        }
        let words = text.words[first...last]
        guard first < last, words.allSatisfy({ $0.isCapital && !$0.hasDigit }),
            [first, last].contains(where: {
                RedactionWords.houses.contains(text.folded(text.words[$0]))
            })
        else { return start }
        return text.words[first].start
    }

    /// Joins street, code and city separated only by commas and lines into one address.
    func joined(_ pieces: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for piece in pieces.sorted(by: {
            ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
        }) {
            if let last = joined.last,
                piece.lowerBound <= last.upperBound
                    || text.isListGap(Range.span(last.upperBound, piece.lowerBound))
            {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, piece.upperBound)
            } else {
                joined.append(piece)
            }
        }
        return joined
    }
}
