/// Decides whether the letters of a needle, found one after another, are that name, number
/// or address, or only match by accident: "an it alone" is not Anita, "I will" is not Will.
/// Pure.
struct LeakMatch {
    let needle: LeakNeedle
    let range: Range<Int>
    let letters: SeenLetters
    /// The text of the letters; nil across fields, which have no single text.
    let text: [UInt8]?

    /// The gaps between the found letters. Gaps at which a word of the needle ends count only in
    /// `widest` and `joined`, all others only in the other fields.
    private struct Gaps {
        /// Number of gaps of invisible characters or markup.
        var hidden = 0
        /// Number of borders between fields.
        var field = 0
        /// Number of other gaps.
        var other = 0
        /// The widest gap between the needle's own words.
        var widest = SeenLetters.Gap.none
        /// Number of words that follow one another without a gap.
        var joined = 0
        /// Number of characters that touch the one before.
        var tight = 0
    }

    private var gaps: Gaps {
        var gaps = Gaps()
        var breaks = needle.breaks[...]
        for index in range.dropFirst() where !letters.isInside(index) {
            let gap = letters.gap(before: index)
            let isBreak = breaks.first == index - range.lowerBound
            if isBreak { breaks.removeFirst() }
            if gap == .none, letters.offsets[index] != letters.offsets[index - 1] {
                gaps.tight += 1
            }
            if isBreak {
                gaps.widest = max(gaps.widest, gap)
                if gap == .none { gaps.joined += 1 }
                continue
            }
            switch gap {
            case .none: break
            case .softHyphen, .hidden, .markup: gaps.hidden += 1
            case .field: gaps.field += 1
            case .space, .joiner, .comma, .stop, .far: gaps.other += 1
            }
        }
        return gaps
    }

    /// Whether its letters are separated in a way that those of a name or number never are.
    var isSplit: Bool {
        let gaps = gaps
        return gaps.hidden > 0 || isSpacedOut(gaps)
    }

    /// Whether all of its letters are spaced: "J o h n", "J.o.h.n".
    private func isSpacedOut(_ gaps: Gaps) -> Bool {
        gaps.other > 0 && gaps.tight == 0 && needle.letters >= 4 && gaps.widest < .far
    }

    var isLeak: Bool {
        // A letter of which only the last byte is the same.
        if letters.isInside(range.lowerBound) { return false }
        if range.upperBound < letters.count, letters.isInside(range.upperBound) { return false }
        let gaps = gaps
        switch needle.rule {
        case .fullName(let allWords): return isFullName(gaps, allWords)
        case .word(let isCommon): return isWord(gaps, isCommon)
        case .initialled(let isCommon): return isInitialled(gaps, isCommon)
        case .run:
            if gaps.widest == .far { return false }
            if gaps.other == 0, gaps.widest <= .markup || gaps.widest == .joiner { return true }
            return isAligned && (gaps.other == 0 || isSpacedOut(gaps))
        case .handle:
            return isAligned && gaps.other == 0 && gaps.field == 0
                && (gaps.widest <= .markup || gaps.widest == .joiner)
        case .digits: return isPhone
        case .date:
            return isAligned && gaps.other == 0 && gaps.field == 0 && gaps.widest < .stop
                && (needle.letters >= 8 || gaps.joined == 0)
        case .line:
            if gaps.other > 0 || gaps.widest == .far { return isSpacedOut(gaps) && isAligned }
            return isAligned && (gaps.joined < needle.breaks.count || needle.letters >= 8)
        case .number:
            return isAligned
                && range.dropFirst().allSatisfy {
                    letters.gap(before: $0) <= .joiner
                }
        }
    }

    private var isAligned: Bool {
        needle.isUnspaced
            || beginsWord(range.lowerBound) && beginsWord(range.upperBound)
    }

    /// Whether a word begins here. A long name may also begin at a capital within a word:
    /// "MyJanaOlsenFile" is hers, but "GitHub" is not Mr Hub's.
    private func beginsWord(_ index: Int) -> Bool {
        // MacDonald is another name.
        if needle.breaks.isEmpty, index == range.lowerBound, index > 1,
            letters.bytes[index - 1] == UInt8(ascii: "c"), letters.gap(before: index) == .none,
            "am".utf8.contains(letters.bytes[index - 2])
        {
            return false
        }
        return letters.beginsWord(index, atCapitals: needle.countsInHumps)
    }

    /// Whether it begins and ends as a word does, or only an ending follows: "Olsens", "Olsen's",
    /// the cases of a Slavic name in Cyrillic.
    private var isAlignedButForEnding: Bool {
        if isAligned { return true }
        guard beginsWord(range.lowerBound), needle.letters >= 5,
            let last = needle.bytes.last
        else { return false }
        var end = range.upperBound
        if letters.bytes[end] == UInt8(ascii: "s"), last < 0x80 {
            return beginsWord(end + 1)
        }
        guard let first = needle.bytes.first, first == 0xD0 || first == 0xD1 else { return false }
        while end < letters.count, end < range.upperBound + 6, !beginsWord(end) { end += 1 }
        return beginsWord(end)
    }

    // MARK: - Names

