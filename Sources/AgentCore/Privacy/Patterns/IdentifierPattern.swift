/// Finds numbers that an authority or a bank issued, by their check digits, by their form,
/// or by the label before them. Pure.
struct IdentifierPattern {
    private let text: ScannedText
    private let labels: LabelScan

    init(_ text: ScannedText, _ labels: LabelScan) {
        self.text = text
        self.labels = labels
    }

    func ranges() -> [Range<Int>] {
        var found: [Range<Int>] = []
        for (index, word) in text.words.enumerated() where word.hasDigit || word.count == 2 {
            guard !isGlued(word) else { continue }
            if let range = mixed(index) { found.append(range) }
        }
        for chain in DigitChain.chains(in: text) { found += numbers(in: chain) }
        return found + labelled() + labels.hits(.plate).compactMap(plate)
    }

    /// Whether it is part of a longer token with signs in it, such as a path.
    private func isGlued(_ word: ScannedText.Word) -> Bool {
        [0x5F, 0x2F, 0x40, 0x23].contains(text.ascii(word.start - 1)) && text.isWord(word.start - 2)
    }

    private func digits(_ units: some Sequence<Int>) -> [Int] {
        units.map { Int(text.ascii($0)) - 0x30 }
    }

    // MARK: - Letters and digits

    private func mixed(_ index: Int) -> Range<Int>? {
        let word = text.words[index]
        return iban(word) ?? fiscal(word) ?? short(index)
    }

    /// ISO 13616: two letters, two digits, up to thirty more; groups of four.
    private func iban(_ word: ScannedText.Word) -> Range<Int>? {
        guard text.isLetter(word.start), text.isLetter(word.start + 1),
            text.has(.upper, word.start) || word.count >= 15,
            text.isDigit(word.count == 2 ? text.skippingSpace(word.end) : word.start + 2)
        else { return nil }
        var units: [Int] = []
        var index = word.start
        var ends: [Int] = []
        while index < text.count, units.count < 34 {
            if text.isWord(index), text.ascii(index) != 0 {
                units.append(index)
                index += 1
                if !text.isWord(index) { ends.append(units.count) }
            } else if text.has(.space, index) || text.ascii(index) == 0x2D, text.isWord(index + 1) {
                index += 1
            } else {
                break
            }
        }
        for count in ends.reversed() where (15...34).contains(count) {
            let characters = units[..<count].map { text.ascii($0) }
            guard characters[2] &- 0x30 < 10, characters[3] &- 0x30 < 10, Checksums.iban(characters)
            else { continue }
            return units[0]..<units[count - 1] + 1
        }
        return nil
    }

    /// Codice fiscale, CURP, PAN, national insurance, DNI and their like, in a word.
    private func fiscal(_ word: ScannedText.Word) -> Range<Int>? {
        let characters = (word.start..<word.end).map { text.ascii($0) }
        let range = word.start..<word.end
        let isUpper = !(word.start..<word.end).contains {
            text.isLetter($0) && !text.has(.upper, $0)
        }
        switch characters.count {
        case 16:
            // Letters may stand for digits where two people would share a code.
            return form(characters) == "aaaaaa00a00a000a" ? range : nil
        case 10:
            return isUpper && form(characters) == "aaaaa0000a"
                && Array("pchabgjlft".utf8).contains(characters[3]) ? range : nil
        case 9:
            return isUpper && isNational(characters) ? range : nil
        default: return nil
        }
    }

    /// A number with blanks or a hyphen: AB 12 34 56 C, 12.345.678-Z, X-1234567-L.
    private func short(_ index: Int) -> Range<Int>? {
        let word = text.words[index]
        var units: [Int] = []
        var last = word.end
        for next in text.words[index...].prefix(6) {
            let gap = Range.span(last, next.start)
            guard
                next.start == word.start
                    || gap.count == 1
                        && (text.has(.space, gap.lowerBound)
                            || [0x2D, 0x2E].contains(text.ascii(gap.lowerBound)))
            else { break }
            units += Array(next.start..<next.end)
            last = next.end
            guard units.count <= 11 else { return nil }
            guard next.start != word.start, !text.isLetter(last) else { continue }
            let characters = units.map { text.ascii($0) }
            let isUpper = !units.contains { text.isLetter($0) && !text.has(.upper, $0) }
            guard isUpper else { continue }
            let form = form(characters)
            if isNational(characters) { return word.start..<last }
            // A car registration of the United Kingdom.
            if form == "aa00aaa", word.count == 4, text.has(.space, word.end) {
                return word.start..<last
            }
        }
        return nil
    }

