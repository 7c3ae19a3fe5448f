/// Text as espeak-ng may get it on stdin: words, and nothing that it obeys.
/// Pure.
///
/// espeak-ng reads `[[…]]` as phonemes and U+0001 as the start of a command
/// also without `-m` (docs/markup.md of its sources); tags it reads out when
/// they are no markup, and options are only looked for in arguments.
enum EspeakText {
    /// Nil when nothing of it can be spoken.
    static func bytes(_ text: String) -> [UInt8]? {
        var out = String.UnicodeScalarView()
        var isSpoken = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "[": out.append("(")
            case "]": out.append(")")
            case _ where scalar.properties.isWhitespace: out.append(" ")
            case _ where SpokenCharacters.mayPass(scalar):
                isSpoken = isSpoken || SpokenCharacters.isSpoken(scalar) || isNamed(scalar)
                out.append(scalar)
            default: break
            }
        }
        return isSpoken ? Array(String(out).utf8) + [0x0A] : nil
    }

    /// Signs that are read by their name: `+`, `€`, `😀`.
    private static func isNamed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .mathSymbol, .currencySymbol, .otherSymbol: true
        default: "@#%&*".unicodeScalars.contains(scalar)
        }
    }
}
