import Base

/// Text of files that are not in UTF-8 (required by RFC 5545 §3.1.4): Latin-1
/// as its superset Windows-1252, and the QUOTED-PRINTABLE of vCalendar 1.0.
/// Pure.
///
/// Reading changes no byte. A written file is UTF-8 as a whole
/// (`Component.inUTF8`): no program reads a file of two encodings.
package enum LegacyText {
    /// The encoding of a line.
    package enum Form: Sendable { case utf8, latin1, quotedPrintable, unknown }

    static func form(of line: ContentLine) -> Form {
        let bytes = line.content
        if let end = bytes.firstIndex(of: UInt8(ascii: ":")), isQuotedPrintable(bytes[..<end]) {
            return isKnown(line.parameter("CHARSET")) ? .quotedPrintable : .unknown
        }
        if bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil {
            return .utf8
        }
        return isLatin1(bytes, charset: line.parameter("CHARSET")) ? .latin1 : .unknown
    }

    /// Decodes bytes that are not UTF-8. If they are not Latin-1 either,
    /// unreadable ones become U+FFFD, in the displayed text and never in the
    /// file.
    static func decoded(_ bytes: ArraySlice<UInt8>, charset: String?) -> String {
        isLatin1(bytes, charset: charset)
            ? String(windows1252: bytes) : String(decoding: bytes, as: UTF8.self)
    }

    /// If some non-ASCII letters are valid UTF-8, the rest is damaged UTF-8,
    /// not Latin-1.
    private static func isLatin1(_ bytes: ArraySlice<UInt8>, charset: String?) -> Bool {
        guard isKnown(charset), !bytes.contains(where: { undefined.contains($0) }) else {
            return false
        }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy {
            $0.value < 0x80 || $0.value == 0xFFFD
        }
    }

    private static let undefined: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]

    private static func isKnown(_ charset: String?) -> Bool {
        guard let name = charset?.lowercased() else { return true }
        return [
            "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1",
            "latin-1", "windows-1252", "cp1252",
        ].contains(name)
    }

    // MARK: - QUOTED-PRINTABLE

    /// Checks the text before the value: vCalendar 1.0 also allows the encoding
    /// without the parameter's name.
    static func isQuotedPrintable(_ header: ArraySlice<UInt8>) -> Bool {
        // Hardly any line has the letter there.
        guard header.contains(UInt8(ascii: ";")), header.contains(where: { $0 & 0xDF == 0x51 })
        else { return false }
        let upper = String(decoding: header, as: UTF8.self).uppercased()
        return upper.hasSuffix("QUOTED-PRINTABLE") || upper.hasSuffix("QUOTED-PRINTABLE:")
            || upper.utf8.firstRange(of: "QUOTED-PRINTABLE;".utf8) != nil
    }

    /// Decodes to a TEXT value (RFC 5545 §3.3.11): its line breaks are escaped.
    static func unquoted(_ bytes: ArraySlice<UInt8>, charset: String?) -> String {
        let plain = HexEscapes.decoded(bytes, mark: "=")
        let text = String(validating: plain, as: UTF8.self) ?? decoded(plain[...], charset: charset)
        return text.replacing("\r\n", with: "\\n").replacing("\n", with: "\\n")
    }
}

extension ContentLine {
    package var textForm: LegacyText.Form { LegacyText.form(of: self) }

    /// A copy in UTF-8 if the line is in Latin-1; otherwise unchanged.
    fileprivate var inUTF8: ContentLine {
        guard LegacyText.form(of: self) == .latin1 else { return self }
        var text = String(windows1252: content)
        if let charset = parameter("CHARSET"), let old = text.firstRange(of: "=" + charset) {
            text.replaceSubrange(old, with: "=UTF-8")
        }
        return ContentLine(content: Array(text.utf8), ending: Array(ending))
    }
}

extension Component {
    /// The component as we write it: lines in Latin-1 become UTF-8.
    package var inUTF8: Component {
        var result = self
        result.items = items.map { item in
            switch item {
            case .line(let line): .line(line.inUTF8)
            case .component(let inner): .component(inner.inUTF8)
            }
        }
        return result
    }
}
