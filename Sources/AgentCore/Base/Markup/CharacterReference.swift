import CWords

/// Character references of HTML: `&amp;`, `&#65;`, `&#x41;`. They may give any character;
/// the code that shows it passes it through the allow-list.
package enum CharacterReference {
    package enum Rules: Sendable {
        /// CommonMark 6.2: with a semicolon, and numbers unchanged.
        case strict
        /// Decodes like browsers (HTML Living Standard 13.2.5.72): accepts some names, and numbers,
        /// without a semicolon, and reads 128 to 159 as Windows-1252.
        case tolerant
    }

    /// Decodes the reference that starts with the `&` at `start`.
    /// - Returns: its text, and the first byte after it; nil if it is not a reference but
    ///   text.
    package static func decode(
        _ bytes: ArraySlice<UInt8>, at start: Int, _ rules: Rules
    ) -> (text: String, end: Int)? {
        guard start + 2 < bytes.endIndex else { return nil }
        return bytes[start + 1] == UInt8(ascii: "#")
            ? number(bytes, at: start, rules) : name(bytes, at: start, rules)
    }

    /// A text of a page with its references decoded.
    ///
    /// - Parameter instead: replacements for some of the characters.
    package static func text(
        _ bytes: ArraySlice<UInt8>, instead: [String: String] = [:]
    ) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if bytes[at] == UInt8(ascii: "&"), let found = decode(bytes, at: at, .tolerant) {
                output += (instead[found.text] ?? found.text).utf8
                at = found.end
            } else {
                output.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    // MARK: - Numbers

    private static func number(
        _ bytes: ArraySlice<UInt8>, at start: Int, _ rules: Rules
    ) -> (text: String, end: Int)? {
        let isHex = bytes[start + 2] | 0x20 == UInt8(ascii: "x")
        let first = start + (isHex ? 3 : 2)
        var at = first
        var value: UInt32 = 0
        while at < bytes.endIndex, at - first < 8, let digit = digit(bytes[at], isHex: isHex) {
            // At most eight digits, so nothing overflows.
            value = value * (isHex ? 16 : 10) + digit
            at += 1
        }
        guard at > first, at - first <= (isHex ? 6 : 7) else { return nil }
        let isEnded = at < bytes.endIndex && bytes[at] == UInt8(ascii: ";")
        guard isEnded || rules == .tolerant else { return nil }
        var scalar = Unicode.Scalar(value).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}"
        if rules == .tolerant, (0x80...0x9F).contains(value) {
            scalar = windows1252[Int(value - 0x80)]
        }
        return (String(scalar), isEnded ? at + 1 : at)
    }

    private static func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46 where isHex: UInt32(byte - 0x41 + 10)
        case 0x61...0x66 where isHex: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }

    /// The characters from 0x80 to 0x9F; the five undefined ones are U+FFFD.
    package static let windows1252 = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

    // MARK: - Names

    private static func name(
        _ bytes: ArraySlice<UInt8>, at start: Int, _ rules: Rules
    ) -> (text: String, end: Int)? {
        var at = start + 1
        // The longest name has 31 letters.
        while at < bytes.endIndex, at - start <= 32, bytes[at].isASCIILetterOrDigit { at += 1 }
        guard at > start + 1 else { return nil }
        let isEnded = at < bytes.endIndex && bytes[at] == UInt8(ascii: ";")
        guard isEnded || rules == .tolerant else { return nil }
        let name = String(decoding: bytes[(start + 1)..<at], as: UTF8.self)
        guard isEnded || withoutSemicolon.contains(Substring(name)) else { return nil }
        guard let text = common[name] ?? all[name] else { return nil }
        return (text, isEnded ? at + 1 : at)
    }

    /// Found without building the whole table.
    private static let common = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "nbsp": "\u{A0}"]

    private static let all: [String: String] = {
        var all: [String: String] = [:]
        all.reserveCapacity(2200)
        for entry in LexiconFile(.entityNames).words("names") {
            let parts = entry.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            var text = ""
            for digits in parts[1].split(separator: "+") {
                guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
                else { continue }
                text.unicodeScalars.append(scalar)
            }
            all[String(parts[0])] = text
        }
        return all
    }()

    /// Names from the first versions of HTML, which pages still write without a semicolon.
    private static let withoutSemicolon = Set(
        """
        AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute Ecirc Egrave Euml GT
        Iacute Icirc Igrave Iuml LT Ntilde Oacute Ocirc Ograve Oslash Otilde Ouml QUOT REG THORN
        Uacute Ucirc Ugrave Uuml Yacute aacute acirc acute aelig agrave amp aring atilde auml brvbar
        ccedil cedil cent copy curren deg divide eacute ecirc egrave eth euml frac12 frac14 frac34
        gt iacute icirc iexcl igrave iquest iuml laquo lt macr micro middot nbsp not ntilde oacute
        ocirc ograve ordf ordm oslash otilde ouml para plusmn pound quot raquo reg sect shy sup1
        sup2 sup3 szlig thorn times uacute ucirc ugrave uml uuml yacute yen yuml
        """.split(whereSeparator: { $0 == " " || $0 == "\n" }))
}

extension String {
    /// Bytes in Windows-1252, which includes Latin-1.
    package init(windows1252 bytes: some Sequence<UInt8>) {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            scalars.append(
                (0x80...0x9F).contains(byte)
                    ? CharacterReference.windows1252[Int(byte - 0x80)] : Unicode.Scalar(byte))
        }
        self.init(scalars)
    }
}
