import Base

/// A text as the gate compares it: only its letters and digits, in lower case and without
/// accents, each with the gap before it. Pure.
///
/// It reads what a human or a model would read: invisible characters are ignored, and bytes
/// that are not UTF-8 are taken for Latin-1.
struct SeenLetters {
    /// The separator between a letter and the one before it; if there are several, the last
    /// in this order.
    enum Gap: UInt8, Comparable {
        case none
        /// A soft hyphen, or a hyphen at the end of a line.
        case softHyphen
        /// Invisible characters.
        case hidden
        /// `*`, or a tag within a line.
        case markup
        case space
        /// A character within names, numbers and addresses: `-`, `.`, `/`, `@` …
        case joiner
        case comma
        /// Other punctuation, or an empty line.
        case stop
        /// The border between two fields of the body.
        case field
        /// A gap of more than a few characters.
        case far

        static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
    }

    private(set) var bytes: [UInt8] = []
    /// The gap of each letter, with the bits of `isUpper` and `isInside`.
    private var marks: [UInt8] = []
    /// The start of each byte's character in the text.
    private(set) var offsets: [UInt32] = []

    private static let upper: UInt8 = 0x10
    private static let inside: UInt8 = 0x20

    var count: Int { bytes.count }

    func gap(before index: Int) -> Gap { Gap(rawValue: marks[index] & 0x0F) ?? .none }
    func isUpper(_ index: Int) -> Bool { marks[index] & Self.upper != 0 }
    /// Whether the byte is not the first of its character.
    func isInside(_ index: Int) -> Bool { marks[index] & Self.inside != 0 }

    init() {}

    init(_ text: String) {
        var folding = SeenCharacters()
        self.init(Array(text.utf8), skipsTags: false, &folding)
    }

    /// - Parameter skipsTags: whether `<b>` and the like are ignored.
    init(_ text: [UInt8], skipsTags: Bool, _ folding: inout SeenCharacters) {
        bytes.reserveCapacity(text.count)
        marks.reserveCapacity(text.count)
        offsets.reserveCapacity(text.count)
        var gap = PendingGap()
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                if skipsTags, byte == UInt8(ascii: "<"),
                    let tag = MarkupTag(text, at: place)
                {
                    gap.add(tag.isBlock ? .space : .markup, byte)
                    place = tag.end
                    continue
                }
                switch SeenCharacters.ascii[Int(byte)] {
                case .letter:
                    let isUpper = byte &- UInt8(ascii: "A") < 26
                    let letter = isUpper ? byte | 0x20 : byte
                    append(letter, after: gap.take(), isUpper: isUpper, at: place)
                case .gap(let kind): gap.add(kind, byte)
                }
                place += 1
                continue
            }
            let (scalar, width) = Self.scalar(text, at: place)
            switch folding.seen(scalar) {
            case .letters(let letters, let isUpper):
                append(letters[0], after: gap.take(), isUpper: isUpper, at: place)
                for letter in letters.dropFirst() {
                    append(
                        letter, after: .none, isUpper: isUpper, at: place, isInside: letter >= 0x80)
                }
            case .gap(let kind): gap.add(kind, 0)
            case .nothing: break
            }
            place += width
        }
        readLookAlikes()
    }

    private mutating func readLookAlikes() {
        // The first bytes of the letters in `LookAlikes`.
        guard bytes.contains(where: { (0xC9...0xD4).contains($0) }) else { return }
        let read = self
        bytes.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        var start = 0
        while start < read.count {
            var end = start + 1
            while end < read.count, read.gap(before: end) <= .markup { end += 1 }
            let isLatin = read.bytes[start..<end].contains { $0 < 0x80 && !Self.isDigit($0) }
            var index = start
            while index < end {
                var width = 1
                var byte = read.bytes[index]
                if isLatin, (0xC9...0xD4).contains(byte), index + 1 < end {
                    let letter = UInt32(byte & 0x1F) << 6 | UInt32(read.bytes[index + 1] & 0x3F)
                    if let latin = LookAlikes.latin(letter, isUpper: read.isUpper(index)) {
                        byte = UInt8(truncatingIfNeeded: latin)
                        width = 2
                    }
                }
                bytes.append(byte)
                marks.append(read.marks[index])
                offsets.append(read.offsets[index])
                index += width
            }
            start = end
        }
    }

    private mutating func append(
        _ byte: UInt8, after gap: Gap, isUpper: Bool, at offset: Int, isInside: Bool = false
    ) {
        bytes.append(byte)
        marks.append(
            gap.rawValue | (isUpper ? Self.upper : 0) | (isInside ? Self.inside : 0))
        offsets.append(UInt32(truncatingIfNeeded: offset))
    }

    private static func scalar(_ text: [UInt8], at place: Int) -> (Unicode.Scalar, Int) {
        let byte = text[place]
        let width = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        var value = UInt32(byte) & (width == 2 ? 0x1F : width == 3 ? 0x0F : 0x07)
        let least: UInt32 = width == 2 ? 0x80 : width == 3 ? 0x800 : 0x1_0000
        if byte >= 0xC2, byte < 0xF5, place + width <= text.count {
            for next in text[(place + 1)..<(place + width)] {
                guard next & 0xC0 == 0x80 else { return (Unicode.Scalar(byte), 1) }
                value = value << 6 | UInt32(next & 0x3F)
            }
            if value >= least, let scalar = Unicode.Scalar(value) { return (scalar, width) }
        }
        return (Unicode.Scalar(byte), 1)
    }

    // MARK: - Words

    /// Whether a word begins here: there is a gap before it, or letters follow digits.
    ///
    /// - Parameter atCapitals: whether a capital after a lower-case letter counts, too.
    func beginsWord(_ index: Int, atCapitals: Bool) -> Bool {
        if index == 0 || index >= count { return true }
        if gap(before: index) > .softHyphen { return true }
        let (before, here) = (bytes[index - 1], bytes[index])
        if Self.isDigit(before) != Self.isDigit(here) { return true }
        return atCapitals && isUpper(index) && !isUpper(index - 1) && !Self.isDigit(here)
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    // MARK: - Several texts as one

    /// Appends the beginning of another text, such as the next field.
    mutating func append(field other: SeenLetters, most: Int) {
        let room = min(other.count, most)
        guard room > 0 else { return }
        bytes += other.bytes[..<room]
        offsets += other.offsets[..<room]
        marks += other.marks[..<room]
        marks[count - room] = marks[count - room] & 0xF0 | Gap.field.rawValue
    }

    /// Keeps only the last `most` bytes.
    mutating func keepLast(_ most: Int) {
        guard count > most else { return }
        bytes.removeFirst(count - most)
        marks.removeFirst(marks.count - most)
        offsets.removeFirst(offsets.count - most)
    }
}

