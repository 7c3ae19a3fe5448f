/// A text in the form used for searching: lower case, without accents, white space as single
/// spaces, so that "Creme" finds "Crème  Brûlée".
///
/// Only for comparing, never for display. Uses the standard library's tables: the program has no
/// other Unicode data.
package enum SearchText {
    package static func folded(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        var spaceIsDue = false
        func add(_ scalars: String.UnicodeScalarView) {
            if spaceIsDue, !output.isEmpty { output.append(0x20) }
            spaceIsDue = false
            for scalar in scalars { output.append(contentsOf: String(scalar).utf8) }
        }
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                if byte <= 0x20 || byte == 0x7F {
                    spaceIsDue = true
                    continue
                }
                if spaceIsDue, !output.isEmpty { output.append(0x20) }
                spaceIsDue = false
                output.append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
                continue
            }
            let properties = scalar.properties
            if properties.isWhitespace {
                spaceIsDue = true
                continue
            }
            if properties.generalCategory == .nonspacingMark { continue }
            for lower in properties.lowercaseMapping.unicodeScalars
            where lower.properties.generalCategory != .nonspacingMark {
                add(base(of: lower).unicodeScalars)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The letter without accents. The standard library cannot decompose letters, but it has their
    /// names: "LATIN SMALL LETTER E WITH ACUTE".
    private static func base(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "ß": return "ss"
        case "æ": return "ae"
        case "œ": return "oe"
        case "ά": return "α"
        case "έ": return "ε"
        case "ή": return "η"
        case "ί", "ϊ", "ΐ": return "ι"
        case "ό": return "ο"
        case "ύ", "ϋ", "ΰ": return "υ"
        case "ώ": return "ω"
        case "ς": return "σ"
        case "ё": return "е"
        case "й": return "и"
        default: break
        }
        let prefix = "LATIN SMALL LETTER "
        guard (0xC0...0x24F).contains(scalar.value) || (0x1E00...0x1EFF).contains(scalar.value),
            let name = scalar.properties.name, name.hasPrefix(prefix)
        else { return String(scalar) }
        let letter = name.dropFirst(prefix.count).prefix { $0 != " " }
        return letter.utf8.count == 1 ? letter.lowercased() : String(scalar)
    }
}
