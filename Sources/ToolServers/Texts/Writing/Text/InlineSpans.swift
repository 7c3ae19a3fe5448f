import Base

/// The protected spans within one paragraph: code, links, addresses, tags and
/// placeholders. See `ProtectedSpans`.
struct InlineSpans {
    private let bytes: [UInt8]
    private let range: Range<Int>
    private var index: Int
    /// The starts of the runs of backticks, by their length, the last one first.
    private var ticks: [Int: [Int]] = [:]
    /// The `]` of each `[`.
    private var brackets: [Int: Int] = [:]

    /// The next `>` from the place of the last search.
    private var greater = -1

    /// Maximum distance searched for the end of a link's address or a tag.
    private static let reach = 2_048

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
        index = range.lowerBound
    }

    mutating func spans() -> [ProtectedText.Span] {
        findPairs()
        var found: [ProtectedText.Span] = []
        while index < range.upperBound {
            guard let (kind, end) = span(at: index), end > index else {
                // An escaped character begins nothing (CommonMark 2.4).
                index += bytes[index] == 0x5C && index + 1 < range.upperBound ? 2 : 1
                continue
            }
            found.append(.init(kind: kind, range: index..<end))
            index = end
        }
        return found
    }

    private mutating func findPairs() {
        var open: [Int] = []
        var place = range.lowerBound
        while place < range.upperBound {
            switch bytes[place] {
            case 0x5C: place += 1
            case 0x60:
                let start = place
                while place < range.upperBound, bytes[place] == 0x60 { place += 1 }
                ticks[place - start, default: []].append(start)
                continue
            case 0x5B: open.append(place)
            case 0x5D: if let start = open.popLast() { brackets[start] = place }
            default: break
            }
            place += 1
        }
        ticks = ticks.mapValues { $0.reversed() }
    }

    private mutating func span(at place: Int) -> (ProtectedText.Kind, Int)? {
        switch bytes[place] {
        case 0x60: return code(at: place)
        case 0x5B, 0x21:
            return link(at: place).map { (.link, $0) }
                ?? blank(at: place).map { (.placeholder, $0) }
        case 0x3C: return angle(at: place)
        case 0x28, 0x3D: return literal(at: place).map { (.code, $0) }
        case 0x7B, 0x24, 0x25, 0x26, 0xE2: return placeholder(at: place).map { (.placeholder, $0) }
        default:
            guard isWordStart(place) else { return nil }
            return address(at: place).map { (.address, $0) }
        }
    }

    // MARK: - Code

    private mutating func code(at place: Int) -> (ProtectedText.Kind, Int)? {
        var end = place
        while end < range.upperBound, bytes[end] == 0x60 { end += 1 }
        let length = end - place
        // Each run is passed once; those before this one are no longer needed.
        while let next = ticks[length]?.last, next <= place { ticks[length]?.removeLast() }
        guard let close = ticks[length]?.last else {
            // A run without a counterpart is text.
            index = end - 1
            return nil
        }
        return (.code, close + length)
    }

    /// `print("…")` and `name = '…'` in a sentence: from the bracket or the sign to the end
    /// of the literal.
    private func literal(at place: Int) -> Int? {
        let isCall = bytes[place] == 0x28
        guard place > range.lowerBound else { return nil }
        let before = bytes[place - 1]
        let isName = before.isASCIILetterOrDigit || before == 0x5F
        guard isName || !isCall && before == 0x20 else { return nil }
        var start = place + 1
        if !isCall, start < range.upperBound, bytes[start] == 0x20 { start += 1 }
        guard start < range.upperBound, bytes[start] == 0x22 || bytes[start] == 0x27 else {
            return nil
        }
        let limit = min(range.upperBound, start + 256)
        guard
            let close = bytes[(start + 1)..<limit].firstIndex(where: {
                $0 == bytes[start] || $0 == 0x0A
            }), bytes[close] == bytes[start]
        else { return nil }
        return close + 1
    }

    // MARK: - Links

    /// `[text](address)`, `![text](address)`, `[text][label]`, `[[page]]`, `[^1]`.
    private func link(at place: Int) -> Int? {
        var start = place
        if bytes[place] == 0x21 {
            start += 1
            guard start < range.upperBound, bytes[start] == 0x5B else { return nil }
        }
        guard let close = brackets[start] else { return nil }
        let next = close + 1
        if next < range.upperBound, bytes[next] == 0x28 { return closingParenthesis(from: next) }
        if next < range.upperBound, bytes[next] == 0x5B, let end = brackets[next] { return end + 1 }
        if bytes[start + 1] == 0x5E { return next }
        if bytes[start + 1] == 0x5B, brackets[start + 1] == close - 1 { return next }
        return nil
    }

    private func closingParenthesis(from open: Int) -> Int? {
        var depth = 0
        var place = open
        let limit = min(range.upperBound, open + Self.reach)
        while place < limit {
            switch bytes[place] {
            case 0x5C: place += 1
            case 0x28: depth += 1
            case 0x29:
                depth -= 1
                if depth == 0 { return place + 1 }
            default: break
            }
            place += 1
        }
        return nil
    }

    // MARK: - Tags

    /// Tags whose content is not prose.
    private static let opaque = ["pre", "code", "script", "style", "kbd", "samp", "var"]

    private mutating func angle(at place: Int) -> (ProtectedText.Kind, Int)? {
        if bytes[place..<range.upperBound].starts(with: "<!--".utf8) {
            return end(of: "-->", from: place + 4).map { (.tag, $0) }
        }
        if greater < place {
            greater = bytes[place..<range.upperBound].firstIndex(of: 0x3E) ?? range.upperBound
        }
        let close = greater
        guard close < range.upperBound, close - place < Self.reach, place + 1 < close else {
            return nil
        }
        let inner = bytes[place + 1..<close]
        guard let first = inner.first else { return nil }
        if first == 0x21 || first == 0x3F { return (.tag, close + 1) }
        let isEnd = first == 0x2F
        let name = (isEnd ? inner.dropFirst() : inner).prefix {
            Self.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x3A || $0 == 0x2E
        }
        guard let letter = name.first, Self.isLetter(letter) else { return nil }
        if inner.contains(where: { $0 == 0x40 }) || inner.contains(where: { $0 == 0x3A }),
            !inner.contains(0x20)
        {
            return (.address, close + 1)
        }
        let word = String(decoding: name, as: UTF8.self).lowercased()
        if !isEnd, Self.opaque.contains(word), inner.last != 0x2F,
            let end = end(of: "</\(word)>", from: close + 1)
        {
            return (.tag, end)
        }
        // `a <b and c> d` is a comparison: a tag's name is followed by
        // attributes, `/` or nothing.
        let attributes = inner.dropFirst(name.count + (isEnd ? 1 : 0))
        guard
            attributes.isEmpty || attributes.first == 0x20 || attributes.first == 0x2F
                || attributes.first == 0x0A || attributes.first == 0x0D || attributes.first == 0x09
        else { return nil }
        return (.tag, close + 1)
    }

    /// The end of the words, in lower or upper case, within reach.
    private func end(of words: String, from place: Int, reach: Int = reach) -> Int? {
        let wanted = Array(words.utf8)
        let limit = min(range.upperBound, place + reach)
        var start = place
        while start + wanted.count <= limit {
            if bytes[start] == wanted[0], isFound(wanted, at: start) { return start + wanted.count }
            start += 1
        }
        return nil
    }

    private func isFound(_ words: [UInt8], at start: Int) -> Bool {
        for (offset, wanted) in words.enumerated() {
            let byte = bytes[start + offset]
            guard byte == wanted || Self.isLetter(byte) && byte | 0x20 == wanted else {
                return false
            }
        }
        return true
    }

    // MARK: - Placeholders

    /// `{{x}}`, `{% x %}`, `${x}`, `{x}`, `%s`, `%1$s`, `%(x)s`, `&nbsp;`, and
    /// text that looks like one of our tokens.
    private func placeholder(at place: Int) -> Int? {
        let next = place + 1 < range.upperBound ? bytes[place + 1] : 0
        switch bytes[place] {
        case 0xE2:
            return ProtectedSpans.token(bytes, at: place)?.range.upperBound
        case 0x7B:
            if next == 0x7B { return end(of: "}}", from: place + 2, reach: 200) }
            if next == 0x25 { return end(of: "%}", from: place + 2, reach: 200) }
            return named(from: place + 1, until: 0x7D)
        case 0x24:
            if next == 0x7B { return end(of: "}", from: place + 2, reach: 200) }
            return nil
        case 0x26:
            return named(from: place + (next == 0x23 ? 2 : 1), until: 0x3B)
        default:
            return format(from: place + 1)
        }
    }

    /// `[NAME]`, `[NAME_2]`: the placeholders of redaction.
    private func blank(at place: Int) -> Int? {
        guard bytes[place] == 0x5B else { return nil }
        var end = place + 1
        while end < range.upperBound, end - place < 32,
            bytes[end] &- 0x41 < 26 || bytes[end] &- 0x30 < 10 || bytes[end] == 0x5F
        {
            end += 1
        }
        guard end - place > 3, bytes[place + 1] &- 0x41 < 26, end < range.upperBound,
            bytes[end] == 0x5D
        else { return nil }
        return end + 1
    }

    /// One identifier up to the given character.
    private func named(from place: Int, until sign: UInt8) -> Int? {
        var end = place
        while end < range.upperBound, end - place < 64,
            Self.isAlphanumeric(bytes[end]) || bytes[end] == 0x5F || bytes[end] == 0x2E
        {
            end += 1
        }
        guard end > place, end < range.upperBound, bytes[end] == sign else { return nil }
        return end + 1
    }

    /// A printf conversion, after its percent sign. "100%" is not one.
    private func format(from place: Int) -> Int? {
        var end = place
        if end < range.upperBound, bytes[end] == 0x28 {
            guard let close = named(from: end + 1, until: 0x29) else { return nil }
            end = close
        }
        while end < range.upperBound, end - place < 72,
            bytes[end] &- 0x30 < 10 || bytes[end] == 0x24 || bytes[end] == 0x2E
        {
            end += 1
        }
        while end < range.upperBound, bytes[end] == 0x6C { end += 1 }
        guard end < range.upperBound, Array("sdifuxXcgp@".utf8).contains(bytes[end]) else {
            return nil
        }
        let isWord = end + 1 < range.upperBound && Self.isAlphanumeric(bytes[end + 1])
        return isWord ? nil : end + 1
    }

    // MARK: - Addresses

    private func isWordStart(_ place: Int) -> Bool {
        Self.isAlphanumeric(bytes[place])
            && (place == range.lowerBound || !Self.isWordByte(bytes[place - 1]))
    }

    private static let schemes = ["mailto:", "tel:", "data:", "urn:", "magnet:", "doi:"]

    /// `https://…`, `www.…`, `mailto:…`, `name@example.org`.
    private func address(at place: Int) -> Int? {
        var name = place
        while name < range.upperBound, name - place < 64,
            Self.isAlphanumeric(bytes[name])
                || [0x2B, 0x2D, 0x2E, 0x5F, 0x25].contains(bytes[name])
        {
            name += 1
        }
        guard name < range.upperBound else {
            return isWWW(place, name) ? trimmed(place, name) : nil
        }
        // Most words are not an address.
        guard bytes[name] == 0x3A || bytes[name] == 0x40 || isWWW(place, name) else { return nil }
        let rest = bytes[name..<range.upperBound]
        let word = bytes[place..<name].map { Self.isLetter($0) ? $0 | 0x20 : $0 }
        let isSpecial = Self.schemes.contains { scheme in
            rest.first == 0x3A && word + [0x3A] == Array(scheme.utf8)
        }
        if rest.starts(with: "://".utf8) || isSpecial || isWWW(place, name) {
            var end = name
            while end < range.upperBound, !Self.endsAddress(bytes[end]) { end += 1 }
            let last = trimmed(place, end)
            return last > name || isWWW(place, name) ? last : nil
        }
        guard rest.first == 0x40 else { return nil }
        var end = name + 1
        while end < range.upperBound,
            Self.isAlphanumeric(bytes[end]) || bytes[end] == 0x2D || bytes[end] == 0x2E
        {
            end += 1
        }
        end = trimmed(place, end)
        return end > name + 1 && bytes[(name + 1)..<end].contains(0x2E) ? end : nil
    }

    private func isWWW(_ place: Int, _ end: Int) -> Bool {
        end - place > 4 && bytes[place] == 0x77 && bytes[place..<end].starts(with: "www.".utf8)
    }

    private static func endsAddress(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x3C || byte == 0x3E || byte == 0x22 || byte == 0x60 || byte == 0x7C
    }

    /// The end without punctuation of the surrounding sentence, or a parenthesis
    /// that was not opened in the address.
    private func trimmed(_ start: Int, _ end: Int) -> Int {
        var end = end
        var opened = bytes[start..<end].count { $0 == 0x28 }
        var closed = bytes[start..<end].count { $0 == 0x29 }
        while end > start {
            switch bytes[end - 1] {
            case 0x2E, 0x2C, 0x3B, 0x3A, 0x21, 0x3F, 0x27, 0x2A, 0x5F, 0x5D: end -= 1
            case 0x29 where closed > opened:
                closed -= 1
                end -= 1
            case 0x28:
                opened -= 1
                end -= 1
            default: return end
            }
        }
        return end
    }

    // MARK: - Bytes

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte &- 0x30 < 10
    }
    private static func isWordByte(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte >= 0x80 }
}
