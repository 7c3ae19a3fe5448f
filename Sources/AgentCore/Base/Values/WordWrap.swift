/// Breaks a line into rows of a width: between words, and words that are wider
/// than a row between characters. Pure; knows no colours.
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

    /// At least one row. The space at which a row ends is left out.
    package static func rows<Look: Equatable & Sendable>(
        _ pieces: [Piece<Look>], width: Int
    ) -> [[Piece<Look>]] {
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

    /// One line of a text that has no looks.
    package static func texts(_ line: String, width: Int) -> [String] {
        rows([Piece(text: line, look: false)], width: width).map { $0.map(\.text).joined() }
    }
}

extension StyledLine {
    /// Rows of whole words with their styles, those after the first indented by two, as the
    /// first is, or as the text after its mark ("✓ ") is. A hint breaks between its commands
    /// alone, so that each is still known as one; what is longer than a row stays whole.
    /// - Parameter indent: of the rows after the first, where it is another.
    package func folded(to width: Int, indent: Int? = nil) -> [StyledLine] {
        guard DisplayWidth.of(text) > width else { return [self] }
        let margin = indent ?? max(2, hang)
        var rows: [[Span]] = [[]]
        var used = 0
        for span in spans {
            let joint = span.style == .hint ? " · " : " "
            let pieces = Self.pieces(span)
            for (index, piece) in pieces.enumerated() {
                let gap = index == 0 ? "" : joint
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

    /// Columns in front of the text: blanks, and a mark with its blank.
    private var hang: Int {
        let blanks = text.prefix { $0 == " " }.count
        let mark = text.dropFirst(blanks).prefix(2)
        let isMarked = mark.last == " " && mark.first.map { "✓✗!·⏰⚙+".contains($0) } ?? false
        return isMarked ? blanks + DisplayWidth.of(String(mark)) : blanks
    }

    /// What may be broken off: commands, else words, where a command's name stays with
    /// its noun so that it is still known as one.
    private static func pieces(_ span: Span) -> [String] {
        if span.style == .hint {
            var pieces: [String] = []
            var rest = span.text[...]
            while let range = rest.firstRange(of: " · ") {
                pieces.append(String(rest[..<range.lowerBound]))
                rest = rest[range.upperBound...]
            }
            return pieces + [String(rest)]
        }
        return span.text.replacing("chat ", with: "chat\u{0}")
            .split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.replacing("\u{0}", with: " ") }
    }
}
