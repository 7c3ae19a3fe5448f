/// Digits with gaps so small that they can be one number, as phones are written:
/// `+49 (0)30 / 123-45`. Pure.
struct DigitChain: Sendable {
    /// A run of digits with nothing between them.
    struct Group: Sendable {
        var units: Range<Int>
        var count: Int { units.count }
    }

    var groups: [Group]

    /// The unit of each digit.
    var digits: [Int] { groups.flatMap { Array($0.units) } }
    var units: Range<Int> {
        (groups.first?.units.lowerBound ?? 0)..<(groups.last?.units.upperBound ?? 0)
    }

    /// - Parameter overLines: whether a number may continue on the next line.
    static func chains(in text: ScannedText, overLines: Bool = false) -> [DigitChain] {
        var chains: [DigitChain] = []
        var groups: [Group] = []
        func close() {
            if !groups.isEmpty { chains.append(DigitChain(groups: groups)) }
            groups = []
        }
        var index = 0
        while index < text.count {
            guard text.isDigit(index) else {
                index += 1
                continue
            }
            var end = index
            while text.isDigit(end) { end += 1 }
            if let last = groups.last,
                !isJoint(last.units.upperBound..<index, of: text, overLines)
            {
                close()
            }
            groups.append(Group(units: index..<end))
            index = end
        }
        close()
        return chains
    }

    private static func isJoint(
        _ gap: Range<Int>, of text: ScannedText, _ overLines: Bool
    ) -> Bool {
        var signs = 0
        var newlines = 0
        var spaces = 0
        for index in gap {
            switch text.ascii(index) {
            case 0x20: spaces += 1
            case 0x09: spaces += 2
            case 0x0A: newlines += 1
            case 0x2D, 0x2E, 0x2F, 0x28, 0x29: signs += 1
            case 0x2A, 0x5F, 0x27, 0x7E, 0x2C, 0x3A, 0x5C:
                // Markup, and gaps that may stand only between the digits of a known number.
                if !overLines { return false }
                signs += 1
            default:
                guard text.units[index] == 0xB7 || text.units[index] == 0x2022 else { return false }
                signs += 1
            }
        }
        return overLines
            ? signs <= 4 && newlines <= 1 && gap.count <= 24
            : signs <= 3 && newlines == 0 && spaces <= 2
    }

    /// The gap between a group and the next.
    func gap(_ index: Int) -> Range<Int> {
        groups[index].units.upperBound..<groups[index + 1].units.lowerBound
    }

    /// The range with the + or ( before it, the ) after it and an extension.
    ///
    /// - Parameter range: the range of the digits.
    func extended(_ range: Range<Int>, of text: ScannedText) -> Range<Int> {
        let places = digits
        return Self.extended(places[range.lowerBound]..<places[range.upperBound - 1] + 1, of: text)
    }

    static func extended(_ units: Range<Int>, of text: ScannedText) -> Range<Int> {
        var (start, end) = (units.lowerBound, units.upperBound)
        let open = (start..<end).contains { text.ascii($0) == 0x29 }
        if text.ascii(start - 1) == 0x2B { start -= 1 }
        if text.ascii(start - 1) == 0x28, open || text.ascii(start) == 0x2B { start -= 1 }
        if text.ascii(start - 1) == 0x2B { start -= 1 }
        let opened = (start..<end).filter { text.ascii($0) == 0x28 }.count
        let closed = (start..<end).filter { text.ascii($0) == 0x29 }.count
        if opened > closed, text.ascii(end) == 0x29 {
            end += 1
        } else if opened > closed, text.ascii(start) == 0x28 {
            // The bracket belongs to the sentence.
            start += 1
        }
        return start..<extensionEnd(end, of: text)
    }

    /// The end of an extension: "x1234", "ext. 12", "Durchwahl 12".
    private static func extensionEnd(_ end: Int, of text: ScannedText) -> Int {
        var index = text.skippingSpace(end)
        if text.ascii(index) == 0x2C || text.ascii(index) == 0x28 {
            index = text.skippingSpace(index + 1)
        }
        guard index - end <= 3, text.isLetter(index) || text.ascii(index) == 0x23 else {
            return end
        }
        var last = index
        while text.isLetter(last) { last += 1 }
        let word = text.text(index..<last)
        guard
            [
                "x", "ext", "extn", "extension", "dw", "durchwahl", "poste", "int", "interno",
                "wew", "wewn", "anexo", "ramal", "",
            ]
            .contains(word)
        else { return end }
        if last == index { last += 1 }
        while text.ascii(last) == 0x2E || text.has(.space, last) || text.ascii(last) == 0x3A {
            last += 1
        }
        var digits = last
        while text.isDigit(digits) { digits += 1 }
        guard (1...6).contains(digits - last), !text.isLetter(digits) else { return end }
        if text.ascii(digits) == 0x29, text.ascii(index - 1) == 0x28 { digits += 1 }
        return digits
    }
}
