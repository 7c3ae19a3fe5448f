/// Stops updating text at the painter's top: finished lines, and rows that have scrolled off the
/// screen or soon will.
extension LivePainter {
    static let tailLength = 24

    /// Finds the skipped position again. Later text may have changed the part that has scrolled
    /// off: `**` disappears when its closing mark arrives.
    mutating func realign(with line: PaintedLine) {
        // The change may be in the last part; then match a shorter tail.
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

    /// Number of rows above the cursor that are surely still on the screen.
    var reach: Int { min(size.rows - 2, kept ?? .max) }

    /// Number of rows from a place in a drawn line down to the cursor.
    func rowsBelow(_ index: Int, _ row: Int) -> Int {
        drawn[index...].reduce(0) { $0 + $1.height } - 1 - row
    }

    /// Drops the first lines, which are finished.
    mutating func release(_ count: Int) {
        guard count > 0 else { return }
        isTopFolded = false
        drawn.removeFirst(drawn.prefix { $0.line < count }.count)
        for index in drawn.indices { drawn[index].line -= count }
        sources.removeFirst(count)
        settled = max(0, settled - count)
        // New text begins in the empty row below them.
        if sources.isEmpty, footers == 0 { drawn = [] }
    }

    /// Releases settled lines that are above the screen, and those whose number of rows
    /// only the terminal knows.
    ///
    /// - Parameter isCut: rows were cut to the width, so each line is one row.
    mutating func releaseTop(isCut: Bool = false) {
        var rest = drawn.reduce(0) { $0 + $1.height } - 1
        var (above, count, index) = (0, 0, 0)
        for line in 0..<settled {
            var isUncertain = false
            while index < drawn.count, drawn[index].line == line {
                rest -= drawn[index].height
                isUncertain =
                    isUncertain || !isCut && drawn[index].text.mayFold(columns: size.columns)
                index += 1
            }
            if rest >= size.rows - 2 { above = line + 1 }
            if isUncertain { count = line + 1 }
        }
        release(max(above, count))
    }

    /// Stops updating rows above the reachable part, in `drawn` and in the target.
    mutating func giveUpTop(_ target: inout Target) {
        var above = rowsBelow(0, 0) - reach
        let text = drawn.count - footers
        var index = 0
        while index < text, above > 0, drawn[index].height <= above {
            above -= drawn[index].height
            index += 1
        }
        guard index < text else { return giveUpAll(&target) }
        if above > 0, index + 1 < text, sources[drawn[index].line].isProse {
            // The terminal has folded one of our rows: at the next width it would join it with text
            // that begins within it.
            (index, above) = (index + 1, 0)
        }
        let cut = above > 0 ? drawn[index].text.offset(ofRow: above, columns: size.columns) : 0
        drawn.removeFirst(index)
        isTopFolded = cut > 0 || index == 0 && isTopFolded
        if cut > 0 {
            drawn[0].text = drawn[0].text.dropping(cut)
            drawn[0].start += max(0, cut - drawn[0].margin)
            drawn[0].margin = max(0, drawn[0].margin - cut)
            drawn[0].height -= above
        }
        let (line, start) = (drawn[0].line, drawn[0].start)
        let tail = line < sources.count ? sources[line].text.bytes[..<start] : []
        dropLines(line, of: &target)
        if start > 0, !target.lines.isEmpty, line < settled {
            target.lines[0].from = start
        } else if start > 0, !target.lines.isEmpty {
            let before = skipped
            skipped.bytes = start
            skipped.tail = Array(tail.suffix(Self.tailLength))
            realign(with: target.lines[0].text)
            target.lines[0].from = skipped.bytes
            // The line is finished: the next text does not start with it.
            if target.done > 0 { skipped = before }
        }
        for index in drawn.indices { drawn[index].line -= line }
        sources = Array(sources.dropFirst(line))
        settled = max(0, settled - line)
        target.layOut(columns: size.columns, settled: settled)
    }

    /// Handles a footer as high as the screen: everything above it stays as it is.
    private mutating func giveUpAll(_ target: inout Target) {
        let lines = drawn.count > footers ? drawn[drawn.count - footers - 1].line + 1 : 0
        dropLines(lines, of: &target)
        drawn = drawn.suffix(footers)
        for index in drawn.indices { drawn[index].line -= lines }
        sources = Array(sources.dropFirst(lines))
        settled = max(0, settled - lines)
        target.layOut(columns: size.columns, settled: settled)
    }

    private mutating func dropLines(_ count: Int, of target: inout Target) {
        let live = count - settled
        if live > 0 {
            skipped = Skipped(lines: skipped.lines + max(0, count - target.done))
        }
        target.lines.removeFirst(min(count, target.lines.count))
        target.done = max(0, target.done - count)
    }
}
