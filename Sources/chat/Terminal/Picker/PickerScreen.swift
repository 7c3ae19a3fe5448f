import AgentCore

/// What of a picker is on the screen: draws over it and takes it away, in the
/// normal screen, without touching what is above. Pure: bytes out.
struct PickerScreen {
    private var drawn: PickerView?

    /// From the start of an empty row at first, later from where the cursor
    /// was left.
    mutating func draw(_ view: PickerView, _ style: Style) -> [UInt8] {
        guard view != drawn else { return [] }
        var out = "\r" + Self.up(drawn?.row ?? 0)
        for (index, line) in view.lines.enumerated() {
            out += (index > 0 ? "\r\n" : "") + style.text(line) + "\u{1B}[K"
        }
        // Of a longer list before.
        out += "\u{1B}[J\r" + Self.up(view.lines.count - 1 - view.row)
        if view.column > 0 { out += "\u{1B}[\(view.column)C" }
        drawn = view
        return Array(out.utf8)
    }

    /// Back to the row where it began, with nothing below. The terminal may
    /// have folded the rows anew for a narrower window.
    mutating func erase(columns: Int) -> [UInt8] {
        guard let drawn else { return [] }
        self.drawn = nil
        let above = drawn.lines[..<drawn.row].reduce(0) { rows, line in
            rows + max(1, (DisplayWidth.of(line.text) + columns - 1) / max(1, columns))
        }
        return Array(("\r" + Self.up(above + drawn.column / max(1, columns)) + "\u{1B}[J").utf8)
    }

    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }
}
