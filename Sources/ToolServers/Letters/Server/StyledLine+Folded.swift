import AgentCore

extension StyledLine {
    /// Rows of whole words with their styles, those behind the first indented by two,
    /// or as the first is. A hint breaks between its commands alone, so that each is
    /// still known as one; what is longer than a row stays whole.
    func folded(to width: Int) -> [StyledLine] {
        guard DisplayWidth.of(text) > width else { return [self] }
        let margin = max(2, text.prefix { $0 == " " }.count)
        var rows: [[Span]] = [[]]
        var used = 0
        for span in spans {
            let separator = span.style == .hint ? " · " : " "
            // The name of a command stays with its noun, for the same reason.
            let pieces = span.text.replacing("chat ", with: "chat\u{0}")
                .split(separator: separator, omittingEmptySubsequences: false)
                .map { $0.replacing("\u{0}", with: " ") }
            for (index, piece) in pieces.enumerated() {
                let gap = index == 0 ? "" : separator
                let needed = DisplayWidth.of(gap + piece)
                if !piece.isEmpty, used + needed > width, used > margin {
                    rows.append([Span(String(repeating: " ", count: margin))])
                    used = margin + DisplayWidth.of(piece)
                    rows[rows.count - 1].append(Span(piece, span.style, file: span.file))
                } else {
                    used += needed
                    if index == 0 || rows[rows.count - 1].isEmpty {
                        rows[rows.count - 1].append(Span(gap + piece, span.style, file: span.file))
                    } else {
                        // One span, as it was.
                        rows[rows.count - 1][rows[rows.count - 1].count - 1].text += gap + piece
                    }
                }
            }
        }
        return rows.map { StyledLine($0) }
    }
}
