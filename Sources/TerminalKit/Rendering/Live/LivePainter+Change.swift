/// The bytes that update the screen: move back to the first character that differs, and write
/// everything again from there.
extension LivePainter {
    static let eraseBelow = Array("\u{1B}[J".utf8)

    /// Updates the drawn rows to the target's.
    mutating func change(to target: inout Target) -> [UInt8] {
        let footers = target.footer.count
        var (index, offset) = firstDifference(target.rows)
        if let out = addition(to: target.rows, index, offset, footers: footers) { return out }
        if rowsBelow(min(index, drawn.count - 1), 0) > reach {
            giveUpTop(&target)
            (index, offset) = firstDifference(target.rows)
            if let out = addition(to: target.rows, index, offset, footers: footers) { return out }
        }
        let target = target.rows
        var out: [UInt8] = []
        // The changed line ended here and now continues below.
        if index == target.count {
            if index == 0 {
                return moveBack(to: 0, PaintedLine.Position(row: 0, column: 0)) + Self.eraseBelow
            }
            index -= 1
            offset = target[index].text.bytes.count
        }
        let start = drawn[index].text.rewriteStart(
            for: offset, before: Self.scalar(of: target[index].text, at: offset),
            columns: size.columns)
        out += moveBack(to: index, start.place) + Self.eraseBelow
        write(target[index...], from: start.offset, footers: footers, to: &out)
        return out
    }

    /// The bytes if text is only added, or nothing changes; nil if something drawn has to be
    /// removed.
    private mutating func addition(
        to target: [WrappedRow], _ index: Int, _ offset: Int, footers: Int
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
        guard index == drawn.count - 1, index < target.count,
            offset == drawn[index].text.bytes.count
        else { return nil }
        write(target[index...], from: offset, footers: footers, to: &out)
        return out
    }

    private func firstDifference(_ target: [WrappedRow]) -> (index: Int, offset: Int) {
        var index = 0
        while index < drawn.count, index < target.count, drawn[index].text == target[index].text {
            index += 1
        }
        guard index < drawn.count, index < target.count else { return (index, 0) }
        return (index, drawn[index].text.commonPrefix(with: target[index].text))
    }

    private static func scalar(of line: PaintedLine, at offset: Int) -> Unicode.Scalar? {
        guard offset < line.bytes.count, line.bytes[offset] >= 0x80 else { return nil }
        let start = line.boundary(atOrBefore: offset)
        return String(decoding: line.bytes[start...].prefix(4), as: UTF8.self).unicodeScalars.first
    }

    /// Moves the cursor from the end of the drawn text to a position in one of its lines.
    func moveBack(to index: Int, _ place: PaintedLine.Position) -> [UInt8] {
        guard !drawn.isEmpty else { return [] }
        var out: [UInt8] = []
        var from = drawn.count - 1
        if keptAbove > 0, index < drawn.count - footers {
            out += Self.restore
            from = drawn.count - footers - 1
        }
        let cursor = drawn[from].text.end(columns: size.columns)
        let up = drawn[index...from].reduce(0) { $0 + $1.height } - 1 - place.row
        if up > 0 {
            let right = place.column > 0 ? "\u{1B}[\(place.column)C" : ""
            return out + Array("\r\u{1B}[\(up)A\(right)".utf8)
        }
        if place.column == 0 { return cursor.column > 0 ? out + [0x0D] : out }
        // At the margin xterm's cursor is on the last column, tmux's after it.
        if cursor.column >= size.columns {
            return out + Array("\r\u{1B}[\(place.column)C".utf8)
        }
        // Move backwards, so that a misjudged width earlier in the row does not matter.
        let left = cursor.column - place.column
        return left > 0 ? out + Array("\u{1B}[\(left)D".utf8) : out
    }

    private static let save = Array("\u{1B}7".utf8)
    private static let restore = Array("\u{1B}8".utf8)

    /// Makes the terminal save the position of the text's end before a footer is written below it,
    /// since only the terminal knows the width of some clusters. IND makes room first, and keeps
    /// the column.
    private mutating func keepPlace(
        behind lines: [WrappedRow], _ footers: Int, _ out: inout [UInt8]
    ) {
        let text = lines.count - footers
        guard footers > 0, text > 0, lines[text - 1].text.isMeasuredDifferently,
            lines[text - 1].text.end(columns: size.columns).column < size.columns
        else { return }
        let rows = lines.suffix(footers).reduce(0) { $0 + $1.height }
        guard rows < size.rows - 1 else { return }
        for _ in 0..<rows { out += Array("\u{1B}D".utf8) }
        out += Array("\u{1B}[\(rows)A".utf8) + Self.save
        keptAbove = rows
    }

    /// Writes lines with the breaks between them, the first from that byte on.
    mutating func write(
        _ lines: ArraySlice<WrappedRow>, from offset: Int, footers: Int, to out: inout [UInt8]
    ) {
        var start = offset
        if lines.count > footers { keptAbove = 0 }
        for (index, line) in lines.enumerated() {
            if index > 0 {
                if index == lines.count - footers { keepPlace(behind: Array(lines), footers, &out) }
                out.append(0x0A)
            }
            style.append(line.text, from: start, to: &out)
            start = 0
        }
    }
}
