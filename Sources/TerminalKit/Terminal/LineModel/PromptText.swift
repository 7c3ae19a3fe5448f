import Base

/// A prompt prepared for drawing: its colours (`ESC [ … m`) take no columns and stay with the
/// character they precede; at the end, with the last one.
struct PromptText: Equatable {
    private(set) var cells: [LineCell] = []

    init(_ text: String) {
        var escape = ""
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            if scalar == "\u{1B}" {
                escape.unicodeScalars.append(scalar)
                while let next = scalars.next() {
                    escape.unicodeScalars.append(next)
                    // The final byte of ECMA-48; "[" opens the sequence.
                    if next != "[", (0x40...0x7E).contains(next.value) { break }
                }
                continue
            }
            let width = DisplayWidth.of(scalar)
            if width == 0, !cells.isEmpty {
                cells[cells.count - 1].text += escape + String(scalar)
            } else {
                cells.append(LineCell(escape + String(scalar), width: width))
            }
            escape = ""
        }
        if !cells.isEmpty { cells[cells.count - 1].text += escape }
    }

    /// The text without colours, for a terminal that has none.
    static func plain(_ text: String) -> String {
        var plain = ""
        var isInEscape = false
        for scalar in text.unicodeScalars {
            if isInEscape {
                if scalar != "[", (0x40...0x7E).contains(scalar.value) { isInEscape = false }
            } else if scalar == "\u{1B}" {
                isInEscape = true
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}
