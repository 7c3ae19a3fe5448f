import Base

/// A logical line prepared for the screen: its text, the prefix of its further rows, and the part
/// of it that has scrolled off. Pure.
struct WrappedLine: Sendable {
    let text: PaintedLine
    /// The prefix of further rows; nil if the terminal folds the line.
    let margin: PaintedLine?
    /// Bytes at the start that are no longer drawn.
    var from = 0

    init(_ line: RichLine, _ wrap: Wrap) {
        text = PaintedLine(line)
        margin = wrap == .words ? line.margin.map { PaintedLine(RichLine($0)) } : nil
    }

    var isProse: Bool { margin != nil }

    /// - Parameter index: the line's index.
    func rows(_ index: Int, columns: Int) -> [WrappedRow] {
        guard let margin else {
            let rest = text.dropping(from)
            return [
                WrappedRow(
                    text: rest, line: index, start: from, margin: 0,
                    height: rest.rows(columns: columns))
            ]
        }
        // In a window hardly wider than the margin, the margin is dropped.
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

/// A row between two of our own line ends.
struct WrappedRow: Sendable {
    var text: PaintedLine
    /// Index of its line, the byte of that line at which it starts, and the bytes of margin
    /// before that.
    var line: Int
    var start: Int
    var margin: Int
    /// Height in screen rows: more than one if the terminal folds it.
    var height: Int
}

extension RichLine {
    /// The rows of the line; a single one if the terminal folds it.
    package func rows(columns: Int, _ wrap: Wrap) -> [RichLine] {
        guard wrap == .words, margin != nil else { return [self] }
        return WrappedLine(self, wrap).rows(0, columns: columns).map(\.text.rich)
    }

    /// Height in screen rows.
    package func height(columns: Int, _ wrap: Wrap) -> Int {
        WrappedLine(self, wrap).rows(0, columns: columns).reduce(0) { $0 + $1.height }
    }
}

/// The way in which prose wider than the window is wrapped.
package enum Wrap: String, Sendable, CaseIterable {
    /// We wrap between words.
    case words
    /// The terminal wraps at its edge.
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
