import Base

/// A word, a run of digits or a sign of a phrase, with its possible meanings.
struct Token: Sendable {
    enum Kind: Sendable { case word, digits, sign, quoted, opaque }

    var kind: Kind
    /// Lower-case text with straight apostrophes and no possessive ending.
    var text: String
    /// UTF-8 offsets in the phrase, including the possessive.
    var range: Range<Int>
    /// Whether no space precedes it.
    var isGlued: Bool
    var isCapitalised = false
    var isAllCapitals = false
    var isPossessive = false
    /// Value of the digits; nil if too large.
    var value: Int?
    var lexeme = Lexeme()

    func has(_ role: Role) -> Bool { lexeme.roles.contains(role) }
    func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}

/// Cuts a phrase into tokens. Addresses, file names and quoted text are one token each and
/// are not searched for dates.
struct Tokenizer {
    static let countLimit = 300

    private let bytes: [UInt8]
    private var tokens: [Token] = []
    private var position = 0

    /// Text beyond the limits is one token at the end, and so part of the title.
    static func tokens(of phrase: String, language: DateLocale.Language) -> [Token] {
        let bytes = Array(phrase.utf8)
        var end = min(bytes.count, DateParser.lengthLimit)
        // 10xxxxxx continues a character (RFC 3629 §3).
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        var tokenizer = Tokenizer(bytes: Array(bytes[..<end]))
        tokenizer.run()
        var tokens = tokenizer.tokens
        let rest = bytes[tokenizer.position...].drop { $0 <= 0x20 }
        if let last = rest.lastIndex(where: { $0 > 0x20 }) {
            let isGlued = tokens.last?.range.upperBound == rest.startIndex
            tokens.append(
                Token(
                    kind: .opaque, text: String(decoding: rest[...last], as: UTF8.self),
                    range: rest.startIndex..<last + 1, isGlued: isGlued))
        }
        // "am" after a number is English.
        let words = tokens.indices.compactMap { index in
            let isHour =
                tokens[index].text == "am" && index > 0 && tokens[index - 1].kind == .digits
            return tokens[index].kind == .word && !isHour ? tokens[index].text : nil
        }
        let vocabulary = Vocabulary.of(words, preferred: language)
        for index in tokens.indices where tokens[index].kind == .word || tokens[index].kind == .sign
        {
            if let lexeme = vocabulary.lexeme(tokens[index].text) {
                tokens[index].lexeme = lexeme
            } else if tokens[index].kind == .word,
                let correction = vocabulary.correction(of: tokens[index].text),
                // A capital inside a sentence is a name ("Mondal", "Augusto").
                !tokens[index].isCapitalised || index == 0
                    || correction.utf8.count == tokens[index].text.utf8.count
            {
                tokens[index].text = correction
                tokens[index].lexeme = vocabulary.lexeme(correction) ?? Lexeme()
            }
        }
        return tokens
    }

