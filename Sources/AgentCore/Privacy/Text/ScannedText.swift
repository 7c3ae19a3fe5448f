/// A text as all finders of personal data read it: one folded unit for each visible letter,
/// digit or sign, with its position in the text. Pure.
///
///     text    M ü l l e r - S t r a ß e <soft hyphen> n &ouml; CR LF
///     units   m u l l e r - s t r a s s e             n o      \n
///
/// Case is in the traits. A finding begins and ends at whole characters: `bytes`
/// gives the UTF-8 range with the accents that follow.
package struct ScannedText: Sendable {
    private(set) var units: [UInt32] = []
    private(set) var traits: [UnitTraits] = []
    private var starts: [Int32] = []
    private var ends: [Int32] = []
    /// The runs of letters and digits, in order.
    private(set) var words: [Word] = []

    struct Word: Sendable {
        var start: Int
        var end: Int
        /// Whether it begins with a capital, or with a letter of a script that has none.
        var isCapital = false
        /// Whether it has two letters or more, all of them capitals.
        var isAllCaps = false
        var isNumber = false
        var hasDigit = false

        var count: Int { end - start }
    }

    package init(_ text: String) {
        let utf8 = Array(text.utf8)
        units.reserveCapacity(utf8.count)
        traits.reserveCapacity(utf8.count)
        starts.reserveCapacity(utf8.count)
        ends.reserveCapacity(utf8.count)
        var offset = 0
        var lastIsReturn = false
        for scalar in text.unicodeScalars {
            let start = Int32(offset)
            offset += UTF8.width(scalar)
            if scalar == "\n", lastIsReturn {
                ends[ends.count - 1] = Int32(offset)
                lastIsReturn = false
                continue
            }
            lastIsReturn = scalar == "\r"
            add(LetterFolding.folded(scalar), from: start, to: Int32(offset))
        }
        if units.contains(0x26) || units.contains(0x5C) { decodeEscapes() }
        findWords()
    }

    private mutating func add(_ folded: LetterFolding.Folded, from start: Int32, to end: Int32) {
        if folded.isUnseen {
            if folded.isMark, let last = ends.indices.last { ends[last] = end }
            return
        }
        add(folded.units.0, folded.traits, from: start, to: end)
        if folded.units.1 != 0 { add(folded.units.1, folded.traits, from: start, to: end) }
        if folded.units.2 != 0 { add(folded.units.2, folded.traits, from: start, to: end) }
    }

    private mutating func add(
        _ unit: UInt32, _ trait: UnitTraits, from start: Int32, to end: Int32
    ) {
        units.append(unit)
        traits.append(trait)
        starts.append(start)
        ends.append(end)
    }

    /// Whether both units come from one character, as "ss" of ß does.
    func isSameCharacter(_ one: Int, _ two: Int) -> Bool { starts[one] == starts[two] }

    /// The UTF-8 offsets of the units in `range`.
    func bytes(_ range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return Int(starts[range.lowerBound])..<Int(ends[range.upperBound - 1])
    }

    // MARK: - Looking at a unit

    var count: Int { units.count }

    /// The unit as ASCII, or 0 outside of the text and for everything else.
    func ascii(_ index: Int) -> UInt8 {
        guard index >= 0, index < units.count, units[index] < 0x80 else { return 0 }
        return UInt8(truncatingIfNeeded: units[index])
    }

    // These run several times for each unit. They compare the bits, and call nothing to the right
    // of && or ||: a build that is not optimised calls every step of a set, and copies the text for
    // the operand on the right.

    func has(_ trait: UnitTraits, _ index: Int) -> Bool {
        guard index >= 0, index < traits.count else { return false }
        return traits[index].rawValue & trait.rawValue != 0
    }

    func isDigit(_ index: Int) -> Bool { has(.digit, index) }
    func isLetter(_ index: Int) -> Bool { has(.letter, index) }
    func isWord(_ index: Int) -> Bool { has(.word, index) }

    /// Whether no word continues from the unit before it.
    func isWordStart(_ index: Int) -> Bool {
        guard isWord(index - 1) else { return true }
        return isBesideUnspaced(index)
    }

    /// - Parameter end: after the last unit.
    func isWordEnd(_ end: Int) -> Bool {
        guard isWord(end) else { return true }
        return isBesideUnspaced(end)
    }

    private func isBesideUnspaced(_ index: Int) -> Bool {
        if has(.unspaced, index) { return true }
        return has(.unspaced, index - 1)
    }

    func skippingSpace(_ index: Int) -> Int {
        var index = index
        while has(.space, index) { index += 1 }
        return index
    }

    /// The index after the last unit of the line.
    func lineEnd(_ index: Int) -> Int {
        var index = index
        while index < count, !has(.newline, index) { index += 1 }
        return index
    }

    func lineStart(_ index: Int) -> Int {
        var index = index
        while index > 0, !has(.newline, index - 1) { index -= 1 }
        return index
    }

    /// Whether an @ follows before a blank or a bracket does.
    func isInEmail(_ index: Int) -> Bool {
        var next = index
        while next < count, next - index < 64, !has(.blank, next) {
            switch units[next] {
            case 0x40: return true
            case 0x22, 0x28, 0x29, 0x2C, 0x3B, 0x3C, 0x3E, 0x5B, 0x5D, 0x7C: return false
            default: next += 1
            }
        }
        return false
    }

    /// Whether it is a capital after a lower-case letter, as in `class BergParser`.
    func isHump(_ index: Int) -> Bool {
        guard has(.upper, index), isLetter(index - 1) else { return false }
        return !has(.upper, index - 1)
    }

    func text(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        for unit in units[range] { text.append(Unicode.Scalar(unit) ?? " ") }
        return String(text)
    }

    func text(_ word: Word) -> String { text(word.start..<word.end) }

    /// The index of the first word that begins there or later.
    func word(from index: Int) -> Int {
        var (low, high) = (0, words.count)
        while low < high {
            let middle = (low + high) / 2
            if words[middle].start < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func findWords() {
        var index = 0
        while index < units.count {
            guard isWord(index) else {
                index += 1
                continue
            }
            var word = Word(start: index, end: index, isAllCaps: true, isNumber: true)
            word.isCapital =
                has(.upper, index) || has(.unspaced, index)
                || isLetter(index) && units[index] >= 0x590 && units[index] < 0x1000
            var isOtherScript = false
            while isWord(index) {
                if units[index] >= 0x250 { isOtherScript = true }
                if isDigit(index) { word.hasDigit = true } else { word.isNumber = false }
                if !has([.upper, .digit], index) { word.isAllCaps = false }
                index += 1
            }
            word.end = index
            if isOtherScript { readLookAlikes(word) }
            if word.isNumber || word.count < 2 { word.isAllCaps = false }
            words.append(word)
        }
    }

    /// - Parameter word: a word with a letter that is not Latin.
    private mutating func readLookAlikes(_ word: Word) {
        let range = word.start..<word.end
        guard word.count > 2, range.contains(where: { units[$0] < 0x80 && isLetter($0) })
        else { return }
        for index in range {
            let isUpper = has(.upper, index)
            units[index] = LookAlikes.latin(units[index], isUpper: isUpper) ?? units[index]
        }
    }

    // MARK: - Escapes

    /// Decodes `J&ouml;rg`, `&#74;org` and JSON's `J\u00f6rg` as their reader sees them.
    private mutating func decodeEscapes() {
        let (oldUnits, oldTraits, oldStarts, oldEnds) = (units, traits, starts, ends)
        units.removeAll(keepingCapacity: true)
        traits.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        var index = 0
        while index < oldUnits.count {
            if oldUnits[index] == 0x26 {
                var end = index + 1
                while end < oldUnits.count, end - index <= 9, oldUnits[end] != 0x3B,
                    oldUnits[end] > 0x20, oldUnits[end] < 0x7F
                {
                    end += 1
                }
                if end < oldUnits.count, oldUnits[end] == 0x3B,
                    let scalar = Self.entity(oldUnits[(index + 1)..<end])
                {
                    var folded = LetterFolding.folded(scalar)
                    if oldTraits[index + 1].contains(.upper) { folded.traits.insert(.upper) }
                    add(folded, from: oldStarts[index], to: oldEnds[end])
                    index = end + 1
                    continue
                }
            }
            if oldUnits[index] == 0x5C, let (scalar, end) = Self.escaped(oldUnits, index) {
                add(LetterFolding.folded(scalar), from: oldStarts[index], to: oldEnds[end - 1])
                index = end
                continue
            }
            add(oldUnits[index], oldTraits[index], from: oldStarts[index], to: oldEnds[index])
            index += 1
        }
    }

    /// `\u00f6`, of which two are a character beyond U+FFFF (RFC 8259, section 7).
    ///
    /// - Returns: nil for half of a pair too.
    private static func escaped(
        _ units: [UInt32], _ start: Int
    ) -> (scalar: Unicode.Scalar, end: Int)? {
        func code(_ start: Int) -> UInt32? {
            guard start + 6 <= units.count, units[start] == 0x5C, units[start + 1] == 0x75 else {
                return nil
            }
            var value: UInt32 = 0
            for unit in units[(start + 2)..<(start + 6)] {
                guard let digit = Unicode.Scalar(unit).flatMap({ Character($0).hexDigitValue }),
                    unit < 0x80
                else { return nil }
                value = value << 4 | UInt32(digit)
            }
            return value
        }
        guard let first = code(start) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, start + 6) }
        guard first < 0xDC00, let second = code(start + 6), (0xDC00..<0xE000).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            .map { ($0, start + 12) }
    }

    private static func entity(_ name: ArraySlice<UInt32>) -> Unicode.Scalar? {
        let name = String(String.UnicodeScalarView(name.compactMap { Unicode.Scalar($0) }))
        if name.hasPrefix("#x") {
            return UInt32(name.dropFirst(2), radix: 16).flatMap { .init($0) }
        }
        if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap { .init($0) } }
        if let known = entities[name] { return known }
        guard let letter = name.unicodeScalars.first, letter.isASCII,
            ["acute", "grave", "uml", "circ", "tilde", "cedil", "ring", "caron", "slash", "strok"]
                .contains(String(name.dropFirst()))
        else { return nil }
        return letter
    }

    private static let entities: [String: Unicode.Scalar] = [
        "nbsp": " ", "szlig": "ß", "aelig": "æ", "oelig": "œ", "eth": "ð", "thorn": "þ",
        "commat": "@", "period": ".", "shy": "\u{AD}", "zwj": "\u{200D}", "zwnj": "\u{200C}",
        "apos": "'", "amp": "&", "ndash": "-", "mdash": "-", "hyphen": "-", "lsquo": "'",
        "rsquo": "'", "lrm": "\u{200E}", "rlm": "\u{200F}", "plus": "+", "colon": ":", "sol": "/",
    ]
}

extension [Range<Int>] {
    /// Whether one of them overlaps `range`. They must be in order and not overlap each other.
    func overlaps(_ range: Range<Int>) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound <= range.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < count && self[low].overlaps(range)
    }
}

extension Range<Int> {
    /// The range between two positions; empty if they overlap, as for a name that begins
    /// inside a word.
    static func span(_ start: Int, _ end: Int) -> Range<Int> { start..<Swift.max(start, end) }
}
