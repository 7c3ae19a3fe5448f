/// Maps letters of other scripts to the Latin ones that they look like. In a word that also
/// has Latin letters they are read as these: "Вeissenthal" with a Cyrillic В (Unicode UTS
/// #39, section 4, has the whole table). Pure.
///
/// A word of one script is unchanged, for it is Greek or Russian.
enum LookAlikes {
    /// A Latin word with a Cyrillic в in place of each b, v or w: it looks like the first
    /// and is read as the others, so it is searched for as it is.
    static func withCyrillicVe<Unit: FixedWidthInteger>(
        _ word: [Unit], _ ve: [Unit]
    ) -> [[Unit]] {
        let letters = Set("bvw".unicodeScalars.map { Unit(truncatingIfNeeded: $0.value) })
        return word.indices.filter { letters.contains(word[$0]) }.map { index in
            Array(word[..<index]) + ve + word[(index + 1)...]
        }
    }

    /// - Parameter letter: in lower case, without accents.
    static func latin(_ letter: UInt32, isUpper: Bool) -> UInt32? {
        guard (0x250..<0x530).contains(letter), let scalar = Unicode.Scalar(letter) else {
            return nil
        }
        return ((isUpper ? capitals[scalar] : nil) ?? letters[scalar])?.value
    }

    private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "а": "a", "г": "r", "е": "e", "ѕ": "s", "і": "i", "ј": "j", "к": "k", "м": "m",
        "н": "h", "о": "o", "р": "p", "с": "c", "т": "t", "у": "y", "х": "x", "ь": "b", "һ": "h",
        "ԁ": "d", "ԛ": "q", "ԝ": "w", "ӏ": "l", "α": "a", "β": "b", "γ": "y", "ε": "e", "ζ": "z",
        "η": "n", "ι": "i", "κ": "k", "μ": "u", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u",
        "χ": "x", "ω": "w", "ϲ": "c", "ɑ": "a", "ɡ": "g", "ɩ": "i",
    ]

    /// Capitals that look like another letter than the small one does.
    private static let capitals: [Unicode.Scalar: Unicode.Scalar] = [
        "η": "h", "μ": "m", "ν": "n", "υ": "y",
    ]
}