    private func form(_ characters: [UInt8]) -> String {
        String(
            decoding: characters.map { $0 &- 0x30 < 10 ? 0x30 : $0 == 0 ? 0x3F : 0x61 },
            as: UTF8.self)
    }

    /// National insurance, DNI, NIE.
    private func isNational(_ characters: [UInt8]) -> Bool {
        switch form(characters) {
        case "aa000000a": return isInsurance(characters)
        case "00000000a": return isDNI(characters)
        case "a0000000a":
            guard let at = Array("xyz".utf8).firstIndex(of: characters[0]) else { return false }
            return isDNI([UInt8(at) + 0x30] + characters.dropFirst())
        default: return false
        }
    }

    private func isInsurance(_ characters: [UInt8]) -> Bool {
        let (first, second) = (characters[0], characters[1])
        let never = Array("dfiquv".utf8)
        return !never.contains(first) && !never.contains(second) && second != UInt8(ascii: "o")
            && Array("abcd".utf8).contains(characters[8])
            && !["bg", "gb", "nk", "kn", "tn", "nt", "zz"]
                .contains(String(decoding: [first, second], as: UTF8.self))
    }

    private func isDNI(_ characters: [UInt8]) -> Bool {
        let number = characters.prefix(8).reduce(0) { $0 * 10 + Int($1) - 0x30 }
        return characters.count == 9 && Checksums.dni(number, characters[8])
    }

    // MARK: - Digits

    private func numbers(in chain: DigitChain) -> [Range<Int>] {
        guard chain.groups.count <= 24 else { return [] }
        var found: [Range<Int>] = []
        var first = 0
        while first < chain.groups.count {
            var next = first + 1
            let start = chain.groups[first].units.lowerBound
            let isFree =
                !text.isWord(start - 1) && text.ascii(start - 1) != 0x2B
                && !([0x2E, 0x2C, 0x2D, 0x2F].contains(text.ascii(start - 1))
                    && text.isWord(start - 2))
            for last in stride(from: min(chain.groups.count, first + 8) - 1, through: first, by: -1)
            where isFree {
                let groups = Array(chain.groups[first...last])
                let end = groups[groups.count - 1].units.upperBound
                let signs = (first..<last).flatMap { index in
                    chain.gap(index).map { text.ascii($0) }
                }
                guard !text.isWord(end), isNumber(groups, signs) else { continue }
                found.append(start..<end)
                next = last + 1
                break
            }
            first = next
        }
        return found
    }

    private func isNumber(_ groups: [DigitChain.Group], _ signs: [UInt8]) -> Bool {
        let digits = digits(groups.flatMap { Array($0.units) })
        let shape = groups.map(\.count)
        guard Set(digits).count > 1 else { return false }
        let isPlain = signs.isEmpty
        let isHyphened = !isPlain && signs.allSatisfy { $0 == 0x2D }
        let isSpaced = !isPlain && signs.allSatisfy { $0 == 0x20 }
        func isDay(_ month: Int, _ day: Int) -> Bool {
            (1...12).contains(month) && (1...31).contains(day)
        }
        func pair(_ index: Int) -> Int { digits[index] * 10 + digits[index + 1] }
        switch digits.count {
        case 9:
            // A social security number of the United States or Canada.
            if shape == [3, 2, 4] { return isHyphened && isSocialSecurity(digits) }
            return shape == [3, 3, 3] && isHyphened && digits[0] != 0
                && Checksums.luhn(digits)
        case 10:
            if shape == [6, 4], isHyphened || signs == [0x2F] {
                // Numbers of Sweden and Denmark, and of the Czech Republic.
                if signs == [0x2F] {
                    return digits.reduce(0) { $0 * 10 + $1 } % 11 == 0
                }
                return isDay(pair(2), pair(4)) && Checksums.luhn(digits) || isDay(pair(2), pair(0))
            }
            return false
        case 11:
            if Checksums.pesel(digits), isPlain { return true }
            if shape == [3, 3, 3, 2], signs == [0x2E, 0x2E, 0x2D] || isHyphened { return true }
            return shape == [6, 5] && isDay(pair(2), pair(0)) && isSpaced
        case 12:
            if shape == [8, 4], isHyphened {
                return isDay(pair(4), pair(6)) && Checksums.luhn(Array(digits.dropFirst(2)))
            }
            return false
        case 13:
            return shape == [1, 2, 2, 2, 3, 3] && isSpaced && (1...2).contains(digits[0])
        case 15 where (1...2).contains(digits[0]) && Checksums.nir(digits): return true
        case 14...19:
            // ISO/IEC 7812: the ranges of card numbers that banks issue.
            guard (3...6).contains(digits[0]) || digits[0] == 2 && pair(0) >= 22,
                Checksums.luhn(digits)
            else { return false }
            return isPlain || shape == [4, 4, 4, 4] || shape == [4, 6, 5]
                || shape == [4, 4, 4, 4, 3] || shape == [4, 6, 4]
        default: return false
        }
    }

