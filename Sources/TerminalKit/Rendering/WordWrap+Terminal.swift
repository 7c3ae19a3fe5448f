import Base

/// Wraps text into rows for the terminal: control characters are made visible before
/// measuring.
extension WordWrap {
    /// Wraps a line into rows, as shown.
    package static func rows(_ line: StyledLine, width: Int) -> [StyledLine] {
        let pieces = line.spans.map { Piece(text: HostileText.line($0.text), look: $0.style) }
        return rows(pieces, width: max(1, width)).map { row in
            StyledLine(row.map { StyledLine.Span($0.text, $0.look) })
        }
    }

    /// Wraps a text of several lines. A tab is four spaces.
    package static func rows(_ text: String, width: Int) -> [StyledLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let spaced =
                line.contains("\t")
                ? line.split(
                    separator: "\t", omittingEmptySubsequences: false
                ).joined(separator: "    ")
                : String(line)
            return rows(StyledLine(spaced), width: width)
        }
    }
}
