/// Breaks a line into rows of a given width: between words, and inside words that are wider than a
/// row. Pure; independent of colours.
package enum WordWrap {
    package struct Piece<Look: Equatable & Sendable>: Equatable {
        package var text: String
        package var look: Look

        package init(text: String, look: Look) {
            self.text = text
            self.look = look
        }
    }

    private struct Glyph<Look> {
        var character: Character
        var look: Look
        var width: Int
    }

    /// Wraps pieces of text into rows, at least one. The space at the end of a row is left out.
    package static func rows<Look: Equatable & Sendable>(
        _ pieces: [Piece<Look>], width: Int
    ) -> [[Piece<Look>]] {
        var rows: [[Glyph<Look>]] = []
        var row: [Glyph<Look>] = []
        var rowWidth = 0
        /// Index of the row's last space.
        var space: Int?
        for piece in pieces {
            for character in piece.text {
                let glyph = Glyph(
                    character: character, look: piece.look, width: DisplayWidth.of(character))
                if rowWidth + glyph.width > width, !row.isEmpty {
                    if character == " " {
                        rows.append(row)
                        (row, rowWidth, space) = ([], 0, nil)
                        continue
                    }
                    if let at = space {
                        rows.append(Array(row[..<at]))
                        row = Array(row[(at + 1)...])
                    } else {
                        rows.append(row)
                        row = []
                    }
                    rowWidth = row.reduce(0) { $0 + $1.width }
                    space = nil
                }
                if character == " " {
                    if row.isEmpty, !rows.isEmpty { continue }
                    space = row.count
                }
                row.append(glyph)
                rowWidth += glyph.width
            }
        }
        rows.append(row)
        return rows.map { joined($0) }
    }

    private static func joined<Look: Equatable & Sendable>(_ glyphs: [Glyph<Look>]) -> [Piece<Look>]
    {
        var pieces: [Piece<Look>] = []
        var kept = glyphs[...]
        while kept.last?.character == " " { kept.removeLast() }
        for glyph in kept {
            if let last = pieces.indices.last, pieces[last].look == glyph.look {
                pieces[last].text.append(glyph.character)
            } else {
                pieces.append(Piece(text: String(glyph.character), look: glyph.look))
            }
        }
        return pieces
    }

    /// The rows of a line of plain text.
    package static func texts(_ line: String, width: Int) -> [String] {
        rows([Piece(text: line, look: false)], width: width).map { $0.map(\.text).joined() }
    }
}

extension StyledLine {
    /// The line in rows, broken like answers (`ProseRows`). Rows after the first are
    /// indented by two, like the first, like the text after its mark ("✓ "), or like the
    /// last column of a table. A command stays whole if a row has room for it, and a word
    /// longer than a row, such as a path, is left to the terminal, so that it can be
    /// copied.
    /// - Parameter indent: of the rows after the first, if different.
    package func folded(to width: Int, indent: Int? = nil) -> [StyledLine] {
        let text = text
        guard width > 0, DisplayWidth.of(text) > width else { return [self] }
        let margin = min(indent ?? max(2, hang(text, width)), width / 2)
        var rows = Self.rows(of: glued(room: width - margin), margin: margin, width: width)
        // A question ends in a space, after which the answer is typed.
        if let last = rows.indices.last { rows[last].end = text.utf8.count }
        return rows.enumerated().map { index, row in
            let spans = self.spans(row.start..<row.end, isFirst: index == 0)
            return StyledLine(
                index == 0 ? spans : [Span(String(repeating: " ", count: margin))] + spans)
        }
    }

