/// Breaks a line of prose into rows: between words, between characters if the script allows it, and
/// at the edge if a word is wider than a row. Pure.
///
/// Greedy and from left to right, so that a full row does not depend on the text after it, and a
/// line that is broken again from the start of a row gives the same rows. Only spaces at the end of
/// a row are dropped.
package struct ProseRows {
    /// A row as a range of the line's bytes.
    package struct Row: Equatable {
        package var start: Int
        package var end: Int
        /// Number of columns, including the margin.
        package var width: Int
    }

    private let bytes: [UInt8]
    private let code: [Range<Int>]
    private let margin: Int
    private let columns: Int
    private var rows: [Row] = []
    private var start: Int
    /// The column of the next character.
    private var column: Int
    /// The last possible break: the end of the row, and the start of the next one.
    private var place: (end: Int, next: Int, endColumn: Int, column: Int)?
    /// The preceding spaces.
    private var gap: (start: Int, column: Int)?
    private var last: LineBreakClass?
    private var isGuillemet = false
    /// Number of letters since the last possible break, for a hyphen.
    private var letters = 0
    private var isPlainWord = true
    /// Index in `code`.
    private var run = 0

    /// - Parameters:
    ///   - bytes: the visible line, in UTF-8.
    ///   - code: the ranges of code, in order.
    ///   - from: the byte to start from; if it is not the first, the margin precedes it.
    ///   - margin: columns before each row except the line's first.
    package static func rows(
        of bytes: [UInt8], code: [Range<Int>] = [], from: Int = 0, margin: Int, columns: Int
    ) -> [Row] {
        var rows = ProseRows(bytes, code: code, from: from, margin: margin, columns: columns)
        return rows.all()
    }

    private init(
        _ bytes: [UInt8], code: [Range<Int>], from: Int, margin: Int, columns: Int
    ) {
        (self.bytes, self.code) = (bytes, code)
        self.margin = margin
        self.columns = columns
        start = from
        column = from > 0 ? margin : 0
    }

    private mutating func all() -> [Row] {
        if start > 0 {
            var word = start
            while word > max(0, start - Self.wordLimit), bytes[word - 1] != 0x20 { word -= 1 }
            // Go back to the beginning of a character.
            while word > 0, bytes[word] & 0xC0 == 0x80 { word -= 1 }
            each(word, start) { rows, kind, at, _, _ in
                rows.read(kind, at: at)
            }
            while start < bytes.count, bytes[start] == 0x20 { start += 1 }
        }
        let first = start
        each(first, bytes.count) { $0.add($1, at: $2, bytes: $3, width: $4) }
        let (end, width) = gap.map { ($0.start, $0.column) } ?? (bytes.count, column)
        rows.append(Row(start: start, end: max(start, end), width: width))
        return rows
    }

    /// Number of bytes searched before a position for the start of its word.
    private static let wordLimit = 256

    /// Iterates over the characters from one byte to another: kind, offset, bytes, width.
    private mutating func each(
        _ start: Int, _ end: Int, _ body: (inout Self, LineBreakClass, Int, Int, Int) -> Void
    ) {
        var at = start
        while at < end {
            if Self.isAlone(at, bytes) {
                body(&self, LineBreakClass(ascii: bytes[at]), at, 1, 1)
                at += 1
                continue
            }
            var next = at + 1
            while next < end, !Self.isAlone(next, bytes) { next += 1 }
            for character in String(decoding: bytes[at..<next], as: UTF8.self) {
                let width = DisplayWidth.of(character)
                let kind = LineBreakClass(character, width: width)
                let count = character.utf8.count
                body(&self, kind, at, count, width)
                if kind == .open { isGuillemet = character == "«" }
                at += count
            }
        }
    }

    /// Whether an ASCII byte cannot be joined with its neighbours.
    private static func isAlone(_ at: Int, _ bytes: [UInt8]) -> Bool {
        bytes[at] < 0x80 && (at + 1 >= bytes.count || bytes[at + 1] < 0x80)
    }

    private mutating func add(_ kind: LineBreakClass, at: Int, bytes: Int, width: Int) {
        if kind == .space {
            if gap == nil { gap = (at, column) }
            column += width
            last = .space
            return
        }
        let isBehindGap = gap.map { $0.start > start } ?? false
        if let gap, isBehindGap, at > gap.start + 1 || !isHeld(at, bytes) {
            place = (gap.start, at, gap.column, column)
        }
        if read(kind, at: at) { place = (at, at, column, column) }
        while column + width > columns, at > start {
            if let found = place, found.column > margin {
                // A word that does not fit moves to the next row as a whole.
                rows.append(Row(start: start, end: found.end, width: found.endColumn))
                start = found.next
                column = margin + column - found.column
            } else {
                rows.append(Row(start: start, end: gap?.start ?? at, width: gap?.column ?? column))
                start = at
                column = margin
            }
            place = nil
        }
        gap = nil
        column += width
        isGuillemet = false
    }

    /// Adds a character to the current word.
    ///
    /// - Returns: whether the row may end before it.
    @discardableResult
    private mutating func read(_ kind: LineBreakClass, at: Int) -> Bool {
        defer { last = kind }
        guard kind != .space else { return false }
        var isPlace = false
        if last == .space {
            beginWord()
        } else if let last {
            isPlace = LineBreakClass.mayBreak(
                between: last, and: kind, isInWord: isPlainWord && letters > 0 && !isCode(at))
            if isPlace { beginWord() }
        }
        // A hyphen in an address, an option or a file name allows no break.
        let isOpening = letters == 0 && (kind == .open || kind == .quote)
        if kind == .letter {
            letters += 1
        } else if kind != .hyphen, !isOpening {
            isPlainWord = false
        }
        return isPlace
    }

    private mutating func beginWord() {
        letters = 0
        isPlainWord = true
    }

    /// Whether no break is allowed here: French puts a space before `?` and inside « », which must
    /// not be separated from the sign.
    private func isHeld(_ at: Int, _ count: Int) -> Bool {
        if isGuillemet { return true }
        let after = at + count
        guard after >= bytes.count || bytes[after] == 0x20 else { return false }
        switch bytes[at] {
        case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: ":"), UInt8(ascii: ";"): return true
        case 0xC2: return at + 1 < bytes.count && bytes[at + 1] == 0xBB
        default: return false
        }
    }

    /// Whether the position is in code, where hyphens allow no break.
    private mutating func isCode(_ at: Int) -> Bool {
        while run < code.count, code[run].upperBound <= at { run += 1 }
        return run < code.count && code[run].contains(at)
    }
}
