import Base

/// A few rows below the existing text, in the normal screen: draws and erases them without
/// touching the text above. Only rows that differ from the previous drawing are written.
/// Pure: bytes out.
struct ScreenArea {
    private struct Picture: Equatable {
        var lines: [StyledLine]
        var row: Int
        var column: Int
    }

    private var drawn: Picture?

    /// Draws from the start of an empty row the first time, later from the cursor's last position.
    /// Every line fits the width.
    ///
    /// - Parameter row: the final row of the cursor, with `column`.
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
            // Below the last line, if the previous drawing was longer.
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

    /// Returns to the row where it began, and erases it and all rows below. The terminal may have
    /// wrapped the rows again for a narrower window.
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
