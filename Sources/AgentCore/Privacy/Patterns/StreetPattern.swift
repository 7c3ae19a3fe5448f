/// Finds postal addresses of people not in the profile: a street with its number as eight
/// or more countries write it, and a postal code with its city. Pure.
///
/// A city alone stays, and so does a number before a noun: "10 Downing Street" needs its
/// street, "10115 Berlin" its code or a street before it.
struct StreetPattern {
    let text: ScannedText
    let labels: LabelScan

    init(_ text: ScannedText, _ labels: LabelScan) {
        self.text = text
        self.labels = labels
    }

    /// - Parameter homes: the ends of names of people, after which an address may stand.
    func ranges(behind homes: [Int] = []) -> [Range<Int>] {
        var streets: [Range<Int>] = []
        var end = 0
        for (index, word) in text.words.enumerated() where word.start >= end {
            if let range = street(index) {
                streets.append(range)
                end = range.upperBound
            }
        }
        let labelled = Dictionary(
            labels.hits(.address).map(labels.value).filter { $0.start < text.count }.map {
                ($0.start, $0.hasColon)
            }, uniquingKeysWith: { $0 || $1 })
        streets += labelled.compactMap { start, hasColon in
            streets.contains { $0.contains(start) }
                ? nil : named(at: start, needsNumber: !hasColon)
        }
        streets += homes.compactMap { home(behind: $0) }
        streets += labels.hits(.residence).compactMap { residence($0) }
        let places = PostalPlaces(text).ranges(streets: streets, labelled: Set(labelled.keys))
        streets += places.flatMap { place in [place] + segments(before: place, streets) }
        return joined(streets.map { withHouse($0.lowerBound)..<$0.upperBound })
    }

    // MARK: - Kinds of streets

    private func street(_ index: Int) -> Range<Int>? {
        let word = text.words[index]
        if word.hasDigit { return numbered(index) ?? frenchNumber(index) }
        return prefixed(index) ?? compound(index) ?? unit(index)
    }

    /// 1 to 5 digits, with a letter or a range: 12, 12a, 12-14, 3/4.
    func houseNumber(_ index: Int) -> (end: Int, next: Int)? {
        guard index < text.words.count else { return nil }
        let word = text.words[index]
        guard isHouse(word) else { return nil }
        var (end, next) = (word.end, index + 1)
        while next < text.words.count, next - index <= 3 {
            let following = text.words[next]
            let gap = Range.span(end, following.start)
            let sign = gap.count == 1 ? text.ascii(gap.lowerBound) : 0
            if [0x2D, 0x2F].contains(sign), isHouse(following) || following.count == 1 {
                end = following.end
            } else if gap.count == 1, sign == 0x20, following.count == 1, !following.hasDigit,
                text.units[following.start] < 0x67
            {
                end = following.end
            } else {
                break
            }
            next += 1
        }
        return (end, next)
    }

    func isHouse(_ word: ScannedText.Word) -> Bool {
        guard word.hasDigit, text.isDigit(word.start), word.count <= 5 else { return false }
        var digits = word.start
        while text.isDigit(digits), digits < word.end { digits += 1 }
        return word.end - digits <= 1 && digits - word.start <= 5
    }

    func isNear(_ one: Int, _ two: Int, signs: [UInt8] = [0x2E]) -> Bool {
        let gap = one..<two
        return (1...3).contains(gap.count)
            && gap.allSatisfy { text.has(.space, $0) || signs.contains(text.ascii($0)) }
    }

    /// 12 Elm Street, 221B Baker St., 350 Fifth Avenue, Apt 4B.
    private func numbered(_ index: Int) -> Range<Int>? {
        let number = text.words[index]
        guard let (end, first) = houseNumber(index), !isFraction(number.start) else { return nil }
        // "in 2020, 3rd Avenue"
        if isYear(number), text.ascii(end) == 0x2C { return nil }
        var last = end
        var next = first
        var capitals = 0
        while next < text.words.count, next - first < 6 {
            let word = text.words[next]
            guard
                isNear(last, word.start, signs: next == first ? [0x2C, 0x2E] : [0x2E, 0x27, 0x2D])
            else { return nil }
            let letters = text.folded(word)
            if capitals > 0, word.isCapital, RedactionWords.streetsBehind.contains(letters),
                !RedactionWords.weakStreetsBehind.contains(letters) || isEndOfStreet(word.end)
            {
                return number.start..<withUnit(word.end)
            }
            guard word.isCapital || word.hasDigit && !word.isNumber else { return nil }
            capitals += 1
            last = word.end
            next += 1
        }
        return nil
    }

    private func isYear(_ word: ScannedText.Word) -> Bool {
        word.count == 4 && word.isNumber
            && ["19", "20"].contains(text.text(word.start..<word.start + 2))
    }

