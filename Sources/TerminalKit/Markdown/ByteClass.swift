/// Classifies single characters as in the specification.
package enum ByteClass {
    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    package static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    enum Kind { case space, punctuation, other }

    static func kind(_ scalar: Unicode.Scalar) -> Kind {
        if scalar.value < 0x80 {
            let byte = UInt8(scalar.value)
            return isSpace(byte) ? .space : isPunctuation(byte) ? .punctuation : .other
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator: return .space
        // Since version 0.31 symbols count too: "**Status:**✅" is bold.
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation,
            .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            return .punctuation
        default: return .other
        }
    }

    /// The kind of the character that ends before `end`; the start of the text counts as
    /// white space.
    static func kind(before end: Int, in bytes: [UInt8]) -> Kind {
        guard end > 0 else { return .space }
        var start = end - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return kind(at: start, in: bytes)
    }

    /// The kind of the character that starts at `start`.
    static func kind(at start: Int, in bytes: [UInt8]) -> Kind {
        guard start < bytes.count else { return .space }
        let lead = bytes[start]
        if lead < 0x80 { return kind(Unicode.Scalar(lead)) }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard start + length <= bytes.count else { return .other }
        var value = UInt32(lead) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for offset in 1..<length { value = value << 6 | UInt32(bytes[start + offset] & 0x3F) }
        guard let scalar = Unicode.Scalar(value) else { return .other }
        return kind(scalar)
    }
}
