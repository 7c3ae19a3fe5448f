import Base

/// A logical line on its way to the screen: its text, what stands before its
/// further rows, and how much of it is above for good. Pure.
struct WrappedLine: Sendable {
    let text: PaintedLine
    /// Nil: the terminal folds the line.
    let margin: PaintedLine?
    /// Bytes that are not looked at any more.
    var from = 0

    init(_ line: RichLine, _ wrap: Wrap) {
        text = PaintedLine(line)
        margin = wrap == .words ? line.margin.map { PaintedLine(RichLine($0)) } : nil
    }

    var isProse: Bool { margin != nil }

    /// - Parameter index: which of the lines it is.
    func rows(_ index: Int, columns: Int) -> [WrappedRow] {
        guard let margin else {
            let rest = text.dropping(from)
            return [
                WrappedRow(
                    text: rest, line: index, start: from, margin: 0,
                    height: rest.rows(columns: columns))
            ]
        }
        // A window that is hardly wider than the margin has none.
        let room = max(0, min(columns / 2, columns - 8))
        let before = margin.width <= room ? margin : margin.cut(to: room)
        let found = ProseRows.rows(of: text, from: from, margin: before.width, columns: columns)
        return found.map { row in
            let start = row.start > 0 ? before : PaintedLine()
            let shown = text.slice(row.start..<row.end, behind: start)
            return WrappedRow(
                text: shown, line: index, start: row.start, margin: start.bytes.count,
                height: row.width <= columns ? 1 : shown.rows(columns: columns))
        }
    }
}

/// What stands between two line ends of ours.
struct WrappedRow: Sendable {
    var text: PaintedLine
    /// Which line it is of, and the byte of that line with which it begins,
    /// after so many bytes of margin.
    var line: Int
    var start: Int
    var margin: Int
    /// Rows of the screen: more where the terminal folds it.
    var height: Int
}

extension RichLine {
    /// The line in the rows that it takes; one where the terminal folds it.
    package func rows(columns: Int, _ wrap: Wrap) -> [RichLine] {
        guard wrap == .words, margin != nil else { return [self] }
        return WrappedLine(self, wrap).rows(0, columns: columns).map(\.text.rich)
    }

    /// Rows of the screen.
    package func height(columns: Int, _ wrap: Wrap) -> Int {
        WrappedLine(self, wrap).rows(0, columns: columns).reduce(0) { $0 + $1.height }
    }
}

/// Who breaks lines of prose that are wider than the window.
package enum Wrap: String, Sendable, CaseIterable {
    /// We do, between words.
    case words
    /// The terminal, at its edge.
    case terminal
}

extension ProseRows {
    static func rows(
        of line: PaintedLine, from: Int = 0, margin: Int, columns: Int
    ) -> [Row] {
        var (start, code) = (0, [Range<Int>]())
        for run in line.runs {
            if run.look.color == .code { code.append(start..<run.end) }
            start = run.end
        }
        return rows(of: line.bytes, code: code, from: from, margin: margin, columns: columns)
    }
}
