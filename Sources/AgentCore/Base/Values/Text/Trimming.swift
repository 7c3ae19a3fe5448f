/// Trims and pads text and numbers, as every parser and table needs it.
extension BidirectionalCollection where SubSequence == Self.SubSequence.SubSequence {
    /// The collection without the matching elements at both ends.
    package func trimming(while isOuter: (Element) -> Bool) -> SubSequence {
        var rest = self[...]
        while let first = rest.first, isOuter(first) { rest = rest.dropFirst() }
        while let last = rest.last, isOuter(last) { rest = rest.dropLast() }
        return rest
    }
}

extension StringProtocol {
    /// The text without surrounding white space.
    package func trimmingSpace() -> String { String(trimming(while: \.isWhitespace)) }
}

extension String {
    /// The text in one line: line breaks and tabs as spaces, and no space at the ends.
    package var oneLine: String {
        // Nothing to do for nearly every text: no control character, and none that begins with the
        // bytes of U+0085, U+2028 or U+2029.
        if utf8.allSatisfy({ $0 >= 0x20 && $0 != 0xC2 && $0 != 0xE2 }), utf8.first != 0x20,
            utf8.last != 0x20
        {
            return self
        }
        let parts = split { $0.isNewline || $0 == "\t" }
        return parts.map { part in
            var part = part
            while part.first == " " { part.removeFirst() }
            while part.last == " " { part.removeLast() }
            return String(part)
        }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension BinaryInteger {
    /// The number with leading zeros, in decimal or another base.
    package func padded(to width: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
