import Base

/// Wraps a table cell into lines (`WordWrap`).
enum CellWrap {
    typealias Line = (spans: [RichLine.Span], width: Int)

    static func lines(_ cell: TableLayout.Cell, width: Int) -> [Line] {
        if cell.lines.count == 1, cell.width <= width { return [(cell.lines[0], cell.width)] }
        return cell.lines.flatMap { wrap($0, width: width) }
    }

    static func width(_ spans: [RichLine.Span]) -> Int {
        spans.reduce(0) { $0 + DisplayWidth.of($1.text) }
    }

    private static func wrap(_ spans: [RichLine.Span], width: Int) -> [Line] {
        let pieces = spans.map { WordWrap.Piece(text: $0.text, look: $0.look) }
        return WordWrap.rows(pieces, width: width).map { row in
            let spans = row.map { RichLine.Span($0.text, $0.look) }
            return (spans, Self.width(spans))
        }
    }
}
