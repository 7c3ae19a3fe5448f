/// Decodes text in the forms in which it travels within other text, as its receiver would:
/// percent, JSON and HTML escapes, quoted-printable, base64. Pure.
///
/// Text that is not in such a form is unchanged, so that the result can be searched like
/// the original.
enum HiddenText {
    /// The text with one layer of escapes removed, and the name of their form; nil if there
    /// are none.
    static func unwrapped(_ text: [UInt8]) -> (text: [UInt8], form: String)? {
        let marks: [UInt8] = ["%", "&", "\\", "="].map { UInt8(ascii: $0) }
        guard text.contains(where: marks.contains) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var forms: Set<String> = []
        var place = 0
        while place < text.count {
            let found: Escape? =
                switch text[place] {
                case UInt8(ascii: "%"): percent(text, place)
                case UInt8(ascii: "&"): entity(text, place)
                case UInt8(ascii: "\\"): backslash(text, place)
                case UInt8(ascii: "="): quotedPrintable(text, place)
                default: nil
                }
            if let found {
                output += found.bytes
                place = found.end
                forms.insert(found.form)
            } else {
                output.append(text[place])
                place += 1
            }
        }
        guard let form = forms.first else { return nil }
        return (output, forms.count == 1 ? form : "escaped")
    }

    private struct Escape {
        var bytes: [UInt8]
        var end: Int
        var form: String
    }

    /// RFC 3986 §2.1.
    private static func percent(_ text: [UInt8], _ place: Int) -> Escape? {
        hex(text, place + 1, digits: 2).map {
            Escape(bytes: [UInt8($0)], end: place + 3, form: "percent")
        }
    }

    /// RFC 2045 §6.7: `=C3=BC`, and `=` at the end of a line.
    private static func quotedPrintable(_ text: [UInt8], _ place: Int) -> Escape? {
        var end = place + 1
        if end < text.count, text[end] == 0x0D { end += 1 }
        if end < text.count, text[end] == 0x0A {
            return Escape(bytes: [], end: end + 1, form: "quoted-printable")
        }
        return hex(text, place + 1, digits: 2).map {
            Escape(bytes: [UInt8($0)], end: place + 3, form: "quoted-printable")
        }
    }

    /// RFC 8259 §7, and the forms of JavaScript: `\x4A`, `\u{4A}`.
    private static func backslash(_ text: [UInt8], _ place: Int) -> Escape? {
        guard place + 1 < text.count else { return nil }
        func escape(_ bytes: [UInt8], _ end: Int) -> Escape {
            Escape(bytes: bytes, end: end, form: "escaped")
        }
        switch text[place + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"):
            return escape([text[place + 1]], place + 2)
        case UInt8(ascii: "n"): return escape([0x0A], place + 2)
        case UInt8(ascii: "r"): return escape([0x0D], place + 2)
        case UInt8(ascii: "t"): return escape([0x09], place + 2)
        case UInt8(ascii: "x"):
            return hex(text, place + 2, digits: 2).map { escape(utf8($0), place + 4) }
        case UInt8(ascii: "u"):
            if place + 2 < text.count, text[place + 2] == UInt8(ascii: "{") {
                let digits = text[(place + 3)...].prefix(7).prefix { $0 != UInt8(ascii: "}") }
                guard let value = hex(text, place + 3, digits: digits.count) else { return nil }
                return escape(utf8(value), digits.endIndex + 1)
            }
            guard let value = hex(text, place + 2, digits: 4) else { return nil }
            // The second half of a pair.
            if value & 0xFC00 == 0xD800, place + 7 < text.count,
                text[place + 6] == UInt8(ascii: "\\"), text[place + 7] == UInt8(ascii: "u"),
                let low = hex(text, place + 8, digits: 4), low & 0xFC00 == 0xDC00
            {
                let both = 0x1_0000 + (value & 0x3FF) << 10 + low & 0x3FF
                return escape(utf8(both), place + 12)
            }
            return escape(utf8(value), place + 6)
        default: return nil
        }
    }

    /// `&#252;`, `&#xFC;`, `&uuml;`: of the named ones only the signs and the letters with
    /// accents, of which just the letter counts.
    private static func entity(_ text: [UInt8], _ place: Int) -> Escape? {
        let inside = text[(place + 1)...].prefix(10)
        guard let end = inside.firstIndex(of: UInt8(ascii: ";")), end > place + 1 else {
            return nil
        }
        let name = String(decoding: text[(place + 1)..<end], as: UTF8.self)
        var bytes: [UInt8]?
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            bytes = hex(text, place + 3, digits: end - place - 3).map(utf8)
        } else if name.hasPrefix("#") {
            bytes = UInt32(name.dropFirst()).map(utf8)
        } else if let sign = signs[name] {
            bytes = Array(sign.utf8)
        } else if let letter = name.unicodeScalars.first, letter.isASCII,
            accents.contains(String(name.dropFirst()))
        {
            bytes = Array(String(letter).utf8)
        }
        return bytes.map { Escape(bytes: $0, end: end + 1, form: "HTML entities") }
    }

    private static let signs: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "shy": "\u{AD}",
        "szlig": "ss", "aelig": "ae", "AElig": "AE", "oelig": "oe", "OElig": "OE", "eth": "d",
        "ETH": "D", "thorn": "th", "THORN": "Th", "inodot": "i", "imath": "i", "zwnj": "\u{200C}",
        "zwj": "\u{200D}", "commat": "@", "period": ".", "hyphen": "-", "lowbar": "_", "sol": "/",
        "plus": "+", "lpar": "(", "rpar": ")", "Tab": "\t", "NewLine": "\n", "ndash": "-",
        "mdash": "-", "rsquo": "'", "lsquo": "'",
    ]

    private static let accents: Set<String> = [
        "uml", "acute", "grave", "circ", "tilde", "cedil", "ring", "slash", "caron", "ogon",
        "breve", "macr", "strok", "dot", "dblac",
    ]

    private static func utf8(_ value: UInt32) -> [UInt8] {
        Array(String(Unicode.Scalar(value).map(Character.init) ?? " ").utf8)
    }

    private static func hex(_ text: [UInt8], _ place: Int, digits: Int) -> UInt32? {
        guard (1...6).contains(digits), place + digits <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[place..<(place + digits)] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
