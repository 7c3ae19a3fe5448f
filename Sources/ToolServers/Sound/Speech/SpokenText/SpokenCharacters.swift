/// What single characters mean for reading aloud. Pure.
package enum SpokenCharacters {
    /// Neither a control character nor one that only steers the display. The
    /// two joiners belong to the spelling of several languages.
    static func mayPass(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .unassigned, .privateUse: false
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }

    /// A letter or a digit of any script.
    package static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    static func isTerminator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "!", "?", "…", "؟", "۔", "।", "॥", "‽": true
        default: isWide(scalar)
        }
    }

    /// Ends a sentence without a space after it.
    static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "。", "！", "？", "｡", "．": true
        default: false
        }
    }

    /// Belongs to the sentence that ended before it.
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

    /// Belongs to the character before it.
    static func joins(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200D}" || scalar.properties.isGraphemeExtend
    }

    /// Lower case, without what stands around it: `("Dr` is `dr`.
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
