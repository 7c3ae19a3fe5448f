import Base

/// Maps a character to the form in which spellings are compared: a letter without case,
/// accents and other forms (NFKD), a separator, or nothing. Pure; it caches its lookups.
struct SeenCharacters {
    enum ASCII {
        case letter
        case gap(SeenLetters.Gap)
    }

    enum Seen {
        /// The letters in UTF-8, never empty.
        case letters([UInt8], isUpper: Bool)
        case gap(SeenLetters.Gap)
        case nothing
    }

    private var known: [Unicode.Scalar: Seen] = [:]

    /// Maximum number of characters that are cached; more are looked up each time.
    private static let most = 4_096

    mutating func seen(_ scalar: Unicode.Scalar) -> Seen {
        if let found = known[scalar] { return found }
        let found = Self.look(scalar)
        if known.count < Self.most { known[scalar] = found }
        return found
    }

    static let ascii: [ASCII] = (0..<128).map { value in
        let byte = UInt8(value)
        if byte.isASCIILetterOrDigit { return .letter }
        switch Unicode.Scalar(byte) {
        case " ", "\t", "\n", "\r": return .gap(.space)
        case "*", "`", "~": return .gap(.markup)
        case "-", ".", "_", "/", "'", "+", "(", ")", "@", "&", "#": return .gap(.joiner)
        case ",", ";": return .gap(.comma)
        default: return .gap(byte < 0x20 || byte == 0x7F ? .hidden : .stop)
        }
    }

    private static func look(_ scalar: Unicode.Scalar) -> Seen {
        let properties = scalar.properties
        switch scalar {
        case "\u{AD}": return .gap(.softHyphen)
        case "\u{B7}", "\u{2019}", "\u{2018}", "\u{2010}"..."\u{2015}", "\u{2212}", "\u{FE63}",
            "\u{FF0D}", "\u{FF0E}", "\u{FF20}", "\u{FF3F}", "\u{2024}", "\u{FE52}":
            return .gap(.joiner)
        case "\u{FF0C}", "\u{3001}", "\u{60C}": return .gap(.comma)
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: return .nothing
        case .format, .control: return .gap(.hidden)
        default: break
        }
        if properties.isWhitespace { return .gap(.space) }
        if properties.isDefaultIgnorableCodePoint { return .gap(.hidden) }
        if let digit = properties.numericValue, properties.numericType != .numeric,
            (0...9).contains(digit)
        {
            return .letters([UInt8(ascii: "0") + UInt8(digit)], isUpper: false)
        }
        let isLatin = compatible(scalar)
        guard properties.isAlphabetic || properties.numericType != nil || isLatin != nil else {
            return .gap(.stop)
        }
        let isUpper = properties.isUppercase || properties.generalCategory == .titlecaseLetter
        let letters = isLatin ?? Array(base(of: scalar).utf8)
        return letters.isEmpty ? .nothing : .letters(letters, isUpper: isUpper)
    }

    private static func base(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "þ", "Þ": return "th"
        case "ð", "Ð": return "d"
        case "ı", "İ": return "i"
        case "ŋ", "Ŋ": return "n"
        case "ſ": return "s"
        case "ĳ", "Ĳ": return "ij"
        case "\u{AC00}"..."\u{D7A3}": return jamo(scalar)
        default: return SearchText.folded(String(scalar))
        }
    }

    /// Unicode 16, §3.12: the letters that a Hangul syllable is made of.
    private static func jamo(_ syllable: Unicode.Scalar) -> String {
        let index = syllable.value - 0xAC00
        let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
        let letters = parts.prefix(index % 28 == 0 ? 2 : 3).compactMap(Unicode.Scalar.init)
        return String(String.UnicodeScalarView(letters))
    }

    /// Latin letters in other forms: wide, small, raised, circled, mathematical, joined.
    /// The standard library cannot decompose, but it knows the names:
    /// "MATHEMATICAL BOLD CAPITAL A", "LATIN SMALL LIGATURE FI".
    private static func compatible(_ scalar: Unicode.Scalar) -> [UInt8]? {
        switch scalar.value {
        case 0xAA, 0xBA, 0x1D00...0x1DBF, 0x2070...0x209F, 0x2100...0x214F, 0x249C...0x24E9,
            0xFB00...0xFB06, 0xFF21...0xFF5A, 0x1D400...0x1D7CB, 0x1F110...0x1F189:
            break
        default: return nil
        }
        guard let name = scalar.properties.name else { return nil }
        let words = name.split(separator: " ")
        guard let last = words.last, last.utf8.count <= 3,
            last.utf8.count == 1 || words.contains("LIGATURE")
        else {
            return scalar.value == 0xAA
                ? [UInt8(ascii: "a")]
                : scalar.value == 0xBA ? [UInt8(ascii: "o")] : nil
        }
        return Array(last.lowercased().utf8)
    }
}
