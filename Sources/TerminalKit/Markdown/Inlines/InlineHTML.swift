/// Finds the end of inline HTML: tags, comments, instructions, declarations and CDATA
/// (CommonMark 6.6).
enum InlineHTML {
    enum Scan: Equatable {
        /// The first byte after it.
        case ends(Int)
        case isNone
        /// More text could make it one.
        case isOpen
    }

    /// Terminators known to be missing from the rest of the text, so that a text full of
    /// `<!--` is not searched again for each of them.
    struct Exhausted {
        var comment = false
        var instruction = false
        var declaration = false
        var cdata = false
    }

    static func scan(_ bytes: [UInt8], at start: Int, _ exhausted: inout Exhausted) -> Scan {
        guard start + 1 < bytes.count else { return .isOpen }
        switch bytes[start + 1] {
        case UInt8(ascii: "?"):
            return search(bytes, from: start + 2, for: "?>", &exhausted.instruction)
        case UInt8(ascii: "!"):
            guard start + 2 < bytes.count else { return .isOpen }
            if hasPrefix(bytes, at: start, "<!--") {
                if hasPrefix(bytes, at: start, "<!-->") { return .ends(start + 5) }
                if hasPrefix(bytes, at: start, "<!--->") { return .ends(start + 6) }
                return search(bytes, from: start + 4, for: "-->", &exhausted.comment)
            }
            if hasPrefix(bytes, at: start, "<![CDATA[") {
                return search(bytes, from: start + 9, for: "]]>", &exhausted.cdata)
            }
            guard ByteClass.isLetter(bytes[start + 2]) else { return .isNone }
            return search(bytes, from: start + 2, for: ">", &exhausted.declaration)
        default:
            return tag(bytes, at: start)
        }
    }

    static func contains(_ bytes: [UInt8], _ end: [UInt8]) -> Bool {
        find(end, in: bytes, from: 0) != nil
    }

    private static func search(
        _ bytes: [UInt8], from: Int, for end: StaticString, _ isExhausted: inout Bool
    ) -> Scan {
        guard !isExhausted else { return .isOpen }
        let wanted = end.withUTF8Buffer { Array($0) }
        guard let found = find(wanted, in: bytes, from: from) else {
            isExhausted = true
            return .isOpen
        }
        return .ends(found + wanted.count)
    }

    private static func find(_ wanted: [UInt8], in bytes: [UInt8], from: Int) -> Int? {
        var at = from
        while at + wanted.count <= bytes.count {
            if bytes[at] == wanted[0], bytes[at..<(at + wanted.count)] == wanted[...] { return at }
            at += 1
        }
        return nil
    }

    private static func hasPrefix(_ bytes: [UInt8], at start: Int, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { wanted in
            guard start + wanted.count <= bytes.count else { return false }
            for index in 0..<wanted.count where bytes[start + index] != wanted[index] {
                return false
            }
            return true
        }
    }

    /// An opening or closing tag with well-formed attributes.
    static func tag(_ bytes: [UInt8], at start: Int) -> Scan {
        var at = start + 1
        let isClosing = at < bytes.count && bytes[at] == UInt8(ascii: "/")
        if isClosing { at += 1 }
        guard at < bytes.count else { return .isOpen }
        guard ByteClass.isLetter(bytes[at]) else { return .isNone }
        while at < bytes.count, ByteClass.isWord(bytes[at]) || bytes[at] == 0x2D { at += 1 }
        while true {
            let spaceStart = at
            while at < bytes.count, ByteClass.isSpace(bytes[at]) { at += 1 }
            guard at < bytes.count else { return .isOpen }
            if bytes[at] == UInt8(ascii: ">") { return .ends(at + 1) }
            if isClosing { return .isNone }
            if bytes[at] == UInt8(ascii: "/") {
                guard at + 1 < bytes.count else { return .isOpen }
                return bytes[at + 1] == UInt8(ascii: ">") ? .ends(at + 2) : .isNone
            }
            guard at > spaceStart, isNameStart(bytes[at]) else { return .isNone }
            while at < bytes.count, isNamePart(bytes[at]) { at += 1 }
            switch value(bytes, after: at) {
            case .ends(let end): at = end
            case .isNone: return .isNone
            case .isOpen: return .isOpen
            }
        }
    }

    /// `= value` after an attribute's name; a missing value has length zero.
    private static func value(_ bytes: [UInt8], after name: Int) -> Scan {
        var at = name
        while at < bytes.count, ByteClass.isSpace(bytes[at]) { at += 1 }
        guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return .ends(name) }
        at += 1
        while at < bytes.count, ByteClass.isSpace(bytes[at]) { at += 1 }
        guard at < bytes.count else { return .isOpen }
        let quote = bytes[at]
        if quote == 0x22 || quote == 0x27 {
            at += 1
            while at < bytes.count, bytes[at] != quote { at += 1 }
            return at < bytes.count ? .ends(at + 1) : .isOpen
        }
        let start = at
        while at < bytes.count, !ByteClass.isSpace(bytes[at]), !"\"'=<>`".utf8.contains(bytes[at]) {
            at += 1
        }
        return at > start ? .ends(at) : .isNone
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        ByteClass.isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        ByteClass.isWord(byte) || "_:.-".utf8.contains(byte)
    }
}