    /// Words wider than a row are not broken; the text after them begins a new row.
    private static func rows(of bytes: [UInt8], margin: Int, width: Int) -> [ProseRows.Row] {
        var rows: [ProseRows.Row] = []
        var start = 0
        while start < bytes.count {
            var next = bytes.count
            let found = ProseRows.rows(of: bytes, from: start, margin: margin, columns: width)
            for row in found {
                guard row.start > start, row.start == rows.last?.end,
                    bytes[row.start - 1] < 0x80, bytes[row.start] < 0x80,
                    bytes[row.start - 1] != UInt8(ascii: "-")
                else {
                    rows.append(row)
                    continue
                }
                next = bytes[row.start...].firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
                rows[rows.count - 1].end = next
                break
            }
            start = next
        }
        return rows
    }

    private func spans(_ range: Range<Int>, isFirst: Bool) -> [Span] {
        var start = 0
        var found: [Span] = []
        for span in spans {
            let bytes = Array(span.text.utf8)
            let part = range.clamped(to: start..<start + bytes.count)
            defer { start += bytes.count }
            if part.isEmpty { continue }
            var text = String(
                decoding: bytes[part.lowerBound - start..<part.upperBound - start], as: UTF8.self)
            // Commands at the beginning of a row need no dot as a separator.
            if !isFirst, found.isEmpty, span.style == .hint, text.hasPrefix("· ") {
                text.removeFirst(2)
            }
            found.append(Span(text, span.style, file: span.file))
        }
        return found
    }

    /// The bytes of its text with a letter for each space and hyphen that must not end a
    /// row: inside a hint's commands and options, between a command's name and its noun,
    /// after a dot.
    private func glued(room: Int) -> [UInt8] {
        let space = UInt8(ascii: " ")
        var bytes: [UInt8] = []
        for span in spans {
            guard span.style == .hint else {
                bytes +=
                    span.text.replacing("· ", with: "·_").replacing("chat ", with: "chat_").utf8
                continue
            }
            var rest = span.text[...]
            while !rest.isEmpty {
                let end = rest.firstRange(of: " · ")
                let piece = rest[..<(end?.lowerBound ?? rest.endIndex)]
                let margin = piece.prefix { $0 == " " }
                let isShort = DisplayWidth.of(String(piece)) <= room
                bytes += margin.utf8
                bytes += piece.dropFirst(margin.count).utf8.map {
                    $0 == space && isShort ? 0x5F : $0
                }
                if end != nil { bytes += " ·_".utf8 }
                rest = end.map { rest[$0.upperBound...] } ?? ""
            }
        }
        // Hyphens allow no break in an option; a command and its quoted path, which are copied as a
        // whole, are not broken at all.
        var (isOption, isCommand, isQuoted, before) = (false, false, false, space)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/"), before == space, !isQuoted { isCommand = true }
            if byte == UInt8(ascii: "\"") { isQuoted = isCommand && !isQuoted }
            if byte == space, isCommand {
                isCommand = isQuoted || bytes.dropFirst(index + 1).first == UInt8(ascii: "\"")
                if isCommand { bytes[index] = 0x5F }
            }
            isOption = byte == UInt8(ascii: "-") && before == space || isOption && byte != space
            if isOption, byte == UInt8(ascii: "-") { bytes[index] = UInt8(ascii: "_") }
            before = byte
        }
        return bytes
    }

    /// Number of columns before the text: spaces, and a mark with its space; in a table, everything
    /// before its last column.
    private func hang(_ text: String, _ width: Int) -> Int {
        let blanks = text.prefix { $0 == " " }.count
        let rest = text.dropFirst(blanks)
        if rest.hasPrefix("chat: ") { return blanks + 6 }
        let mark = rest.prefix(2)
        let isMarked = mark.last == " " && mark.first.map { "✓✗!·⏰⚙+".contains($0) } ?? false
        var hang = isMarked ? blanks + DisplayWidth.of(String(mark)) : blanks
        var (column, gap) = (blanks, 0)
        for character in rest {
            // A column further right leaves too little room: below the first one, but not at it.
            if character != " ", gap >= 2 {
                hang = column <= width / 2 ? column : max(hang, blanks + 2)
            }
            gap = character == " " ? gap + 1 : 0
            column += DisplayWidth.of(character)
        }
        return hang
    }
}
