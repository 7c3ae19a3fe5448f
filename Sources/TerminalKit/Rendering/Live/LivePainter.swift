import AgentCore

/// Keeps the unfinished end of a text on the screen up to date with the fewest
/// bytes: what stands there already stays, and only the rest is written.
///
/// ```
/// finished lines       never touched again; they scroll as any output
/// ─ the live part ─    goes back at most to the first letter that differs
/// footer               a few rows below
/// ```
///
/// Lines are never broken or padded by us: the terminal folds them, so a copy
/// gives them back whole. What has left the screen at its top stays as it was
/// written. Without a sequence beyond: up, right, left, erase below, colours, and
/// around a footer below text that terminals measure differently: index, save
/// and restore.
package struct LivePainter {
    private let style: Style
    private var size = ScreenSize()
    /// The live part and the footer, from the row where it begins. The cursor
    /// stands at the end of the last of them; at the row's start without any.
    private var drawn: [PaintedLine] = []
    private var footers = 0
    /// Rows of the footer below which the terminal keeps the end of the text
    /// (DECSC); 0 where it keeps nothing.
    private var keptAbove = 0
    /// What of the live part is above `drawn` for good: whole lines, and the
    /// beginning of the next.
    private var skipped = Skipped()

    private struct Skipped {
        var lines = 0
        var bytes = 0
        /// The last of those bytes, to find the place again when the text
        /// before it has become another.
        var tail: [UInt8] = []
    }

    package init(style: Style) { self.style = style }

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
        var target = (finished + live).dropFirst(skipped.lines).map(PaintedLine.init)
        var done = max(0, finished.count - skipped.lines)
        if skipped.bytes > 0, !target.isEmpty {
            realign(with: target[0])
            target[0] = target[0].dropping(skipped.bytes)
            // All of it is there already.
            if target[0].bytes.isEmpty {
                target.removeFirst()
                done = max(0, done - 1)
            }
        }
        if finished.count > skipped.lines {
            skipped = Skipped()
        } else {
            skipped.lines -= finished.count
        }
        target += footer.map { PaintedLine(Self.cut($0, to: 2 * size.columns - 1)) }
        let footerRows = target.suffix(footer.count).reduce(0) {
            $0 + $1.rows(columns: size.columns)
        }
        // More rows might have scrolled the place away.
        if footerRows > keptAbove { keptAbove = 0 }
        out += change(to: &target, done: &done, footers: footer.count)
        if done > 0, done == target.count { out.append(0x0A) }
        drawn = Array(target.dropFirst(done))
        footers = min(footer.count, drawn.count)
        if footers == 0 { keptAbove = 0 }
        return out
    }

    /// Puts whole lines above the live part, which goes on below them.
    package mutating func insert(_ lines: [UInt8], on size: ScreenSize) -> [UInt8] {
        var out = resized(to: size)
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

    /// Ends the live part as it stands; what comes next begins a row.
    mutating func leave() -> [UInt8] {
        guard !drawn.isEmpty else { return [] }
        var out: [UInt8] = []
        let text = drawn.count - footers
        if footers > 0, text > 0 {
            let end = drawn[text - 1].end(columns: size.columns)
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
        let text = drawn.prefix(drawn.count - footers)
        if let last = text.last {
            if text.count > 1 { skipped = Skipped(lines: skipped.lines + text.count - 1) }
            skipped.bytes += last.bytes.count
            skipped.tail = Array((skipped.tail + last.bytes).suffix(Self.tailLength))
        }
        drawn = []
        (footers, keptAbove) = (0, 0)
    }

    // MARK: - What is above for good

    private static let tailLength = 24

    /// Text that was not there yet when its beginning left the screen may have
    /// changed that beginning: `**` is gone once its partner has come.
    private mutating func realign(with line: PaintedLine) {
        // The change may be in the last of it: then less has to do.
        for length in [Self.tailLength, Self.tailLength / 2, Self.tailLength / 4] {
            let tail = skipped.tail.suffix(length)
            func fits(_ end: Int) -> Bool {
                end >= tail.count && end <= line.bytes.count
                    && line.bytes[(end - tail.count)..<end].elementsEqual(tail)
            }
            if fits(skipped.bytes) { return }
            for distance in 1...256 {
                for end in [skipped.bytes - distance, skipped.bytes + distance] where fits(end) {
                    skipped.bytes = end
                    return
                }
            }
        }
        skipped.bytes = line.boundary(atOrBefore: skipped.bytes)
    }

    /// Rows above the cursor that are surely still on the screen.
    private var reach: Int { size.rows - 2 }

    /// The rows from a place of a drawn line down to the cursor.
    private func rowsBelow(_ index: Int, _ row: Int) -> Int {
        drawn[index...].reduce(0) { $0 + $1.rows(columns: size.columns) } - 1 - row
    }

    /// Gives up what is above the reach, in `drawn` and in what it becomes.
    private mutating func giveUpTop(_ target: inout [PaintedLine], _ done: inout Int) {
        var above = rowsBelow(0, 0) - reach
        var lines = 0
        while lines < drawn.count - footers, above > 0 {
            let height = drawn[lines].rows(columns: size.columns)
            if height > above { break }
            above -= height
            lines += 1
        }
        lines = min(lines, target.count)
        drawn.removeFirst(lines)
        target.removeFirst(lines)
        skipped.lines += max(0, lines - done)
        done = max(0, done - lines)
        if lines > 0 { (skipped.bytes, skipped.tail) = (0, []) }
        guard above > 0, drawn.count > footers, !target.isEmpty else { return }
        let cut = drawn[0].offset(ofRow: above, columns: size.columns)
        let kept = (skipped.bytes, skipped.tail)
        skipped.tail = Array((skipped.tail + drawn[0].bytes.prefix(cut)).suffix(Self.tailLength))
        let before = skipped.bytes
        // `target[0]` begins where `drawn[0]` does.
        skipped.bytes = cut
        if skipped.tail.count > cut { skipped.tail = Array(drawn[0].bytes.prefix(cut)) }
        realign(with: target[0])
        drawn[0] = drawn[0].dropping(cut)
        target[0] = target[0].dropping(skipped.bytes)
        skipped.bytes += before
        if done > 0 { (skipped.bytes, skipped.tail) = kept }
    }

    private mutating func resized(to new: ScreenSize) -> [UInt8] {
        let isNarrower = new.columns != size.columns
        if new.stops != size.stops { lose() }
        if new != size { keptAbove = 0 }
        size = new
        // The terminal folds anew from the beginning of the line, which is
        // above: it is unknown in which column our part of it begins now.
        return isNarrower && skipped.bytes > 0 ? leave() : []
    }

    // MARK: - Bytes

    private static let eraseBelow = Array("\u{1B}[J".utf8)

    private mutating func change(
        to target: inout [PaintedLine], done: inout Int, footers: Int
    ) -> [UInt8] {
        var (index, offset) = firstDifference(target)
        if let out = addition(to: target, index, offset, footers: footers) { return out }
        if rowsBelow(min(index, drawn.count - 1), 0) > reach {
            giveUpTop(&target, &done)
            (index, offset) = firstDifference(target)
            if let out = addition(to: target, index, offset, footers: footers) { return out }
        }
        var out: [UInt8] = []
        // The change is the end of a line that goes on otherwise below.
        if index == target.count {
            if index == 0 {
                return moveBack(to: 0, PaintedLine.Place(row: 0, column: 0)) + Self.eraseBelow
            }
            index -= 1
            offset = target[index].bytes.count
        }
        let start = drawn[index].rewriteStart(
            for: offset, before: Self.scalar(of: target[index], at: offset), columns: size.columns)
        out += moveBack(to: index, start.place) + Self.eraseBelow
        write(target[index...], from: start.offset, footers: footers, to: &out)
        return out
    }

    /// The bytes where all that is drawn stays and something follows, or
    /// nothing at all; nil where something has to go.
    private mutating func addition(
        to target: [PaintedLine], _ index: Int, _ offset: Int, footers: Int
    ) -> [UInt8]? {
        var out: [UInt8] = []
        if index == drawn.count {
            if index == target.count { return out }
            if index > 0 {
                if index == target.count - footers { keepPlace(behind: target, footers, &out) }
                out.append(0x0A)
            }
            write(target[index...], from: 0, footers: footers, to: &out)
            return out
        }
        guard index == drawn.count - 1, index < target.count, offset == drawn[index].bytes.count
        else { return nil }
        write(target[index...], from: offset, footers: footers, to: &out)
        return out
    }

    private func firstDifference(_ target: [PaintedLine]) -> (index: Int, offset: Int) {
        var index = 0
        while index < drawn.count, index < target.count, drawn[index] == target[index] {
            index += 1
        }
        guard index < drawn.count, index < target.count else { return (index, 0) }
        return (index, drawn[index].commonPrefix(with: target[index]))
    }

    private static func scalar(of line: PaintedLine, at offset: Int) -> Unicode.Scalar? {
        guard offset < line.bytes.count, line.bytes[offset] >= 0x80 else { return nil }
        let start = line.boundary(atOrBefore: offset)
        return String(decoding: line.bytes[start...].prefix(4), as: UTF8.self).unicodeScalars.first
    }

    /// From the end of what is drawn to a place in one of its lines.
    private func moveBack(to index: Int, _ place: PaintedLine.Place) -> [UInt8] {
        guard !drawn.isEmpty else { return [] }
        var out: [UInt8] = []
        var from = drawn.count - 1
        if keptAbove > 0, index < drawn.count - footers {
            out += Self.restore
            from = drawn.count - footers - 1
        }
        let cursor = drawn[from].end(columns: size.columns)
        let up =
            drawn[index...from].reduce(0) { $0 + $1.rows(columns: size.columns) } - 1 - place.row
        if up > 0 {
            let right = place.column > 0 ? "\u{1B}[\(place.column)C" : ""
            return out + Array("\r\u{1B}[\(up)A\(right)".utf8)
        }
        if place.column == 0 { return cursor.column > 0 ? out + [0x0D] : out }
        // At the margin xterm's cursor is on the last column, tmux's after it.
        if cursor.column >= size.columns {
            return out + Array("\r\u{1B}[\(place.column)C".utf8)
        }
        // Backwards, so that a width we misjudge earlier in the row does no
        // harm.
        let left = cursor.column - place.column
        return left > 0 ? out + Array("\u{1B}[\(left)D".utf8) : out
    }

    private static let save = Array("\u{1B}7".utf8)
    private static let restore = Array("\u{1B}8".utf8)

    /// Has the terminal remember where the text ends, before a footer is
    /// written below it: of some clusters it alone knows the width. IND makes
    /// room first, and leaves the column alone.
    private mutating func keepPlace(
        behind lines: [PaintedLine], _ footers: Int, _ out: inout [UInt8]
    ) {
        let text = lines.count - footers
        guard footers > 0, text > 0, lines[text - 1].isMeasuredDifferently,
            lines[text - 1].end(columns: size.columns).column < size.columns
        else { return }
        let rows = lines.suffix(footers).reduce(0) { $0 + $1.rows(columns: size.columns) }
        guard rows < size.rows - 1 else { return }
        for _ in 0..<rows { out += Array("\u{1B}D".utf8) }
        out += Array("\u{1B}[\(rows)A".utf8) + Self.save
        keptAbove = rows
    }

    /// Lines with the breaks between them, the first from that byte on.
    private mutating func write(
        _ lines: ArraySlice<PaintedLine>, from offset: Int, footers: Int, to out: inout [UInt8]
    ) {
        var start = offset
        if lines.count > footers { keptAbove = 0 }
        for (index, line) in lines.enumerated() {
            if index > 0 {
                if index == lines.count - footers { keepPlace(behind: Array(lines), footers, &out) }
                out.append(0x0A)
            }
            style.append(line, from: start, to: &out)
            start = 0
        }
    }

    private static func cut(_ line: RichLine, to columns: Int) -> RichLine {
        guard let look = line.spans.first?.look else { return line }
        let text = HostileText.line(line.text)
        return RichLine(DisplayWidth.cut(text, to: columns), look)
    }
}
