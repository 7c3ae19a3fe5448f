import AgentCore

/// Breaks a table's cell between words, and words that are wider than the cell
/// between characters.
enum CellWrap {
    typealias Line = (spans: [RichLine.Span], width: Int)

    static func lines(_ cell: TableLayout.Cell, width: Int) -> [Line] {
        if cell.lines.count == 1, cell.width <= width { return [(cell.lines[0], cell.width)] }
        return cell.lines.flatMap { wrap($0, width: width) }
    }

    static func width(_ spans: [RichLine.Span]) -> Int {
        spans.reduce(0) { $0 + DisplayWidth.of($1.text) }
    }

    private struct Glyph {
        var character: Character
        var look: RichLine.Look
        var width: Int
    }

    private static func wrap(_ spans: [RichLine.Span], width: Int) -> [Line] {
        var lines: [[Glyph]] = []
        var line: [Glyph] = []
        var lineWidth = 0
        /// Where the last space of the line is.
        var space: Int?
        for span in spans {
            for character in span.text {
                let glyph = Glyph(
                    character: character, look: span.look, width: DisplayWidth.of(character))
                if lineWidth + glyph.width > width, !line.isEmpty {
                    if character == " " {
                        lines.append(line)
                        (line, lineWidth, space) = ([], 0, nil)
                        continue
                    }
                    if let at = space {
                        lines.append(Array(line[..<at]))
                        line = Array(line[(at + 1)...])
                    } else {
                        lines.append(line)
                        line = []
                    }
                    lineWidth = line.reduce(0) { $0 + $1.width }
                    space = nil
                }
                if character == " " {
                    if line.isEmpty, !lines.isEmpty { continue }
                    space = line.count
                }
                line.append(glyph)
                lineWidth += glyph.width
            }
        }
        lines.append(line)
        return lines.map(joined)
    }

    private static func joined(_ glyphs: [Glyph]) -> Line {
        var spans: [RichLine.Span] = []
        var kept = glyphs[...]
        while kept.last?.character == " " { kept.removeLast() }
        for glyph in kept {
            if let last = spans.indices.last, spans[last].look == glyph.look {
                spans[last].text.append(glyph.character)
            } else {
                spans.append(RichLine.Span(String(glyph.character), glyph.look))
            }
        }
        return (spans, kept.reduce(0) { $0 + $1.width })
    }
}
