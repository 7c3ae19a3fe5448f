/// One of the user's phone numbers, found by its digits: in any grouping, with or
/// without the country's code, the zero before an area, an extension. Pure.
struct PhoneLiteral: Sendable {
    private let digits: [UInt8]
    private let tail: ArraySlice<UInt8>

    /// - Returns: nil for fewer than seven digits.
    init?(_ value: String) {
        let text = ScannedText(value)
        // Digits after letters are an extension.
        var end = text.count
        if let letter = text.units.indices.first(where: { text.isLetter($0) }),
            text.units[..<letter].indices.filter({ text.isDigit($0) }).count >= 7
        {
            end = letter
        }
        var digits = (0..<end).filter { text.isDigit($0) }.map { text.ascii($0) - 0x30 }
        if digits.starts(with: [0, 0]) { digits.removeFirst(2) }
        guard digits.count >= 7 else { return nil }
        self.digits = digits
        tail = digits.suffix(7)
    }

    func matches(in chain: DigitChain, of text: ScannedText) -> [Range<Int>] {
        guard chain.digits.count >= 7 else { return [] }
        let places = chain.digits
        let values = places.map { text.ascii($0) - 0x30 }
        var found: [Range<Int>] = []
        var index = 0
        while index + 7 <= values.count {
            guard values[index..<index + 7].elementsEqual(tail) else {
                index += 1
                continue
            }
            let last = index + 7
            // The match must not be part of a longer number.
            if text.isDigit(places[last - 1] + 1) {
                index += 1
                continue
            }
            var first = index
            var own = digits.count - 7
            while own > 0, first > 0, values[first - 1] == digits[own - 1] {
                first -= 1
                own -= 1
            }
            // The zero of "(0)", the code of the country.
            let rest = values[..<first]
            let begins = text.ascii(places[0] - 1) == 0x2B || rest.starts(with: [0, 0])
            if rest.count <= 6,
                begins || rest == [0][...] || rest == [1][...] || own > 0 && rest.count <= 3
            {
                first = 0
            }
            if first > 0, places[first] == places[first - 1] + 1 {
                index += 1
                continue
            }
            found.append(chain.extended(first..<last, of: text))
            index = last
        }
        return found
    }
}
