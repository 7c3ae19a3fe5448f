import Base

/// A formatted line as bytes for the terminal: its text without control characters, and the look of
/// each range of bytes. The last check before the screen: wherever the line comes from, it contains
/// only text after this. Pure.
package struct PaintedLine: Sendable, Equatable {
    struct Run: Sendable, Equatable {
        /// End of the bytes with this look.
        var end: Int
        var look: RichLine.Look
    }

    private(set) var bytes: [UInt8] = []
    private(set) var runs: [Run] = []
    private(set) var isASCII = true

    init() {}

    package init(_ line: RichLine) {
        for span in line.spans where !span.text.isEmpty {
            let text = Self.clean(span.text)
            append(text, look: span.look)
        }
    }

    /// Columns between two stops of a tab.
    private static let tab = 4

    private static func clean(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }) { return text }
        // A span should contain no line break; if it does, show it.
        return HostileText.text(text).reduce(into: "") { $0 += $1 == "\n" ? "\\n" : String($1) }
    }

    private mutating func append(_ text: String, look: RichLine.Look) {
        if text.utf8.contains(0x09) {
            // The terminal's own tab stops depend on where the line was folded.
            var column = DisplayWidth.of(string)
            for character in text {
                if character == "\t" {
                    let count = Self.tab - column % Self.tab
                    bytes += [UInt8](repeating: 0x20, count: count)
                    column += count
                } else {
                    bytes += Array(String(character).utf8)
                    column += DisplayWidth.of(character)
                }
            }
            isASCII = isASCII && bytes.allSatisfy { $0 < 0x80 }
        } else {
            let old = bytes.count
            bytes.append(contentsOf: text.utf8)
            isASCII = isASCII && bytes[old...].allSatisfy { $0 < 0x80 }
        }
        if runs.last?.look == look {
            runs[runs.count - 1].end = bytes.count
        } else {
            runs.append(Run(end: bytes.count, look: look))
        }
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The line without its first bytes; no character is cut.
    func dropping(_ count: Int) -> PaintedLine {
        guard count > 0 else { return self }
        var line = self
        let start = boundary(atOrBefore: count)
        line.bytes.removeFirst(start)
        line.runs = runs.filter { $0.end > start }.map { Run(end: $0.end - start, look: $0.look) }
        return line
    }

    /// A range of its bytes after other text; no character is cut.
    func slice(_ range: Range<Int>, behind start: PaintedLine) -> PaintedLine {
        var line = start
        line.bytes += bytes[range]
        line.isASCII = start.isASCII && (isASCII || bytes[range].allSatisfy { $0 < 0x80 })
        for run in runs where run.end > range.lowerBound {
            let end = min(run.end, range.upperBound) - range.lowerBound + start.bytes.count
            if end > start.bytes.count {
                if line.runs.last?.look == run.look {
                    line.runs[line.runs.count - 1].end = end
                } else {
                    line.runs.append(Run(end: end, look: run.look))
                }
            }
            if run.end >= range.upperBound { break }
        }
        return line
    }

    /// The line as spans of cleaned text.
    var rich: RichLine {
        var start = 0
        return RichLine(
            runs.map { run in
                defer { start = run.end }
                return RichLine.Span(
                    String(decoding: bytes[start..<run.end], as: UTF8.self), run.look)
            })
    }

    /// The width of the whole line, unfolded.
    var width: Int { isASCII ? bytes.count : DisplayWidth.of(string) }

    /// The part that fits into the given columns.
    func cut(to columns: Int) -> PaintedLine {
        var (end, width) = (0, 0)
        for character in string {
            width += DisplayWidth.of(character)
            if width > columns { break }
            end += character.utf8.count
        }
        return slice(0..<end, behind: PaintedLine())
    }

    /// The start of a character, at or before the offset.
    func boundary(atOrBefore offset: Int) -> Int {
        var at = min(offset, bytes.count)
        while at > 0, at < bytes.count, bytes[at] & 0xC0 == 0x80 { at -= 1 }
        return at
    }

    /// The first byte that differs in value or look.
    func commonPrefix(with other: PaintedLine) -> Int {
        let limit = min(bytes.count, other.bytes.count)
        var at = 0
        bytes.withUnsafeBufferPointer { left in
            other.bytes.withUnsafeBufferPointer { right in
                while at < limit, left[at] == right[at] { at += 1 }
            }
        }
        var (left, right, start) = (0, 0, 0)
        while start < at, left < runs.count, right < other.runs.count {
            if runs[left].look != other.runs[right].look { return start }
            start = min(runs[left].end, other.runs[right].end)
            if runs[left].end == start { left += 1 }
            if other.runs[right].end <= start { right += 1 }
        }
        return at
    }

    /// Whether it contains a cluster whose width differs between terminals: joined emoji, variation
    /// selectors, skin tones, flags, keycaps.
    var isMeasuredDifferently: Bool {
        if isASCII { return false }
        return string.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x200D, 0xFE0F, 0x20E3, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: true
            default: false
            }
        }
    }

    /// Whether such a cluster may make a terminal fold the line where we do not.
    func mayFold(columns: Int) -> Bool {
        guard isMeasuredDifferently else { return false }
        let most = string.reduce(0) { width, character in
            let parts = character.unicodeScalars.reduce(0) { $0 + DisplayWidth.of($1) }
            return width + max(parts, DisplayWidth.of(character))
        }
        return most > columns
    }

    // MARK: - Position on the terminal

    /// A row of the line and a column, both from 0. The column after the last one means
    /// that the cursor waits at the margin for the next character.
    struct Position: Sendable, Equatable {
        var row: Int
        var column: Int
    }

    /// Number of rows that the line takes; an empty one takes one.
    package func rows(columns: Int) -> Int { end(columns: columns).row + 1 }

    /// The cursor's position after the line.
    func end(columns: Int) -> Position {
        if isASCII { return Self.plainEnd(bytes.count, columns) }
        var place = Position(row: 0, column: 0)
        for character in string { Self.advance(&place, by: character, columns) }
        return place
    }

    private static func plainEnd(_ count: Int, _ columns: Int) -> Position {
        guard count > 0 else { return Position(row: 0, column: 0) }
        return Position(row: (count - 1) / columns, column: (count - 1) % columns + 1)
    }

    /// The byte from which to write again for a change at that offset, and its position: the
    /// character itself, or the one before it if the change begins a row, so that the terminal
    /// folds the line.
    func rewriteStart(
        for offset: Int, before next: Unicode.Scalar?, columns: Int
    ) -> (offset: Int, place: Position) {
        // Offsets and places of the characters up to the change.
        var starts: [(offset: Int, place: Position, width: Int)] = []
        var place = Position(row: 0, column: 0)
        var at = 0
        if isASCII {
            let first = max(0, min(offset, bytes.count) - 2)
            for index in first..<min(bytes.count, first + 4) {
                let start = Position(row: index / columns, column: index % columns)
                starts.append((index, start, 1))
            }
            at = bytes.count
            place = Self.plainEnd(at, columns)
        } else {
            for character in string {
                if at > offset { break }
                let before = place
                Self.advance(&place, by: character, columns)
                let width = DisplayWidth.of(character)
                // A wide character that does not fit begins the next row.
                let start =
                    place.row > before.row || before.column >= columns
                    ? Position(row: place.row, column: max(0, place.column - width)) : before
                starts.append((at, start, width))
                at += character.utf8.count
            }
        }
        var index = starts.count
        if offset >= bytes.count, at == bytes.count {
            // At the end of the line nothing has to be written again, unless the cursor waits at
            // the margin, from where it cannot be moved.
            if place.column < columns, !Self.joins(next) { return (bytes.count, place) }
        } else {
            index = starts.lastIndex { $0.offset <= offset }.map { $0 + 1 } ?? 0
        }
        index -= 1
        if Self.joins(next), index > 0, index < starts.count, starts[index].offset == offset {
            index -= 1
        }
        while index > 0,
            starts[index].width == 0
                || (starts[index].place.column == 0 && starts[index].place.row > 0)
        {
            index -= 1
        }
        guard starts.indices.contains(index) else { return (0, Position(row: 0, column: 0)) }
        return (starts[index].offset, starts[index].place)
    }

    /// Whether it is drawn onto the previous character.
    private static func joins(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, scalar.value >= 0x300 else { return false }
        return DisplayWidth.of(scalar) == 0
    }

    /// The first byte of that row.
    func offset(ofRow row: Int, columns: Int) -> Int {
        if isASCII { return min(bytes.count, row * columns) }
        var place = Position(row: 0, column: 0)
        var at = 0
        for character in string {
            Self.advance(&place, by: character, columns)
            if place.row >= row { return at }
            at += character.utf8.count
        }
        return at
    }

    private static func advance(
        _ place: inout Position, by character: Character, _ columns: Int
    ) {
        let width = DisplayWidth.of(character)
        if width > 2 {
            // Not an emoji: place each of its scalars separately.
            for scalar in character.unicodeScalars {
                step(&place, by: DisplayWidth.of(scalar), columns)
            }
        } else {
            step(&place, by: width, columns)
        }
    }

    private static func step(_ place: inout Position, by width: Int, _ columns: Int) {
        guard width > 0 else { return }
        if place.column + width > columns {
            place.row += 1
            place.column = 0
        }
        place.column = min(columns, place.column + width)
    }
}
