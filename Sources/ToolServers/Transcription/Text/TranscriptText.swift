import Base

/// Joins texts of a transcript, with a space between them if their script uses
/// spaces. Pure.
package enum TranscriptText {
    static func joined(_ left: String, _ right: String) -> String {
        guard let last = left.last, let first = right.first else { return left + right }
        if last.isWhitespace || first.isWhitespace { return left + right }
        return isSpaceless(last) && isSpaceless(first) ? left + right : left + " " + right
    }

    static func joined(_ texts: some Sequence<String>) -> String {
        var result = ""
        for text in texts {
            let trimmed = text.trimmingSpace()
            if result.isEmpty {
                result = trimmed
            } else if let last = result.last, let first = trimmed.first {
                if !(isSpaceless(last) && isSpaceless(first)) { result += " " }
                result += trimmed
            }
        }
        return result
    }

    /// Cleans a server's transcript: trimmed, and without control characters,
    /// which are never spoken and would act on a terminal that shows the file
    /// later.
    static func said(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text.trimmingSpace() }
        var clean = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            // A carriage return by itself ends a line as well.
            if wasReturn, scalar != "\n" { clean.append("\n") }
            wasReturn = scalar == "\r"
            if !isControl(scalar) { clean.append(scalar) }
        }
        return String(clean).trimmingSpace()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\n" && scalar != "\t"
            || (0x7F...0x9F).contains(scalar.value)
    }

    /// Words as people count them; each character of a script without spaces is one.
    package static func wordCount(_ text: String) -> Int {
        SpokenToken.tokens(of: text).count
    }

    /// Chinese and Japanese characters with their punctuation, Thai, Lao,
    /// Burmese, Khmer: scripts without spaces between words (UAX #14, classes
    /// ID, CJ and SA). Korean has spaces.
    static func isSpaceless(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: return true
        case 0x2E80...0x312F, 0x31A0...0x9FFF, 0xA000...0xA4CF: return true
        case 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF: return true
        default: return false
        }
    }
}