    private func isFullName(_ gaps: Gaps, _ allWords: Bool) -> Bool {
        if gaps.widest == .far { return false }
        if gaps.other > 0 { return isSpacedOut(gaps) && isAligned }
        if gaps.field > 0, needle.letters < 6 { return false }
        let isUnbroken = gaps.joined == needle.breaks.count
        if needle.isUnspaced { return true }
        if allWords || needle.letters < 6 {
            guard areCapitals, isAlignedButForEnding else { return false }
            return gaps.widest <= .space || gaps.widest == .joiner || gaps.widest == .field
        }
        if isUnbroken, needle.letters >= 8, gaps.hidden == 0, gaps.field == 0 { return true }
        return isAlignedButForEnding
    }

    /// Whether each of its words begins with a capital, in scripts that have them.
    private var areCapitals: Bool {
        ([0] + needle.breaks).allSatisfy { at in
            let index = range.lowerBound + at
            return letters.isUpper(index) || letters.bytes[index] >= 0xD7
        }
    }

    private func isWord(_ gaps: Gaps, _ isCommon: Bool) -> Bool {
        if gaps.other > 0 { return isSpacedOut(gaps) && isAligned }
        if needle.countsInside, gaps.hidden + gaps.field == 0, gaps.widest == .none { return true }
        guard gaps.widest <= .space || gaps.widest == .joiner, isAlignedButForEnding else {
            return false
        }
        if gaps.field > 0 { return !isCommon && needle.letters >= 5 && gaps.hidden == 0 }
        if gaps.hidden > 0, needle.letters < 4 { return false }
        // The redactor takes these for names wherever they have a capital.
        if isCommon, isSmallWord { return letters.isUpper(range.lowerBound) }
        if isCommon { return needle.kind == .name ? isCapitalised : readsAsName }
        if needle.letters < 4 { return isCapitalised }
        return true
    }

    /// Whether only its first letter is a capital: "Doe", not "doe" and not "DOE", which may
    /// be an abbreviation.
    private var isCapitalised: Bool {
        letters.isUpper(range.lowerBound)
            && range.dropFirst().allSatisfy { letters.isInside($0) || !letters.isUpper($0) }
    }

    private func isInitialled(_ gaps: Gaps, _ isCommon: Bool) -> Bool {
        guard isAlignedButForEnding, gaps.other == 0, gaps.field == 0, gaps.widest <= .comma else {
            return false
        }
        if gaps.joined == needle.breaks.count { return !isCommon && needle.letters >= 5 }
        guard areCapitals else { return false }
        return !isCommon || gaps.widest == .joiner || gaps.widest == .comma
    }

    // MARK: - Numbers

    /// Whether its digits end where the number in the text does, and are separated only as
    /// in telephone numbers.
    private var isPhone: Bool {
        let end = range.upperBound
        if end < letters.count, SeenLetters.isDigit(letters.bytes[end]) {
            if letters.gap(before: end) <= .markup { return false }
            // "5.55.0147.2" is a version.
            let next = Int(letters.offsets[end])
            if let text, next > 0, text[next - 1] == UInt8(ascii: ".") { return false }
        }
        return range.dropFirst().allSatisfy { index in
            let gap = letters.gap(before: index)
            return gap <= .joiner
        }
    }

    // MARK: - Words

    /// Whether an employer that is also a word reads as a name: it has a capital within a
    /// sentence, in a line that is not all capitals.
    private var readsAsName: Bool {
        guard isCapitalised, let text else { return false }
        let start = Int(letters.offsets[range.lowerBound])
        var before = start
        while before > 0, text[before - 1] == 0x20 { before -= 1 }
        guard before > 0 else { return false }
        let last = text[before - 1]
        // General punctuation, such as a dash or a bullet, is U+2000 to U+203F.
        let isMark = before > 2 && text[before - 3] == 0xE2 && text[before - 2] == 0x80
        let isInSentence =
            last >= 0x80 && !isMark || last == UInt8(ascii: ",") || SeenCharacters.isLetter(last)
        return isInSentence && !isTitle(text, start)
    }

    /// Whether only its lower-case form is a word: "smith", while "Smith" is a name.
    private var isSmallWord: Bool {
        let word = String(decoding: needle.bytes, as: UTF8.self).unicodeScalars.map(\.value)
        return RedactionWords.smallWords.contains(word)
            && ![
                RedactionWords.nameWords, RedactionWords.nouns, RedactionWords.skills,
                RedactionWords.months, RedactionWords.determiners, RedactionWords.roles,
            ].contains { $0.contains(word) }
    }

    /// Whether most words of the line begin with a capital.
    private func isTitle(_ text: [UInt8], _ place: Int) -> Bool {
        var start = place
        while start > 0, place - start < 160, text[start - 1] != 0x0A { start -= 1 }
        var end = place
        while end < text.count, end - place < 160, text[end] != 0x0A { end += 1 }
        let words = text[start..<end].split { $0 == 0x20 || $0 == 0x2C || $0 == 0x2F }
            .compactMap(\.first).filter(SeenCharacters.isLetter)
        let capitals = words.count { $0 &- UInt8(ascii: "A") < 26 }
        return words.count >= 2 && capitals * 10 >= words.count * 6
    }
}

extension SeenCharacters {
    fileprivate static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}