    private func isFraction(_ start: Int) -> Bool {
        [0x2E, 0x2C, 0x24, 0x2F, 0x3A].contains(text.ascii(start - 1)) && text.isWord(start - 2)
            || text.ascii(start - 1) == 0x24
    }

    /// Whether a comma, the end of the line, or a capital follows.
    private func isEndOfStreet(_ end: Int) -> Bool {
        let next = text.skippingSpace(end)
        return next >= text.count || text.has(.newline, next) || text.ascii(next) == 0x2C
            || text.ascii(next) == 0x2E && end > 0 && text.has(.blank, next + 1)
    }

    /// 12 bis, rue de la Paix.
    private func frenchNumber(_ index: Int) -> Range<Int>? {
        guard let house = houseNumber(index), !isFraction(text.words[index].start),
            !isYear(text.words[index])
        else { return nil }
        var (end, next) = house
        if next < text.words.count,
            ["bis", "ter", "quater", "b"].contains(text.text(text.words[next])),
            isNear(end, text.words[next].start)
        {
            end = text.words[next].end
            next += 1
        }
        guard next < text.words.count,
            isNear(end, text.words[next].start, signs: [0x2C, 0x2E, 0x2D]),
            let kind = kind(next), let name = name(kind.next)
        else { return nil }
        // In other languages the match is a noun after a number: "3 Place holders".
        guard name.isSure || !text.words[next].isCapital || name.words > 0 && kind.isFrench else {
            return nil
        }
        return text.words[index].start..<name.end
    }

    /// The word for a street at that index; it may have a point: C.so, P.zza, c/.
    private func kind(_ index: Int) -> (next: Int, isSure: Bool, isFrench: Bool)? {
        var best: (Int, Bool, Bool)?
        for (phrase, next) in phrases(at: index) {
            guard case .before(let isSure) = phrase else { continue }
            let word = text.words[next - 1]
            let letters = text.words[index..<next].map { text.text($0) }.joined()
            // C/ has its stroke, a short form its point; PL/SQL is not a square.
            if (letters == "c") != (text.ascii(word.end) == 0x2F) { continue }
            let isShort = letters.utf8.count <= 3 && !["via", "rue", "rua"].contains(letters)
            if isShort, ![0x2E, 0x2F].contains(text.ascii(word.end)),
                letters.utf8.count < 3 || next == index + 1
            {
                continue
            }
            let isFrench = RedactionWords.frenchStreets.contains(text.folded(word))
            best = (next, isSure, isFrench)
        }
        return best
    }

    /// The beginnings of an address at a word, of one to three words on a line, the shortest
    /// first, each with the index of the word after it.
    private func phrases(at index: Int) -> [(phrase: RedactionWords.StreetPhrase, next: Int)] {
        var found: [(RedactionWords.StreetPhrase, Int)] = []
        var node: Int32 = 0
        for place in index..<min(index + 3, text.words.count) {
            let word = text.words[place]
            if place > index {
                let gap = Range.span(text.words[place - 1].end, word.start)
                guard gap.count <= 2, !gap.contains(where: { text.has(.newline, $0) }) else {
                    return found
                }
            }
            for unit in word.start..<word.end {
                guard let next = RedactionWords.streetPhrases.next(node, text.units[unit]) else {
                    return found
                }
                node = next
            }
            for phrase in RedactionWords.streetPhrases.payloads(node) {
                found.append((phrase, place + 1))
            }
        }
        return found
    }

    /// Particles and up to four capitalised words.
    private func name(_ index: Int) -> (end: Int, next: Int, words: Int, isSure: Bool)? {
        var next = index
        var words = 0
        var end = index > 0 ? text.words[index - 1].end : 0
        var hasParticle = false
        while next < text.words.count, next - index < 7, words < 4 {
            let word = text.words[next]
            let gap = Range.span(end, word.start)
            guard (1...3).contains(gap.count),
                gap.allSatisfy({
                    text.has(.space, $0) || [0x2E, 0x27, 0x2D, 0x2F].contains(text.ascii($0))
                })
            else { break }
            if text.text(Range.span(word.start, min(word.start + 3, text.count))) == "s/n" { break }
            if word.isNumber || word.hasDigit,
                !(words == 0 && word.isNumber && next + 1 < text.words.count
                    && !text.words[next + 1].isNumber)
            {
                break
            }
            if !word.isCapital, !word.hasDigit {
                guard word.count <= 5,
                    RedactionWords.streetParticles.contains(text.folded(word))
                else { break }
                hasParticle = true
            } else {
                words += 1
            }
            end = word.end
            next += 1
        }
        guard words > 0 else { return nil }
        return (end, next, words, hasParticle)
    }

