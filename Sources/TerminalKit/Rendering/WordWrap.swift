import AgentCore

/// Breaks a line into rows of a width: between words, and words that are wider
/// than a row between characters. Pure; knows no colours.
package enum WordWrap {
    struct Piece<Look: Equatable & Sendable>: Equatable {
        var text: String
        var look: Look
    }

    private struct Glyph<Look> {
        var character: Character
        var look: Look
        var width: Int
    }

    /// At least one row. The space at which a row ends is left out.
    static func rows<Look: Equatable & Sendable>(_ pieces: [Piece<Look>], width: Int) -> [[Piece<
        Look
    >]] {
        var rows: [[Glyph<Look>]] = []
        var row: [Glyph<Look>] = []
        var rowWidth = 0
        /// Where the last space of the row is.
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

    // MARK: For the terminal

    /// A line in rows, as it is seen: what must not act is written out before
    /// it is measured.
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
