import Base

/// A few rows below what is there, in the normal screen: draws over them and
/// takes them away without touching what is above. Of a picture that was drawn
/// before, only the rows that differ are written. Pure: bytes out.
struct ScreenArea {
    private struct Picture: Equatable {
        var lines: [StyledLine]
        var row: Int
        var column: Int
    }

    private var drawn: Picture?

    /// From the start of an empty row at first, later from where the cursor
    /// was left. Every line fits the width.
    ///
    /// - Parameter row: where the cursor is left, with `column`.
    mutating func draw(
        _ lines: [StyledLine], row: Int = 0, column: Int = 0, _ style: Style
    ) -> [UInt8] {
        let picture = Picture(lines: lines, row: row, column: column)
        guard picture != drawn else { return [] }
        let before = drawn?.lines ?? []
        var out = "\r" + Self.up(drawn?.row ?? 0)
        for (index, line) in lines.enumerated() {
            if index > 0 { out += "\r\n" }
            if before.indices.contains(index), before[index] == line { continue }
            out += style.text(line) + "\u{1B}[K"
        }
        var bottom = max(0, lines.count - 1)
        if before.count > lines.count || drawn == nil {
            // Below the last line, where one was of a longer picture before.
            if !lines.isEmpty, before.count > lines.count {
                out += "\r\n"
                bottom += 1
            }
            out += "\u{1B}[J"
        }
        out += "\r" + Self.up(bottom - row)
        if column > 0 { out += "\u{1B}[\(column)C" }
        drawn = picture
        return Array(out.utf8)
    }

    /// Back to the row where it began, with nothing below. The terminal may
    /// have folded the rows again for a narrower window.
    mutating func erase(columns: Int) -> [UInt8] {
        guard let drawn else { return [] }
        self.drawn = nil
        let above = drawn.lines.prefix(drawn.row).reduce(0) { rows, line in
            rows + max(1, (DisplayWidth.of(line.text) + columns - 1) / max(1, columns))
        }
        return Array(("\r" + Self.up(above + drawn.column / max(1, columns)) + "\u{1B}[J").utf8)
    }

    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
}
