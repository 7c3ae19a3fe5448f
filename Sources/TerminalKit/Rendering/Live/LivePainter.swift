import Base

/// Updates the unfinished end of a text on the screen with the fewest bytes: text that is
/// already there stays, and only the rest is written.
///
/// ```
/// finished lines       never touched again; they scroll as any output
/// ─ settled ─          finished lines of the same text that are still on the
///                      screen: touched only when the window gets another width
/// ─ the live part ─    goes back at most to the first letter that differs
/// footer               a few rows below
/// ```
///
/// Prose is wrapped between words (`WrappedLine`); everything else is folded by the
/// terminal, so that copying returns whole lines, and so is prose with `Wrap.terminal`,
/// where nothing is settled. Text that has left the screen at its top is not changed any
/// more. The only sequences used are: up, right, left, erase below, colours, and around a
/// footer below text that terminals measure differently: index, save and restore.
package struct LivePainter {
    let style: Style
    private let wrap: Wrap
    var size = ScreenSize()
    /// The logical lines from which `drawn` was made; settled ones first.
    var sources: [WrappedLine] = []
    var settled = 0
    /// The rows of settled lines, the live part and the footer. The cursor is at the end of the
    /// last row; without rows, at the start of its row. Below settled lines alone there is an empty
    /// row.
    var drawn: [WrappedRow] = []
    var footers = 0
    /// Rows of the footer above which the terminal has saved the end of the text (DECSC); 0
    /// if none is saved.
    var keptAbove = 0
    /// Whether the first row continues a line that the terminal has folded above it.
    var isTopFolded = false
    /// During a change of width: the rows above the cursor that the terminal has certainly kept on
    /// the screen. tmux keeps empty rows below the cursor, and drops rows at the top instead.
    var kept: Int?
    /// The part of the live text above `drawn`, which can no longer change: whole lines, and the
    /// start of the next.
    var skipped = Skipped()

    struct Skipped {
        var lines = 0
        var bytes = 0
        /// The last of those bytes, used to find the position again when the text before it has
        /// changed.
        var tail: [UInt8] = []
    }

    /// The content that the screen should show.
    struct Target {
        var lines: [WrappedLine]
        /// Number of lines that will not change.
        var done: Int
        var footer: [PaintedLine]
        var rows: [WrappedRow] = []

        /// - Parameter settled: number of lines that were there before.
        mutating func layOut(columns: Int, settled: Int) {
            rows = lines.indices.flatMap { lines[$0].rows($0, columns: columns) }
            // The row where the text continues, below settled lines.
            if settled > 0, settled == lines.count, footer.isEmpty { rows.append(end) }
            rows += footer.map { line in
                WrappedRow(
                    text: line, line: lines.count, start: 0, margin: 0,
                    height: line.rows(columns: columns))
            }
        }

        var end: WrappedRow {
            WrappedRow(text: PaintedLine(), line: lines.count, start: 0, margin: 0, height: 1)
        }
    }

    package init(style: Style, wrap: Wrap = .terminal) {
        self.style = style
        self.wrap = wrap
    }

    /// Whether no text on the screen can still change.
    var isEmpty: Bool { drawn.isEmpty }

    // MARK: - Events

    /// - Parameters:
    ///   - finished: lines that will not change and leave the live part.
    ///   - live: all lines that may still change.
    ///   - footer: lines below, cut to two rows each.
    package mutating func paint(
        finished: [RichLine] = [], live: [RichLine] = [], footer: [RichLine] = [],
        on size: ScreenSize
    ) -> [UInt8] {
        var out = resized(to: size)
        let new = (finished + live).dropFirst(skipped.lines).map { WrappedLine($0, wrap) }
        var target = Target(
            lines: sources.prefix(settled) + new,
            done: settled + max(0, finished.count - skipped.lines),
            footer: footer.map { PaintedLine(Self.cut($0, to: 2 * size.columns - 1)) })
        // In this case nothing above is settled.
        if skipped.bytes > 0, !target.lines.isEmpty {
            realign(with: target.lines[0].text)
            target.lines[0].from = skipped.bytes
            // The whole line has been drawn already.
            if skipped.bytes >= target.lines[0].text.bytes.count {
                target.lines.removeFirst()
                target.done = max(0, target.done - 1)
            }
        }
        if finished.count > skipped.lines {
            skipped = Skipped()
        } else {
            skipped.lines -= finished.count
        }
        target.layOut(columns: size.columns, settled: settled)
        let footerRows = target.rows.suffix(footer.count).reduce(0) { $0 + $1.height }
        // More rows might have scrolled the saved position away.
        if footerRows > keptAbove { keptAbove = 0 }
        if kept != nil, rowsBelow(0, 0) > reach { giveUpTop(&target) }
        kept = nil
        out += change(to: &target)
        take(target, &out)
        return out
    }

    /// Records the target as drawn.
    private mutating func take(_ target: Target, _ out: inout [UInt8]) {
        let final = target.rows.prefix { $0.line < target.done }.count
        let isAll = final == target.rows.count
        // Nothing was added to settled lines alone: the row below exists.
        if isAll, final > 0, target.done > settled { out.append(0x0A) }
        (drawn, sources) = (target.rows, target.lines)
        let count = target.footer.count
        if wrap == .words {
            settled = target.done
            if isAll, final > 0 { drawn.append(target.end) }
            footers = count
            releaseTop()
        } else {
            release(target.done)
            footers = min(count, drawn.count)
        }
        if footers == 0 { keptAbove = 0 }
    }

    /// Inserts whole lines above the live part, which continues below them.
    package mutating func insert(_ lines: [UInt8], on size: ScreenSize) -> [UInt8] {
        var out = resized(to: size)
        defer { kept = nil }
        settle()
        guard !drawn.isEmpty else { return out + lines }
        if skipped.bytes == 0, rowsBelow(0, 0) <= reach {
            out += moveBack(to: 0, PaintedLine.Position(row: 0, column: 0))
            out += Self.eraseBelow + lines
            write(drawn[...], from: 0, footers: footers, to: &out)
            return out
        }
        out += leave()
        return out + lines
    }

    /// Ends the text: finished lines are no longer changed from now on.
    package mutating func settle() { release(settled) }

    /// Ends the live part unchanged; later output begins a new row.
    mutating func leave() -> [UInt8] {
        settle()
        guard !drawn.isEmpty else { return [] }
        var out: [UInt8] = []
        let text = drawn.count - footers
        if footers > 0, text > 0 {
            let end = drawn[text - 1].text.end(columns: size.columns)
            if end.column < size.columns {
                out += moveBack(to: text - 1, end) + Self.eraseBelow
            } else {
                // At the margin the cursor cannot be moved to the end of the text, so move to the
                // row below, which belongs to the footer.
                out += moveBack(to: text, PaintedLine.Position(row: 0, column: 0))
                out += Self.eraseBelow
                lose()
                return out
            }
        } else if footers > 0 {
            out += moveBack(to: 0, PaintedLine.Position(row: 0, column: 0)) + Self.eraseBelow
            drawn = []
            (footers, keptAbove) = (0, 0)
            return out
        }
        lose()
        out.append(0x0A)
        return out
    }

    /// Other output has moved the cursor to the start of another row: the drawn text stays
    /// where it is.
    private mutating func lose() {
        settle()
        if let last = drawn.prefix(drawn.count - footers).last {
            skipped.lines += last.line
            skipped.bytes = sources[last.line].text.bytes.count
            skipped.tail = Array(
                sources[last.line].text.bytes.suffix(Self.tailLength))
        }
        (drawn, sources) = ([], [])
        (footers, keptAbove, isTopFolded) = (0, 0, false)
    }

    private mutating func resized(to new: ScreenSize) -> [UInt8] {
        let isOtherWidth = new.columns != size.columns
        if new.stops != size.stops { lose() }
        if new != size { keptAbove = 0 }
        if isOtherWidth, !style.isRefolded { cutRows(to: new.columns) }
        if isOtherWidth, !drawn.isEmpty { kept = min(reach, rowsBelow(0, 0)) }
        size = new
        guard isOtherWidth else { return [] }
        for index in drawn.indices {
            drawn[index].height = drawn[index].text.rows(columns: size.columns)
        }
        // The terminal refolds from the start of the line, which is above: the column in which our
        // part begins is not known after that.
        if isTopFolded, style.isRefolded {
            if settled == 0 { return leave() }
            release(1)
        }
        releaseTop(isCut: !style.isRefolded)
        return []
    }

    /// Models a terminal that does not refold: each row stays one row, and loses everything beyond
    /// the edge.
    private mutating func cutRows(to columns: Int) {
        drawn = drawn.flatMap { row -> [WrappedRow] in
            (0..<row.height).map { number in
                let start = row.text.offset(ofRow: number, columns: size.columns)
                let end = row.text.offset(ofRow: number + 1, columns: size.columns)
                var piece = row
                piece.text = row.text.slice(start..<end, behind: PaintedLine()).cut(to: columns)
                piece.start += max(0, start - row.margin)
                piece.margin = max(0, row.margin - start)
                piece.height = 1
                return piece
            }
        }
    }

    private static func cut(_ line: RichLine, to columns: Int) -> RichLine {
        guard let look = line.spans.first?.look else { return line }
        let text = HostileText.line(line.text)
        return RichLine(DisplayWidth.cut(text, to: columns), look)
    }
}
