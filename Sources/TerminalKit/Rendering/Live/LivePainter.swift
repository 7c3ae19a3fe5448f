import Base

/// Keeps the unfinished end of a text on the screen up to date with the fewest
/// bytes: what stands there already stays, and only the rest is written.
///
/// ```
/// finished lines       never touched again; they scroll as any output
/// ─ settled ─          finished lines of the same text that are still on the
///                      screen: touched only when the window gets another width
/// ─ the live part ─    goes back at most to the first letter that differs
/// footer               a few rows below
/// ```
///
/// Prose is broken between words (`WrappedLine`); all else is folded by the
/// terminal, so a copy gives it back whole, and so is prose with
/// `Wrap.terminal`, where nothing is settled. What has left the screen at its
/// top stays as it was written. Without a sequence beyond: up, right, left,
/// erase below, colours, and around a footer below text that terminals measure
/// differently: index, save and restore.
package struct LivePainter {
    let style: Style
    private let wrap: Wrap
    var size = ScreenSize()
    /// The logical lines from which `drawn` was made; first those that are
    /// settled.
    var sources: [WrappedLine] = []
    var settled = 0
    /// Settled lines, the live part and the footer, from the row where they
    /// begin. The cursor stands at the end of the last of them; at the row's
    /// start without any. Below settled lines alone, that is an empty row.
    var drawn: [WrappedRow] = []
    var footers = 0
    /// Rows of the footer below which the terminal keeps the end of the text
    /// (DECSC); 0 where it keeps nothing.
    var keptAbove = 0
    /// The first row goes on a line that the terminal has folded above it.
    var isTopFolded = false
    /// While a new width is looked at: the rows above the cursor that the
    /// terminal has surely kept on the screen. tmux keeps what is empty below
    /// the cursor, and lets go of rows at the top instead.
    var kept: Int?
    /// What of the live part is above `drawn` for good: whole lines, and the
    /// beginning of the next.
    var skipped = Skipped()

    struct Skipped {
        var lines = 0
        var bytes = 0
        /// The last of those bytes, to find the place again when the text
        /// before it has become another.
        var tail: [UInt8] = []
    }

    /// What the screen is to show.
    struct Target {
        var lines: [WrappedLine]
        /// How many of the lines will not change.
        var done: Int
        var footer: [PaintedLine]
        var rows: [WrappedRow] = []

        /// - Parameter settled: as many lines were there before.
        mutating func layOut(columns: Int, settled: Int) {
            rows = lines.indices.flatMap { lines[$0].rows($0, columns: columns) }
            // Where the text goes on, below lines that are only kept.
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

    /// Nothing of it is on the screen that could still change.
    var isEmpty: Bool { drawn.isEmpty }

    // MARK: - Events

    /// - Parameters:
    ///   - finished: what will not change; it leaves the live part.
    ///   - live: what may, all of it.
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
        // Then nothing above it is settled.
        if skipped.bytes > 0, !target.lines.isEmpty {
            realign(with: target.lines[0].text)
            target.lines[0].from = skipped.bytes
            // All of it is there already.
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
        // More rows might have scrolled the place away.
        if footerRows > keptAbove { keptAbove = 0 }
        if kept != nil, rowsBelow(0, 0) > reach { giveUpTop(&target) }
        kept = nil
        out += change(to: &target)
        take(target, &out)
        return out
    }

    /// What was painted is what stands there.
    private mutating func take(_ target: Target, _ out: inout [UInt8]) {
        let final = target.rows.prefix { $0.line < target.done }.count
        let isAll = final == target.rows.count
        // Nothing was added to settled lines alone: the row below is there.
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

    /// Puts whole lines above the live part, which goes on below them.
    package mutating func insert(_ lines: [UInt8], on size: ScreenSize) -> [UInt8] {
        var out = resized(to: size)
        defer { kept = nil }
        settle()
        guard !drawn.isEmpty else { return out + lines }
        if skipped.bytes == 0, rowsBelow(0, 0) <= reach {
            out += moveBack(to: 0, PaintedLine.Place(row: 0, column: 0))
            out += Self.eraseBelow + lines
            write(drawn[...], from: 0, footers: footers, to: &out)
            return out
        }
        out += leave()
        return out + lines
    }

    /// The text has ended: what is finished keeps its lines from now on.
    package mutating func settle() { release(settled) }

    /// Ends the live part as it stands; what comes next begins a row.
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
                // At the margin the cursor cannot be sent to the end of the
                // text: to the row below, which is the footer's.
                out += moveBack(to: text, PaintedLine.Place(row: 0, column: 0))
                out += Self.eraseBelow
                lose()
                return out
            }
        } else if footers > 0 {
            out += moveBack(to: 0, PaintedLine.Place(row: 0, column: 0)) + Self.eraseBelow
            drawn = []
            (footers, keptAbove) = (0, 0)
            return out
        }
        lose()
        out.append(0x0A)
        return out
    }

    /// Something else has moved the cursor to the start of another row: what
    /// was drawn stays where it is.
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
        // The terminal folds again from the beginning of the line, which is
        // above: it is unknown in which column our part of it begins now.
        if isTopFolded, style.isRefolded {
            if settled == 0 { return leave() }
            release(1)
        }
        releaseTop(isCut: !style.isRefolded)
        return []
    }

    /// What a terminal does that does not fold again: each row stays one, and
    /// loses what is beyond the edge.
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