    /// rue de la Paix 5, C/ Mayor, 5, 2º B, ul. Długa 5/7, Via Roma 12.
    private func prefixed(_ index: Int) -> Range<Int>? {
        let word = text.words[index]
        // "od 2018 r. Wdrożenie": a year.
        if index > 0, word.count == 1, text.words[index - 1].hasDigit,
            word.start - text.words[index - 1].end <= 2
        {
            return nil
        }
        guard let kind = kind(index), let name = name(kind.next) else { return nil }
        // "CI/CD a Java 8"
        if text.ascii(word.start - 1) == 0x2F { return nil }
        // "et al. Learning. 2016": a sentence ends before the year.
        if text.text(word) == "al", text.ascii(name.end) == 0x2E { return nil }
        if !word.isCapital,
            RedactionWords.ordinaryStreets.contains(text.folded(word)),
            text.ascii(word.end) != 0x2E,
            !name.isSure || !["via", "plaza", "corso"].contains(text.text(word))
        {
            // "via Python 3", "route Express 5".
            return nil
        }
        // The number, with a comma, "n." or "nº" before it.
        var next = name.next
        var end = name.end
        if next < text.words.count,
            ["n", "no", "nr", "num", "numero", "numer"].contains(text.text(text.words[next])),
            text.words[next].start - end <= 3
        {
            end = text.words[next].end
            next += 1
        }
        if next < text.words.count, text.words[next].start - end <= 4,
            (Range.span(end, text.words[next].start)).allSatisfy({
                text.has(.space, $0) || [0x2C, 0x2E, 0xBA, 0x6F].contains(text.units[$0])
            }), let house = houseNumber(next)
        {
            // "Via Python 3.9"
            let isVersion = text.ascii(house.end) == 0x2E && text.isDigit(house.end + 1)
            if !isVersion { return word.start..<withUnit(house.end) }
        }
        // Plaza del Olivo, s/n: without a number.
        let sign = (name.end..<min(name.end + 4, text.count)).first { text.isWord($0) } ?? end
        let without = Range.span(sign, min(sign + 3, text.count))
        if text.text(without) == "s/n", !text.isWord(without.upperBound) {
            return word.start..<without.upperBound
        }
        return kind.isSure && word.count <= 6 && text.ascii(word.end) != 0x20
            || kind.isSure && name.words > 0 && word.count > 2 && text.text(word) == "ulica"
            ? word.start..<name.end : nil
    }

    /// Hauptstraße 5a, Lange Straße 12, Keizersgracht 123, Storgatan 4.
    private func compound(_ index: Int) -> Range<Int>? {
        let word = text.words[index]
        guard word.isCapital, !word.hasDigit else { return nil }
        var (isStrong, isAlone, isWeak) = (false, false, false)
        for (isOfWeak, rest) in text.streetEndings(word) {
            if isOfWeak { isWeak = isWeak || rest > 2 } else { isStrong = isStrong || rest > 1 }
            if rest == 0, !isOfWeak { isAlone = true }
        }
        if isStrong || isWeak, RedactionWords.noStreets.contains(text.folded(word)) {
            (isStrong, isWeak) = (false, false)
        }
        guard isStrong || isAlone || isWeak else { return nil }
        var end = word.end
        if text.ascii(end) == 0x2E { end += 1 }
        guard index + 1 < text.words.count, text.words[index + 1].start - end <= 2,
            (Range.span(end, text.words[index + 1].start)).allSatisfy({ text.has(.space, $0) }),
            let house = houseNumber(index + 1)
        else { return nil }
        if text.words[index + 1].isNumber, text.words[index + 1].count > 3 { return nil }
        var start = word.start
        if isAlone {
            // The words before it: "Lange", "Karl-Marx-".
            var first = index
            while first > 0, index - first < 4, text.words[first - 1].isCapital,
                isNear(text.words[first - 1].end, text.words[first].start, signs: [0x2D, 0x2E])
            {
                first -= 1
            }
            guard first < index else { return nil }
            start = text.words[first].start
        } else {
            var first = index
            while first > 0, text.ascii(text.words[first].start - 1) == 0x2D,
                text.words[first - 1].end == text.words[first].start - 1
            {
                first -= 1
            }
            start = text.words[first].start
        }
        if isWeak, !isStrong, !isAlone, PostalPlaces(text).code(behind: house.end) == nil {
            return nil
        }
        return start..<withUnit(house.end)
    }

    /// Flat No. 302, Plot 12, P.O. Box 123.
    private func unit(_ index: Int) -> Range<Int>? {
        let word = text.words[index]
        guard word.isCapital, word.count <= 6,
            let next = phrases(at: index).last(where: {
                if case .unit = $0.phrase { true } else { false }
            })?
            .next,
            next < text.words.count
        else { return nil }
        let value = text.words[next]
        guard value.hasDigit || value.count == 1, value.start - text.words[next - 1].end <= 4 else {
            return nil
        }
        var end = value.end
        if let house = houseNumber(next) { end = house.end }
        while text.ascii(end) == 0x2D || text.ascii(end) == 0x2F, text.isWord(end + 1) {
            end += 1
            while text.isWord(end) { end += 1 }
        }
        return word.start..<end
    }
}