/// The separator seen since the last letter.
private struct PendingGap {
    private var kind = SeenLetters.Gap.none
    private var seen = 0
    private var newlines = 0
    /// Whether the gap is a hyphen, a line end and nothing else.
    private var brokenWord = 0

    mutating func add(_ other: SeenLetters.Gap, _ byte: UInt8) {
        if other > .markup { seen += 1 }
        let isNewline = byte == 0x0A
        if isNewline { newlines += 1 }
        kind = max(kind, newlines > 1 && isNewline ? .stop : other)
        switch (brokenWord, byte) {
        case (0, UInt8(ascii: "-")) where seen == 1: brokenWord = 1
        case (1, 0x0D): break
        case (1, 0x0A): brokenWord = 2
        case (2, 0x20), (2, 0x09): break
        default: brokenWord = -1
        }
    }

    mutating func take() -> SeenLetters.Gap {
        defer { self = PendingGap() }
        if brokenWord == 2 { return .softHyphen }
        return seen > 8 ? .far : kind
    }
}

/// An HTML tag or comment in a text: `<b>`, `</div>`, `<!-- … -->`. Not every `<` begins one.
struct MarkupTag {
    /// The index after the tag.
    var end: Int
    /// Whether the text around it stands on lines of its own.
    var isBlock: Bool

    private static let longest = 400
    private static let blocks: Set<String> = [
        "br", "p", "div", "li", "ul", "ol", "td", "th", "tr", "table", "hr", "section", "h1",
        "h2", "h3", "h4", "h5", "h6", "pre", "blockquote",
    ]

    init?(_ text: [UInt8], at open: Int) {
        var name = open + 1
        guard name < text.count else { return nil }
        let isComment = text[name] == UInt8(ascii: "!")
        if isComment || text[name] == UInt8(ascii: "/") { name += 1 }
        guard isComment || name < text.count && text[name].isASCIILetter
        else { return nil }
        let limit = min(text.count, open + Self.longest)
        guard let close = text[name..<limit].firstIndex(of: UInt8(ascii: ">")),
            !text[name..<close].contains(UInt8(ascii: "<"))
        else { return nil }
        end = close + 1
        let word = text[name..<close].prefix(while: \.isASCIILetterOrDigit)
        isBlock = Self.blocks.contains(String(decoding: word, as: UTF8.self).lowercased())
    }
}
