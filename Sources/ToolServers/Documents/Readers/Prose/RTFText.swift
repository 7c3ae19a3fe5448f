import Base

/// The plain text of an RTF document (RTF Specification 1.9.1): paragraphs separated by
/// blank lines, without font tables, pictures, notes, headers and footers. Pure and
/// tolerant; unknown control words are ignored.
struct RTFText: Sendable {
    private(set) var text = ""
    private(set) var title: String?
    private(set) var author: String?

    static func isRTF(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "{\\rtf".utf8) }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var groups = [Group()]
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "{"):
                // The limit is deeper than any document; each level costs memory.
                if groups.count < 1_000 { groups.append(groups[groups.count - 1]) }
                groups[groups.count - 1].isFirst = true
            case UInt8(ascii: "}"):
                finish(groups[groups.count - 1])
                if groups.count > 1 { groups.removeLast() }
            case UInt8(ascii: "\\"): control(&groups[groups.count - 1])
            case 0x0A, 0x0D, 0: continue
            default: add(String(character(byte)), &groups[groups.count - 1])
            }
        }
        endParagraph()
    }

    // MARK: - State

    private let bytes: [UInt8]
    private var at = 0
    private var paragraph = ""
    private var field = ""
    /// The first half of a character in UTF-16.
    private var half: UInt16?
    /// The code page of bytes above ASCII.
    private var page = 1252

    private struct Group {
        enum Target { case text, nothing, title, author }
        var target = Target.text
        /// Number of characters that replace a Unicode character in older programs.
        var substitutes = 1
        /// Number of those characters that are still to be skipped.
        var skipped = 0
        /// Whether the next control word is the group's first, which defines
        /// its kind.
        var isFirst = false
        var isOptional = false
    }

    private mutating func add(_ piece: String, _ group: inout Group) {
        group.isFirst = false
        if group.skipped > 0 {
            group.skipped -= 1
            return
        }
        switch group.target {
        case .text: paragraph += piece
        case .title, .author: field += piece
        case .nothing: break
        }
    }

    private mutating func finish(_ group: Group) {
        let value = PageProse.oneLine(field)
        if group.target == .title { title = title ?? (value.isEmpty ? nil : value) }
        if group.target == .author { author = author ?? (value.isEmpty ? nil : value) }
        if group.target == .title || group.target == .author { field = "" }
    }

    private mutating func endParagraph() {
        let line = paragraph.trimmingSpace()
        paragraph = ""
        if line.isEmpty { return }
        text += text.isEmpty ? line : "\n\n" + line
    }

    // MARK: - Words

    /// Reads the control word or symbol after a backslash.
    private mutating func control(_ group: inout Group) {
        guard at < bytes.count else { return }
        let first = bytes[at]
        guard Self.isLetter(first) else {
            at += 1
            symbol(first, &group)
            return
        }
        let start = at
        while at < bytes.count, at - start < 32, Self.isLetter(bytes[at]) { at += 1 }
        let word = String(decoding: bytes[start..<at], as: UTF8.self)
        let digits = at
        if at < bytes.count, bytes[at] == UInt8(ascii: "-") { at += 1 }
        while at < bytes.count, at - digits < 11, (0x30...0x39).contains(bytes[at]) { at += 1 }
        let number = Int(String(decoding: bytes[digits..<at], as: UTF8.self))
        // The space that ends a control word belongs to it.
        if at < bytes.count, bytes[at] == 0x20 { at += 1 }
        word == "u" ? unicode(number ?? 0, &group) : run(word, number, &group)
    }

    private mutating func run(_ word: String, _ number: Int?, _ group: inout Group) {
        let opens = group.isFirst
        group.isFirst = false
        if let character = Self.characters[word] { return add(character, &group) }
        switch word {
        case "par", "sect", "page", "row", "pagebb": if group.target == .text { endParagraph() }
        case "line": if group.target == .text { paragraph += "\n" }
        case "cell": if group.target == .text { paragraph += " " }
        case "ansicpg": page = number ?? page
        // For the DOS code pages the header has a control word instead of a number.
        case "pc": page = 437
        case "pca": page = 850
        case "uc": group.substitutes = max(0, min(number ?? 1, 16))
        case "bin": at = min(bytes.count, at + max(0, number ?? 0))
        case "title" where opens && group.target == .nothing: group.target = .title
        case "author" where opens && group.target == .nothing: group.target = .author
        case _ where opens && (group.isOptional || Self.unread.contains(word)):
            group.target = .nothing
        default: break
        }
    }

    private mutating func symbol(_ byte: UInt8, _ group: inout Group) {
        switch byte {
        case UInt8(ascii: "'"):
            guard at + 1 < bytes.count,
                let code = UInt8(String(decoding: bytes[at...(at + 1)], as: UTF8.self), radix: 16)
            else { return }
            at += 2
            add(String(character(code)), &group)
        case UInt8(ascii: "*"): group.isOptional = true
        case UInt8(ascii: "~"): add(" ", &group)
        case UInt8(ascii: "_"): add("-", &group)
        case UInt8(ascii: "-"): break
        case 0x0A, 0x0D: if group.target == .text { endParagraph() }
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            add(String(Unicode.Scalar(byte)), &group)
        default: break
        }
    }

    /// `\u8220?`: a character, and its replacement in older programs.
    private mutating func unicode(_ number: Int, _ group: inout Group) {
        let unit = UInt16(truncatingIfNeeded: number)
        group.skipped = 0
        defer { group.skipped = group.substitutes }
        if UTF16.isLeadSurrogate(unit) {
            half = unit
        } else if let first = half, UTF16.isTrailSurrogate(unit) {
            half = nil
            add(String(decoding: [first, unit], as: UTF16.self), &group)
        } else if let scalar = Unicode.Scalar(UInt32(unit)) {
            half = nil
            add(String(scalar), &group)
        }
    }

    // MARK: - Tables

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private func character(_ byte: UInt8) -> Unicode.Scalar {
        CodePage.scalar(byte, page: page)
    }

    private static let characters = [
        "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
        "rdblquote": "”", "bullet": "•", "tab": " ", "emspace": " ", "enspace": " ",
    ]

    private static let unread: Set<String> = [
        "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "headerl",
        "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "footnote", "listtable",
        "listoverridetable", "rsidtbl", "generator", "filetbl", "revtbl", "themedata", "fldinst",
        "annotation", "bkmkstart", "bkmkend", "xe", "tc",
    ]
}
