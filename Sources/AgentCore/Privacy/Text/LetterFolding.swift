import Base

/// Maps a character to the form in which it is compared: its letter without accents in
/// lower case, its digit, or the sign that it is another form of. Pure.
///
/// Stands in for NFKD (Unicode UAX #15), which the standard library does not offer, and goes
/// further: ß is ss and ł is l, as in names typed on a keyboard without such letters.
enum LetterFolding {
    struct Folded: Sendable {
        /// One to three units; unused ones are `0`.
        var units: (UInt32, UInt32, UInt32) = (0, 0, 0)
        var traits: UnitTraits = []
        /// Whether it is a combining accent, or an invisible character.
        var isUnseen = false
        var isMark = false
    }

    static func folded(_ scalar: Unicode.Scalar) -> Folded {
        switch scalar.value {
        case 0..<0x250: return low[Int(scalar.value)]
        case 0x1E00..<0x1F00: return additional[Int(scalar.value) - 0x1E00]
        case 0xAC00...0xD7A3: return syllable(scalar)
        default: return looked(up: scalar)
        }
    }

    /// Caches most characters of European texts; looking a name up takes a microsecond.
    private static let low = (0..<0x250).map { looked(up: Unicode.Scalar($0) ?? " ") }
    private static let additional = (0x1E00..<0x1F00).map {
        looked(up: Unicode.Scalar($0) ?? " ")
    }

    private static func looked(up scalar: Unicode.Scalar) -> Folded {
        var folded = Folded()
        if scalar.isASCII {
            folded.units.0 = scalar.value
            switch scalar {
            case "A"..."Z":
                folded.units.0 |= 0x20
                folded.traits = [.letter, .upper]
            case "a"..."z": folded.traits = .letter
            case "0"..."9": folded.traits = .digit
            case "\n", "\r", "\u{0B}", "\u{0C}":
                folded.units.0 = 0x0A
                folded.traits = .newline
            case " ", "\t": folded.traits = .space
            case "\u{00}"..<" ", "\u{7F}": folded.isUnseen = true
            default: break
            }
            return folded
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark:
            folded.isUnseen = true
            folded.isMark = true
        case .format, .control:
            folded.isUnseen = scalar != "\u{85}"
            if !folded.isUnseen { (folded.units.0, folded.traits) = (0x0A, .newline) }
        case .spaceSeparator: (folded.units.0, folded.traits) = (0x20, .space)
        case .lineSeparator, .paragraphSeparator:
            (folded.units.0, folded.traits) = (0x0A, .newline)
        case .dashPunctuation: folded.units.0 = 0x2D
        case .decimalNumber:
            folded.units.0 = 0x30 + UInt32(properties.numericValue ?? 0)
            folded.traits = .digit
        default:
            if let sign = sign(of: scalar) {
                folded.units.0 = sign.value
            } else if properties.isAlphabetic || properties.generalCategory == .spacingMark {
                folded = letter(scalar)
            } else if let letter = formatted(scalar) {
                folded.units.0 = letter.value
                folded.traits = letter.value < 0x40 ? .digit : .letter
            } else {
                folded.units.0 = scalar.value
            }
        }
        return folded
    }

    // MARK: - Letters

    private static func letter(_ scalar: Unicode.Scalar) -> Folded {
        var folded = Folded()
        folded.traits = scalar.properties.changesWhenLowercased ? [.letter, .upper] : .letter
        if hasNoSpaces(scalar) { folded.traits.insert(.unspaced) }
        var units: [UInt32] = []
        for lower in scalar.properties.lowercaseMapping.unicodeScalars
        where lower.properties.generalCategory != .nonspacingMark {
            units += base(of: lower).unicodeScalars.map(\.value)
        }
        if units.isEmpty { units = [scalar.value] }
        folded.units = (
            units[0], units.count > 1 ? units[1] : 0, units.count > 2 ? units[2] : 0
        )
        return folded
    }

