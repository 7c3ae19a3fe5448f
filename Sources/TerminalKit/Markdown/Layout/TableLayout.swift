/// Lays out a table as lines that fit the screen: each column is as wide as its widest cell if
/// there is room; otherwise the wide columns share the rest and their cells take several lines. The
/// only place where the program breaks lines.
///
/// It caches the lines of complete rows as long as no width changes.
struct TableLayout: Sendable {
    /// Number of rows after which the widths are fixed and rows are final.
    static let frozenAt = 40
    private static let least = 3

    struct Cell: Sendable {
        var lines: [[RichLine.Span]]
        var width: Int
    }

    let alignments: [TableRow.Alignment]
    let usesUnicode: Bool
    private var rows: [[Cell]] = []
    private var natural: [Int]
    private var frozen: [Int]?
    private var cache: (widths: [Int], lines: [RichLine])?
    private var isHeadWritten = false

    init(head: [Cell], alignments: [TableRow.Alignment], usesUnicode: Bool) {
        self.alignments = alignments
        self.usesUnicode = usesUnicode
        natural = Array(repeating: 1, count: alignments.count)
        add(head)
    }

    var isFrozen: Bool { frozen != nil }

    /// Adds a row: missing cells are empty, cells beyond the head's are dropped.
    mutating func add(_ cells: [Cell]) {
        var row = Array(cells.prefix(alignments.count))
        while row.count < alignments.count { row.append(Cell(lines: [[]], width: 0)) }
        for (index, cell) in row.enumerated() { natural[index] = max(natural[index], cell.width) }
        rows.append(row)
    }

    /// The lines of the rows that have become final; none until there are many rows.
    mutating func takeFinal(columns: Int) -> [RichLine] {
        guard isFrozen || rows.count > Self.frozenAt else { return [] }
        return takeAll(columns: columns)
    }

    mutating func takeAll(columns: Int) -> [RichLine] {
        let lines = lines(columns: columns)
        if frozen == nil { frozen = widths(columns: columns) }
        rows.removeAll()
        cache = nil
        isHeadWritten = true
        return lines
    }

    private mutating func lines(columns: Int) -> [RichLine] {
        let widths = frozen ?? widths(columns: columns)
        var lines: [RichLine] = []
        var done = 0
        if let cache, cache.widths == widths {
            lines = cache.lines
            done = cachedRows
        }
        for (index, row) in rows.enumerated().dropFirst(done) {
            let isHead = index == 0 && !isHeadWritten
            lines += self.lines(row, widths, isHead: isHead)
            if isHead { lines.append(rule(widths)) }
        }
        return lines
    }

    private var cachedRows = 0

    /// Caches the lines for the next call with one more row.
    mutating func remember(columns: Int) {
        guard frozen == nil else { return }
        let widths = widths(columns: columns)
        let lines = lines(columns: columns)
        cache = (widths, lines)
        cachedRows = rows.count
    }

    // MARK: - Widths

    /// The column widths, capped at the largest limit for which all columns fit.
    private func widths(columns: Int) -> [Int] {
        let room = max(natural.count * Self.least, columns - 3 * (natural.count - 1))
        guard natural.reduce(0, +) > room else { return natural }
        var left = room
        var widths = natural
        let order = natural.indices.sorted { (natural[$0], $0) < (natural[$1], $1) }
        for (rank, column) in order.enumerated() {
            widths[column] = min(natural[column], left / (order.count - rank))
            left -= widths[column]
        }
        return widths
    }

    // MARK: - Lines

    private func lines(_ row: [Cell], _ widths: [Int], isHead: Bool) -> [RichLine] {
        let cells = zip(row, widths).map { CellWrap.lines($0.0, width: $0.1) }
        let height = cells.map(\.count).max() ?? 1
        return (0..<height).map { line in
            var spans: [RichLine.Span] = []
            for (index, cell) in cells.enumerated() {
                if index > 0 {
                    spans.append(
                        RichLine.Span(usesUnicode ? " │ " : " | ", RichLine.Look(.text, .dim)))
                }
                let text = line < cell.count ? cell[line] : (spans: [], width: 0)
                spans += aligned(
                    text.spans, room: max(0, widths[index] - text.width), alignments[index])
            }
            while let last = spans.last, last.text.hasSuffix(" ") {
                spans.removeLast()
                let kept = last.text.reversed().drop { $0 == " " }.reversed()
                if !kept.isEmpty { spans.append(RichLine.Span(String(kept), last.look)) }
            }
            return RichLine(isHead ? spans.map(Self.bold) : spans)
        }
    }

    private static func bold(_ span: RichLine.Span) -> RichLine.Span {
        var span = span
        if !span.look.traits.contains(.dim) { span.look.traits.insert(.bold) }
        return span
    }

    private func aligned(
        _ spans: [RichLine.Span], room: Int, _ alignment: TableRow.Alignment
    ) -> [RichLine.Span] {
        guard room > 0 else { return spans }
        let before =
            switch alignment {
            case .none, .left: 0
            case .center: room / 2
            case .right: room
            }
        var out = spans
        if before > 0 { out.insert(RichLine.Span(Self.spaces(before)), at: 0) }
        if room > before { out.append(RichLine.Span(Self.spaces(room - before))) }
        return out
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private func rule(_ widths: [Int]) -> RichLine {
        let (dash, cross) = usesUnicode ? ("─", "─┼─") : ("-", "-+-")
        let parts = widths.map { String(repeating: dash, count: $0) }
        return RichLine(parts.joined(separator: cross), RichLine.Look(.text, .dim))
    }
}
