/// Classifies single characters for reading aloud. Pure.
package enum SpokenCharacters {
    /// Whether it is neither a control character nor one that only affects display. The two
    /// joiners are part of the spelling of several languages.
    static func mayPass(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .unassigned, .privateUse: false
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }

    /// Whether it is a letter or a digit of any script.
    package static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    static func isTerminator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "!", "?", "…", "؟", "۔", "।", "॥", "‽": true
        default: isWide(scalar)
        }
    }

    /// Whether it ends a sentence without a space after it.
    static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "。", "！", "？", "｡", "．": true
        default: false
        }
    }

    /// Whether it belongs to the sentence that ended before it.
    static func isCloser(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "'", ")", "]", "}", "”", "’", "»", "›", "“", "」", "』", "）", "】", "》": true
        default: false
        }
    }

    static func isComma(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ",", ";", ":", "—", "–", ")", "،", "؛": true
        default: false
        }
    }

    static func isWideComma(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "，", "、", "；", "：": true
        default: false
        }
    }

    /// Whether it belongs to the previous character.
    static func joins(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200D}" || scalar.properties.isGraphemeExtend
    }

    /// The word in lowercase, without punctuation around it: `("Dr` is `dr`.
    static func word(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        let isPart: (Unicode.Scalar) -> Bool = { isSpoken($0) }
        guard let first = scalars.firstIndex(where: isPart),
            let last = scalars.lastIndex(where: isPart)
        else { return "" }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[first...last])
        return String(text).lowercased()
    }
}