    /// The words and numbers only, without a dictionary lookup.
    static func words(of phrase: String) -> [String] {
        var tokenizer = Tokenizer(bytes: Array(phrase.utf8.prefix(DateParser.lengthLimit)))
        tokenizer.run()
        return tokenizer.tokens.compactMap { $0.kind == .sign ? nil : $0.text }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() {
        while position < bytes.count, tokens.count < Self.countLimit {
            let start = position
            let (scalar, length) = scalar(at: position)
            if Self.isSpace(scalar) {
                position += length
                continue
            }
            let isGlued =
                start > 0 && !tokens.isEmpty && tokens[tokens.count - 1].range.upperBound == start
            if !isGlued, let end = opaqueEnd(from: start) {
                append(.opaque, start..<end, isGlued: false)
            } else if let end = quoteEnd(from: start, opening: scalar, isGlued: isGlued) {
                append(.quoted, start..<end, isGlued: isGlued)
            } else if Self.isDigit(scalar) {
                while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
                append(.digits, start..<position, isGlued: isGlued)
            } else if Self.isLetter(scalar) {
                word(from: start, isGlued: isGlued)
            } else {
                append(.sign, start..<start + length, isGlued: isGlued)
            }
        }
    }

    private mutating func append(_ kind: Token.Kind, _ range: Range<Int>, isGlued: Bool) {
        var text = String(decoding: bytes[range], as: UTF8.self)
        if kind == .sign, ["–", "—", "−", "‐", "‑", "‒"].contains(text) { text = "-" }
        var token = Token(kind: kind, text: text, range: range, isGlued: isGlued)
        if kind == .digits, range.count <= 9 { token.value = Int(text) }
        tokens.append(token)
        position = range.upperBound
    }

    private mutating func word(from start: Int, isGlued: Bool) {
        var end = start
        var apostrophe: Int?
        while end < bytes.count {
            let (scalar, length) = scalar(at: end)
            if Self.isLetter(scalar) {
                end += length
            } else if scalar == "'" || scalar == "’" || scalar == "ʼ", end > start,
                end + length < bytes.count, Self.isLetter(self.scalar(at: end + length).0)
            {
                apostrophe = end
                end += length
            } else {
                break
            }
        }
        let original = String(decoding: bytes[start..<end], as: UTF8.self)
        var text = original.lowercased()
        var isPossessive = false
        if apostrophe != nil {
            text = text.replacing("’", with: "'").replacing("ʼ", with: "'")
            if text.hasSuffix("'s"), text != "let's", text != "it's" {
                text.removeLast(2)
                isPossessive = true
            }
        }
        var token = Token(kind: .word, text: text, range: start..<end, isGlued: isGlued)
        token.isPossessive = isPossessive
        let first = original.first
        token.isCapitalised = first?.isUppercase == true
        token.isAllCapitals =
            token.isCapitalised && !original.contains(where: \.isLowercase) && original.count > 1
        tokens.append(token)
        position = end
    }

    /// The end of a run without spaces that is an address or a file name.
    private func opaqueEnd(from start: Int) -> Int? {
        var isOpaque = bytes[start...].starts(with: "www.".utf8)
        var end = start
        while end < bytes.count, bytes[end] > 0x20 {
            let next = bytes[(end + 1)...].prefix(2)
            if bytes[end] == UInt8(ascii: ":"), next.elementsEqual("//".utf8) { isOpaque = true }
            // Two letters on either side of a dot.
            if bytes[end] == UInt8(ascii: "."), end - start >= 2, next.count == 2,
                next.allSatisfy(Self.isLatin), bytes[(end - 2)..<end].allSatisfy(Self.isLatin)
            {
                isOpaque = true
            }
            end += 1
        }
        while end > start, ".,!?);".utf8.contains(bytes[end - 1]) { end -= 1 }
        return isOpaque && end > start ? end : nil
    }

    private func quoteEnd(from start: Int, opening: Unicode.Scalar, isGlued: Bool) -> Int? {
        let closing: [Unicode.Scalar]
        switch opening {
        case "\"": closing = ["\""]
        case "“", "„": closing = ["”", "“"]
        case "«": closing = ["»"]
        case "'" where !isGlued, "‘" where !isGlued: closing = ["'", "’"]
        default: return nil
        }
        var end = start + scalar(at: start).1
        while end < bytes.count {
            let (scalar, length) = scalar(at: end)
            end += length
            guard closing.contains(scalar) else { continue }
            let isLast = end >= bytes.count || !Self.isLetter(self.scalar(at: end).0)
            if opening == "\"" || isLast { return end }
        }
        return nil
    }

    private func scalar(at index: Int) -> (Unicode.Scalar, Int) {
        if bytes[index] < 0x80 { return (Unicode.Scalar(bytes[index]), 1) }
        let text = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        let scalar = text.unicodeScalars.first ?? "\u{FFFD}"
        return (scalar, min(UTF8.width(scalar), bytes.count - index))
    }

    private static func isLatin(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 && scalar.value &- 0x30 < 10
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return isLatin(UInt8(scalar.value)) }
        return scalar.properties.isAlphabetic
            || scalar.properties.generalCategory == .nonspacingMark
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || scalar.properties.isWhitespace || scalar.value == 0xFEFF
    }
}
