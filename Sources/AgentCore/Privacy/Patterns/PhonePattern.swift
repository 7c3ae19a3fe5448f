/// Finds phone numbers of people not in the profile, in the groupings in which some twenty
/// countries write them. Pure.
///
/// Years, dates, versions, addresses of machines, money, amounts and numbers of books have digits
/// in groups, too. So a phone number needs a plus, a leading zero, brackets, a label, or a grouping
/// that no other number has.
struct PhonePattern {
    private let text: ScannedText
    private let labels: LabelScan

    init(_ text: ScannedText, _ labels: LabelScan) {
        self.text = text
        self.labels = labels
    }

    /// - Parameter taken: the ranges of other findings, in order.
    func ranges(outside taken: [Range<Int>]) -> [Range<Int>] {
        let labelled = Set(labels.hits(.phone).compactMap { firstDigit(behind: $0) })
        let calls = labels.hits(.call).map(\.end)
        var found: [Range<Int>] = []
        for chain in DigitChain.chains(in: text) where !taken.overlaps(chain.units) {
            found += numbers(in: chain, labelled, calls)
        }
        return found + spoken()
    }

    /// "zero seven seven four …": digits in words, one of them twice.
    private func spoken() -> [Range<Int>] {
        text.words.split { !RedactionWords.digits.contains(text.folded($0)) }.compactMap { words in
            guard words.count > 6, let first = words.first, let last = words.last,
                last.end - first.start < words.count * 8,
                Set(words.map(text.folded)).count < words.count
            else { return nil }
            return first.start..<last.end
        }
    }

    private func firstDigit(behind hit: LabelScan.Hit) -> Int? {
        var index = labels.value(behind: hit).start
        while [0x2B, 0x28, 0x20, 0x3A].contains(text.ascii(index)) { index += 1 }
        return text.isDigit(index) ? index : nil
    }

    // MARK: - Numbers in a chain of digits

    private func numbers(
        in chain: DigitChain, _ labelled: Set<Int>, _ calls: [Int]
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var first = 0
        while first < chain.groups.count {
            var next = first + 1
            let start = chain.groups[first].units.lowerBound
            let isLabelled = labelled.contains(start) || isGluedLabel(start)
            for last in stride(from: min(chain.groups.count, first + 7) - 1, through: first, by: -1)
            {
                guard isApart(first, last, chain) else { continue }
                let number = Number(chain, first...last, text)
                guard
                    isPhone(
                        number, isLabelled: isLabelled, isCalled: isCalled(number, calls))
                else { continue }
                found.append(DigitChain.extended(number.units, of: text))
                next = last + 1
                break
            }
            first = next
        }
        return found
    }

    /// Whether the groups are separated from their neighbours more than from each other.
    private func isApart(_ first: Int, _ last: Int, _ chain: DigitChain) -> Bool {
        let isSigned = [0x2B, 0x28].contains(text.ascii(chain.groups[first].units.lowerBound - 1))
        if first > 0, !isSigned {
            let gap = chain.gap(first - 1)
            guard gap.contains(where: { text.has(.space, $0) }) else { return false }
        }
        if last < chain.groups.count - 1 {
            let gap = chain.gap(last)
            let isNext = text.ascii(chain.groups[last + 1].units.lowerBound - 1) == 0x2B
            let wide = gap.contains { !text.has(.space, $0) } || gap.count > 1
            guard isNext || wide && gap.contains(where: { text.has(.space, $0) }) else {
                return false
            }
        }
        return true
    }

