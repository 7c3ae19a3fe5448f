/// Cleans untrusted text for a model or for one line: removes control characters and
/// invisible characters, which may carry instructions. Pure. The terminal has its
/// allow-list in addition.
package enum UntrustedText {
    /// Line ends are LF; controls, bidirectional overrides and tag characters are removed.
    /// Tags stay in the flags of regions, which need them (UTS #51, 2.6), and joiners stay,
    /// which emoji and Persian need.
    package static func cleaned(_ text: String) -> String {
        // Fast path: most texts contain none of it.
        guard text.unicodeScalars.contains(where: isRemarkable) else { return text }
        var result = String.UnicodeScalarView()
        var isInFlag = false
        for scalar in text.unicodeScalars {
            let isTag = isTag(scalar)
            if isTag ? isInFlag : !isRemarkable(scalar) { result.append(scalar) }
            isInFlag = scalar == "\u{1F3F4}" || (isTag && isInFlag)
        }
        return String(result)
    }

    /// One line of at most that many code points; longer ones end in "…".
    package static func line(_ text: String, limit: Int) -> String {
        let words = cleaned(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.unicodeScalars.count > limit else { return words }
        return String(String.UnicodeScalarView(words.unicodeScalars.prefix(limit))) + "…"
    }

    private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
        0xE0000...0xE007F ~= scalar.value
    }

    private static func isRemarkable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xE0000...0xE007F: true
        default: scalar.directs != nil
        }
    }
}

extension Unicode.Scalar {
    /// A character's effect on the direction of the text around it.
    package enum Direction { case mark, override }

    /// Unicode UAX #9, table 2: the marks, which Hebrew and Arabic need in lines with
    /// digits or Latin words, and the characters that change the direction of all that
    /// follows (embeddings, overrides, isolates); nil for every other character.
    package var directs: Direction? {
        switch value {
        case 0x061C, 0x200E, 0x200F: .mark
        case 0x202A...0x202E, 0x2066...0x2069: .override
        default: nil
        }
    }
}
