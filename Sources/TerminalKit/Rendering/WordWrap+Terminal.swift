import Base

/// Rows for the terminal: what must not act is written out before it is measured.
extension WordWrap {
    /// A line in rows, as it is seen.
    package static func rows(_ line: StyledLine, width: Int) -> [StyledLine] {
        let pieces = line.spans.map { Piece(text: HostileText.line($0.text), look: $0.style) }
        return rows(pieces, width: max(1, width)).map { row in
            StyledLine(row.map { StyledLine.Span($0.text, $0.look) })
        }
    }

    /// A text of several lines. A tab is four spaces.
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