    private func isCalled(_ number: Number, _ calls: [Int]) -> Bool {
        var (low, high) = (0, calls.count)
        while low < high {
            let middle = (low + high) / 2
            if calls[middle] <= number.units.lowerBound { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return false }
        let call = calls[low - 1]
        return number.units.lowerBound - call <= 48
            && !(Range.span(call, number.units.lowerBound)).contains { text.has(.newline, $0) }
    }

    private struct Number {
        var counts: [Int]
        var values: [Int]
        var digits: [UInt8]
        var units: Range<Int>
        var hasPlus: Bool
        var isBracketed: Bool
        /// The sign between each two groups, if it is a single one; blanks around it do not
        /// count.
        var signs: [UInt8]

        init(_ chain: DigitChain, _ range: ClosedRange<Int>, _ text: ScannedText) {
            let groups = chain.groups[range]
            counts = groups.map(\.count)
            values = groups.map { group in
                group.units.prefix(9).reduce(0) { $0 * 10 + Int(text.ascii($1)) - 0x30 }
            }
            digits = groups.flatMap { group in group.units.map { text.ascii($0) } }
            units = (groups.first?.units.lowerBound ?? 0)..<(groups.last?.units.upperBound ?? 0)
            hasPlus =
                text.ascii(units.lowerBound - 1) == 0x2B
                || text.ascii(units.lowerBound - 1) == 0x28
                    && text.ascii(units.lowerBound - 2) == 0x2B
            let gaps = range.dropLast().map { chain.gap($0) }
            isBracketed =
                text.ascii(units.lowerBound - 1) == 0x28
                && (gaps.first?.contains { text.ascii($0) == 0x29 } ?? false)
            signs = gaps.map { gap in
                gap.map { text.ascii($0) }.first { $0 != 0x20 && $0 != 0x09 } ?? 0x20
            }
        }

        var first: UInt8 { digits.first ?? 0 }
        var shape: String { counts.map(String.init).joined(separator: "-") }
        func isAll(_ sign: UInt8) -> Bool { signs.allSatisfy { $0 == sign } }
    }

    /// "Tel07700900123".
    private func isGluedLabel(_ start: Int) -> Bool {
        var first = start
        while text.isLetter(first - 1), start - first < 12 { first -= 1 }
        guard first < start, !text.isWord(first - 1) else { return false }
        let word = Array(text.units[first..<start])
        var node: Int32 = 0
        for unit in word {
            guard let next = RedactionWords.labels.next(node, unit) else { return false }
            node = next
        }
        return RedactionWords.labels.payloads(node).contains(.phone)
    }

    // MARK: - Is it a phone?

    private func isPhone(_ number: Number, isLabelled: Bool, isCalled: Bool) -> Bool {
        let count = number.digits.count
        guard (6...16).contains(count), !isInsideWord(number, isLabelled) else { return false }
        if Set(number.digits).count < 2 || isDate(number) { return false }
        if number.hasPlus {
            return (8...15).contains(count) && number.first != 0x30
        }
        if isRange(number) || isReference(number) { return false }
        if isLabelled { return true }
        guard count >= 7, !isBook(number) else { return false }
        if number.digits.starts(with: [0x30, 0x30]), (10...15).contains(count),
            number.digits[2] != 0x30
        {
            return true
        }
        if number.isBracketed {
            return (7...12).contains(count) && !(number.counts[0] == 4 && isYear(number.values[0]))
                && number.counts[0] >= 2
        }
        if number.first == 0x30 { return isTrunk(number, isCalled) }
        if isCalled, count >= 7, count <= 13 { return true }
        return isNational(number)
    }

    /// Whether it is a range of hours or extensions: "0800-1800", "2000-2999".
    private func isRange(_ number: Number) -> Bool {
        guard number.counts == [4, 4], number.isAll(0x2D) else { return false }
        let areHours = number.values.allSatisfy { $0 <= 2400 && $0 % 100 < 60 }
        return areHours
            || number.values[0] % 100 == 0 && [0, 99].contains(number.values[1] % 100)
    }

    /// Whether it gives the pages and the year of a citation, "436–444 (2015)", or is the number of
    /// a law: "2016/679".
    private func isReference(_ number: Number) -> Bool {
        if number.counts.count == 2, isYear(number.values[0]), number.isAll(0x2F) { return true }
        guard let year = number.values.last, number.counts.count > 1, number.counts.last == 4 else {
            return false
        }
        return isYear(year) && text.ascii(number.units.upperBound - 5) == 0x28
            && text.ascii(number.units.upperBound) == 0x29
    }

    /// Whether it has the zero that precedes an area code.
    private func isTrunk(_ number: Number, _ isCalled: Bool) -> Bool {
        let count = number.digits.count
        guard number.counts[0] >= 2, number.counts.allSatisfy({ $0 <= 11 }) else { return false }
        if number.isAll(0x2E), number.counts.count == 2, number.counts[0] < 3 { return false }
        if number.digits[1] == 0x30 { return false }
        if number.counts.count == 1 { return (9...12).contains(count) || isCalled && count >= 7 }
        if count == 8 || count == 7 {
            return isCalled || number.signs.contains(0x2F)
                || number.counts[0] >= 3 && number.signs.contains(0x2D)
        }
        return (9...13).contains(count) && number.counts.count <= 6
    }

    private func isNational(_ number: Number) -> Bool {
        let first = number.first
        let isHyphened = number.signs.allSatisfy { $0 == 0x2D }
        let hasHyphen = number.signs.contains(0x2D)
        let isSpaced = number.isAll(0x20)
        switch number.shape {
        case "3-3-4":
            let isExtended =
                DigitChain.extended(number.units, of: text).upperBound > number.units.upperBound
            return first >= 0x32 || isExtended
        case "1-3-3-4": return first == 0x31 || first == 0x38 || first == 0x37
        case "1-3-3-2-2": return first == 0x38 || first == 0x37
        case "3-3-2-2", "3-2-2-2", "2-3-2-2": return first >= 0x32 && (isSpaced || hasHyphen)
        case "3-3-3":
            if isHyphened { return true }
            return isSpaced && first >= 0x34 && !number.values.contains(0)
        case "5-5": return first >= 0x36
        case "3-4-4":
            return first == 0x31 && number.digits[1] >= 0x33 || isHyphened && first >= 0x32
        case "2-5-4", "2-4-4": return hasHyphen || isSpaced && first != 0x31 && first != 0x32
        case "5-4": return isHyphened && first == 0x39
        case "3-7": return first == 0x33 && !number.signs.contains(0x2E)
        case "3-6": return first == 0x33 && isHyphened
        case "3-2-3": return isSpaced && (first == 0x34 || first == 0x39)
        case "10":
            if number.digits.suffix(4).allSatisfy({ $0 == 0x30 }) { return false }
            return first >= 0x36
                || first >= 0x32 && number.digits[3] >= 0x32 && number.digits[1] != 0x39
        case "11":
            // A Polish number without its plus.
            if number.digits.starts(with: [0x34, 0x38]) { return number.digits[2] >= 0x35 }
            return first == 0x31 && number.digits[1] >= 0x32 && number.digits[4] >= 0x32
                || first == 0x31 && number.digits[1] >= 0x33
        default: return false
        }
    }

    // MARK: - What else it can be

    /// Whether a letter touches it, or it belongs to a version, a ticket, a fraction.
    private func isInsideWord(_ number: Number, _ isLabelled: Bool) -> Bool {
        let (start, end) = (number.units.lowerBound, number.units.upperBound)
        if !isLabelled,
            text.isLetter(start - 1) && !text.has(.unspaced, start - 1)
                || text.isDigit(start - 1)
        {
            return true
        }
        if [0x23, 0x24].contains(text.ascii(start - 1)) { return true }
        if text.ascii(start - 1) == 0x3D, !isLabelled { return true }
        if [0x2E, 0x2C, 0x2D, 0x2F, 0x3A].contains(text.ascii(start - 1)),
            text.isWord(start - 2), !number.hasPlus
        {
            // "Tel:030…" is a label's colon.
            let isColon = [0x2C, 0x2E, 0x3A].contains(text.ascii(start - 1))
            if !isColon || !text.isLetter(start - 2) { return true }
        }
        return text.isDigit(end)
            || text.isLetter(end) && !text.has(.unspaced, end)
                && text.units[end] != 0x78
            || [0x2C, 0x2E, 0x3A].contains(text.ascii(end)) && text.isDigit(end + 1)
    }

    private func isYear(_ value: Int) -> Bool { (1900...2099).contains(value) }

    /// Years, ranges of years and dates: 2009-2011, 06/2015 - 08/2018, 1990-05-14.
    private func isDate(_ number: Number) -> Bool {
        let years = number.counts.indices.filter {
            number.counts[$0] == 4 && isYear(number.values[$0])
        }
        if years.isEmpty {
            // 14.05.90
            if number.counts == [2, 2, 2] {
                return number.values[1] <= 31 && number.signs.first != 0x20
            }
            // 07/03–02/04
            return number.counts == [2, 2, 2, 2] && number.signs[1] == 0x2D
                && number.signs[0] == number.signs[2] && [0x2F, 0x2E].contains(number.signs[0])
                && [0, 2].allSatisfy { (1...12).contains(number.values[$0]) }
        }
        if number.hasPlus { return false }
        if years.count == number.counts.count { return true }
        for year in years {
            let others = [year - 1, year + 1].filter(number.counts.indices.contains)
            let isCalendar = others.allSatisfy {
                number.counts[$0] <= 2 && number.values[$0] <= 31
                    || number.counts[$0] == 4 && isYear(number.values[$0])
            }
            if isCalendar, number.counts.count <= 6,
                number.counts.allSatisfy({ $0 <= 2 || $0 == 4 })
            {
                return number.first != 0x30 || number.counts[0] == 2 && number.values[0] <= 12
                    || number.signs.first == 0x2E
            }
        }
        return false
    }

    private func isBook(_ number: Number) -> Bool {
        number.digits.count == 13
            && ["978", "979"].contains { number.digits.starts(with: Array($0.utf8)) }
    }
}
