/// A character's class for line breaking: the classes of UAX #14 as far as they matter in a
/// terminal. Pure.
///
/// No dictionary: Thai, Lao, Khmer and Burmese, which are written without spaces, count as
/// letters, and break only at a full row.
enum LineBreakClass: Equatable, Sendable {
    /// Dropped at the end of a row.
    case space
    case letter, digit
    /// Not followed by a break.
    case open, wideOpen
    /// Not preceded by a break; after the wide ones a break is always allowed.
    case close, wideClose
    /// `"` and `'`, which open and close.
    case quote
    /// A character that may end a row by itself: Chinese, Japanese, Korean, emoji.
    case ideograph
    case hyphen, dash
    /// No break on either side.
    case glue

    init(ascii byte: UInt8) {
        self =
            switch byte {
            case 0x20: .space
            case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): .open
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "."),
                UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
                UInt8(ascii: "?"), UInt8(ascii: "%"), UInt8(ascii: "/"):
                .close
            case UInt8(ascii: "\""), UInt8(ascii: "'"): .quote
            case UInt8(ascii: "-"): .hyphen
            default: .letter
            }
    }

    /// - Parameter width: number of columns.
    init(_ character: Character, width: Int) {
        // A character has at least one scalar.
        let scalar = character.unicodeScalars.first?.value ?? 0x20
        switch scalar {
        case 0..<0x80: self.init(ascii: UInt8(scalar))
        case 0xA0, 0x2007, 0x2011, 0x202F, 0x2060, 0xFEFF: self = .glue
        case 0x2000...0x200A, 0x205F, 0x3000: self = .space
        case 0xA1, 0xAB, 0xBF, 0x2018, 0x201C, 0x2039: self = .open
        case 0xBB, 0x2019, 0x201D, 0x203A, 0x2025, 0x2026: self = .close
        case 0x2010: self = .hyphen
        case 0x2013...0x2015: self = .dash
        case _ where Self.wideOpening.contains(scalar): self = .wideOpen
        case _ where Self.isWideClosing(scalar): self = .wideClose
        case 0xFF66...0xFF9D: self = .ideograph
        default: self = width > 1 ? .ideograph : .letter
        }
    }

    private static let wideOpening: Set<UInt32> = [
        0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D, 0xFF04,
        0xFF08, 0xFF3B, 0xFF5B, 0xFF5F, 0xFF62, 0xFFE1, 0xFFE5,
    ]

    private static func isWideClosing(_ scalar: UInt32) -> Bool {
        // The blocks of these characters.
        guard (0x3001...0x31FF).contains(scalar) || (0xFE50...0xFFE0).contains(scalar) else {
            return false
        }
        return (0x31F0...0x31FF).contains(scalar) || (0xFF67...0xFF70).contains(scalar)
            || wideClosing.contains(scalar)
    }

    /// Closing brackets, full stops and commas, marks of sound and repetition, and the
    /// small kana: none may begin a row.
    private static let wideClosing: Set<UInt32> = [
        0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019,
        0x301B, 0x301C, 0x301E, 0x301F, 0x303B, 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063,
        0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096, 0x309B, 0x309C, 0x309D, 0x309E, 0x30A1,
        0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6,
        0x30FB, 0x30FC, 0x30FD, 0x30FE, 0xFE50, 0xFE51, 0xFE52, 0xFE54, 0xFE55, 0xFE56, 0xFE57,
        0xFF01, 0xFF05, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0xFF60,
        0xFF61, 0xFF63, 0xFF64, 0xFF65, 0xFF9E, 0xFF9F, 0xFFE0,
    ]
}

extension LineBreakClass {
    /// Whether a row may end between two adjacent characters.
    ///
    /// - Parameter isInWord: whether the text before the pair, back to the last break, is a
    ///   word of letters: its hyphen may end a row.
    static func mayBreak(
        between left: LineBreakClass, and right: LineBreakClass, isInWord: Bool
    ) -> Bool {
        switch (left, right) {
        case (.glue, _), (_, .glue), (.space, _), (_, .space): false
        case (_, .close), (_, .wideClose), (_, .hyphen), (_, .dash), (_, .quote): false
        case (.open, _), (.wideOpen, _), (.quote, _): false
        case (.hyphen, .letter): isInWord
        case (.hyphen, .ideograph): true
        case (.hyphen, _): false
        // `1–2` stays together.
        case (.dash, .digit): false
        case (.dash, _): true
        case (.ideograph, _), (_, .ideograph): true
        case (.wideClose, _), (_, .wideOpen): true
        default: false
        }
    }
}