    /// The letters under a lower-case letter's accents, by table and by its name:
    /// "LATIN SMALL LETTER E WITH ACUTE".
    private static func base(of scalar: Unicode.Scalar) -> String {
        if let letters = table[scalar] { return letters }
        if scalar.value < 0x80 { return String(scalar) }
        if scalar.value < 0x250 || (0x1E00..<0x1F00).contains(scalar.value) {
            let prefix = "LATIN SMALL LETTER "
            guard let name = scalar.properties.name, name.hasPrefix(prefix) else {
                return String(scalar)
            }
            let letter = name.dropFirst(prefix.count).prefix { $0 != " " }
            return letter.utf8.count == 1 ? letter.lowercased() : String(scalar)
        }
        return formatted(scalar).map { String($0) } ?? String(scalar)
    }

    private static let table: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "ǽ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ŋ": "ng",
        "ĸ": "k", "ĳ": "ij", "ŀ": "l", "ſ": "s", "ȷ": "j", "ª": "a", "º": "o", "ŉ": "n",
        "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
        "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ϊ": "ι", "ΐ": "ι", "ό": "ο", "ύ": "υ", "ϋ": "υ",
        "ΰ": "υ", "ώ": "ω", "ς": "σ", "ё": "е", "й": "и", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к",
        "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ة": "ه", "ک": "ك",
    ]

    /// The letter or digit that a character is only a form of: fullwidth, bold, circled,
    /// raised.
    private static func formatted(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0xFF21...0xFF3A: return Unicode.Scalar(scalar.value - 0xFF21 + 0x61)
        case 0xFF41...0xFF5A: return Unicode.Scalar(scalar.value - 0xFF41 + 0x61)
        case 0xB2, 0xB3, 0xB9, 0x2070...0x209C, 0x2100...0x214F, 0x2460...0x24FF,
            0x1D400...0x1D7FF, 0x1F110...0x1F189:
            guard let name = scalar.properties.name else { return nil }
            let words = name.split(separator: " ").map { $0.split(separator: "-").last ?? $0 }
            guard let last = words.last else { return nil }
            if let digit = digits.firstIndex(of: String(last)) {
                return Unicode.Scalar(UInt8(ascii: "0") + UInt8(digit))
            }
            let isLetter = words.contains("SMALL") || words.contains("CAPITAL")
            return isLetter && last.utf8.count == 1 ? last.lowercased().unicodeScalars.first : nil
        default: return nil
        }
    }

    private static let digits = [
        "ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE",
    ]

    /// Korean syllables as the letters they are made of (Unicode §3.12), since some
    /// systems write them so.
    private static func syllable(_ scalar: Unicode.Scalar) -> Folded {
        let index = scalar.value - 0xAC00
        let last = index % 28
        return Folded(
            units: (
                0x1100 + index / 588, 0x1161 + index % 588 / 28, last == 0 ? 0 : 0x11A7 + last
            ), traits: [.letter, .unspaced])
    }

    /// Scripts that put no spaces between words, or hang endings on a name.
    private static func hasNoSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF,
            0x3040...0x30FF, 0x3130...0x318F, 0x3400...0x9FFF, 0xAC00...0xD7AF,
            0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    // MARK: - Signs

    private static func sign(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}", "\u{2032}", "\u{02BC}", "\u{00B4}",
            "\u{02B9}", "\u{05F3}":
            "'"
        case "\u{201C}"..."\u{201F}", "\u{2033}": "\""
        case "\u{2212}", "\u{2043}", "\u{FE63}", "\u{FF0D}": "-"
        case "\u{2024}", "\u{3002}", "\u{FF61}": "."
        case "\u{2800}", "\u{3164}", "\u{115F}", "\u{1160}": " "
        case "\u{FF01}"..."\u{FF20}", "\u{FF3B}"..."\u{FF40}", "\u{FF5B}"..."\u{FF5E}":
            Unicode.Scalar(scalar.value - 0xFEE0)
        case "\u{FE6B}": "@"
        default: nil
        }
    }
}

/// Classes of a unit of a text.
struct UnitTraits: OptionSet, Sendable {
    let rawValue: UInt8

    static let letter = UnitTraits(rawValue: 1)
    static let digit = UnitTraits(rawValue: 2)
    static let upper = UnitTraits(rawValue: 4)
    /// A blank or a tab.
    static let space = UnitTraits(rawValue: 8)
    static let newline = UnitTraits(rawValue: 16)
    /// A letter of a script without spaces between words.
    static let unspaced = UnitTraits(rawValue: 32)
    static let word: UnitTraits = [.letter, .digit]
    static let blank: UnitTraits = [.space, .newline]
}