    private func isSocialSecurity(_ digits: [Int]) -> Bool {
        let area = digits[0] * 100 + digits[1] * 10 + digits[2]
        return area != 0 && area != 666 && area < 900 && digits[3] + digits[4] > 0
            && digits[5...].reduce(0, +) > 0
    }

    // MARK: - Behind a label

    /// "Passport no. K1234567": letters and digits, five or more, with digits among
    /// them.
    private func labelled() -> [Range<Int>] {
        labels.hits(.identifier).compactMap { hit in
            let (start, hasColon) = labels.value(behind: hit)
            guard start < text.count, text.isWord(start) else { return nil }
            var end = start
            var best: Int?
            var count = 0
            var digits = 0
            while end < text.count {
                if text.isWord(end) {
                    // A word in lower case continues the sentence.
                    if text.isLetter(end), !text.has(.upper, end), !text.isDigit(end + 1) { break }
                    if text.isDigit(end) { digits += 1 }
                    count += 1
                    end += 1
                    if !text.isWord(end) { best = end }
                } else if [0x20, 0x2D, 0x2E, 0x2F].contains(text.ascii(end)), text.isWord(end + 1),
                    count < 30,
                    text.ascii(end) != 0x20 || text.isDigit(end + 1) || count < 5
                        // 65 170839 J 003
                        || text.has(.upper, end + 1)
                            && (text.isDigit(end + 2)
                                || text.ascii(end + 2) == 0x20 && text.isDigit(end + 3))
                {
                    end += 1
                } else {
                    break
                }
            }
            guard let best, digits >= 4, count >= 5, count <= 34,
                hasColon || digits * 2 >= count || count >= 8, !areYears(start..<best)
            else { return nil }
            return start..<best
        }
    }

    /// "Account Manager, 2015-2019"
    private func areYears(_ range: Range<Int>) -> Bool {
        text.words[text.word(from: range.lowerBound)..<text.word(from: range.upperBound)]
            .allSatisfy { word in
                word.isNumber && word.count == 4
                    && ["19", "20"].contains(text.text(word.start..<word.start + 2))
            }
    }

    /// The registration of a car: "reg NK19 XWB", "Kennzeichen: B-XY 1234".
    private func plate(_ hit: LabelScan.Hit) -> Range<Int>? {
        let start = labels.value(behind: hit).start
        var (end, letters, digits) = (start, 0, 0)
        for word in text.words[text.word(from: start)...].prefix(4) {
            let gap = Range.span(end, word.start)
            guard gap.count < 2, gap.allSatisfy({ [0x20, 0x2D].contains(text.ascii($0)) }),
                word.count < 8,
                (word.start..<word.end).allSatisfy({ text.has(.upper, $0) || text.isDigit($0) })
            else { break }
            let count = (word.start..<word.end).count { text.isDigit($0) }
            (digits, letters, end) = (digits + count, letters + word.count - count, word.end)
        }
        let isPlate = (1...5).contains(letters) && (1...5).contains(digits)
        return isPlate && letters + digits > 3 ? start..<end : nil
    }
}
